"""Late edges of one round do not count in the next round, and do not hide its lost edges."""

from __future__ import annotations

import time
from queue import SimpleQueue
from types import SimpleNamespace

import pytest
from gpiozero.pins.mock import MockFactory

from scripts.order import listeners
from scripts.order.listeners import LINES, UmpiListener
from tests.kit.patience import limit_s
from umpi.referee.input_queue import LATE_NS


@pytest.fixture
def pins(monkeypatch):
    """Pins that need no chip; rounds have a short limit."""
    factory = MockFactory()
    monkeypatch.setattr("umpi.drivers.pin_factory.GpiodFactory", lambda path, on_lost=None, on_fault=None: factory)
    monkeypatch.setattr(listeners, "LIMIT_S", 0.3)
    yield factory
    factory.reset()


def pull(pins: MockFactory, *lines: int) -> None:
    """Pull lines down one after another, then release them."""
    for line in lines:
        pins.pin(line).drive_low()
    for line in lines:
        pins.pin(line).drive_high()


@pytest.mark.slow
def test_late_edges_of_the_round_before_do_not_replace_lost_ones(pins):
    umpi = UmpiListener(SimpleNamespace(path="/dev/gpiochip0"))
    pull(pins, *LINES)
    umpi.begin()
    pull(pins, *LINES[1:])
    report = umpi.round()["umpi presses"]
    assert [line for line, _ in report.order] == [*LINES[1:]]
    assert report.lost == 2


def test_with_too_many_edges_none_is_lost(pins):
    umpi = UmpiListener(SimpleNamespace(path="/dev/gpiochip0"))
    umpi.begin()
    pull(pins, *LINES)
    pull(pins, LINES[0])
    assert umpi.round()["umpi presses"].lost == 0


@pytest.mark.slow
def test_a_button_whose_release_came_late_counts_in_the_next_round(pins):
    umpi = UmpiListener(SimpleNamespace(path="/dev/gpiochip0"))
    umpi.begin()
    pins.pin(LINES[0]).drive_low()
    umpi.round()
    pins.pin(LINES[0]).drive_high()
    umpi.begin()
    pull(pins, *LINES)
    assert [line for line, _ in umpi.round()["umpi presses"].order] == [*LINES]


def test_the_clock_is_read_before_the_queue(pins):
    """Otherwise a pause in between would make a later edge certain while an earlier one is still in the queue."""
    umpi, taken_ns = UmpiListener(SimpleNamespace(path="/dev/gpiochip0")), []

    class Watched(SimpleQueue):
        def get_nowait(self):
            taken_ns.append(time.monotonic_ns())
            return super().get_nowait()

    umpi._inbox = Watched()
    umpi._inbox.put("an edge")
    fresh, now_ns = umpi._wait(0)
    assert fresh == ["an edge"]
    assert now_ns <= taken_ns[0]


def test_a_press_received_after_a_later_one_was_played_is_reported_as_late(pins, monkeypatch):
    """The box reports the same doubt."""
    monkeypatch.setattr(listeners, "LIMIT_S", limit_s())
    umpi = UmpiListener(SimpleNamespace(path="/dev/gpiochip0"))
    umpi.begin()
    pull(pins, *LINES)
    first, *edges = [umpi._inbox.get() for _ in range(2 * len(LINES))]
    at_ns = edges[-1].at_ns
    batches = iter([(edges, at_ns), ([], at_ns + 2 * LATE_NS), ([first], at_ns + 3 * LATE_NS)])
    monkeypatch.setattr(umpi, "_wait", lambda due_ns: next(batches, ([], at_ns + 10_000_000_000)))
    report = umpi.round()["umpi presses"]
    assert report.order[-1][0] == LINES[0]
    assert report.doubts == ("late",)
