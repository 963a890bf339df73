"""A configuration, a pin factory and plugs to the devices of a box; one that is out costs its own function only."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from gpiozero import DigitalOutputDevice
from gpiozero.exc import GPIOZeroError
from PIL import Image

from umpi.box.calibration import BadCalibration, Calibration, read_calibration
from umpi.box.config import COLOURS, NAVIGATION, Config
from umpi.drivers.edges import Line
from umpi.drivers.head import Head, HeadState
from umpi.drivers.head_protocol import Lost, Until
from umpi.drivers.lamps import Lamps
from umpi.drivers.oled import Oled
from umpi.drivers.queue_rail import QueueDetection, Rail
from umpi.drivers.scanner import Scan, Scanner
from umpi.drivers.screen_saver import DisplayState
from umpi.drivers.speaker import Sound, Speaker
from umpi.drivers.tones import Tones
from umpi.kernel.messages import fault_text
from umpi.timing.debounce import Buttons
from umpi.timing.edge import Edge
from umpi.timing.funnel import Funnel
from umpi.timing.gate import Settings
from umpi.wifi.reach import Reach

log = logging.getLogger(__name__)

BUTTONS = frozenset((*COLOURS, *NAVIGATION))
OURS = AssertionError, AttributeError, LookupError, NameError, TypeError  # faults of the code, not of a device
HOLDING = ("ok", "back")  # the keys that mean something else when held


@dataclass(frozen=True, slots=True)
class DeviceStatus:
    """A device that is out, and why; "" where it is well again."""

    device: str
    reason: str


DeviceEvent = Edge | Lost | Until | Scan | QueueDetection | DeviceStatus | Reach
Post = Callable[[DeviceEvent], None]


class Plugs(Protocol):
    """Opens what is plugged in beside the pins. All of them come and go by themselves and tell of it on threads."""

    def oled(self, pins: Any, on_trouble: Callable[[str], object]) -> Oled:
        """The panel; `pins` is the gpiozero factory of the lines beside its bus."""
        ...

    def head(
        self,
        on_edge: Callable[[Edge], object],
        on_lost: Callable[[int], object],
        on_until: Callable[[int], object],
        on_state: Callable[[HeadState], object],
    ) -> Head:
        """The sensor head."""
        ...

    def rail(
        self, calibration: Calibration, on_seen: Callable[[QueueDetection], object], on_trouble: Callable[[str], object]
    ) -> Rail:
        """The colour sensor under the stop of the queue rail."""
        ...

    def scanner(self, on_scan: Callable[[Scan], object], on_trouble: Callable[[str], object]) -> Scanner:
        """The card scanner."""
        ...


@dataclass(slots=True)
class Box:
    """The devices of a box. `device_errors` says of each that is out why, by its name."""

    buttons: Buttons
    lines: list[Line]
    lamps: Lamps
    speaker: Speaker | Tones | None = None
    oled: Oled | None = None
    funnel: Funnel | None = None
    head: Head | None = None
    rail: Rail | None = None
    scanner: Scanner | None = None
    emitters: Any = None
    calibration: Calibration = field(default_factory=Calibration)
    device_errors: dict[str, str] = field(default_factory=dict)

    def held(self) -> list[str]:
        """Name the buttons that are down and the beams that are dark."""
        return [line.name for line in self.lines if line.is_active] + sorted(self.head.dark if self.head else ())

    def show(self, picture: Image.Image, lit: Collection[int], blinking: Collection[int] = (), now_ns: int = 0) -> None:
        """Show a picture and light the lamps of these seats, or have them blink."""
        if self.oled:
            self.oled.show(picture)
        self.lamps.show(lit, blinking, now_ns)

    def rest(self, look: DisplayState) -> None:
        """Have the panel look so from now on."""
        if self.oled:
            self.oled.rest(look)

    def sound(self, sound: Sound, now_ns: int) -> None:
        """Make a sound, where the box has a voice."""
        if self.speaker:
            self.speaker.play(sound, now_ns)

    def close(self) -> None:
        """Let go of all devices."""
        plugged = (self.head, self.rail, self.scanner)
        for device in (*plugged, *self.lines, self.lamps, self.speaker, self.emitters, self.oled):
            if device:
                device.close()


def build(config: Config, pins: Any, plugs: Plugs, post: Post) -> Box:
    """Build the box that `config` describes on the gpiozero factory `pins`; its devices tell `post` what happens.

    Raises GPIOZeroError only where not one button can be had: such a box cannot be played on.
    """
    device_errors: dict[str, str] = {}

    def have(name: str, make: Callable[[], Any]) -> Any:
        try:
            return make()
        except Exception as fault:  # GPIOZeroError, OSError, and what lgpio and luma raise of their own
            level = logging.WARNING if isinstance(fault, OURS) else logging.DEBUG
            log.log(level, "%s cannot be opened", name, exc_info=True)
            device_errors[name] = fault_text(fault)
            return None

    def line(name: str, pin: int, low: bool = True) -> Iterator[Line]:
        if made := have(name, partial(Line, pin, name, post, pins, low)):
            yield made

    buttons = {**config.seats, **config.navigation}
    lines = [made for name in (*COLOURS, *NAVIGATION) for made in line(name, buttons[name])]
    if not lines:
        raise GPIOZeroError("; ".join(dict.fromkeys(device_errors.values())))
    beams = [made for name, pin in config.beams.items() for made in line(name, pin, config.dark_low)]
    whole = len(beams) == len(config.beams)
    if not whole:  # a funnel that misses a beam would name the wrong cube first
        for beam in beams:
            beam.close()
        beams = []
    lamps = Lamps({seat: config.lamps[colour] for seat, colour in enumerate(COLOURS)}, pins)
    if lamps.device_errors:
        device_errors["lamps"] = "; ".join(dict.fromkeys(lamps.device_errors.values()))
    calibration = _measured(config, device_errors)
    box = Box(Buttons(HOLDING), lines + beams, lamps, calibration=calibration, device_errors=device_errors)
    if config.beam_lines and whole:
        box.funnel = _funnel(config, calibration)
    if config.emitters is not None:
        box.emitters = have(
            "emitters", lambda: DigitalOutputDevice(config.emitters, initial_value=True, pin_factory=pins)
        )
    if not config.silent:
        box.speaker = have("sounder", lambda: Tones(config.sounder) if config.tones else Speaker(config.sounder, pins))
    box.oled = have("display", lambda: plugs.oled(pins, lambda reason: post(DeviceStatus("display", reason))))
    _plug(box, config, plugs, post, have)
    return box


def _plug(box: Box, config: Config, plugs: Plugs, post: Post, have: Callable[[str, Callable[[], Any]], Any]) -> None:
    def trouble(device: str) -> Callable[[str], None]:
        return lambda reason: post(DeviceStatus(device, reason))

    def head_state(state: HeadState) -> None:
        if state.name != "identifying":
            post(DeviceStatus("head", state.reason))

    if config.head:
        tell_lost, tell_until = (lambda count: post(Lost(count))), (lambda at_ns: post(Until(at_ns)))
        box.head = have("head", lambda: plugs.head(post, tell_lost, tell_until, head_state))
    if config.rail is not None:
        box.rail = have("rail", lambda: plugs.rail(box.calibration, post, trouble("rail")))
    if config.scanner is not None:
        box.scanner = have("scanner", lambda: plugs.scanner(post, trouble("scanner")))


def _measured(config: Config, device_errors: dict[str, str]) -> Calibration:
    try:
        return read_calibration(config.calibration)
    except BadCalibration as fault:
        device_errors["measures"] = fault_text(fault)
        return Calibration()


def _funnel(config: Config, calibration: Calibration) -> Funnel:
    """Two stamps nearer than the sensors' spread, or than the stamps are fine, are too close to call."""
    dead_heat_us = max(int(config.gate.get("dead_heat_us", Settings().dead_heat_us)), calibration.resolution_us)
    return Funnel(config.beam_lines, {**config.gate, "dead_heat_us": dead_heat_us})
