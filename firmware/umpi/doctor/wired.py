"""Checks of the pins and beams: pins that other programs use, reliability of the time stamps, stuck inputs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from umpi.box.box import Box
from umpi.box.config import COLOURS, Config
from umpi.doctor.finding import Finding
from umpi.doctor.header import place
from umpi.timing.gate import Settings

IN_PIN_ORDER_US = 100  # a Pi's interrupt reads edges that are nearer than this in pin order, not in time order
# Of 300 edges of six lines, idle and while a thread computes, by `./scripts/dev hil "stamps on rpigpio"`
LATE_PRESSES = (
    "stamped after the press, by this program: by RPi.GPIO 0.1 ms later, and 0.7 ms while the box computes; "
    "by rpi-lgpio 0.6 ms, and up to 3.3 ms; by gpiod 0.01 ms (in an emulated Linux). "
    "If two players press within such a time, who was first is not certain"
)
INSTEAD = (
    'If no other program needs RPi.GPIO, write factory = "gpiod" under [pins] of umpi.toml: there the kernel stamps.'
)
BUS_HOLDERS = {  # by the kernel's name for the user of a line
    "spi": "SPI: sudo raspi-config nonint do_spi 1",
    "onewire": "1-Wire: sudo raspi-config nonint do_onewire 1",
}

_HELD = re.compile(r"held outside this program, by (?P<holder>.+)")


def pins(config: Config, box: Box, factory: Any) -> Iterator[Finding]:
    """Report the pin factory, the pins that others use, and the pins that failed for another reason."""
    held: dict[str, list[str]] = {}
    broken: list[Finding] = []
    for device, pin, trouble in _troubles(config, box):
        if holder := _holder(trouble):
            held.setdefault(holder, []).append(f"GPIO{pin} ({device})")
        else:
            broken.append(Finding(device, "failed", f"{place(pin)} cannot be had: {trouble.removeprefix('OSError: ')}"))
    if not held:
        yield Finding("pins", "ok", f"{config.factory}{_chip(factory)}")
    for holder, whose in held.items():
        yield Finding("pins", "failed", f"{', '.join(whose)}: used by {holder}", _free(holder))
    yield from broken


def stamps(config: Config, box: Box) -> Iterator[Finding]:
    """Report whether the order of near events is reliable, and from which difference on it is a dead heat."""
    if config.factory == "rpigpio":
        yield Finding("presses", "warning", LATE_PRESSES, INSTEAD)
        if not config.head:  # umpi.toml refuses beams at the pins
            return
    whose = "the sensor head's own" if config.head else "the kernel's own"
    if sum(line.startswith("lane") for line in config.beam_lines) < 2:  # one lane alone has no order
        yield Finding("stamps", "ok", whose)
        return
    resolution_us = box.calibration.resolution_us
    dead_heat_us = max(int(config.gate.get("dead_heat_us", Settings().dead_heat_us)), resolution_us)
    fine = f"fine to {resolution_us} µs" if resolution_us else "how fine they are has not been measured"
    what = f"{whose}, {fine}; nearer than {dead_heat_us} µs is a dead heat"
    if not config.head and dead_heat_us < IN_PIN_ORDER_US:
        what += f", but below about {IN_PIN_ORDER_US} µs a Pi reads edges in the order of its pins"
        do = f"Write dead_heat_us = {IN_PIN_ORDER_US} or more under [gate] of umpi.toml, or use the sensor head."
        yield Finding("stamps", "warning", what, do)
    elif not resolution_us:
        yield Finding("stamps", "not tested", what, _measurable(config, box))
    else:
        yield Finding("stamps", "ok", what)


def buttons(config: Config, box: Box) -> Iterator[Finding]:
    """Report buttons that are down although nobody should press them."""
    names = [line.name for line in box.lines if line.name in config.buttons]
    down = [name for name in names if name in box.held()]
    if down:
        yield Finding(
            _named("button", down),
            "failed",
            "down from the start",
            "Is it stuck, or wired to the wrong side? A button connects its pin to ground while it is pressed.",
        )
    if up := len(names) - len(down):
        yield Finding("buttons", "not tested", f"{up} up, as they should be while nobody presses")


def lamps(box: Box) -> Iterator[Finding]:
    """Report how many lamps have a pin. Only a person can see whether they light."""
    if have := len(COLOURS) - len(box.lamps.device_errors):
        yield Finding("lamps", "not tested", f"{have} can be switched")


def sounder(config: Config, box: Box) -> Iterator[Finding]:
    """Report the type of the sounder."""
    if config.silent:
        yield Finding("sounder", "ok", "silent, as umpi.toml says")
    elif box.speaker:
        kind = "a passive sounder, tones by the kernel's PWM" if config.tones else "an active buzzer"
        yield Finding("sounder", "not tested", f"{kind} on {place(config.sounder)}")


def beams(config: Config, box: Box) -> Iterator[Finding]:
    """Report the emitters, and beams that are dark without a cube. `head` reports a disconnected sensor head."""
    if box.emitters and config.emitters is not None:
        yield Finding("emitters", "not tested", f"switched on by {place(config.emitters)}")
    if config.head:
        lines, dark_low, section = list(config.head.beam_lines), config.head.dark_low, "head"
        if not box.head or box.head.state.name != "ready":
            return
    else:
        lines = [line.name for line in box.lines if line.name in config.beams]
        dark_low, section = config.dark_low, "beams"
    held = box.held()
    if dark := [name for name in lines if name in held]:
        other = "high" if dark_low else "low"
        do = "Something lies in it, it is not aligned, its emitter is dark"
        yield Finding(
            _named("beam", dark),
            "failed",
            "dark from the start",
            f'{do}, or dark = "{other}" is right under [{section}] of umpi.toml.',
        )
    if light := len(lines) - len(dark):
        yield Finding("beams", "not tested", f"{light} light; a torn wire would look the same")


def _measurable(config: Config, box: Box) -> str:
    """Return how the resolution can be measured: it needs two beams whose emitters are switched at once."""
    if config.head.beams == 2 if config.head else box.emitters:
        return "umpi doctor --guide measures it."
    if config.head:
        return "It cannot be measured with one beam a lane."
    return "umpi doctor --guide could measure it if a pin switched the emitters: emitters under [beams] of umpi.toml."


def _troubles(config: Config, box: Box) -> Iterator[tuple[str, int, str]]:
    """Yield each pin that could not be opened: device, GPIO number, reason."""
    single = {"sounder": config.sounder, "emitters": config.emitters or 0}
    named = [(f"button {name}", name, pin) for name, pin in config.buttons.items()]
    named += [(f"beam {name}", name, pin) for name, pin in config.beams.items()]
    named += [(name, name, pin) for name, pin in single.items()]
    for device, name, pin in named:
        if trouble := box.device_errors.get(name):
            yield device, pin, trouble
    for seat, trouble in box.lamps.device_errors.items():
        yield f"lamp {COLOURS[seat]}", config.lamps[COLOURS[seat]], trouble


def _holder(trouble: str) -> str:
    """Return the name of the program or bus that uses a pin, or "" if that is not the reason."""
    if found := _HELD.search(trouble):
        return found["holder"]
    return "another program" if "busy" in trouble.lower() else ""  # lgpio and the kernel report no name


def _free(holder: str) -> str:
    for bus, off in BUS_HOLDERS.items():
        if holder.startswith(bus):
            return f"Switch off {off}. Or name other pins in umpi.toml."
    if holder == "the kernel":
        return "Take its overlay out of /boot/firmware/config.txt, or name other pins in umpi.toml."
    return "Is umpi running? sudo systemctl stop umpi"


def _chip(factory: Any) -> str:
    """Return the name of the GPIO chip if the factory knows it, as gpiod's does."""
    if not hasattr(getattr(factory, "chip", None), "get_info"):
        return ""
    info = factory.chip.get_info()
    return f" on {info.name} ({info.label})"


def _named(kind: str, names: list[str]) -> str:
    return f"{kind}{'s' * (len(names) > 1)} {', '.join(names)}"
