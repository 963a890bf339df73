"""A device that cannot be had costs its own function only."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from gpiozero.exc import GPIOZeroError, PinInvalidPin
from gpiozero.pins.mock import MockFactory
from PIL import Image

from umpi.box import Box, build
from umpi.config import COLOURS, NAVIGATION, Config
from umpi.devices.edges import Edge
from umpi.devices.oled import Oled, open_panel
from umpi.sim.chip import Ssd1306
from umpi.sim.pins import VirtualPins


class Pins(VirtualPins):
    """Virtual pins, some of them broken off."""

    def __init__(self, *broken: int) -> None:
        super().__init__(lambda: 7)
        self.broken = broken

    def pin(self, name: Any) -> Any:
        if name in self.broken:
            raise PinInvalidPin(f"{name} is broken off")
        return super().pin(name)


@pytest.fixture
def chip() -> Ssd1306:
    return Ssd1306()


@pytest.fixture
def built(chip: Ssd1306) -> Any:
    """Build a box on pins; it is let go at the end."""
    boxes: list[Box] = []

    def build_on(pins: MockFactory, config: Config | None = None, edges: list[Edge] | None = None) -> Box:
        heard = edges.append if edges is not None else print
        panel = lambda: Oled(lambda: open_panel("ssd1306", chip), "ssd1306")  # noqa: E731
        boxes.append(build(config or Config(), pins, panel, heard))
        return boxes[-1]

    yield build_on
    for box in boxes:
        box.close()


def test_a_whole_box_has_all_and_no_trouble(built: Any) -> None:
    box = built(Pins())
    assert [line.name for line in box.lines] == [*COLOURS, *NAVIGATION]
    assert box.lamps
    assert box.speaker
    assert box.oled
    assert box.troubles == {}


def test_a_broken_button_costs_itself(built: Any) -> None:
    edges: list[Edge] = []
    pins = Pins(Config().seats["green"])
    box = built(pins, edges=edges)
    assert box.troubles == {"green": "PinInvalidPin: 21 is broken off"}
    pins.pin(Config().seats["white"]).drive_low()
    assert edges == [Edge("white", True, 7)]


@pytest.mark.parametrize(("pin", "name"), [(Config().lamps["red"], "lamps"), (Config().sounder, "sounder")])
def test_a_broken_lamp_or_sounder_leaves_buttons_and_screen(built: Any, chip: Ssd1306, pin: int, name: str) -> None:
    box = built(Pins(pin))
    assert list(box.troubles) == [name]
    assert len(box.lines) == 10
    box.sound("winner", 0)
    box.show(Image.new("1", (128, 64), 1), {0, 5})
    assert box.oled.wait_shown()
    assert chip.picture().getbbox() == (0, 0, 128, 64)


def test_a_broken_lamp_leaves_the_five_others(built: Any) -> None:
    pins = Pins(Config().lamps["red"])
    box = built(pins)
    box.show(Image.new("1", (128, 64)), {0, 1})
    assert pins.pin(Config().lamps["blue"]).state


def test_a_display_that_cannot_be_opened_leaves_the_rest() -> None:
    def no_bus() -> Oled:
        raise OSError("no I²C here")

    box = build(Config(), Pins(), no_bus, print)
    assert box.troubles == {"display": "OSError: no I²C here"}
    box.show(Image.new("1", (128, 64)), {0})
    box.close()


def test_a_box_without_one_button_is_none() -> None:
    pins = Pins(*Config().seats.values(), *Config().navigation.values())
    with pytest.raises(GPIOZeroError, match="broken off"):
        build(Config(), pins, lambda: None, print)  # type: ignore[arg-type,return-value]


def test_a_silent_box_has_no_sounder(built: Any) -> None:
    box = built(Pins(Config().sounder), dataclasses.replace(Config(), silent=True))
    assert box.speaker is None
    assert box.troubles == {}
    box.sound("winner", 0)


def test_switched_off_a_box_gives_its_pins_back(built: Any) -> None:
    pins = Pins()
    built(pins).close()
    assert built(pins).troubles == {}


def test_a_button_stuck_at_the_start_is_named(built: Any) -> None:
    pins = Pins()
    box = built(pins)
    assert box.held() == []
    pins.pin(Config().seats["red"]).drive_low()
    assert box.held() == ["red"]
