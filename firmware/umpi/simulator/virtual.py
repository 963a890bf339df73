"""The virtual box: the referee and display with virtual devices, and methods that press, toss and scan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PIL import Image

from umpi.box.box import Post
from umpi.box.config import COLOURS, WALL, Config, HeadPlan
from umpi.display.menu import Menu
from umpi.display.screen_saver import Light
from umpi.kernel.nothing import nothing
from umpi.recording.recorder import Recorder
from umpi.service.card_line import CardLine
from umpi.service.inbox import Inbox
from umpi.service.loop import by_chance
from umpi.service.shelf_line import ShelfLine
from umpi.service.start import CodesOf, FindReach, assemble, journal_of, unknown_reach
from umpi.simulator.chip import Ssd1306
from umpi.simulator.chute import APART_MS, Flight, How, rests, toss
from umpi.simulator.pins import VirtualPins
from umpi.simulator.plugs import VirtualPlugs

FREE_PINS = (8, 9, 10, 11, 12, 14)


def with_lanes(config: Config, lanes: int) -> Config:
    """Return a configuration with a virtual funnel at its pins: no lane, one with two beams, or one per player."""
    names = ("lane_1", "second_1") if lanes == 1 else [f"lane_{lane + 1}" for lane in range(lanes)]
    return replace(config, beams=dict(zip(names, FREE_PINS, strict=False)), head=None)


def with_head(config: Config, lanes: int) -> Config:
    """Return a configuration with a virtual sensor head: a wall, and no lane, one with two beams, or one per player."""
    return replace(config, beams={}, head=HeadPlan(lanes=lanes, beams=2 if lanes == 1 else 1, wall=True))


def with_rail(config: Config) -> Config:
    """Return a configuration with a colour sensor at the stop of the queue rail."""
    return replace(config, rail=1)


def with_scanner(config: Config) -> Config:
    """Return a configuration with a card scanner."""
    return replace(config, scanner={"port": "/dev/ttyACM0"})


class VirtualBox:
    """A box without hardware. It calls `on_change`, on any thread, when its face may have changed.

    Call `fly` at the time that it last returned, and after every toss, unplug and plug. `codes_of` makes the codes that
    pair phones; without it, the box has no page for them. `card_of` makes the line to its card,
    if it has one, `shelf_of` that to the program that installs games.
    """

    def __init__(
        self,
        config: Config,
        clock: Callable[[], int],
        on_change: Callable[[], object] = nothing,
        find_reach: FindReach = unknown_reach,
        recorder: Recorder | None = None,
        seed: int | None = None,
        codes_of: CodesOf | None = None,
        card_of: Callable[[Post], CardLine | None] = nothing,
        shelf_of: Callable[[Post], ShelfLine | None] = nothing,
    ) -> None:
        spare = next(pin for pin in range(28) if pin not in config.used_pins)
        where = spare if config.where is None else config.where
        self.config = replace(config, tones=False, where=where)  # mock pins have no PWM
        self.clock = clock
        self.flights: list[Flight] = []  # future beam changes
        self._lots: list[int] = []  # the next numbers by which the box draws
        self._stuck: list[str] = []  # cubes that are stuck in the funnel
        self.pins = VirtualPins(clock, on_change)
        self.plugs = VirtualPlugs(self.config, clock, on_change)
        service = assemble(
            self.config,
            journal_of(config),
            Inbox(),
            self.pins,
            self.plugs,
            self._now,
            codes_of=codes_of,
            find_reach=find_reach,
            card_of=card_of,
            shelf_of=shelf_of,
            recorder=recorder,
            seed=seed,
            draw=lambda: self._lots.pop(0) if self._lots else by_chance(),
        )
        self.box, self.loop, self._hints = service.box, service.loop, service.hints
        self.web_app = service.page.open(service.loop) if service.page else None
        self.referee = self.loop.referee

    def _now(self) -> int:
        """Return the time in ns, after doing everything that is due by then."""
        now_ns = self.clock()
        self.fly()
        return now_ns

    def finish_finding(self) -> bool:
        """Wait until everything is found that players wait for, which takes real time; return False if nothing is."""
        return any([self.loop.finish_finding(), self._hints.finish()])

    def hold(self, button: str, down: bool) -> None:
        """Press or release a button."""
        pin = self.pins.pin(self.config.buttons[button])
        (pin.drive_low if down else pin.drive_high)()

    def toss(self, cubes: Sequence[str], how: How = "apart", gap_ms: float = APART_MS) -> None:
        """Toss cubes into the funnel in this order. `fly` makes them fall. Raises LookupError without a funnel."""
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
        """Do everything that is due. Return when the next thing is due in ns, or None."""
        while self.flights and self.flights[0][0] <= self.clock():
            self.pins.planned_ns, line, dark = self.flights.pop(0)
            self.beam(line, dark, self.pins.planned_ns)
        self.pins.planned_ns = None
        dues = [self.plugs.step(), self.flights[0][0] if self.flights else None]
        return min((due for due in dues if due is not None), default=None)

    def fly_on(self, until_ns: int, go_to: Callable[[int], object]) -> bool:
        """Do everything that is due by `until_ns`, each at its time, to which `go_to` sets the clock.

        Return True as soon as the loop has something to do at the time of the clock, False if it has nothing by then.
        """
        loop_ns, fly_ns = self.loop.due_ns, self.fly()
        while (due_ns := min((due for due in (loop_ns, fly_ns) if due is not None), default=until_ns + 1)) <= until_ns:
            go_to(max(due_ns, self.clock()))
            fly_ns = self.fly()
            if self.loop.inbox or due_ns == loop_ns:
                return True
        return False

    def beam(self, line: str, dark: bool, at_ns: int | None = None) -> None:
        """Block or clear a beam at the pins or at the sensor head. At the head, `at_ns` may set the time."""
        if self.plugs.virtual_head:
            self.plugs.virtual_head.beam(line, dark, at_ns)
            return
        pin = self.pins.pin(self.config.beams[line])
        (pin.drive_low if dark == self.config.dark_low else pin.drive_high)()

    def jiggle(self) -> None:
        """Shake the funnel, so that stuck cubes fall."""
        for line in self.config.beam_lines:
            self.beam(line, False)
        if self.plugs.virtual_rail and self.box.funnel and self.box.funnel.settings.lanes == 1:
            for at_ns, colour in rests(self._stuck, self.box.funnel.settings, self.clock()):
                self.plugs.virtual_rail.fall(colour, at_ns)
        self._stuck = []

    def lot(self, numbers: Sequence[int]) -> None:
        """Have the box draw its next lots by these numbers, then by chance again."""
        self._lots = [*numbers]

    def knock(self) -> None:
        """Knock on the wall. Raises LookupError if no sensor head has a wall."""
        if not self.config.head or not self.config.head.wall:
            raise LookupError(f"this box has no {WALL} on a sensor head")
        self.plugs.of("head").hit()

    def pull(self, name: str) -> None:
        """Unplug the head, the rail's sensor, the scanner or the panel. Raises LookupError for any other device."""
        self.plugs.of(name).pull()

    def plug(self, name: str) -> None:
        """Plug a device in again. Raises LookupError if the box does not have it."""
        self.plugs.of(name).plug()

    def scan(self, code: str) -> None:
        """Scan a card. Raises LookupError without a scanner."""
        self.plugs.of("scanner").scan(code)

    def lay(self, colour: str, crooked: bool = False) -> None:
        """Put a cube at the stop of the queue rail. Raises LookupError without a rail, or if a cube is there."""
        self.plugs.of("rail").lay(colour, crooked)

    def lift(self) -> None:
        """Remove the cube at the stop, so that the next one rolls down. Raises LookupError if no cube is there."""
        self.plugs.of("rail").lift()

    def question(self) -> tuple[Menu, int] | None:
        """Return the current question and its page on the panel, from 0, or None if the panel shows a text."""
        panel = self.referee.panel
        return None if panel.noticing else panel.question

    def lit(self) -> list[str]:
        """List the lamps that are lit. A blinking lamp counts as lit."""
        blinking = self.blinking()
        return [name for name in COLOURS if name in blinking or self.pins.pin(self.config.lamps[name]).state]

    def blinking(self) -> list[str]:
        """List the lamps that blink."""
        return [COLOURS[seat] for seat in sorted(self.box.lamps.blinking)]

    def sounding(self) -> bool:
        """Return whether the buzzer is on."""
        return not self.config.silent and bool(self.pins.pin(self.config.sounder).state)

    @property
    def chip(self) -> Ssd1306:
        """Return the chip of the OLED."""
        return self.plugs.virtual_panel

    def picture(self) -> Image.Image:
        """Return the dots of the OLED as a person sees them, read from the chip."""
        return self.plugs.picture()

    def light(self) -> Light:
        """Return the brightness of the OLED."""
        return self.plugs.light()

    def close(self) -> None:
        """Switch the box off."""
        self.box.close()
        self.loop.close()
