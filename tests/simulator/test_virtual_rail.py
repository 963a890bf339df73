"""The virtual queue rail: cubes come to rest in their order, and a real Rail names them by their colours."""

from __future__ import annotations

from typing import Any

import pytest

from umpi.box.config import COLOURS
from umpi.drivers.colours import NOTHING
from umpi.simulator.rail import ROLL_NS, Queue, VirtualRail
from umpi.simulator.tcs34725 import CUBES, Chip, profile
from umpi.timing.events import QueueDetection

MS, SECOND = 1_000_000, 1_000_000_000


class Watched:
    """A virtual rail in injected time; `reported` is what its sensor saw, with its device errors."""

    def __init__(self) -> None:
        self.now_ns = 3 * SECOND
        self.reported: list[str] = []
        self.stamps: list[int] = []
        self.virtual = VirtualRail(None, self._seen, lambda: self.now_ns, self.reported.append)
        self.wait_ms(500)
        assert self.reported == ["empty"]
        self.reported.clear()

    def _seen(self, seen: QueueDetection) -> None:
        self.reported.append(seen.colour or seen.state)
        self.stamps.append(seen.at_ns)

    def wait_ms(self, ms: int) -> None:
        until_ns = self.now_ns + ms * MS
        while (due_ns := self.virtual.step()) <= until_ns:
            self.now_ns = due_ns
        self.now_ns = until_ns

    @property
    def cubes(self) -> list[str]:
        return [reported for reported in self.reported if reported in COLOURS]


def test_each_colour_of_the_virtual_cubes_is_known() -> None:
    for colour in COLOURS:
        watched = Watched()
        watched.virtual.lay(colour)
        watched.wait_ms(500)
        assert watched.reported == ["moving", colour]


def test_the_first_cube_is_at_the_stop_and_lifting_it_lets_the_next_one_roll_down() -> None:
    watched = Watched()
    for index, colour in enumerate(["blue", "yellow", "yellow", "black"]):
        watched.virtual.fall(colour, watched.now_ns + (100 + 60 * index) * MS)
    watched.wait_ms(2000)
    assert watched.cubes == ["blue"]
    for _ in range(3):
        watched.virtual.lift()
        watched.wait_ms(2000)
    assert watched.cubes == ["blue", "yellow", "yellow", "black"], "two of a colour are two"
    watched.virtual.lift()
    watched.wait_ms(500)
    assert watched.reported[-1] == "empty"


def test_a_crooked_cube_has_no_owner() -> None:
    for colour in COLOURS:
        watched = Watched()
        watched.virtual.fall(colour, watched.now_ns, crooked=True)
        watched.wait_ms(1000)
        assert watched.reported[-1] in ("unsure", "empty"), colour
        assert watched.cubes == []


def test_a_pulled_sensor_says_so_and_comes_back() -> None:
    watched = Watched()
    watched.virtual.lay("green")
    watched.wait_ms(500)
    watched.virtual.pull()
    watched.wait_ms(500)
    assert watched.reported[-2:] == ["The colour sensor does not answer: Remote I/O error.", "out"]
    watched.virtual.plug()
    watched.wait_ms(6000)
    assert watched.reported[-3:] == ["", "moving", "green"]


def lies(queue: Queue, at_ns: int) -> str:
    light = queue.light(at_ns / 1e9)
    return next(name for name, other in CUBES.items() if other == light)


def test_a_cube_that_was_at_the_stop_recently_is_still_known() -> None:
    """The chip counts over 50 ms: what it is asked for has been."""
    queue = Queue()
    queue.fall(100 * MS, CUBES["red"])
    queue.fall(150 * MS, CUBES["blue"])
    queue.lift(400 * MS)
    assert [lies(queue, ms * MS) for ms in (99, 101, 399, 401)] == [NOTHING, "red", "red", NOTHING]
    assert [lies(queue, 400 * MS + ROLL_NS + MS * ms) for ms in (-1, 1)] == [NOTHING, "blue"]


def test_a_hand_finds_the_stop_taken_or_empty() -> None:
    queue = Queue()
    with pytest.raises(LookupError, match="no cube lies at the stop"):
        queue.lift(0)
    queue.fall(100, CUBES["red"])
    with pytest.raises(LookupError, match="no cube lies at the stop"):
        queue.lift(99)
    queue.lay(50, CUBES["white"])
    with pytest.raises(LookupError, match="lift it first"):
        queue.lay(60, CUBES["white"])
    assert queue.light(150 / 1e9) == CUBES["white"], "the other one lies behind it"


def test_the_profile_is_fit_for_every_gain() -> None:
    for gain in (1, 4, 16):
        assert {colour.name for colour in profile(gain).colours} == {*COLOURS, NOTHING}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda chip: chip.write_byte_data(0x39, 0x80, 1), "nothing is at 0x39"),
        (lambda chip: chip.write_byte_data(0x29, 0x00, 1), "0x0 is not one register"),
        (lambda chip: chip.write_byte_data(0x29, 0x80, 3), "without its integration time"),
        (lambda chip: chip.read_i2c_block_data(0x29, 0x14, 8), "0x14 is not the id"),
    ],
)
def test_the_chip_refuses_what_the_real_one_would_not_understand(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(Chip())


def test_the_chip_counts_the_light_of_its_last_period_only() -> None:
    """TCS34725: a cycle of integration takes 2.4 ms, so eight cycles take 19.2 ms."""
    chip = Chip(lambda at_s: (1.0, 1.0, 1.0) if 0.0192 < at_s <= 0.0384 else (900.0, 900.0, 900.0))
    for register, value in ((0x01, 256 - 8), (0x0F, 1), (0x00, 3)):
        chip.write_byte_data(0x29, 0x80 | register, value)
    chip.now_ns = 38_400_000 + 1000
    _, status, *counts = chip.read_i2c_block_data(0x29, 0xA0 | 0x12, 10)
    whole = [low + 256 * high for low, high in zip(counts[::2], counts[1::2], strict=True)]
    assert status == 0x11
    assert whole == pytest.approx([3 * 4 * 8, *[4 * 8] * 3], abs=8)  # gain 4, and noise
