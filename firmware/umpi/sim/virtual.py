"""The virtual box put together: the service itself, with mock pins, a virtual panel and a hand that presses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PIL import Image

from umpi.box import build
from umpi.config import COLOURS, NAVIGATION, Config
from umpi.devices.oled import Oled, open_panel
from umpi.journal import Journal
from umpi.panel.panel import Panel
from umpi.referee import Referee
from umpi.rules.catalog import find, games
from umpi.sim.chip import Ssd1306
from umpi.sim.pins import VirtualPins

BUTTONS = (*COLOURS, *NAVIGATION)


class VirtualBox:
    """A box without hardware; `on_change` is called, on any thread, when its face may have changed."""

    def __init__(self, config: Config, clock: Callable[[], int], on_change: Callable[[], object] = int) -> None:
        self.config = replace(config, display="ssd1306")
        self.clock = clock
        self.chip = Ssd1306(on_change)
        self.pins = VirtualPins(clock, on_change)
        journal = Journal(config.journal)
        known = [*config.players, *journal.players()]
        self.referee = Referee(Panel(games(), known), journal, find, clock)
        self.box = build(self.config, self.pins, self._oled, self.referee.post)
        self.referee.box = self.box

    def hold(self, button: str, down: bool) -> None:
        """Press a button down or let it go."""
        config = self.config
        pin = self.pins.pin(config.seats[button] if button in COLOURS else config.navigation[button])
        (pin.drive_low if down else pin.drive_high)()

    def lit(self) -> list[str]:
        """The lamps that are lit."""
        return [colour for colour in COLOURS if self.pins.pin(self.config.lamps[colour]).state]

    def sounding(self) -> bool:
        """Whether the buzzer is on."""
        return not self.config.silent and bool(self.pins.pin(self.config.sounder).state)

    def picture(self) -> Image.Image:
        """The dots of the OLED, read back from the chip."""
        return self.chip.picture()

    def _oled(self) -> Oled:
        return Oled(lambda: open_panel("ssd1306", self.chip), "ssd1306")

    def close(self) -> None:
        """Switch the box off."""
        self.box.close()
        self.referee.close()
