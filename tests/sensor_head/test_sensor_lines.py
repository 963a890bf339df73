"""What the head says, to whom and when: PROTOCOL.md from the head's side."""

from __future__ import annotations

import re
from array import array
from pathlib import Path
from random import Random
from zlib import crc32

import pytest

from tests.kit.pico import FIRMWARE, Pico  # it makes the files of the head importable
from umpi.simulator.tcs34725 import Chip

# isort: split
from ring import PERIOD, Clock, Ring
from sensing import NAMES, PINS
from wire import LONGEST, Reader, seal, unseal

ALL = " ".join(NAMES)


def test_a_line_ends_with_the_crc_32_of_the_text_before_the_star() -> None:
    assert seal("ping 7") == f"ping 7 *{crc32(b'ping 7'):08x}"
    assert unseal(seal("ping 7")) == "ping 7"
    assert unseal("ping 7") == "ping 7", "a person at a terminal reckons no checksums"
    assert unseal("ping 7 *00000000") is unseal("ping 7 *95") is unseal("ping 7*") is None


def test_it_says_who_it_is_and_which_protocol() -> None:
    assert Pico().answers("hello 1 4") == [
        "0 hello umpi-head protocol=1 firmware=2.3 board=e66160f423782934 boot=0badcafe"
    ]
    assert Pico().answers("hello 2 3") == [
        "0 sorry hello this head speaks protocol 1, the box 2 to 3: update the older one"
    ]


def test_changes_are_numbered_and_stamped_and_each_line_begins_with_the_last_number() -> None:
    now = [0]
    pico = Pico(lambda: now[0])
    for now[0], name, dark in ((10, "lane_3", True), (20, "second_3", True), (30, "lane_3", False)):
        pico.move(name, dark)
    now[0] = 40
    assert pico.answers("ping x") == ["1 dark lane_3 10", "2 dark second_3 20", "3 light lane_3 30", "3 pong x 40"]


def test_changes_of_one_moment_have_one_stamp() -> None:
    now = [0]
    pico = Pico(lambda: now[0])
    now[0] = 1_999_999
    pico.board.set(PINS["lane_1"], 0, PINS["second_6"], 0)
    now[0] = 2_000_000
    pico.board.set(PINS["lane_1"], 1, PINS["lane_6"], 0)
    assert pico.answers("levels")[:4] == [
        "1 dark lane_1 1999999",
        "2 dark second_6 1999999",
        "3 light lane_1 2000000",
        "4 dark lane_6 2000000",
    ]


def test_a_change_has_the_line_that_seal_gives() -> None:
    """The part that is machine code on the Pico writes numbers, stamps and checksums of all lengths."""
    now, chance = [0], Random(4)
    pico = Pico(lambda: now[0] % PERIOD)
    for power in range(37):
        while now[0] < 2**power:
            now[0] = min(2**power, now[0] + PERIOD // 3)
            pico.head.step()
        pico.sent.clear()
        name, number = chance.choice(NAMES[:-1]), chance.randrange(2 ** min(power, 30))
        pico.head._changes.number = number
        dark = bool(pico.board.levels >> PINS[name] & 1)
        pico.move(name, dark)
        pico.head.step()
        line = f"{number + 1} {'dark' if dark else 'light'} {name} {now[0]}"
        assert pico.sent.decode().splitlines()[0] == seal(line)


def test_a_receiver_whose_dark_is_high_is_dark_when_its_pin_is_high() -> None:
    pico = Pico()
    pico.board.set(PINS["lane_1"], 0)
    assert pico.answers("lines lane_1 dark=high")[-1].endswith("dark=high")
    pico.board.set(PINS["lane_1"], 1)
    pico.board.set(PINS["lane_1"], 0)
    assert [line.split()[1] for line in pico.answers("levels")] == ["dark", "light", "levels"]


SILLY = (
    "", "hello 2 3", "levels", f"lines {ALL}", "lines lane_9", "lines lane_1=99", "lines lane_1=3 lane_2", "x" * 400,
    "emit lane_7 on", "emit lane_1", "ping", "ping " + "7" * 280, "lines lane_1 lane_1", "leave", "hello a b c",
)  # fmt: skip


@pytest.mark.parametrize("command", SILLY)
def test_every_answer_is_a_whole_line_however_silly_the_command(command: str) -> None:
    for line in Pico().answers(command):
        assert re.fullmatch("0 (hello|sorry|levels|lines|pong|leave) [ -~]+|0 leave", line)
        assert len(seal(line)) <= LONGEST


def test_the_longest_lines_fit() -> None:
    pico = Pico()
    lines = [*pico.answers(f"lines {ALL} dark=high"), *pico.answers("levels")]
    pico.head._changes.number = 10**9
    assert max(len(seal(line)) for line in lines) + 10 <= LONGEST


def test_other_pins_and_fewer_lines_can_be_asked_for() -> None:
    pico = Pico()
    emitters = " ".join(f"emitter_{lane}={PINS[f'emitter_{lane}']}" for lane in range(2, 7))
    assert pico.answers("lines lane_1=26 wall emitter_1=22 dark=high") == [
        f"0 lines lane_1=26 wall=14 emitter_1=22 {emitters} dark=high"
    ]
    pico.move("lane_2", True)
    pico.move("wall", True)
    pico.head._ticks_us = lambda: 5
    assert pico.answers("levels") == ["1 hit wall 0", "1 levels lane_1=dark"]
    assert pico.answers("lines lane_1=3 lane_2=3") == ["1 sorry lines one pin cannot serve two lines"]
    assert "lane_1=26" in pico.answers("lines")[0], "what was refused changes nothing"


def test_earlier_changes_of_lines_are_reported_under_their_names() -> None:
    pico = Pico()
    pico.move("lane_2", True)
    assert pico.answers("lines wall lane_1")[0] == "1 dark lane_2 0"


def test_an_emitter_is_answered_for_once_the_receivers_had_time() -> None:
    now = [0]
    pico = Pico(lambda: now[0])
    pico.answers("lines lane_1 lane_2 second_1")
    assert pico.answers("emit lane_1 off") == []
    pico.head.step()
    now[0] = 20_000
    pico.head.step()
    lines = [line.rpartition(" *")[0] for line in pico.sent.decode().splitlines()]
    assert lines[:3] == [
        "1 dark lane_1 0",
        "2 dark second_1 0",
        "2 emit lane_1 off lane_1=dark lane_2=light second_1=dark",
    ]
    pico.answers("hello 1 1")
    assert pico.board.emitters[16], "a hello finds all emitters on"


@pytest.mark.parametrize(
    ("delays", "told"),
    [((77, 31), "lane_1=77 second_1=31"), ((9, None), "lane_1=9 second_1=-"), ((None, None), "lane_1=- second_1=-")],
)
@pytest.mark.parametrize("start", [0, PERIOD - 100_010])
def test_a_fade_tells_how_long_each_beam_took_to_become_dark(
    delays: tuple[int | None, int | None], told: str, start: int
) -> None:
    """From the ring, in which the emitter's own pin has its stamp too; also where the counter wraps."""
    now = [start]
    pico = Pico(lambda: now[0] % PERIOD)
    pico.answers("lines lane_1 second_1 lane_2")
    ring, board = pico.board, pico.board
    board.set(16, 1, 2, 1, 8, 1, 3, 1)
    pico.head.step()

    def emit(pin: int, on: bool) -> None:
        began = now[0]
        ring.set(pin, int(on))
        for receiver, delay in sorted(zip((2, 8), delays, strict=True), key=lambda each: each[1] or 0):
            if delay is not None:
                now[0] = began + (5 if on else delay)
                ring.set(receiver, int(on))
        now[0] = began

    board.emit = emit  # type: ignore[method-assign]
    now[0] += 100_000
    assert pico.answers("fade lane_1") == []
    assert pico.answers("fade lane_2")[-1].endswith("sorry fade one lane at a time")
    pico.sent.clear()
    for _ in range(25):
        now[0] += 1000
        pico.head.step()
    said = [line.rpartition(" *")[0].partition(" ")[2] for line in pico.sent.decode().splitlines()]
    assert [line for line in said if line.startswith("fade")] == [f"fade lane_1 {told}"]
    assert board.levels >> 16 & 1, "it shines again"


def test_a_fade_needs_a_lane() -> None:
    for command in ("fade", "fade lane_7", "fade all", "fade lane_1 off"):
        assert "sorry fade it needs a lane" in Pico().answers(command)[0]


def test_a_fade_among_more_changes_than_the_ring_keeps_tells_nothing() -> None:
    now = [0]
    pico = Pico(lambda: now[0])
    pico.answers("lines lane_1")
    pico.answers("fade lane_1")
    for turn in range(400):
        pico.board.set(2, turn % 2)
    now[0] = 30_000
    pico.head.step()
    pico.head.step()
    assert " fade lane_1 lane_1=- *" in pico.sent.decode()


def test_it_beats_twice_a_second_and_quickly_while_something_happens() -> None:
    now = [0]
    pico = Pico(lambda: now[0] % PERIOD)
    beats: list[int] = []
    for now[0] in range(0, 4_000_000, 1000):
        if now[0] == 2_000_000:
            pico.move("lane_1", True)
        pico.sent.clear()
        pico.head.step()
        beats += [int(stamp) for stamp in re.findall(r"beat (\d+)", pico.sent.decode())]
    assert beats[:4] == [500_000, 1_000_000, 1_500_000, 2_000_000]
    assert beats[4:8] == [2_020_000, 2_040_000, 2_060_000, 2_080_000]
    assert sum(2_000_000 < beat < 3_100_000 for beat in beats) == 49


def test_stamps_continue_when_the_counter_wraps() -> None:
    clock = Clock(PERIOD - 5)
    assert clock.us(PERIOD - 1) == 4
    assert clock.us(3) == 8, "an interrupt after the counter wrapped"
    assert clock.now(10) == 15
    assert clock.us(PERIOD - 2) == 3, "an earlier stamp, reported later"
    for round in range(1, 5):
        clock.now(PERIOD // 3)
        clock.now(2 * PERIOD // 3)
        assert clock.now(10) == round * PERIOD + 15


def test_a_ring_that_runs_over_keeps_the_numbers_of_what_it_lost() -> None:
    now = [0]
    pico = Pico(lambda: now[0])
    for now[0] in range(601):
        pico.move("lane_1", now[0] % 2 == 0)
    answers = pico.answers("ping x")
    assert answers[0].startswith("601 levels lane_1=dark lane_2=light")
    assert answers[1:] == ["601 pong x 600"]
    pico.move("lane_1", False)
    assert pico.answers("levels")[0] == "602 light lane_1 600"


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_a_ring_overtaken_several_times_still_says_that_changes_are_lost(rounds: int) -> None:
    """The writer reports its place in the ring, not its number of rounds: the loss may be greater than reported."""
    pico = Pico()
    for number in range(rounds * pico.board.ring.size):
        pico.board._ticks_us = lambda number=number: number + 1
        pico.move("lane_1", number % 2 == 0)
    number = int(pico.answers("ping x")[-1].split()[0])
    assert pico.board.ring.size <= number <= rounds * pico.board.ring.size


def test_changes_that_are_overwritten_while_they_are_read_are_lost() -> None:
    now = [0]
    pico = Pico(lambda: now[0])
    ring = pico.board.ring
    pico.move("lane_1", True)
    look = ring.look

    def late() -> int:
        found = int(look())
        if found:
            ring.look = look  # type: ignore[method-assign]
            for now[0] in range(5, 5 + ring.size):
                pico.move("lane_1", now[0] % 2 == 0)
        return found

    ring.look = late  # type: ignore[method-assign]
    now[0] = 4
    answers = pico.answers("ping x")
    assert not any(" dark " in line or " light " in line for line in answers)
    assert int(answers[-1].split()[0]) > ring.size


def test_a_ring_gives_back_what_was_written_in_order() -> None:
    chance, taken, written = Random(1), [], 0
    words = array("I", bytes(8 * 8))
    ring = Ring(words, 0, 8, lambda: written % 8)
    for _ in range(1000):
        if chance.random() < 0.5 and written - len(taken) < 7:
            words[written % 8], words[8 + written % 8] = written + 1, written + 1
            written += 1
        elif ring.look():
            taken += [(ring.levels(index), ring.ticks(index)) for index in range(ring.out, ring.until)]
            assert ring.advance()
    assert taken == [(number, number) for number in range(1, len(taken) + 1)]
    assert len(taken) > 300
    assert ring.lost == 0


def test_a_hit_counts_once_however_long_the_wall_rings() -> None:
    now = [PERIOD - 1000]
    pico = Pico(lambda: now[0] % PERIOD)
    pico.answers("lines wall")
    for _ in range(40):
        pico.move("wall", True)
        now[0] += 1000
    assert [line.split()[1] for line in pico.answers("levels")] == ["hit", "hit", "levels"]


def test_no_bytes_do_it_harm() -> None:
    chance, pico = Random(7), Pico()
    words = [
        b"hello 1 1",
        b"levels",
        b"ping 3",
        b"lines lane_1",
        b"emit lane_1 off",
        b"*",
        b"\n",
        b"\r\n",
        b" ",
        b"=",
        b"9" * 30,
    ]
    for _ in range(2000):
        pico.head.take(chance.choice((chance.randbytes(9), chance.choice(words))))
        pico.head.step()
    pico.answers("")
    assert pico.answers("ping 5")[-1].endswith("pong 5 0")


def test_a_reader_finds_the_next_line_after_any_garbage() -> None:
    reader = Reader()
    assert reader.feed(b"pi") == []
    assert reader.feed(b"ng 1\r\n\xff\xfe\n") == ["ping 1", None]
    assert reader.feed(b"x" * 5000 + b"\nping 2\n") == [None, "ping 2"]


def test_the_page_of_the_protocol_speaks_of_every_word() -> None:
    page = Path(FIRMWARE / "PROTOCOL.md").read_text(encoding="utf-8")
    for word in (
        "hello",
        "ping",
        "levels",
        "lines",
        "emit",
        "fade",
        "leave",
        "dark",
        "light",
        "hit",
        "beat",
        "pong",
        "sorry",
    ):
        assert re.search(rf"`(\d+ )?{word}\b", page), word
    for line in re.findall(r"`([^`]+ \*[0-9a-f]{8})`", page):
        assert unseal(line), line


def test_the_readme_wires_every_line_to_the_pin_it_has() -> None:
    page = Path(FIRMWARE / "README.md").read_text(encoding="utf-8")
    assert {name: int(pin) for name, pin in re.findall(r"\| (\w+_\d|wall) \| GP(\d+) \|", page)} == PINS


def test_it_passes_transfers_to_the_colour_sensor_and_says_if_nothing_answers() -> None:
    pico = Pico()
    assert pico.answers("colour get b2 1") == ["0 colour get b2 -"]
    pico.board.sensor = chip = Chip("red")
    assert pico.answers("colour get b2 1") == ["0 colour get b2 44"]
    assert pico.answers("colour put 81 eb") == ["0 colour put 81 ok"]
    assert chip.registers[1] == 0xEB
    chip.pull()
    assert pico.answers("colour put 81 eb") == ["0 colour put 81 -"]


@pytest.mark.parametrize(
    "words", ["", " get", " get b2", " get b2 e", " get b2 0", " put 80 100", " get g 1", " get b2 1 1"]
)
def test_a_transfer_that_it_cannot_make_is_refused(words: str) -> None:
    needed = "it needs put, register and value, or get, register and at most d"
    assert Pico().answers(f"colour{words}") == [f"0 sorry colour {needed}"]


def test_no_line_loses_its_pin_to_the_colour_sensor() -> None:
    pico = Pico()
    pico.board.sensor = Chip("red")
    pico.answers("lines lane_1=26")
    assert pico.answers("colour get b2 1") == ["0 sorry colour GP26 and GP27 serve lines"]
    pico.answers("lines lane_1")
    assert pico.answers("colour get b2 1") == ["0 colour get b2 44"]
