"""A device that cannot be had costs its own function only."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from gpiozero.exc import GPIOZeroError, PinInvalidPin
from gpiozero.pins.mock import MockFactory

from tests.kit.patience import patiently
from umpi.box.box import Box, build
from umpi.box.calibration import Calibration, write_calibration
from umpi.box.config import COLOURS, NAVIGATION, Config, HeadPlan, LeftOut
from umpi.display.picture import Picture
from umpi.drivers.head_link import HeadState
from umpi.drivers.head_protocol import HeadEdge
from umpi.drivers.oled import Oled
from umpi.drivers.oled_panel import open_panel
from umpi.drivers.scanner import Reader
from umpi.referee.events import DeviceStatus
from umpi.simulator.chip import Ssd1306
from umpi.simulator.pins import VirtualPins
from umpi.timing.edge import Edge
from umpi.timing.events import Lost, QueueDetection, Scan, Until


class Pins(VirtualPins):
    """Virtual pins, some of them broken off."""

    def __init__(self, *broken: int) -> None:
        super().__init__(lambda: 7)
        self.broken = broken

    def pin(self, name: Any) -> Any:
        if name in self.broken:
            raise PinInvalidPin(f"{name} is broken off")
        return super().pin(name)


class FakePlugs:
    """What is plugged in, each with nothing behind it; those of `broken` cannot be opened."""

    def __init__(self, chip: Ssd1306 | None = None, *broken: str) -> None:
        self.chip, self.broken = chip or Ssd1306(), broken
        self.opened: list[str] = []
        self.callbacks: dict[str, Any] = {}

    def open(self, name: str, callbacks: Any) -> None:
        if name in self.broken:
            raise OSError(f"no {name} here")
        self.opened.append(name)
        self.callbacks[name] = callbacks

    def oled(self, pins: Any, on_trouble: Any) -> Oled:
        self.open("display", on_trouble)
        return Oled(lambda: open_panel("ssd1306", self.chip), "ssd1306")

    def head(self, plan: HeadPlan, report: Any) -> Any:
        self.open("head", report)
        return Plugged(*DARK)

    def rail(self, bus: int, colours: Any, on_seen: Any, on_trouble: Any) -> Any:
        self.open("rail", (on_seen, on_trouble))
        return Plugged()

    def scanner(self, reader: Reader, on_scan: Any, on_trouble: Any) -> Any:
        self.open("scanner", (on_scan, on_trouble))
        return Plugged()


class Plugged:
    """Something at a cable; these beams of it are dark."""

    def __init__(self, *dark: str) -> None:
        self.dark = frozenset(dark)
        self.closed = False

    def close(self) -> None:
        self.closed = True


DARK = ("second_1", "lane_1")
PLUGGED = dataclasses.replace(Config(), head=HeadPlan(lanes=1, beams=2), rail=1, scanner={"port": "/dev/ttyACM0"})


@pytest.fixture
def chip() -> Ssd1306:
    return Ssd1306()


@pytest.fixture
def built(chip: Ssd1306) -> Any:
    """Build a box on pins, and close it at the end."""
    boxes: list[Box] = []

    def build_on(
        pins: MockFactory, config: Config | None = None, events: list[Any] | None = None, plugs: Any = None
    ) -> Box:
        post: Any = events.append if events is not None else print
        boxes.append(build(config or Config(), pins, plugs or FakePlugs(chip), post))
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
    assert box.device_errors == {}


def test_a_setting_that_is_left_out_is_shown_with_its_reason(built: Any) -> None:
    left_out = LeftOut("[rules.short]", ("night-owls",), "umpi.toml, line 3: [rules.short]: it is wrong.")
    box = built(Pins(), dataclasses.replace(Config(), left_out=(left_out,)))
    assert box.device_errors == {"settings": "left out: umpi.toml, line 3: [rules.short]: it is wrong."}


def test_a_beam_that_cannot_be_opened_closes_the_others_too() -> None:
    """A funnel that misses a beam would name the wrong cube first, and an edge without a funnel is no press."""
    config = dataclasses.replace(Config(), beams={"lane_1": 8, "lane_2": 9})
    edges: list[Any] = []
    pins = Pins(9)
    box = build(config, pins, FakePlugs(), edges.append)
    pins.pin(8).drive_low()
    assert box.funnel is None
    assert list(box.device_errors) == ["lane_2"]
    assert [line.name for line in box.lines] == [*COLOURS, *NAVIGATION]
    assert edges == []
    box.close()


def test_a_broken_button_costs_itself(built: Any) -> None:
    edges: list[Edge] = []
    pins = Pins(Config().seats["green"])
    box = built(pins, events=edges)
    assert box.device_errors == {"green": "PinInvalidPin: 21 is broken off"}
    pins.pin(Config().seats["white"]).drive_low()
    assert edges == [Edge("white", True, 7)]


@pytest.mark.parametrize(("pin", "name"), [(Config().lamps["red"], "lamps"), (Config().sounder, "sounder")])
def test_a_broken_lamp_or_sounder_leaves_buttons_and_screen(built: Any, chip: Ssd1306, pin: int, name: str) -> None:
    box = built(Pins(pin))
    assert list(box.device_errors) == [name]
    assert len(box.lines) == 10
    box.sound("winner", 0)
    box.show(Picture(128, 64, 1), {0, 5})
    patiently(box.oled.wait_shown)
    assert chip.picture().getbbox() == (0, 0, 128, 64)


def test_a_broken_lamp_leaves_the_five_others(built: Any) -> None:
    pins = Pins(Config().lamps["red"])
    box = built(pins)
    box.show(Picture(128, 64), {0, 1})
    assert pins.pin(Config().lamps["blue"]).state


@pytest.mark.parametrize("name", ["display", "head", "rail", "scanner"])
def test_a_device_that_cannot_be_opened_does_not_affect_the_others(built: Any, name: str) -> None:
    plugs = FakePlugs(None, name)
    box = built(Pins(), PLUGGED, plugs=plugs)
    assert box.device_errors == {name: f"OSError: no {name} here"}
    assert {*plugs.opened, name} == {"display", "head", "rail", "scanner"}
    assert len(box.lines) == 10
    box.show(Picture(128, 64), {0})


def test_a_colour_sensor_at_a_head_that_cannot_be_opened_is_no_second_fault(built: Any) -> None:
    plugs = FakePlugs(None, "head")
    box = built(Pins(), dataclasses.replace(PLUGGED, rail="head"), plugs=plugs)
    assert box.device_errors == {"head": "OSError: no head here"}
    assert box.rail is None


def test_events_of_plugged_devices_arrive_in_the_same_queue(built: Any) -> None:
    events: list[Any] = []
    plugs = FakePlugs()
    box = built(Pins(), PLUGGED, events, plugs)
    asking, gone, ready = (
        HeadState("identifying", "asking"),
        HeadState("gone", "pulled out"),
        HeadState("ready", dark=frozenset(DARK)),
    )
    for report in (HeadEdge("lane_1", True, 5), Lost(3), Until(6), asking, gone, ready):
        plugs.callbacks["head"](report)
    plugs.callbacks["rail"][0](QueueDetection("cube", "red", "", 7))
    plugs.callbacks["rail"][1]("no answer")
    plugs.callbacks["scanner"][0](Scan("fire-2", 8))
    plugs.callbacks["display"]("lost")
    assert events == [
        HeadEdge("lane_1", True, 5), Lost(3), Until(6), DeviceStatus("head", "pulled out"),
        DeviceStatus("head", "", ("lane_1", "second_1")), QueueDetection("cube", "red", "", 7),
        DeviceStatus("rail", "no answer"), Scan("fire-2", 8), DeviceStatus("display", "lost"),
    ]  # fmt: skip
    assert box.held() == ["lane_1", "second_1"]
    box.close()
    assert box.head.closed
    assert box.scanner.closed


def test_beams_at_the_head_make_the_funnel(built: Any) -> None:
    box = built(Pins(), PLUGGED)
    assert box.funnel.settings.lanes == 1
    assert box.funnel.settings.beams == 2


@pytest.mark.parametrize(("configured", "measured", "window"), [(2000, 100, 2000), (100, 340, 340)])
def test_stamps_less_fine_than_the_dead_heat_widen_it(
    built: Any, tmp_path: Path, configured: int, measured: int, window: int
) -> None:
    """The window is the larger of the two; doctor can only raise it."""
    config = dataclasses.replace(PLUGGED, journal=tmp_path / "games.db", gate={"dead_heat_us": configured})
    write_calibration(config.calibration, Calibration(measured))
    assert built(Pins(), config).funnel.settings.dead_heat_us == window


def test_unreadable_calibration_is_reported_and_affects_nothing_else(built: Any, tmp_path: Path) -> None:
    config = dataclasses.replace(PLUGGED, journal=tmp_path / "games.db")
    config.calibration.write_text('{"resolution_us": "much"}')
    box = built(Pins(), config)
    assert list(box.device_errors) == ["measures"]
    assert box.funnel.settings.dead_heat_us == 2000


def test_emitters_are_lit_from_the_start(built: Any) -> None:
    pins = Pins()
    built(pins, dataclasses.replace(Config(), emitters=11))
    assert pins.pin(11).state


def test_tones_without_a_pwm_say_what_to_do_and_cost_the_voice_only(built: Any) -> None:
    box = built(Pins(), dataclasses.replace(Config(), tones=True))
    assert box.speaker is None
    assert "dtoverlay=pwm,pin=18,func=2" in box.device_errors["sounder"]


def test_a_box_without_any_button_is_refused() -> None:
    pins = Pins(*Config().seats.values(), *Config().navigation.values())
    with pytest.raises(GPIOZeroError, match="broken off"):
        build(Config(), pins, FakePlugs(), print)  # type: ignore[arg-type]


def test_a_silent_box_has_no_sounder(built: Any) -> None:
    box = built(Pins(Config().sounder), dataclasses.replace(Config(), silent=True))
    assert box.speaker is None
    assert box.device_errors == {}
    box.sound("winner", 0)


def test_switched_off_a_box_gives_its_pins_back(built: Any) -> None:
    pins = Pins()
    built(pins).close()
    assert built(pins).device_errors == {}


def test_a_button_stuck_at_the_start_is_named(built: Any) -> None:
    pins = Pins()
    box = built(pins)
    assert box.held() == []
    pins.pin(Config().seats["red"]).drive_low()
    assert box.held() == ["red"]
