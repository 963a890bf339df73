"""The head's clock mapped to ours: the reported bound is true whatever cable and crystals do."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from umpi.timing.clock_sync import DRIFT_PPM, ClockWrong, HeadClock

US, MS, S = 1_000, 1_000_000, 1_000_000_000


class World:
    """Our time in `now_ns`, and a head whose clock runs `ppm` fast against it."""

    def __init__(self, ppm: float = 0, head_us: int = 0) -> None:
        self.now_ns, self.ppm, self.clock = 5 * S, ppm, HeadClock()
        self._head_ns = head_us * 1000.0

    def wait(self, ns: int) -> None:
        self.now_ns += ns
        self._head_ns += ns / (1 - self.ppm / 1e6)

    @property
    def head_us(self) -> int:
        return int(self._head_ns // 1000)

    def round_trip(self, there_ns: int, back_ns: int) -> None:
        sent_ns = self.now_ns
        self.wait(there_ns)
        read_us = self.head_us
        self.wait(back_ns)
        self.clock.add_reading(read_us, self.now_ns, sent_ns)

    def off_ns(self) -> tuple[int, int]:
        """By how much a reading taken now is off, and by how much it may be."""
        at_ns, bound_ns = self.clock.at(self.head_us)
        return abs(at_ns - self.now_ns), bound_ns


delays = st.one_of(st.integers(0, 2 * MS), st.integers(0, 3 * S))  # now and then something stalls
turns = st.lists(
    st.tuples(
        st.integers(0, 3 * S),
        delays,
        delays,
        st.floats(-DRIFT_PPM, DRIFT_PPM),
        st.sampled_from(("ask", "edge", "both")),
    ),
    max_size=60,
)


@given(turns, st.integers(0, 2**40))
def test_the_bound_holds_under_jitter_stalls_and_a_drift_that_changes(turns: list[tuple], head_us: int) -> None:
    world = World(head_us=head_us)
    world.round_trip(MS, MS)
    for rest_ns, there_ns, back_ns, ppm, what in turns:
        world.ppm = ppm
        world.wait(rest_ns)
        if what != "ask":
            off, bound = world.off_ns()
            assert off <= bound
            read_us = world.head_us
            world.wait(back_ns)
            world.clock.add_reading(read_us, world.now_ns)
        if what != "edge":
            world.round_trip(there_ns, back_ns)


@given(st.integers(0, 2**32))
def test_the_bound_is_narrow_where_the_cable_is_quick_now_and_then(seed: int) -> None:
    """USB asks a full-speed device once a millisecond: half of that and what 600 ppm make of ten seconds at most."""
    chance, world = Random(seed), World(ppm=Random(seed).uniform(-100, 100))
    for _ in range(60):
        world.round_trip(round(chance.expovariate(1 / MS)), round(chance.expovariate(1 / MS)))
        world.wait(500 * MS)
    world.round_trip(200 * US, 800 * US)
    off, bound = world.off_ns()
    assert off <= bound <= 510 * US


def test_edges_within_a_second_are_exactly_as_far_apart_as_the_head_says() -> None:
    world = World(ppm=90)
    world.round_trip(2 * MS, 0)
    first = world.head_us
    at_ns, _ = world.clock.at(first)
    for _ in range(20):
        world.wait(400 * MS)
        world.round_trip(10 * US, 10 * US)  # now it is known better
        assert world.clock.at(world.head_us)[0] - at_ns == (world.head_us - first) * US
    off_before, bound = world.off_ns()
    assert off_before <= bound
    world.wait(S)
    world.round_trip(10 * US, 10 * US)
    assert world.off_ns()[1] < 20 * US, "after a quiet second it is put right"


def test_time_never_goes_back_when_it_is_put_right() -> None:
    world = World()
    world.round_trip(0, 3 * S)
    times = []
    for _ in range(5):
        times.append(world.clock.at(world.head_us, quiet=True)[0])
        world.round_trip(10 * US, 10 * US)
    assert times == sorted(times)


def test_a_clock_that_runs_wrong_is_not_believed() -> None:
    world = World(ppm=3 * DRIFT_PPM)
    world.round_trip(100 * US, 100 * US)
    with pytest.raises(ClockWrong):  # noqa: PT012
        for _ in range(10):
            world.wait(500 * MS)
            world.round_trip(100 * US, 100 * US)


def test_a_stopped_clock_is_not_trusted() -> None:
    clock = HeadClock()
    clock.add_reading(1000, 10 * MS, 9 * MS)
    with pytest.raises(ClockWrong):
        clock.add_reading(1000, 12 * MS, 11 * MS)


def test_the_drift_is_reported_with_its_uncertainty() -> None:
    world = World(ppm=40)
    for _ in range(240):
        world.round_trip(300 * US, 300 * US)
        world.wait(500 * MS)
    drift, off = world.clock.drift_ppm()
    assert abs(drift + 40) <= off < 10


def test_a_lifetime_of_readings_costs_no_memory_and_no_precision() -> None:
    """A box may stay on for months; the head's count goes far beyond its 30 bits."""
    world = World(ppm=70, head_us=90 * 86_400 * 1_000_000)
    for _ in range(500):
        world.wait(60 * S)
        world.round_trip(400 * US, 500 * US)
    off, bound = world.off_ns()
    assert off <= bound <= 460 * US
