"""gpiozero inputs to stamped edges, on the virtual box's pins."""

from __future__ import annotations

import pytest
from gpiozero.exc import GPIOPinInUse
from hypothesis import given
from hypothesis import strategies as st

from umpi.drivers.edges import Line
from umpi.simulator.pins import VirtualPins
from umpi.timing.edge import Edge


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
