"""The virtual box put together: the service itself, with virtual devices and a hand that presses, tosses and scans."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PIL import Image

from umpi.box.box import build
from umpi.box.config import COLOURS, NAVIGATION, WALL, Config, HeadPlan
from umpi.display.menu import Menu
from umpi.display.panel import Panel
from umpi.drivers.screen_saver import Light, ScreenSaver
from umpi.i18n.translate import set_language
from umpi.journal import Journal
from umpi.kernel.registry import find, games
from umpi.referee.referee import Referee
from umpi.simulator.chip import Ssd1306
from umpi.simulator.chute import APART_MS, Flight, How, rests, toss
from umpi.simulator.pins import VirtualPins
from umpi.simulator.plugs import VirtualPlugs

BUTTONS = (*COLOURS, *NAVIGATION)
FREE_PINS = (8, 9, 10, 11, 12, 14)


def with_lanes(config: Config, lanes: int) -> Config:
    """Give a configuration a virtual funnel at its pins: no lane, one with two beams, or one a seat."""
    names = ("lane_1", "second_1") if lanes == 1 else [f"lane_{lane + 1}" for lane in range(lanes)]
    return replace(config, beams=dict(zip(names, FREE_PINS, strict=False)), head=None)


def with_head(config: Config, lanes: int) -> Config:
    """Give a configuration a virtual sensor head with a wall, and no lane, one with two beams, or one a seat."""
    return replace(config, beams={}, head=HeadPlan(lanes=lanes, beams=2 if lanes == 1 else 1, wall=True))


def with_rail(config: Config) -> Config:
    """Give a configuration a colour sensor at the stop of the queue rail."""
    return replace(config, rail=1)


def with_scanner(config: Config) -> Config:
    """Give a configuration a card scanner."""
    return replace(config, scanner={"port": "/dev/ttyACM0"})


class VirtualBox:
    """A box without hardware; `on_change` is called, on any thread, when its face may have changed.

    `fly` is to be called whenever the moment has come that it returned, and after every toss, pull and plug.
    """

    def __init__(self, config: Config, clock: Callable[[], int], on_change: Callable[[], object] = int) -> None:
        self.config = replace(config, tones=False)  # no PWM here
        self.clock = clock
        self.flights: list[Flight] = []  # what the beams are still to see
        self._stuck: list[str] = []  # cubes in the funnel
        self.pins = VirtualPins(clock, on_change)
        self.plugs = VirtualPlugs(self.config, clock, on_change)
        journal = Journal(config.journal)
        set_language(journal.spoken() or config.language)
        known = [*config.players, *journal.players()]
        rest = ScreenSaver(config.dim_after_s, config.off_after_s, clock())
        self.referee = Referee(Panel(games(), known, config.options), journal, find, self._now, rest)
        self.box = build(self.config, self.pins, self.plugs, self.referee.post)
        self.referee.use(self.box)

    def _now(self) -> int:
        """Tell the referee the time, and before that all that has come to pass by then, however late it asks."""
        now_ns = self.clock()
        self.fly()
        return now_ns

    def hold(self, button: str, down: bool) -> None:
        """Press a button down or let it go."""
        config = self.config
        pin = self.pins.pin(config.seats[button] if button in COLOURS else config.navigation[button])
        (pin.drive_low if down else pin.drive_high)()

    def toss(self, cubes: Sequence[str], how: How = "apart", gap_ms: float = APART_MS) -> None:
        """Toss cubes into the funnel in this order; `fly` lets them fall. Raises LookupError without a funnel."""
        if not self.box.funnel:
            raise LookupError("this box has no funnel")
        thrown = cubes, self.box.funnel.settings, self.clock(), how, gap_ms
        self.flights = sorted([*self.flights, *toss(*thrown)])
        if how == "stuck":
            self._stuck += cubes
        elif self.plugs.virtual_rail and self.box.funnel.settings.lanes == 1:
            for at_ns, colour in rests(*thrown):
                self.plugs.virtual_rail.fall(colour, at_ns, how == "crooked")

    def fly(self) -> int | None:
        """Let all come to pass whose time has come; returns when the next does, None where nothing waits."""
        while self.flights and self.flights[0][0] <= self.clock():
            self.pins.planned_ns, line, dark = self.flights.pop(0)
            self.beam(line, dark, self.pins.planned_ns)
        self.pins.planned_ns = None
        dues = [self.plugs.step(), self.flights[0][0] if self.flights else None]
        return min((due for due in dues if due is not None), default=None)

    def beam(self, line: str, dark: bool, at_ns: int | None = None) -> None:
        """Break a beam or clear it, wherever it is wired; at the sensor head at `at_ns` if that is not now."""
        if self.plugs.virtual_head:
            self.plugs.virtual_head.beam(line, dark, at_ns)
            return
        pin = self.pins.pin(self.config.beams[line])
        (pin.drive_low if dark == self.config.dark_low else pin.drive_high)()

    def jiggle(self) -> None:
        """Shake the funnel: what is stuck comes loose."""
        for line in self.config.beam_lines:
            self.beam(line, False)
        if self.plugs.virtual_rail and self.box.funnel and self.box.funnel.settings.lanes == 1:
            for at_ns, colour in rests(self._stuck, self.box.funnel.settings, self.clock()):
                self.plugs.virtual_rail.fall(colour, at_ns)
        self._stuck = []

    def knock(self) -> None:
        """Hit the wall. Raises LookupError where none hangs on a sensor head."""
        if not self.config.head or not self.config.head.wall:
            raise LookupError(f"this box has no {WALL} on a sensor head")
        self.plugs.of("head").hit()

    def pull(self, name: str) -> None:
        """Pull the plug of the head, the rail's sensor, the scanner or the panel. Raises LookupError for another."""
        self.plugs.of(name).pull()

    def plug(self, name: str) -> None:
        """Plug in what was pulled. Raises LookupError where the box has no such device."""
        self.plugs.of(name).plug()

    def scan(self, code: str) -> None:
        """Hold a card before the scanner. Raises LookupError without one."""
        self.plugs.of("scanner").scan(code)

    def lay(self, colour: str, crooked: bool = False) -> None:
        """Put a cube to the stop of the queue rail. Raises LookupError without one, or where a cube lies there."""
        self.plugs.of("rail").lay(colour, crooked)

    def lift(self) -> None:
        """Take the cube at the stop out; the next rolls down. Raises LookupError where none lies there."""
        self.plugs.of("rail").lift()

    def question(self) -> tuple[Menu, int] | None:
        """What is asked, and which page of its choices stands there, from 0; None where a text stands there."""
        panel = self.referee.panel
        return None if panel.noticing else panel.question

    def lit(self) -> list[str]:
        """The lamps that are lit; one that blinks is, in its dark half too."""
        blinking = self.blinking()
        return [name for name in COLOURS if name in blinking or self.pins.pin(self.config.lamps[name]).state]

    def blinking(self) -> list[str]:
        """The lamps that blink."""
        return [COLOURS[seat] for seat in sorted(self.box.lamps.blinking)]

    def sounding(self) -> bool:
        """Whether the buzzer is on."""
        return not self.config.silent and bool(self.pins.pin(self.config.sounder).state)

    @property
    def chip(self) -> Ssd1306:
        """The chip of the OLED."""
        return self.plugs.virtual_panel

    def picture(self) -> Image.Image:
        """The dots of the OLED, read back from the chip, as somebody sees them."""
        return self.plugs.picture()

    def light(self) -> Light:
        """How the OLED is lit."""
        return self.plugs.light()

    def close(self) -> None:
        """Switch the box off."""
        self.box.close()
        self.referee.close()
