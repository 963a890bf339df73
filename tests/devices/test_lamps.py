"""Which seats must act, as lamps on the virtual box's pins."""

from __future__ import annotations

from umpi.devices.lamps import Lamps
from umpi.sim.pins import VirtualPins

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


def test_a_lamp_that_stays_lit_does_not_flicker() -> None:
    changes: list[int] = []
    pins = VirtualPins(lambda: 0, lambda: changes.append(1))
    lamps = Lamps(dict(enumerate(PINS)), pins)
    lamps.show({0, 1})
    changes.clear()
    lamps.show({1, 0})
    lamps.show({1, 2})
    assert len(changes) == 2, "one went out, one came on"


def test_switched_off_the_lamps_are_dark_and_their_pins_free() -> None:
    pins = VirtualPins(lambda: 0)
    lamps = Lamps(dict(enumerate(PINS)), pins)
    lamps.show({0})
    lamps.close()
    again = Lamps(dict(enumerate(PINS)), pins)
    assert lit(pins) == []
    again.close()
