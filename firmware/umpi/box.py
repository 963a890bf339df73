"""A configuration and a pin factory to the devices of a box; one that cannot be had costs its own function only."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from gpiozero.exc import GPIOZeroError
from PIL import Image

from umpi.config import COLOURS, NAVIGATION, Config
from umpi.devices.buttons import Buttons
from umpi.devices.edges import Edge, Line
from umpi.devices.funnel import Funnel
from umpi.devices.lamps import Lamps
from umpi.devices.oled import Oled
from umpi.devices.speaker import Sound, Speaker

HOLDING = ("ok", "back")  # the keys that mean something else when held


@dataclass(slots=True)
class Box:
    """The devices of a box. `troubles` says of each that could not be had why, by its name."""

    buttons: Buttons
    lines: list[Line]
    lamps: Lamps
    speaker: Speaker | None
    oled: Oled | None
    funnel: Funnel | None = None
    troubles: dict[str, str] = field(default_factory=dict)

    def held(self) -> list[str]:
        """Name the buttons that are down and the beams that are dark."""
        return [line.name for line in self.lines if line.is_active]

    def show(self, picture: Image.Image, lit: Collection[int]) -> None:
        """Show a picture and light the lamps of these seats."""
        if self.oled:
            self.oled.show(picture)
        self.lamps.show(lit)

    def sound(self, sound: Sound, now_ns: int) -> None:
        """Make a sound, where the box has a voice."""
        if self.speaker:
            self.speaker.play(sound, now_ns)

    def close(self) -> None:
        """Let go of all devices."""
        for device in (*self.lines, self.lamps, self.speaker, self.oled):
            if device:
                device.close()


def build(config: Config, pins: Any, oled: Callable[[], Oled], on_edge: Callable[[Edge], None]) -> Box:
    """Build the box that `config` describes on the gpiozero factory `pins`.

    Raises GPIOZeroError only where not one button can be had: such a box cannot be played on.
    """
    troubles: dict[str, str] = {}

    def have(name: str, make: Callable[[], Any]) -> Any:
        try:
            return make()
        except (GPIOZeroError, OSError) as fault:
            troubles[name] = f"{type(fault).__name__}: {fault}"
            return None

    inputs = {colour: config.seats[colour] for colour in COLOURS} | {key: config.navigation[key] for key in NAVIGATION}
    lines = []
    for name, pin in inputs.items():
        if line := have(name, partial(Line, pin, name, on_edge, pins)):
            lines.append(line)
    lamps = Lamps({seat: config.lamps[colour] for seat, colour in enumerate(COLOURS)}, pins)
    if lamps.troubles:
        troubles["lamps"] = "; ".join(dict.fromkeys(lamps.troubles.values()))
    beams = [
        beam
        for name, pin in config.beams.items()
        if (beam := have(name, partial(Line, pin, name, on_edge, pins, config.dark_low)))
    ]
    funnel = Funnel(list(config.beams), config.gate) if beams and len(beams) == len(config.beams) else None
    if not lines:
        raise GPIOZeroError("; ".join(dict.fromkeys(troubles.values())))
    return Box(
        Buttons(HOLDING),
        lines + beams,
        lamps,
        None if config.silent else have("sounder", lambda: Speaker(config.sounder, pins)),
        have("display", oled),
        funnel,
        troubles,
    )
