"""The emitter test of a sensor head: the head's own program on a bench in virtual time, and fakes of its blinks."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from tests.kit.pico import Bench, fall
from umpi.drivers.head_protocol import Blink
from umpi.referee.events import DeviceStatus
from umpi.service.emitter_check import MS, EmitterCheck, HeadSwitch
from umpi.timing.edge import Edge
from umpi.timing.events import Lost
from umpi.timing.gate import Settings

BEAMS = ("lane_1", "lane_2", "second_1", "second_2")


class BenchHead:
    """A head on the bench, with the method of the driver; the receivers in `sunny` see light all the time.

    Words in `garbled` do not arrive from it while the emitters are tested.
    """

    def __init__(self, moves: Sequence[Any] = (), sunny: Sequence[str] = (), garbled: Sequence[bytes] = ()) -> None:
        self.bench = Bench(BEAMS).ready()
        self.bench.run(1000 * MS)
        self.moves, self.asked, self.steps, self.garbled = moves, 0, 0, garbled
        board = self.bench.pico.board
        dim = board.set
        pins = [self.bench.pico.head._pins[name] for name in sunny]
        board.set = lambda *changes: changes[0] in pins or dim(*changes)  # type: ignore[method-assign]

    @property
    def dark(self) -> frozenset[str]:
        return self.bench.talk.dark

    def blink(self) -> Blink | None:
        self.asked += 1
        found: list[Any] = []
        self.bench.on_news = found.append
        self.bench.talk.blink()
        self.bench.spoil = self.garble
        for step in range(60):
            self.steps += 1
            now = [(at - step * MS, *what) for at, *what in self.moves if step * MS <= at < (step + 1) * MS]
            self.bench.run(MS, now)
            if found and isinstance(found[-1], Blink):
                return found[-1]
        raise TimeoutError

    def garble(self, data: bytes) -> bytes:
        for word in self.garbled:
            data = data.replace(word, b"?" * len(word))
        return data


def switch(head: Any, cube_mm: float = 16, names: Sequence[str] = BEAMS) -> HeadSwitch:
    async def blink() -> Blink | None:
        found: Blink | None = head.blink()
        return found

    return HeadSwitch(names, Settings(cube_mm=cube_mm), lambda: head.dark, blink)


def outcome(head: Any) -> tuple[EmitterCheck, list[Any]]:
    test = EmitterCheck(switch(head), lambda: 0)
    return test, asyncio.run(test.run())


def test_receivers_that_go_dark_are_well_and_their_edges_are_the_test_s_own() -> None:
    head = BenchHead()
    test, news = outcome(head)
    assert news == []
    assert len(head.bench.edges) == 8
    assert all(test.own(edge) for edge in head.bench.edges)
    stamps = [edge.at_ns for edge in head.bench.edges]
    assert 3 * MS - MS < max(stamps) - min(stamps) < 3 * MS + 2 * MS


def test_the_emitters_are_on_again_and_the_protocol_continues() -> None:
    head = BenchHead()
    outcome(head)
    head.bench.run(2000 * MS)
    assert set(head.bench.pico.board.emitters.values()) == {True}
    assert head.bench.distrust == ""
    assert head.dark == frozenset()


def test_a_receiver_in_the_sun_is_reported_until_it_is_well() -> None:
    head = BenchHead(sunny=["second_2"])
    test, news = outcome(head)
    assert news == [DeviceStatus("light", "second_2")]
    assert asyncio.run(test.run()) == []


@pytest.mark.parametrize(("garbled", "news"), [([b" emit "], []), ([b" emit ", b" beat "], [Lost(1)])])
def test_a_test_whose_answer_is_lost_makes_no_cubes(garbled: list[bytes], news: list[Any]) -> None:
    """The next beat shows that the answer is missing. Without one, every edge since the request may be the test's."""
    head = BenchHead(garbled=garbled)
    test = EmitterCheck(switch(head), lambda: head.bench.now_ns)
    assert asyncio.run(test.run()) == news
    assert len(head.bench.edges) == 8
    assert all(test.own(edge) for edge in head.bench.edges)
    assert head.bench.talk.garbled > 0


def test_a_cube_after_a_test_whose_answer_is_lost_counts() -> None:
    head = BenchHead(moves=fall("lane_1", 7.1), garbled=[b" emit "])
    test, news = outcome(head)
    cube = [edge.active for edge in head.bench.edges if not test.own(edge)]
    assert (news, cube) == ([], [True, False])


@pytest.mark.parametrize("at_ms", range(24))
def test_a_cube_counts_unless_it_comes_while_the_emitters_are_off(at_ms: int) -> None:
    head = BenchHead(moves=fall("lane_1", at_ms + 0.1))
    test, news = outcome(head)
    passed_ns = head.steps * MS
    head.bench.run(100 * MS, [(at - passed_ns, *what) for at, *what in head.moves if at >= passed_ns])
    cube = [edge.active for edge in head.bench.edges if not test.own(edge)]
    if at_ms < 5:  # they go off 2 ms after the request, for 3 ms
        assert news == [Lost(1)]
    else:
        assert (news, cube) == ([], [True, False])


def test_a_cube_at_a_head_that_switches_no_emitters_is_no_lost_edge_and_no_sun() -> None:
    test = EmitterCheck(switch(FakeHead(Blink({"lane_1": [(True, 10 * MS), (False, 25 * MS)]}), Blink({}))), lambda: 0)
    assert [asyncio.run(test.run()) for _ in range(2)] == [[], []]
    assert not test.own(Edge("lane_1", True, 10 * MS))


def test_a_beam_that_is_dark_is_not_tested() -> None:
    head = BenchHead()
    head.bench.run(5 * MS, [(0, "lane_2", True)])
    _, news = outcome(head)
    assert (news, head.asked) == ([], 0)


@pytest.mark.parametrize(
    ("seen", "lost"),
    [
        ([(False, 10 * MS - 1), (True, 11 * MS), (False, 12 * MS)], False),
        ([(False, 10 * MS), (True, 11 * MS), (False, 12 * MS)], True),
        ([(True, 11 * MS), (False, 12 * MS), (True, 13 * MS), (False, 33 * MS)], True),
        ([(True, 11 * MS), (False, 12 * MS), (True, 13 * MS + 1), (False, 33 * MS)], False),
    ],
)
def test_an_edge_of_a_cube_counts_if_it_is_before_or_after_all_of_the_test(
    seen: list[tuple[bool, int]], lost: bool
) -> None:
    """The edges of a test are dropped from the first to the last of any beam; in between may be one of a cube."""
    blink = Blink({"lane_1": [(True, 10 * MS), (False, 13 * MS)], "lane_2": seen})
    _, news = outcome(FakeHead(blink))
    assert (Lost(1) in news) == lost


class FakeHead:
    """A head whose next blinks are given."""

    dark: frozenset[str] = frozenset()

    def __init__(self, *blinks: Blink | None) -> None:
        self.blinks = list(blinks)

    def blink(self) -> Blink | None:
        return self.blinks.pop(0)


def test_emitters_that_are_not_wired_to_the_head_are_no_sun() -> None:
    test = EmitterCheck(switch(FakeHead(Blink({}), None, Blink({}))), lambda: 0)
    assert [asyncio.run(test.run()) for _ in range(3)] == [[], [], []]
    assert not test.own(Edge("lane_1", True, 0))


def test_sun_on_every_receiver_is_found_once_the_emitters_are_known_to_be_switched() -> None:
    well = Blink({name: [(True, 10), (False, 20)] for name in BEAMS})
    test = EmitterCheck(switch(FakeHead(well, Blink({}))), lambda: 0)
    assert asyncio.run(test.run()) == []
    assert asyncio.run(test.run()) == [DeviceStatus("light", ", ".join(BEAMS))]


@pytest.mark.parametrize("dark_ms", [10, 16], ids=["one is dark for long", "one is late"])
@pytest.mark.parametrize(("too_long_ns", "news"), [(0, []), (1, [Lost(1)])])
def test_a_test_of_more_than_9_ms_may_have_hidden_a_cube(dark_ms: int, too_long_ns: int, news: list[Any]) -> None:
    *others, last = BEAMS
    edges = {name: [(True, 10 * MS), (False, 13 * MS)] for name in others}
    edges[last] = [(True, dark_ms * MS), (False, 19 * MS + too_long_ns)]
    _, found = outcome(FakeHead(Blink(edges)))
    assert found == news


@pytest.mark.parametrize(("cube_mm", "news"), [(16, []), (12, [Lost(1)])])
def test_a_small_cube_that_enters_while_the_emitters_are_off_is_not_the_test_s_own(
    cube_mm: float, news: list[Any]
) -> None:
    """A cube of 12 mm at 1400 mm/s darkens a beam for 8.6 ms: a darkness of 8.5 ms may be its own."""
    dark_ns, light_ns = 1000 * MS, 1000 * MS + 17 * MS // 2
    good = Blink({"lane_1": [(True, 10 * MS), (False, 13 * MS)]})
    longer = Blink({"lane_1": [(True, dark_ns), (False, light_ns)]})
    test = EmitterCheck(switch(FakeHead(good, longer), cube_mm, ["lane_1"]), lambda: 0)
    assert [asyncio.run(test.run()) for _ in range(2)] == [[], news]
    cube = [Edge("lane_1", True, dark_ns), Edge("lane_1", False, light_ns)]
    assert [test.own(edge) for edge in cube] == [not news] * 2
