"""The positions of the 40-pin header are those that gpiozero has."""

from __future__ import annotations

from gpiozero.pins.pi import PiBoardInfo

from umpi.doctor.header import PLACES

ZERO_2_W = 0x902120  # its revision code; the header of all Pis with 40 pins is the same


def test_each_gpio_number_is_where_gpiozero_has_it() -> None:
    pins = PiBoardInfo.from_revision(ZERO_2_W).headers["J8"].pins
    theirs = {pin.name: number for number, pin in pins.items() if pin.name.startswith("GPIO")}
    assert {f"GPIO{gpio}": number for gpio, number in enumerate(PLACES)} == theirs
