"""The clock of a phone: the interval contains an honest press, whatever the way; a forged stamp gains little."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from umpi.timing.clock_sync import DRIFT_PPM
from umpi.timing.phone_clock import BELIEVED_NS, ImpossibleStamp, Interval, PhoneClock

US, MS, S = 1_000, 1_000_000, 1_000_000_000


def exchange(clock: PhoneClock, sent_us: int, received_ns: int, replied_ns: int, back_us: int) -> None:
    clock.sent(sent_us, received_ns)
    clock.back(back_us, replied_ns)


def quick() -> PhoneClock:
    """A clock that reads 0 at 10 s of ours; its way takes 4 ms there and 2 ms back."""
    clock = PhoneClock(step_us=0)
    exchange(clock, 0, 10 * S + 4 * MS, 10 * S + 4 * MS, 6_000)
    return clock


def test_the_bounds_of_one_exchange_are_its_two_ways() -> None:
    earliest, latest = quick().bounds(3_000) or (0, 0)
    assert (earliest, latest) == (10 * S + 1 * MS - 1_800, 10 * S + 7 * MS + 1_800)


def test_bounds_widen_with_age_and_the_quickest_ways_count() -> None:
    clock = quick()
    assert clock.bounds(1_006_000) == (11 * S + 4 * MS - 600_000, 11 * S + 10 * MS + 603_600)
    exchange(clock, 1_000_000, 11 * S + 1 * MS, 11 * S + 1 * MS, 1_200_000)  # quick there, slow back
    earliest, latest = clock.bounds(1_006_000) or (0, 0)
    assert latest == 11 * S + 7 * MS + 3_600
    assert earliest == 11 * S + 4 * MS - 600_000


def test_a_coarse_timer_widens_the_bounds_on_both_sides() -> None:
    coarse = PhoneClock(step_us=1_000)
    exchange(coarse, 0, 10 * S + 4 * MS, 10 * S + 4 * MS, 6_000)
    earliest, latest = quick().bounds(3_000) or (0, 0)
    assert coarse.bounds(3_000) == (earliest - 2 * MS, latest + 2 * MS)


def test_a_stamp_after_its_arrival_is_impossible() -> None:
    with pytest.raises(ImpossibleStamp):
        quick().press(100_000, 10 * S + 97 * MS)


def test_a_way_may_take_5_ms_longer_than_the_quickest_one() -> None:
    """The quickest way took 4 ms. So one of 8.9 ms has 4 ms and a delay; one of 9.2 ms counts from its arrival."""
    for way_ms, counts_ms in ((4, 104), (8.9, 104), (9.2, 109.2), (300, 400)):
        interval = quick().press(100_000, 10 * S + round((100 + way_ms) * MS))
        assert abs(interval.latest_ns - (10 * S + round(counts_ms * MS))) <= MS // 10
        assert interval.earliest_ns == 10 * S + 98 * MS - 56_400


def test_a_phone_that_pretends_to_be_slow_is_not_believed_further() -> None:
    clock = PhoneClock(step_us=0)
    exchange(clock, 0, 10 * S + 400 * MS, 10 * S + 400 * MS, 800_000)
    stamp_us = 5 * 1_000_000
    _, latest = clock.bounds(stamp_us) or (0, 0)
    assert clock.press(stamp_us, latest + BELIEVED_NS).latest_ns == latest
    assert clock.press(stamp_us, latest + BELIEVED_NS + 1).latest_ns == latest + BELIEVED_NS + 1


def test_what_a_phone_read_before_its_clock_jumped_counts_no_more() -> None:
    """Neither the readings that the new one contradicts nor those of the other way, which it cannot contradict."""
    ahead = quick()
    ahead.sent(11_000_000, 11 * S + 4 * MS)  # 10 s too many
    assert ahead.press(11_000_000, 11 * S + 4 * MS) == Interval(None, 11 * S + 4 * MS)
    ahead.back(11_006_000, 11 * S + 4 * MS)
    assert ahead.bounds(11_003_000) == (11 * S + 1 * MS - 1_800, 11 * S + 7 * MS + 1_800)

    behind = quick()
    exchange(behind, -9_000_000, 11 * S + 4 * MS, 11 * S + 4 * MS, -8_994_000)  # 10 s too few
    assert behind.press(-8_994_000, 11 * S + 10 * MS) == Interval(None, 11 * S + 10 * MS)
    behind.sent(-8_000_000, 12 * S + 4 * MS)
    assert behind.bounds(-8_000_000) == (12 * S - 2 * MS - 596_400, 12 * S + 4 * MS)


@pytest.mark.parametrize("jump_us", [-10_000_000, 10_000_000])
def test_a_clock_that_jumps_is_synchronised_again(jump_us: int) -> None:
    """A phone that sleeps may stop its clock. Two exchanges later the old relation is forgotten."""
    clock = quick()
    for at_s in (20, 21):
        phone_us = (at_s - 10) * 1_000_000 + jump_us
        exchange(clock, phone_us - 1_000, at_s * S, at_s * S, phone_us + 1_000)
    earliest, latest = clock.bounds(11_000_000 + jump_us) or (0, 0)
    assert earliest <= 21 * S <= latest
    assert latest - earliest < 4 * MS


@dataclass
class World:
    """Our time, and an honest phone whose clock drifts, is read coarsely, and never jumps."""

    step_us: int
    now_ns: int = 5 * S
    ppm: float = 0.0
    phone_ns: float = 0.0
    clock: PhoneClock = field(init=False)

    def __post_init__(self) -> None:
        self.clock = PhoneClock(self.step_us)

    def wait(self, ns: int) -> None:
        self.now_ns += ns
        self.phone_ns += ns / (1 + self.ppm / 1e6)

    def reading(self, error: float) -> int:
        """The phone's clock, wrong by `error` steps."""
        return round(self.phone_ns / US + error * self.step_us * 0.99)

    def exchange(self, there_ns: int, back_ns: int, error: float) -> None:
        sent_us = self.reading(error)
        self.wait(there_ns)
        self.clock.sent(sent_us, self.now_ns)
        replied_ns = self.now_ns
        self.wait(back_ns)
        self.clock.back(self.reading(-error), replied_ns)


delays = st.one_of(st.integers(0, 5 * MS), st.integers(0, 200 * MS), st.integers(0, 3 * S))
drifts = st.one_of(st.floats(-100, 100), st.floats(-DRIFT_PPM, DRIFT_PPM))
errors = st.floats(-1, 1)
turns = st.lists(st.tuples(st.integers(0, 60 * S), delays, delays, drifts, errors), min_size=1, max_size=50)
steps = st.sampled_from((10, 100, 1_000, 16_700))


@given(steps, turns, delays, delays, drifts, errors, st.integers(0, 2**40))
def test_the_interval_contains_an_honest_press(
    step_us: int, history: list[tuple], rest_ns: int, way_ns: int, ppm: float, error: float, began_us: int
) -> None:
    """Whatever each way took, and whatever the clocks did within their drift."""
    world = World(step_us, phone_ns=began_us * 1000.0)
    for pause_ns, there_ns, back_ns, drift, wrong in history:
        world.ppm = drift
        world.wait(pause_ns)
        world.exchange(there_ns, back_ns, wrong)
    world.ppm = ppm
    world.wait(rest_ns)
    pressed_ns, stamp_us = world.now_ns, world.reading(error)
    interval = world.clock.press(stamp_us, pressed_ns + way_ns)
    assert interval.earliest_ns is not None, "an honest clock never contradicts itself"
    assert interval.earliest_ns - US <= pressed_ns <= interval.latest_ns + US  # a stamp has whole microseconds


@given(steps, turns, delays, st.integers(0, 500 * MS), errors)
def test_a_press_older_than_its_exchanges_is_in_its_interval_too(
    step_us: int, history: list[tuple], pause_ns: int, way_ns: int, error: float
) -> None:
    """The press waits on the phone while exchanges pass it."""
    world = World(step_us)
    world.exchange(3 * MS, 3 * MS, 0)
    world.wait(pause_ns)
    pressed_ns, stamp_us = world.now_ns, world.reading(error)
    for rest_ns, there_ns, back_ns, drift, wrong in history:
        world.ppm = drift
        world.wait(rest_ns)
        world.exchange(there_ns, back_ns, wrong)
    interval = world.clock.press(stamp_us, world.now_ns + way_ns)
    assert interval.earliest_ns is not None
    assert interval.earliest_ns - US <= pressed_ns <= interval.latest_ns + US


readings = st.integers(0, 2**53)
near = st.integers(0, 10_000_000)


@given(
    st.lists(st.tuples(st.sampled_from(("sent", "back")), st.one_of(readings, near), near)),
    st.one_of(readings, near),
    st.integers(0, 10_000_000),
)
def test_whatever_a_forged_phone_says_its_press_counts_at_most_5_ms_before_its_arrival(
    exchanges: list[tuple[str, int, int]], stamp_us: int, arrived_us: int
) -> None:
    """All readings and the stamp are free; only our own times run forward."""
    clock, now_ns = PhoneClock(step_us=0), 0
    for what, phone_us, passed_us in exchanges:
        now_ns += passed_us * US
        (clock.sent if what == "sent" else clock.back)(phone_us, now_ns)
    arrived_ns = now_ns + arrived_us * US
    try:
        interval = clock.press(stamp_us, arrived_ns)
    except ImpossibleStamp:
        return
    assert interval.latest_ns <= arrived_ns
    assert interval.earliest_ns is None or interval.earliest_ns <= interval.latest_ns
    assert arrived_ns - interval.latest_ns <= BELIEVED_NS
