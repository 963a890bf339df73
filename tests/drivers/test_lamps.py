"""Which players must act, as lamps on the virtual box's pins."""

from __future__ import annotations

import pytest

from umpi.drivers.lamps import BLINK_NS, Lamps
from umpi.simulator.pins import VirtualPins

PINS = (24, 25, 26)


def lit(pins: VirtualPins) -> list[int]:
    return [index for index, pin in enumerate(PINS) if pins.pin(pin).state]


def test_just_the_lamps_asked_for_are_lit() -> None:
    pins = VirtualPins(lambda: 0)
    lamps = Lamps(dict(enumerate(PINS)), pins)
    assert lit(pins) == []
    for wanted in ({1}, {0, 1, 2}, {2}, set()):
        lamps.show(wanted)
        assert lit(pins) == sorted(wanted)


def test_the_others_are_switched_if_lamps_fail_and_each_fault_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pins = VirtualPins(lambda: 0)
    lamps = Lamps(dict(enumerate(PINS)), pins)

    def fail(value: object) -> None:
        raise OSError(5, "Input/output error")

    for index in (0, 1):
        monkeypatch.setattr(pins.pin(PINS[index]), "_set_state", fail)
    for _ in range(2):
        with pytest.raises(OSError, match="Input/output"):
            lamps.show({0, 1, 2})
    assert lit(pins) == [2]
    assert [(one.message, bool(one.exc_info)) for one in caplog.records] == [
        ("The lamp of seat 0 fails", True), ("The lamp of seat 1 fails", True),
    ]  # fmt: skip


def test_a_lamp_that_stays_lit_does_not_flicker() -> None:
    changes: list[int] = []
    pins = VirtualPins(lambda: 0, lambda: changes.append(1))
    lamps = Lamps(dict(enumerate(PINS)), pins)
    lamps.show({0, 1})
    changes.clear()
    lamps.show({1, 0})
    lamps.show({1, 2})
    assert len(changes) == 2, "one went out, one came on"


def test_a_blinking_lamp_alternates_even_if_it_is_also_lit() -> None:
    pins = VirtualPins(lambda: 0)
    lamps = Lamps(dict(enumerate(PINS)), pins)
    lamps.show({0, 1}, {1, 2}, now_ns=7)
    seen = []
    for _ in range(4):
        seen.append(lit(pins))
        assert lamps.due_ns is not None
        lamps.tick(lamps.due_ns - 1)
        assert lit(pins) == seen[-1]
        lamps.tick(lamps.due_ns)
    assert seen == [[0, 1, 2], [0], [0, 1, 2], [0]]
    assert lamps.due_ns == 7 + 5 * BLINK_NS


def test_a_picture_that_comes_meanwhile_does_not_disturb_the_blinking() -> None:
    pins = VirtualPins(lambda: 0)
    lamps = Lamps(dict(enumerate(PINS)), pins)
    lamps.show((), {1}, now_ns=0)
    lamps.show({0}, {1}, now_ns=BLINK_NS + 1)
    assert lit(pins) == [0]
    assert lamps.due_ns == 2 * BLINK_NS
    lamps.show({0}, {2}, now_ns=BLINK_NS + 2)
    assert lit(pins) == [0, 2], "another begins lit"


def test_while_nothing_blinks_there_is_nothing_to_do() -> None:
    lamps = Lamps(dict(enumerate(PINS)), VirtualPins(lambda: 0))
    assert lamps.due_ns is None
    lamps.show({0}, {1}, now_ns=5)
    lamps.show({0}, (), now_ns=6)
    assert lamps.due_ns is None


def test_a_loop_that_comes_late_finds_the_half_that_is_now() -> None:
    pins = VirtualPins(lambda: 0)
    lamps = Lamps(dict(enumerate(PINS)), pins)
    lamps.show((), {0}, now_ns=0)
    lamps.tick(13 * BLINK_NS + 1)
    assert lit(pins) == []
    assert lamps.due_ns == 14 * BLINK_NS


def test_switched_off_the_lamps_are_dark_and_their_pins_free() -> None:
    pins = VirtualPins(lambda: 0)
    lamps = Lamps(dict(enumerate(PINS)), pins)
    lamps.show({0})
    lamps.close()
    again = Lamps(dict(enumerate(PINS)), pins)
    assert lit(pins) == []
    again.close()
