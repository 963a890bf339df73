"""Edges of our pin factory: their stamps, their order, and what bounces."""

from __future__ import annotations

from itertools import pairwise

import pytest
from gpiozero.exc import GPIOPinInUse
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.fake_gpiod import FakeChip
from tests.kit.watched_pins import Beam
from umpi.drivers.edges import Line
from umpi.drivers.gpio_lines import Bounce, Stamp, stamp_ns
from umpi.drivers.pin_factory import GpiodFactory
from umpi.simulator.pins import VirtualPins
from umpi.timing.edge import Edge

MS = 1_000_000


@given(st.integers(0, 2**62))
def test_a_stamp_keeps_every_nanosecond_and_is_seconds_to_gpiozero(ns: int) -> None:
    """CLOCK_MONOTONIC for 146 years; a float would lose them after 104 days."""
    assert stamp_ns(Stamp(ns)) == ns
    assert Stamp(ns) == ns / 1_000_000_000
    assert stamp_ns(1.5) == 1_500_000_000


def test_the_stamp_of_an_edge_is_the_kernels_to_the_nanosecond(chip: FakeChip, pins: GpiodFactory) -> None:
    with Beam(4, pins) as beam:
        chip.drive(4, 0, 90_000_000_000_000_001)
        assert beam.next() == (4, 0, 90_000_000_000_000_001)


def test_the_clock_of_the_factory_is_that_of_the_edges(pins: GpiodFactory) -> None:
    first = pins.ticks()
    assert 0 <= pins.ticks_diff(pins.ticks(), first) < 5


def test_edges_read_together_come_in_the_order_of_their_stamps(chip: FakeChip, pins: GpiodFactory) -> None:
    with Beam(4, pins) as beam, Beam(17, pins) as other:
        beam.events = other.events
        chip.arrive((4, 0, 10), (17, 0, 20), (4, 1, 30), (17, 1, 40), order=[3, 1, 0, 2])
        assert [beam.next() for _ in range(4)] == [(4, 0, 10), (17, 0, 20), (4, 1, 30), (17, 1, 40)]
    assert pins.lost_edges == 0


def test_only_the_edges_asked_for_come(chip: FakeChip, pins: GpiodFactory) -> None:
    with Beam(4, pins) as beam:
        beam.pin.edges = "falling"
        chip.arrive((4, 0, 10), (4, 1, 20), (4, 0, 30))
        assert [beam.next(), beam.next()] == [(4, 0, 10), (4, 0, 30)]
    assert pins.pin(4).edges == "both"


def test_while_nothing_happens_the_thread_sleeps_without_end(chip: FakeChip, pins: GpiodFactory) -> None:
    with Beam(4, pins, bounce_time=0.01) as beam:
        chip.drive(4, 0, 10)
        beam.next()
        assert pins.inputs._patience_s() is None


def test_bounce_lets_the_first_edge_through_at_once_and_the_last_level_in_the_end(
    chip: FakeChip, pins: GpiodFactory
) -> None:
    with Beam(4, pins, bounce_time=0.01) as beam:
        chip.arrive((4, 0, 1 * MS), (4, 1, 2 * MS), (4, 0, 3 * MS), (4, 1, 4 * MS), (4, 0, 50 * MS))
        assert [beam.next() for _ in range(3)] == [(4, 0, 1 * MS), (4, 1, 4 * MS), (4, 0, 50 * MS)]
        assert beam.pin.bounce == 0.01


def test_a_tap_shorter_than_bounce_ends_when_the_bounce_does(chip: FakeChip, pins: GpiodFactory) -> None:
    """No further edge comes: the thread wakes by itself, once."""
    with Beam(4, pins, bounce_time=0.02) as beam:
        now_ns = pins.ticks().ns
        chip.arrive((4, 0, now_ns), (4, 1, now_ns + 3 * MS))
        assert [beam.next(), beam.next()] == [(4, 0, now_ns), (4, 1, now_ns + 3 * MS)]
        assert pins.ticks().ns >= now_ns + 20 * MS


@given(st.lists(st.integers(1, 30), min_size=1, max_size=30))
def test_bouncing_ends_at_the_true_level_without_repeated_edges(pauses_ms: list[int]) -> None:
    bounce, at_ns, passed = Bounce(10 * MS), 0, []
    for index, pause_ms in enumerate(pauses_ms):
        at_ns += pause_ms * MS
        passed += bounce.edge(at_ns, index % 2 == 0)
    passed += bounce.due(at_ns + 10 * MS)
    levels = [level for _, level in passed]
    assert levels[-1] is (len(pauses_ms) % 2 == 1)
    assert passed == sorted(passed)
    assert all(one is not next for one, next in pairwise(levels))


def test_a_withheld_edge_passes_when_the_bounce_time_is_over_and_not_before() -> None:
    bounce = Bounce(10 * MS)
    assert bounce.edge(0, True) == [(0, True)]
    assert bounce.edge(3 * MS, False) == []
    assert bounce.due(10 * MS - 1) == []
    assert bounce.due(10 * MS) == [(3 * MS, False)]
    assert bounce.edge(13 * MS - 1, True) == []
    assert bounce.edge(13 * MS, True) == [(13 * MS - 1, True)], "as long as the last that passed, from its own stamp"
    assert bounce.due(30 * MS) == []


# gpiozero inputs to stamped edges, on the virtual box's pins.


@given(st.lists(st.integers(0, 10**15), min_size=1, max_size=6).map(sorted))
def test_the_stamp_is_the_pins_own_to_the_nanosecond(stamps: list[int]) -> None:
    """A stamp is taken once, at the lowest layer; eleven days of it fit."""
    seen: list[Edge] = []
    pins = VirtualPins(lambda: now_ns)
    now_ns = 0
    line = Line(17, "blue", seen.append, pins)
    for index, at_ns in enumerate(stamps):
        now_ns = at_ns
        (pins.pin(17).drive_high if index % 2 else pins.pin(17).drive_low)()
    line.close()
    assert seen == [Edge("blue", not index % 2, at_ns) for index, at_ns in enumerate(stamps)]


def test_a_line_that_does_not_change_gives_no_edge() -> None:
    seen: list[Edge] = []
    pins = VirtualPins(lambda: 5)
    with Line(17, "blue", seen.append, pins):
        pins.pin(17).drive_high()
        pins.pin(17).drive_low()
        pins.pin(17).drive_low()
    assert seen == [Edge("blue", True, 5)]


def test_a_slow_loop_costs_no_edge_its_stamp() -> None:
    """The callback reads no clock: what it is handed is the time of the edge."""
    now_ns, seen = 100, []
    pins = VirtualPins(lambda: now_ns)
    ticks = pins.ticks()
    now_ns = 900
    with Line(17, "blue", seen.append, pins) as line:
        line.pin.when_changed(ticks, 0)
    assert seen == [Edge("blue", True, 100)]


def test_a_pin_that_is_taken_is_refused() -> None:
    pins = VirtualPins(lambda: 0)
    with Line(17, "blue", print, pins), pytest.raises(GPIOPinInUse):
        Line(17, "red", print, pins)


@pytest.mark.parametrize("low", [True, False])
def test_a_line_is_active_low_unless_its_pin_is_driven_high(low: bool) -> None:
    """Buttons pull to ground; a beam's receiver may drive its pin either way."""
    seen: list[Edge] = []
    pins = VirtualPins(lambda: 5)
    with Line(17, "lane_1", seen.append, pins, low) as line:
        pins.pin(17).drive_high()
        pins.pin(17).drive_low()
        assert line.is_active is low
    assert seen[-1] == Edge("lane_1", low, 5)


def test_a_closed_line_reports_no_edge_and_frees_its_pin() -> None:
    seen: list[Edge] = []
    pins = VirtualPins(lambda: 5)
    Line(17, "blue", seen.append, pins).close()
    with Line(17, "red", seen.append, pins):
        pins.pin(17).drive_low()
    assert seen == [Edge("red", True, 5)]
