"""The devices of a box, built from its configuration. A device error disables only the function of that device."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

from gpiozero import DigitalOutputDevice
from gpiozero.exc import GPIOZeroError

from umpi.box.calibration import BadCalibration, Calibration, read_calibration
from umpi.box.config import COLOURS, Config, HeadPlan, RailBus
from umpi.box.head_events import head_event
from umpi.display.picture import Picture
from umpi.display.screen_saver import DisplayState
from umpi.drivers.colours import ColourProfile
from umpi.drivers.edges import Line
from umpi.drivers.head import Head
from umpi.drivers.head_link import HeadReport
from umpi.drivers.lamps import Lamps
from umpi.drivers.oled import Oled
from umpi.drivers.pin_factory import NoFactory
from umpi.drivers.queue_rail import Rail
from umpi.drivers.scanner import Reader, Scanner
from umpi.drivers.speaker import Speaker
from umpi.drivers.tones import Tones
from umpi.drivers.voice import Voice
from umpi.kernel.calls import Sound
from umpi.kernel.messages import fault_text, message
from umpi.referee.events import DeviceEvent, DeviceStatus
from umpi.timing.funnel import Funnel
from umpi.timing.gate import Settings

log = logging.getLogger(__name__)

OURS = AssertionError, AttributeError, LookupError, NameError, TypeError  # faults of the code, not of a device

Post = Callable[[DeviceEvent], None]
OnTrouble = Callable[[str], object]  # called with the device error of one device, "" if it works again


class Plugs(Protocol):
    """Open the devices that are plugged in, unlike buttons and lamps, which are wired to pins.

    These devices may be connected and disconnected at any time. They report that on their own threads.
    """

    def oled(self, pins: Any, on_trouble: OnTrouble) -> Oled:
        """Return the panel; `pins` is the gpiozero factory for its lines beside the bus."""
        ...

    def head(self, plan: HeadPlan, report: Callable[[HeadReport], object]) -> Head:
        """Return the sensor head."""
        ...

    def rail(self, bus: RailBus, colours: ColourProfile | None, on_seen: Post, on_trouble: OnTrouble) -> Rail:
        """Return the colour sensor under the stop of the queue rail."""
        ...

    def scanner(self, reader: Reader, on_scan: Post, on_trouble: OnTrouble) -> Scanner:
        """Return the card scanner."""
        ...


@dataclass(slots=True)
class Box:
    """The devices of a box. `device_errors` contains the reason of each device error, by the name of the device."""

    lines: list[Line]
    lamps: Lamps
    speaker: Speaker | Tones | None = None
    voice: Voice | None = None
    oled: Oled | None = None
    funnel: Funnel | None = None
    head: Head | None = None
    rail: Rail | None = None
    scanner: Scanner | None = None
    emitters: Any = None
    calibration: Calibration = field(default_factory=Calibration)
    device_errors: dict[str, str] = field(default_factory=dict)

    def held(self) -> list[str]:
        """Return the names of the buttons that are down and of the beams that are dark."""
        return [line.name for line in self.lines if line.is_active] + sorted(self.head.dark if self.head else ())

    def show(
        self, picture: Picture | None, lit: Collection[int], blinking: Collection[int] = (), now_ns: int = 0
    ) -> None:
        """Show a picture if there is one, light the lamps of the seats in `lit`, and let those in `blinking` blink."""
        if self.oled and picture:
            self.oled.show(picture)
        self.lamps.show(lit, blinking, now_ns)

    def rest(self, look: DisplayState) -> None:
        """Set the display state of the panel for the current and all later pictures."""
        if self.oled:
            self.oled.rest(look)

    def sound(self, sound: Sound, now_ns: int) -> None:
        """Play a sound if the box has a sounder."""
        if self.speaker:
            self.speaker.play(sound, now_ns)

    def say(self, text: str, language: str) -> None:
        """Speak a text if the box has a voice."""
        if self.voice:
            self.voice.say(text, language)

    @property
    def sounder_trouble(self) -> str:
        """Return why the sounder fails, "" if it works or there is none."""
        return self.speaker.trouble if self.speaker else ""

    @property
    def due_ns(self) -> int | None:
        """Return when `tick_sounder` or `tick_lamps` next has something to do; None if neither has."""
        dues = [each.due_ns for each in (self.speaker, self.lamps) if each]
        return min((due for due in dues if due is not None), default=None)

    def tick_sounder(self, now_ns: int) -> None:
        """Change the sound that is due at `now_ns`."""
        if self.speaker:
            self.speaker.tick(now_ns)

    def tick_lamps(self, now_ns: int) -> None:
        """Switch the lamps that are due at `now_ns`."""
        self.lamps.tick(now_ns)

    def close(self) -> None:
        """Close all devices."""
        plugged = (self.head, self.rail, self.scanner, self.voice)
        for device in (*plugged, *self.lines, self.lamps, self.speaker, self.emitters, self.oled):
            if device:
                device.close()


def build(config: Config, pins: Any, plugs: Plugs, post: Post) -> Box:
    """Build and return the box of `config` on the gpiozero factory `pins`. Its devices call `post` with events.

    Raises GPIOZeroError only if there are pins and no button can be opened: another program may have them for a moment.
    Without pins at all, one device error says so.
    """
    device_errors: dict[str, str] = {}

    def have(name: str, make: Callable[[], Any]) -> Any:
        try:
            return make()
        except Exception as fault:  # GPIOZeroError, OSError, and the own errors of lgpio and luma
            level = logging.WARNING if isinstance(fault, OURS) else logging.DEBUG
            log.log(level, "%s cannot be opened", name, exc_info=True)
            device_errors[name] = fault_text(fault)
            return None

    def line(name: str, pin: int, low: bool = True) -> Iterator[Line]:
        if made := have(name, partial(Line, pin, name, post, pins, low)):
            yield made

    def trouble(device: str) -> OnTrouble:
        return lambda reason: post(DeviceStatus(device, reason))

    def head_report(report: HeadReport) -> None:
        if event := head_event(report):
            post(event)

    if isinstance(pins, NoFactory):
        device_errors["buttons"] = pins.why
        config = replace(config, seats={}, navigation={}, where=None, lamps={}, beams={}, emitters=None, silent=True)
    lines = [made for name, pin in config.buttons.items() for made in line(name, pin)]
    if config.buttons and not lines:
        raise GPIOZeroError("; ".join(dict.fromkeys(device_errors.values())))
    beams = [made for name, pin in config.beams.items() for made in line(name, pin, config.dark_low)]
    whole = len(beams) == len(config.beams)
    if not whole:  # without one of its beams a funnel would report a wrong finish order
        for beam in beams:
            beam.close()
        beams = []
    lamps = Lamps({seat: config.lamps[colour] for seat, colour in enumerate(COLOURS) if colour in config.lamps}, pins)
    if lamps.device_errors:
        device_errors["lamps"] = "; ".join(dict.fromkeys(lamps.device_errors.values()))

    emitters = speaker = head = rail = voice = scanner = None
    if config.emitters is not None:
        emitters = have("emitters", lambda: DigitalOutputDevice(config.emitters, initial_value=True, pin_factory=pins))
    if not config.silent:
        speaker = have("sounder", lambda: Tones(config.sounder) if config.tones else Speaker(config.sounder, pins))
    calibration = _measured(config, device_errors)
    if config.left_out:
        device_errors["settings"] = message("left out: {why}", why=" ".join(each.why for each in config.left_out))
    funnel = _funnel(config, calibration) if config.beam_lines and whole else None
    oled = have("display", lambda: plugs.oled(pins, trouble("display")))
    if (plan := config.head) is not None:
        head = have("head", lambda: plugs.head(plan, head_report))
    if (bus := config.rail) is not None and (head or bus != "head"):  # a head that is out has a report of its own
        rail = have("rail", lambda: plugs.rail(bus, calibration.colours, post, trouble("rail")))
    if config.voice:
        voice = have("voice", lambda: Voice(config.voice_device, config.words_per_minute, trouble("voice")))
    if (reader := config.scanner) is not None:
        scanner = have("scanner", lambda: plugs.scanner(Reader(**reader), post, trouble("scanner")))
    return Box(
        lines=lines + beams,
        lamps=lamps,
        speaker=speaker,
        voice=voice,
        oled=oled,
        funnel=funnel,
        head=head,
        rail=rail,
        scanner=scanner,
        emitters=emitters,
        calibration=calibration,
        device_errors=device_errors,
    )


def _measured(config: Config, device_errors: dict[str, str]) -> Calibration:
    try:
        return read_calibration(config.calibration)
    except BadCalibration as fault:
        device_errors["measures"] = fault_text(fault)
        return Calibration()


def _funnel(config: Config, calibration: Calibration) -> Funnel:
    """Return the funnel. Its dead-heat window is at least the measured resolution of the stamps."""
    dead_heat_us = max(int(config.gate.get("dead_heat_us", Settings().dead_heat_us)), calibration.resolution_us)
    return Funnel(config.beam_lines, {**config.gate, "dead_heat_us": dead_heat_us})
