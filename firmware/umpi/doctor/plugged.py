"""Checks of the plugged-in devices: display, sensor head, queue rail, card scanner."""

from __future__ import annotations

from collections.abc import Iterator
from glob import glob

from umpi.box.box import Box
from umpi.box.config import Config, HeadPlan, RailBus, SpiPlan
from umpi.display.picture import Picture
from umpi.display.sheet import HEIGHT, TOP, WIDTH, Sheet
from umpi.doctor.finding import Finding
from umpi.doctor.header import place
from umpi.doctor.system import System
from umpi.drivers.head_protocol import stamps_at_once
from umpi.drivers.tcs34725 import ADDRESS as RAIL_ADDRESS

PANEL_ADDRESSES = (0x3C, 0x3D)
HELD = "held outside this program"
FIRST_LINE = 1  # a port opened in the middle of a line reads only the rest of it
I2C_ON = "Switch I²C on: sudo raspi-config nonint do_i2c 0, or dtparam=i2c_arm=on in /boot/firmware/config.txt."
I2C_GROUP = "Let this user into the group i2c: sudo usermod -aG i2c $USER, then log in again."
SPI_ON = {  # by port
    0: "Switch SPI on: sudo raspi-config nonint do_spi 0, or dtparam=spi=on in /boot/firmware/config.txt.",
    1: "Switch it on: dtoverlay=spi1-3cs in /boot/firmware/config.txt, then restart the Pi.",
}
SPI_GROUP = "Let this user into the group spi: sudo usermod -aG spi $USER, then log in again."
PLUGGED_IN = "What is plugged in stands in /dev/serial/by-id; another port can be named in umpi.toml."


def picture() -> Picture:
    """Return the picture on the panel during the checks. A lit frame reveals a shifted picture."""
    sheet = Sheet()
    sheet.bar("umpi doctor")
    sheet.block("Is the frame\nwhole all round?", TOP + 1, HEIGHT - 1)
    sheet.frame(0, 0, WIDTH, HEIGHT)
    return sheet.image


def display(config: Config, box: Box, system: System) -> Iterator[Finding]:
    """Report whether the panel answers. Only a person can check whether its picture is right."""
    where = _where(config)
    if box.oled is None:
        yield Finding("display", "failed", f"{where}: {box.device_errors.get('display', 'it cannot be opened')}")
    elif box.oled.wait_shown(0):
        other = "ssd1306" if config.display == "sh1106" else "sh1106"
        do = f'Two columns off, or strewn? Write chip = "{other}": modules are often not what they are sold as.'
        yield Finding("display", "not tested", f"{where} {_answers(config)}", do)
    else:
        trouble = box.oled.trouble or "it has taken no picture: does the bus hang?"
        yield Finding("display", "failed", f"{where}: {trouble}", _panel_hint(config, system, trouble))


def head(config: Config, box: Box) -> Iterator[Finding]:
    """Report the sensor head's identity, clock and cable, or why it is missing."""
    plan = config.head
    if plan is None:
        return
    if box.head is None:
        yield Finding("head", "failed", box.device_errors.get("head", "it cannot be opened"))
        return
    state = box.head.state
    if state.name != "ready":
        do = "" if glob(box.head.path) else f"Plug it in. {PLUGGED_IN}"
        yield Finding("head", "failed", state.reason or "it has not answered", do)
        return
    yield _ready(plan, dict(box.head.about))
    if plan.wall:
        yield Finding("wall", "not tested", "the sensor head listens to it")


def rail(config: Config, box: Box, system: System) -> Iterator[Finding]:
    """Report whether the colour sensor answers, and what it sees; nothing if the head that it is at is missing."""
    if config.rail is None or (config.rail == "head" and not (box.head and box.head.state.name == "ready")):
        return
    if box.rail is None:
        yield Finding("rail", "failed", box.device_errors.get("rail", "it cannot be opened"))
        return
    seen, light = box.rail.seen, "Is a lamp flickering there, or its own lamp dark?"
    if box.rail.trouble:
        yield Finding("rail", "failed", box.rail.trouble, _rail_hint(config.rail, system))
    elif not box.rail.settled:
        yield Finding("rail", "warning", "its readings do not come to rest, or none comes", light)
    elif box.calibration.colours is None:
        what = "its chip answers; the colours of the cubes have not been measured"
        yield Finding("rail", "not tested", what, "umpi doctor --guide measures them.")
    elif seen.state == "cube":
        yield Finding("rail", "ok", f"a {seen.colour} cube lies at its stop")
    elif seen.state == "empty":
        yield Finding("rail", "ok", "nothing lies at its stop")
    else:
        yield Finding("rail", "warning", seen.reason, f"{light} umpi doctor --guide measures the colours again.")


def scanner(config: Config, box: Box) -> Iterator[Finding]:
    """Report whether the card scanner's port is open, and whether its lines are readable."""
    if config.scanner is None:
        return
    if box.scanner is None:
        yield Finding("scanner", "failed", box.device_errors.get("scanner", "it cannot be opened"))
        return
    reader, garbled = box.scanner.reader, box.scanner.lines.garbled
    if box.scanner.trouble:
        yield Finding("scanner", "failed", box.scanner.trouble, "" if glob(reader.port) else PLUGGED_IN)
    elif garbled:
        do = f"Is baud = {reader.baud} its speed, and does pattern fit what it sends? Both stand under [scanner]."
        yield Finding("scanner", "warning", f"{garbled} lines from {reader.port} could not be read", do)
    else:
        yield Finding("scanner", "not tested", f"{reader.port} is open; a scan proves it")


def _ready(plan: HeadPlan, about: dict[str, str | float]) -> Finding:
    who = ", ".join(f"{word} {about.get(word, '?')}" for word in ("board", "firmware", "protocol"))
    drift, off, garbled = (float(about.get(word, 0)) for word in ("drift_ppm", "drift_off_ppm", "garbled"))
    pace = f"its clock {abs(drift):.0f} ppm {'slow' if drift > 0 else 'fast'}, give or take {off:.0f}"
    what = f"{who}; {pace}; garbled lines: {garbled:.0f}; beams: {len(plan.beam_lines)}"
    if garbled > FIRST_LINE:
        return Finding("head", "warning", what, "Try another cable, a short one, and no hub.")
    if not stamps_at_once(about.get("firmware")):
        what += "; its stamps of one moment are up to 1 ms apart"
        return Finding("head", "warning", what, "Copy firmware/sensor_head to it again.")
    return Finding("head", "ok", what)


def _where(config: Config) -> str:
    if not (spi := config.display_spi):
        return f"{config.display} at {config.display_address:#04x} on I²C bus {config.display_bus}"
    return f"{config.display} on SPI {spi.port}.{spi.device}, D/C at {place(spi.dc)}"


def _answers(config: Config) -> str:
    return "takes what it is sent; on SPI nothing answers" if config.display_spi else "answers"


def _panel_hint(config: Config, system: System, trouble: str) -> str:
    """Return what to check: a control line that another program uses, else the bus."""
    if HELD in trouble:
        keys = "dc, reset or select" if config.display_spi else "reset"
        return f"Is umpi running? sudo systemctl stop umpi. Or name another pin as {keys} under [display] of umpi.toml."
    if config.display_spi:
        return _spi_hint(config.display_spi, system)
    return _i2c_hint(config, system)


def _spi_hint(spi: SpiPlan, system: System) -> str:
    try:
        system.open_spi(spi.port, spi.device)
    except FileNotFoundError:
        return f"There is no /dev/spidev{spi.port}.{spi.device}. {SPI_ON[spi.port]}"
    except PermissionError:
        return SPI_GROUP
    except OSError as fault:
        return f"/dev/spidev{spi.port}.{spi.device}: {fault.strerror or fault}"
    return "The bus can be opened now: is another program using it?"


def _i2c_hint(config: Config, system: System) -> str:
    addresses = dict.fromkeys((config.display_address, *PANEL_ADDRESSES))
    try:
        there = system.answering(config.display_bus, addresses)
    except OSError as fault:
        return _bus_hint(config.display_bus, fault)
    if config.display_address in there:
        return "Something answers there now: is a wire loose, or is another program using it?"
    if there:
        return f"Something answers at {there[0]:#04x}: write address = {there[0]:#04x} under [display] of umpi.toml."
    return "Nothing answers there: look at its four wires. On some modules GND and VCC are exchanged."


def _rail_hint(bus: RailBus, system: System) -> str:
    if bus == "head":
        return "Look at the plug of the colour sensor at the gate board, and at the head above."
    try:
        there = system.answering(bus, (RAIL_ADDRESS,))
    except OSError as fault:
        return _bus_hint(bus, fault)
    return "" if there else f"Nothing answers at {RAIL_ADDRESS:#04x} on I²C bus {bus}: look at its wires."


def _bus_hint(bus: int, fault: OSError) -> str:
    if isinstance(fault, FileNotFoundError):
        return f"There is no /dev/i2c-{bus}. {I2C_ON}"
    if isinstance(fault, PermissionError):
        return I2C_GROUP
    return f"/dev/i2c-{bus}: {fault.strerror or fault}"
