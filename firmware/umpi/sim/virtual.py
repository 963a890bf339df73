"""The virtual box put together: the service itself, with mock pins, a virtual panel and a hand that presses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from umpi.sim.chute import APART_MS, Flight, How, toss
from umpi.sim.pins import VirtualPins

BUTTONS = (*COLOURS, *NAVIGATION)
FREE_PINS = (8, 9, 10, 11, 12, 14)


def with_lanes(config: Config, lanes: int) -> Config:
    """Give a configuration without beams a virtual funnel: no lane, one with two beams, or one a seat."""
    if lanes == 1:
        return replace(config, beams=dict(zip(("lane_1", "second_1"), FREE_PINS, strict=False)))
    return replace(config, beams=dict(zip((f"lane_{lane + 1}" for lane in range(lanes)), FREE_PINS, strict=False)))


class VirtualBox:
    """A box without hardware; `on_change` is called, on any thread, when its face may have changed."""

    def __init__(self, config: Config, clock: Callable[[], int], on_change: Callable[[], object] = int) -> None:
        self.config = replace(config, display="ssd1306")
        self.clock = clock
        self.flights: list[Flight] = []  # what the beams are still to see
        self.chip = Ssd1306(on_change)
        self.pins = VirtualPins(clock, on_change)
        journal = Journal(config.journal)
        known = [*config.players, *journal.players()]
        self.referee = Referee(Panel(games(), known, config.options), journal, find, clock)
        self.box = build(self.config, self.pins, self._oled, self.referee.post)
        self.referee.use(self.box)

    def hold(self, button: str, down: bool) -> None:
        """Press a button down or let it go."""
        config = self.config
        pin = self.pins.pin(config.seats[button] if button in COLOURS else config.navigation[button])
        (pin.drive_low if down else pin.drive_high)()

    def toss(self, cubes: Sequence[str], how: How = "apart", gap_ms: float = APART_MS) -> None:
        """Toss cubes into the funnel in this order; `fly` lets them fall. Raises LookupError without a funnel."""
        if not self.box.funnel:
            raise LookupError("this box has no funnel")
        self.flights = sorted([*self.flights, *toss(cubes, self.box.funnel.settings, self.clock(), how, gap_ms)])

    def fly(self) -> int | None:
        """Break and clear the beams whose time has come; returns when the next one's comes, None where none waits."""
        while self.flights and self.flights[0][0] <= self.clock():
            self.pins.planned_ns, line, dark = self.flights.pop(0)
            self.beam(line, dark)
        self.pins.planned_ns = None
        return self.flights[0][0] if self.flights else None

    def beam(self, line: str, dark: bool) -> None:
        """Break a beam or clear it."""
        pin = self.pins.pin(self.config.beams[line])
        (pin.drive_low if dark == self.config.dark_low else pin.drive_high)()

    def jiggle(self) -> None:
        """Shake the funnel: what is stuck comes loose."""
        for line in self.config.beams:
            self.beam(line, False)

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
