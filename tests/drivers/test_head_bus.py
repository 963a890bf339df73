"""The colour sensor at the sensor head: the box's driver through the head's own program, its faults in words."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from zlib import crc32

import pytest

from tests.kit.pico import MS, Bench
from umpi.drivers.head_bus import HeadBus
from umpi.drivers.head_protocol import Coloured, colours
from umpi.drivers.queue_rail import Rail
from umpi.drivers.tcs34725 import ADDRESS, BusAway, NoChip, Tcs34725
from umpi.simulator.tcs34725 import Chip, profile
from umpi.timing.events import QueueDetection


@dataclass
class BenchHead:
    """The box's side of a head on a bench: a request takes virtual time there."""

    bench: Bench
    answers: list[Coloured] = field(default_factory=list)

    @property
    def about(self) -> dict[str, str | float]:
        return {**self.bench.talk.who} if self.bench.talk.ready else {}

    def colour(self, request: str, timeout_s: float) -> Coloured | None:
        if not colours(self.bench.talk.who.get("firmware")):
            return None
        self.bench.on_news = lambda news: self.answers.append(news) if isinstance(news, Coloured) else None
        self.bench.talk.colour(request)
        for _ in range(round(timeout_s * 1000)):
            self.bench.run(MS)
            if self.answers:
                return self.answers.pop()
        return None


@pytest.fixture
def bench() -> Bench:
    return Bench(("lane_1", "second_1")).ready()


def test_the_rail_names_the_cube_at_the_stop_and_each_fault_and_the_beams_go_on(bench: Bench) -> None:
    chip = Chip("red")
    bench.pico.board.sensor = chip
    seen: list[QueueDetection] = []
    troubles: list[str] = []
    rail = Rail(
        lambda: HeadBus(BenchHead(bench)), profile(), seen.append, lambda: bench.now_ns, on_trouble=troubles.append
    )

    def play(steps: int) -> None:
        for _ in range(steps):
            wait_ns = round(rail.step() * 1e9)
            bench.run(wait_ns, [(MS, "lane_1", True), (2 * MS, "lane_1", False)])
            chip.now_ns = bench.now_ns

    play(12)
    assert (seen[-1].state, seen[-1].colour, troubles) == ("cube", "red", [])
    chip.pull()
    play(3)
    assert seen[-1].state == "out"
    assert troubles == ["The colour sensor does not answer: nothing answers at the plug of the gate board."]
    chip.plug()
    play(12)
    assert (seen[-1].colour, troubles[-1]) == ("red", "")
    assert bench.distrust == ""
    assert len(bench.edges) == len(bench.moved) > 40
    assert bench.lost == 0


def test_a_lost_request_is_repeated(bench: Bench) -> None:
    bench.pico.board.sensor = Chip("red")
    bus = HeadBus(BenchHead(bench))
    bench.spoil = lambda data: b"" if b"colour" in data and b"ok" not in data and bench.now_ns < later else data
    later = bench.now_ns + 200 * MS
    assert bus.read_i2c_block_data(ADDRESS, 0xB2, 1) == [0x44]


def test_an_older_head_is_not_asked(bench: Bench) -> None:
    bench.talk.who["firmware"] = "2.2"
    chip = Tcs34725(HeadBus(BenchHead(bench)), 4, nullcontext())
    with pytest.raises(NoChip, match=r"needs firmware 2\.3 of the sensor head, which has 2\.2: copy"):
        chip.wake()


def test_an_older_head_that_becomes_ready_meanwhile_is_named() -> None:
    class Old:
        about: Mapping[str, str | float] = {}

        def colour(self, request: str, timeout_s: float) -> None:
            self.about = {"firmware": "2.2"}

    with pytest.raises(NoChip, match=r"which has 2\.2: copy"):
        HeadBus(Old()).write_byte_data(ADDRESS, 0x80, 1)


def test_a_head_that_is_away_is_named(bench: Bench) -> None:
    bench.stalled.add("head")
    with pytest.raises(BusAway, match="at the sensor head, which does not answer"):
        HeadBus(BenchHead(bench), timeout_s=0.5).write_byte_data(ADDRESS, 0x80, 1)


def test_a_head_that_is_away_is_no_second_fault_of_the_sensor(bench: Bench) -> None:
    """The head reports itself; who waits for a cube still learns that a button must be pressed."""
    chip = Chip("red")
    bench.pico.board.sensor = chip
    seen: list[QueueDetection] = []
    troubles: list[str] = []
    bus = HeadBus(BenchHead(bench), timeout_s=0.1)
    rail = Rail(lambda: bus, profile(), seen.append, lambda: bench.now_ns, on_trouble=troubles.append)
    rail.step()
    chip.pull()
    rail.step()
    bench.stalled.add("head")
    rail.step()
    assert troubles == ["The colour sensor does not answer: nothing answers at the plug of the gate board.", ""]
    assert rail.trouble == "The colour sensor is at the sensor head, which does not answer."
    assert seen[-1].state == "out"


def test_only_the_colour_sensor_is_there(bench: Bench) -> None:
    with pytest.raises(ValueError, match=r"only transfers to 0x29, not to 0x3c"):
        HeadBus(BenchHead(bench)).write_byte_data(0x3C, 0, 0)


def test_bad_bytes_end_the_trust(bench: Bench) -> None:
    bench.talk.colour("get b2 1")
    bench.spoil = _resealed
    bench.run(50 * MS)
    assert "bad data" in bench.distrust


def _resealed(data: bytes) -> bytes:
    lines = []
    for line in data.splitlines():
        text = line.rpartition(b" *")[0]
        text = text.replace(b"colour get b2 -", b"colour get b2 xyz")
        lines.append(b"%s *%08x\n" % (text, crc32(text)))
    return b"".join(lines)


def test_a_close_closes_nothing(bench: Bench) -> None:
    HeadBus(BenchHead(bench)).close()
    assert bench.talk.ready
