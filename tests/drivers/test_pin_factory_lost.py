"""Lost edges and failing handlers are reported once, and everything else continues to work."""

from __future__ import annotations

from queue import SimpleQueue
from typing import Any

import pytest
from gpiozero import LED, Button
from gpiozero.exc import DeviceClosed
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.fake_gpiod import EdgeEvent, EventType, FakeChip, FakeGpiod
from tests.kit.patience import got, wait_for
from tests.kit.watched_pins import PATH, Beam
from umpi.drivers.gpio_lines import Gaps, LostEdges, Stamp
from umpi.drivers.pin_factory import EdgesLostWarning, GpiodFactory


def test_edges_lost_in_the_kernel_are_reported_with_their_neighbours(
    chip: FakeChip, pins: GpiodFactory, lost: SimpleQueue[LostEdges]
) -> None:
    with Beam(4, pins) as beam, Beam(17, pins):
        at_ns = pins.ticks().ns
        chip.drive(4, 0, at_ns + 10)
        chip.merge(4, 0, at_ns + 30)
        assert got(lost) == LostEdges(1, at_ns + 10, at_ns + 30)
        assert [beam.next(), beam.next()] == [(4, 0, at_ns + 10), (4, 0, at_ns + 30)]
    assert pins.lost_edges == 1, "the number that is missing and the level that repeats are one edge"


def test_edges_merged_on_one_line_are_reported(
    chip: FakeChip, pins: GpiodFactory, lost: SimpleQueue[LostEdges]
) -> None:
    """If a request has a single line, the kernel numbers the delivered edges, so no number is missing."""
    with Beam(4, pins) as beam:
        at_ns = pins.ticks().ns
        chip.drive(4, 0, at_ns + 10)
        chip.merge(4, 0, at_ns + 30)
        assert got(lost) == LostEdges(1, at_ns + 10, at_ns + 30)
        assert [beam.next(), beam.next()] == [(4, 0, at_ns + 10), (4, 0, at_ns + 30)]
        chip.merge(4, 1, at_ns + 50)
        chip.merge(4, 1, at_ns + 70)
        assert got(lost) == LostEdges(1, at_ns + 50, at_ns + 70)
    assert pins.lost_edges == 2


def test_edges_merged_by_the_chip_are_reported_even_without_a_missing_number(
    chip: FakeChip, pins: GpiodFactory, lost: SimpleQueue[LostEdges]
) -> None:
    """A chip keeps one interrupt of a line: what changes again before it is served is never numbered."""
    with Beam(4, pins), Beam(17, pins):
        at_ns = pins.ticks().ns
        chip.arrive((4, 0, at_ns + 10), (17, 0, at_ns + 20), (4, 0, at_ns + 30))
        assert got(lost) == LostEdges(1, at_ns + 10, at_ns + 30)


def test_an_edge_that_came_before_the_line_was_looked_at_is_no_loss(chip: FakeChip, pins: GpiodFactory) -> None:
    """The level read at the start may be that after the edge."""
    with Beam(4, pins) as beam:
        before_ns = pins.inputs._looked_ns
        chip.levels[4] = 0
        pins.inputs._levels[4] = False
        chip.drive(4, 0, before_ns)
        assert beam.next() == (4, 0, before_ns)
    assert pins.lost_edges == 0


def test_a_level_says_nothing_where_only_one_direction_is_asked_for(chip: FakeChip, pins: GpiodFactory) -> None:
    with Beam(4, pins) as beam:
        beam.pin.edges = "falling"
        at_ns = pins.ticks().ns
        chip.arrive((4, 0, at_ns + 10), (4, 1, at_ns + 20), (4, 0, at_ns + 30))
        assert [beam.next(), beam.next()] == [(4, 0, at_ns + 10), (4, 0, at_ns + 30)]
    assert pins.lost_edges == 0


def test_an_overflow_is_reported_as_an_overflow(
    chip: FakeChip, pins: GpiodFactory, lost: SimpleQueue[LostEdges]
) -> None:
    """1,100 edges into a buffer of 1,024: the oldest are gone."""
    with Beam(4, pins) as beam:
        with pins.inputs.lock:
            for at_ns in range(1100):
                chip.drive(4, at_ns % 2, at_ns)
        assert got(lost) == LostEdges(76, 0, 76, overflow=True)
        assert beam.next() == (4, 0, 76)


def test_lost_edges_without_a_callback_cause_a_warning(chip: FakeChip) -> None:
    with GpiodFactory(PATH, FakeGpiod(chip)) as pins, pytest.warns(EdgesLostWarning, match="lost: 1"):
        pins._trouble(LostEdges(1, 10, 30))


@given(st.permutations(range(1, 40)), st.sets(st.integers(1, 39)), st.lists(st.integers(1, 12), min_size=1))
def test_every_missing_number_is_counted_once_however_late_the_others_come(
    arrival: list[int], never: set[int], reads: list[int]
) -> None:
    gaps = Gaps()
    come = [EdgeEvent(EventType.RISING_EDGE, seqno, 4, seqno) for seqno in arrival if seqno not in never]
    for size in reads:
        gaps.see(come[:size])
        del come[:size]
    gaps.see(come)
    came = set(range(1, 40)) - never
    lost = gaps.settled(None)
    assert sum(each.count for each in lost) == len({seqno for seqno in never if seqno < max(came, default=0)})
    assert all(each.after_ns < each.until_ns for each in lost)


def seen(*edges: tuple[int, int, bool]) -> list[LostEdges]:
    """What is lost where edges (number, line, whether it repeats the level) come one by one, at their number's ns."""
    gaps = Gaps()
    for seqno, line, repeats in edges:
        gaps.see([EdgeEvent(EventType.RISING_EDGE, seqno, line, seqno)], [repeats])
    return gaps.settled(None)


def test_a_level_that_repeats_is_counted_where_no_missing_number_explains_it() -> None:
    assert seen((1, 4, False), (3, 4, True)) == [LostEdges(1, 1, 3)], "number 2 is what the level shows"
    assert seen((1, 4, False), (2, 4, True)) == [LostEdges(1, 1, 2)]
    assert seen((1, 4, True), (2, 17, True)) == [LostEdges(1, 0, 1), LostEdges(1, 0, 2)]
    assert seen((1, 4, False), (4, 4, True)) == [LostEdges(2, 1, 4)]
    assert seen((1, 4, False), (4, 4, True), (5, 17, True)) == [LostEdges(2, 1, 4)], "2 and 3 may be a line's each"


def test_a_missing_number_that_comes_late_explains_no_level() -> None:
    """Number 2 was another line's, so the chip had merged what the level shows."""
    assert seen((1, 4, False), (3, 4, True), (2, 17, False)) == [LostEdges(1, 1, 3)]
    assert seen((1, 4, False), (3, 4, False), (2, 17, False)) == []


def test_a_missing_number_before_the_lines_last_edge_explains_no_level() -> None:
    assert seen((2, 4, False), (3, 4, True)) == [LostEdges(1, 0, 2), LostEdges(1, 2, 3)]


def test_a_number_for_the_second_time_repeats_what_the_first_did() -> None:
    """The kernel read the level of the first change after the second: both say the same, and one direction is lost."""
    assert seen((2, 4, True), (2, 4, True)) == [LostEdges(1, 0, 2)]


def test_a_late_edge_that_was_counted_as_lost_is_not_counted_again() -> None:
    gaps = Gaps()
    gaps.see([EdgeEvent(EventType.RISING_EDGE, 50, 17, 5)])
    assert [lost.count for lost in gaps.settled(None)] == [4]
    gaps.see([EdgeEvent(EventType.RISING_EDGE, 40, 4, 4)], [True])
    assert gaps.settled(None) == []


@given(st.lists(st.booleans(), min_size=2, max_size=60))
def test_a_number_that_comes_twice_in_the_place_of_another_is_no_loss(quick: list[bool]) -> None:
    """The kernel numbers a line's first change when it serves it: a second one meanwhile gives both its own number."""
    gaps, seqno, events = Gaps(), 0, []
    for twice in quick:
        seqno += 2 if twice else 1
        events += [EdgeEvent(EventType.RISING_EDGE, seqno, 4, seqno)] * (2 if twice else 1)
    gaps.see(events)
    assert gaps.open == []


def test_a_straggler_is_not_called_lost_before_its_time() -> None:
    gaps = Gaps()
    gaps.see([EdgeEvent(EventType.RISING_EDGE, 20, 4, 2)])
    assert gaps.settled(gaps.open[0].due_ns - 1) == []
    gaps.see([EdgeEvent(EventType.RISING_EDGE, 10, 17, 1)])
    assert gaps.open == []


@pytest.mark.parametrize("fault", [ZeroDivisionError("one by nought"), SystemExit(3)])
def test_an_exception_in_a_handler_is_reported_and_harms_nothing(
    chip: FakeChip, pins: GpiodFactory, faults: SimpleQueue[Any], fault: BaseException
) -> None:
    """lgpio: an exception in a handler ends its only thread, all inputs are dead, nothing is logged."""

    def fail() -> None:
        raise fault

    with Button(4, pin_factory=pins) as button, Beam(17, pins) as beam:
        button.when_pressed = fail
        chip.arrive((4, 0, 1), (17, 0, 2))
        assert got(faults) == ("GPIO4", fault)
        assert beam.next() == (17, 0, 2)
        chip.drive(4, 1, 3)
        assert button.wait_for_release(5)
    assert pins.faults == 1


def test_a_fault_is_logged_once_with_its_traceback(
    chip: FakeChip, pins: GpiodFactory, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise ZeroDivisionError("one by nought")

    with Button(4, pin_factory=pins) as button, Beam(17, pins) as beam:
        button.when_pressed = fail
        chip.arrive((4, 0, 1), (17, 0, 2))
        assert beam.next() == (17, 0, 2)
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("umpi.drivers.pin_factory", "ERROR")
    assert record.getMessage() == "The handler of GPIO4 failed; the inputs keep working"
    assert "in fail" in caplog.text, "where it failed"
    assert "ZeroDivisionError: one by nought" in caplog.text


def test_an_exception_in_an_error_callback_harms_nothing(chip: FakeChip, caplog: pytest.LogCaptureFixture) -> None:
    asked: SimpleQueue[object] = SimpleQueue()

    def fail(*what: object) -> None:
        asked.put(what)
        raise ZeroDivisionError

    failing = GpiodFactory(PATH, FakeGpiod(chip), fail, fail)
    with failing as pins, Beam(4, pins) as beam, Beam(17, pins):
        chip.merge(4, 0, 10)
        assert got(asked) == (LostEdges(1, 0, 10),)
        where, fault = got(asked)
        assert (where, type(fault)) == ("on_lost", ZeroDivisionError)
        chip.drive(4, 1, 20)
        assert [beam.next(), beam.next()] == [(4, 0, 10), (4, 1, 20)]
    assert asked.empty(), "a fault once, and none for the one that failed to hear of it"
    assert [record.getMessage() for record in caplog.records] == [
        "on_lost failed; the inputs keep working",
        "on_fault failed",
    ]
    assert all(record.exc_info for record in caplog.records)


def test_an_unplugged_chip_is_reported_once(chip: FakeChip, pins: GpiodFactory, faults: SimpleQueue[Any]) -> None:
    with Beam(4, pins):
        with pins.inputs.lock:  # both at once: the thread may be about to read
            chip.unplugged = True
            chip.drive(4, 0, 1)
        where, fault = got(faults)
        assert (where, fault.strerror) == ("the inputs", "No such device")
    assert pins.faults == 1


def test_a_failed_thread_is_reported_once_and_its_inputs_are_closed(
    chip: FakeChip, pins: GpiodFactory, faults: SimpleQueue[Any], caplog: pytest.LogCaptureFixture
) -> None:
    with LED(24, pin_factory=pins) as led, Beam(4, pins) as beam:
        with pins.inputs.lock:  # both at once: the thread may be about to read
            chip.fault = RuntimeError("not of this world")
            chip.drive(4, 0, 1)
        assert got(faults) == ("the inputs", chip.fault)
        assert pins.inputs._thread
        wait_for(lambda: not pins.inputs._thread.is_alive())
        with pytest.raises(DeviceClosed, match="the pins are closed"):
            _ = beam.value
        with pytest.raises(DeviceClosed):
            Beam(17, pins)
        led.on()
        assert chip.levels[24] == 1, "outputs keep working"
    assert (pins.faults, faults.empty()) == (1, True)
    assert "RuntimeError: not of this world" in caplog.text


def test_inputs_lost_by_a_failed_request_are_reported(
    chip: FakeChip, pins: GpiodFactory, faults: SimpleQueue[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel gives a line to a request only while it is free, and all lines are requested again for a new one."""
    with Beam(4, pins) as beam:
        monkeypatch.setattr(pins, "need_free", lambda _: None)
        chip.on_release = lambda: chip.holders.update({4: "fan"})
        with pytest.raises(OSError, match="busy"):
            Beam(17, pins)
        where, fault = got(faults)
        assert (where, type(fault)) == ("the inputs", OSError)
        with pytest.raises(OSError, match="busy"):
            _ = beam.value
    assert pins.faults == 1


def test_a_removed_device_receives_no_edges(chip: FakeChip, pins: GpiodFactory) -> None:
    pin = pins.pin(4)
    pin.function = "input"
    events: SimpleQueue[int] = SimpleQueue()

    def handler(ticks: Stamp, state: int) -> None:
        events.put(state)

    with Beam(17, pins) as beam:
        pin.when_changed = handler
        chip.drive(4, 0, 1)
        assert got(events) == 0
        del handler
        chip.arrive((4, 1, 2), (17, 0, 3))
        assert beam.next() == (17, 0, 3)
        assert (events.empty(), pin.when_changed, pins.faults) == (True, None, 0)
