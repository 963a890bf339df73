"""What comes late of one round of pulls is no part of the next, and hides no loss there."""

from __future__ import annotations

import time
from queue import SimpleQueue
from types import SimpleNamespace

import pytest
from gpiozero.pins.mock import MockFactory
from hil_order import ears
from hil_order.ears import LINES, Umpi

from patience import PATIENCE_S
from umpi.referee.input_queue import LATE_NS


@pytest.fixture
def pins(monkeypatch):
    """Pins that need no chip, on which a round lasts no longer than it takes to look for its edges."""
    factory = MockFactory()
    monkeypatch.setattr("umpi.drivers.pin_factory.GpiodFactory", lambda path: factory)
    monkeypatch.setattr(ears, "LIMIT_S", 0.3)
    yield factory
    factory.reset()


def pull(pins: MockFactory, *lines: int) -> None:
    """Pull lines down one after the other, and let go of them."""
    for line in lines:
        pins.pin(line).drive_low()
    for line in lines:
        pins.pin(line).drive_high()


def test_edges_that_come_late_make_up_for_none_that_is_lost(pins):
    umpi = Umpi(SimpleNamespace(path="/dev/gpiochip0"))
    pull(pins, *LINES)
    umpi.begin()
    pull(pins, *LINES[1:])
    told = umpi.round()["umpi presses"]
    assert [line for line, _ in told.order] == [*LINES[1:]]
    assert told.lost == 2


def test_more_edges_than_there_should_be_are_none_lost(pins):
    umpi = Umpi(SimpleNamespace(path="/dev/gpiochip0"))
    umpi.begin()
    pull(pins, *LINES)
    pull(pins, LINES[0])
    assert umpi.round()["umpi presses"].lost == 0


def test_a_button_whose_end_was_lost_is_heard_in_the_next_round(pins):
    umpi = Umpi(SimpleNamespace(path="/dev/gpiochip0"))
    umpi.begin()
    pins.pin(LINES[0]).drive_low()
    umpi.round()
    pins.pin(LINES[0]).drive_high()
    umpi.begin()
    pull(pins, *LINES)
    assert [line for line, _ in umpi.round()["umpi presses"].order] == [*LINES]


def test_the_clock_is_read_before_what_has_come_is_taken(pins):
    """Whoever stands still in between would take a younger edge for certain, with an older one still in the queue."""
    umpi, taken_ns = Umpi(SimpleNamespace(path="/dev/gpiochip0")), []

    class Watched(SimpleQueue):
        def get_nowait(self):
            taken_ns.append(time.monotonic_ns())
            return super().get_nowait()

    umpi._inbox = Watched()
    umpi._inbox.put("an edge")
    fresh, now_ns = umpi._wait(0)
    assert fresh == ["an edge"]
    assert now_ns <= taken_ns[0]


def test_a_press_heard_after_a_younger_one_was_played_is_told_as_late(pins, monkeypatch):
    """As the box itself says then: look at the order."""
    monkeypatch.setattr(ears, "LIMIT_S", PATIENCE_S)
    umpi = Umpi(SimpleNamespace(path="/dev/gpiochip0"))
    umpi.begin()
    pull(pins, *LINES)
    first, *edges = [umpi._inbox.get() for _ in range(2 * len(LINES))]
    at_ns = edges[-1].at_ns
    heard = iter([(edges, at_ns), ([], at_ns + 2 * LATE_NS), ([first], at_ns + 3 * LATE_NS)])
    monkeypatch.setattr(umpi, "_wait", lambda due_ns: next(heard, ([], at_ns + 10_000_000_000)))
    told = umpi.round()["umpi presses"]
    assert told.order[-1][0] == LINES[0]
    assert told.doubts == ("late",)
