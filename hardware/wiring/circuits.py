"""Schematics of the circuits in wiring.toml, with their values, pins and positions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from schemdraw import elements as elm

from hardware.wiring.electrics import pull_up_ohm
from hardware.wiring.header import call
from hardware.wiring.model import Wiring
from hardware.wiring.pen import GREY, UNIT, Sheet

PINS_A_LINE = 4


def button(sheet: Sheet) -> None:
    """Draw a pin with the pull-up inside the Pi, a resistor and a button to ground; the optional clamp is grey."""
    sheet.pin((0, 0), "pin")
    sheet.line((0, 0), (1.2, 0))
    sheet.resistor((1.2, 0), (3.4, 0), "r_1k")
    sheet.line((3.4, 0), (6, 0), (6, -0.2))
    sheet.add(elm.Button().at((6, -0.2)).to((6, -2)).label(sheet.value("button"), loc="bottom", fontsize=9))
    sheet.ground((6, -2))
    sheet.text((1.9, -1.1), "the pull-up inside the Pi\nkeeps the pin at 3.3 V", 8)
    sheet.add(elm.Dot().at((1.0, 0)).color(GREY))
    for start, end in (((1.0, 0), (1.0, 1.6)), ((1.0, -1.6), (1.0, 0))):
        sheet.add(elm.Schottky().at(start).to(end).color(GREY))
    sheet.add(elm.Vdd().at((1.0, 1.6)).color(GREY).label("3.3 V", fontsize=8, color=GREY))
    sheet.add(elm.Ground().at((1.0, -1.6)).color(GREY))
    sheet.text((1.9, 1.1), "grey: a clamp of two BAT85, only if\na lead leaves the box", 8, GREY)


def lead(sheet: Sheet) -> None:
    """Draw the same with its own pull-up, a clamp, and a second button at the end of a lead."""
    sheet.pin((0, 0), "pin")
    sheet.line((0, 0), (1.2, 0))
    sheet.dot((1.2, 0))
    sheet.clamp(1.2, 0, "schottky")
    sheet.line((1.2, 0), (2.2, 0))
    sheet.resistor((2.2, 0), (4.4, 0), "r_1k")
    sheet.line((4.4, 0), (5, 0))
    sheet.dot((5, 0))
    sheet.resistor((5, 0), (5, 2), "r_2k2", "bottom")
    sheet.rail((5, 2))
    sheet.line((5, 0), (6.6, 0))
    sheet.dot((6.6, 0))
    sheet.add(elm.Button().at((6.6, 0)).to((6.6, -2)))
    sheet.used["button"] += 1
    sheet.text((5.0, -1.75), "button\non the box", 8)
    sheet.ground((6.6, -2))
    sheet.line((6.6, 0), (8.2, 0))
    sheet.add(elm.Dot(open=True).at((8.2, 0)))
    sheet.add(elm.Dot(open=True).at((8.2, -2)))
    sheet.line((6.6, -2), (8.2, -2))
    sheet.text((7.2, 0.7), "hole in\nthe case", 8)
    sheet.line((8.2, 0), (11.4, 0))
    sheet.line((8.2, -2), (11.4, -2))
    sheet.text((8.8, -1), f"{sheet.value('lead')}\n{sheet.wiring.part['lead'].what.split(',')[-1].strip()}", 9)
    sheet.add(elm.Button().at((11.4, 0)).to((11.4, -2)).label("hand button", loc="bottom", fontsize=9))
    sheet.used["handle"] += 1


def lamp_direct(sheet: Sheet) -> None:
    """Draw a pin that powers a lamp of 2 V."""
    sheet.pin((0, 0), "pin")
    sheet.line((0, 0), (0.8, 0))
    sheet.resistor((0.8, 0), (3, 0), "r_390")
    sheet.add(elm.LED().at((3, 0)).to((5.2, 0)).label("LED, red, yellow\nor amber", loc="bottom", fontsize=9))
    sheet.used["led_low"] += 1
    sheet.line((5.2, 0), (5.8, 0), (5.8, -0.4))
    sheet.ground((5.8, -0.4))


def uln(sheet: Sheet, x: float, words: str) -> None:
    """Draw a channel of the ULN2803A, with its input on the left and its output on the right."""
    sheet.box(x, -0.8, x + 3, 0.8, f"ULN2803A\n{words}\nGND: leg 9")
    sheet.line((x + 1.5, -0.8), (x + 1.5, -1.1))
    sheet.ground((x + 1.5, -1.1))


def lamp_driven(sheet: Sheet) -> None:
    """Draw a pin that switches a lamp of 3 V from 5 V."""
    sheet.pin((0, 0), "pin")
    sheet.line((0, 0), (1.2, 0))
    uln(sheet, 1.2, "in 1–3, out 18–16")
    sheet.line((4.2, 0), (5.2, 0), (5.2, 0.6))
    sheet.resistor((5.2, 0.6), (5.2, 2.6), "r_150", "bottom")
    sheet.add(elm.LED().at((5.2, 4.6)).to((5.2, 2.6)).label("LED, blue,\ngreen or white", loc="top", fontsize=9))
    sheet.used["led_high"] += 1
    sheet.rail((5.2, 4.6), "5 V")


def switched(sheet: Sheet, load: Callable[[tuple[float, float]], None]) -> None:
    """Draw a pin that switches a transistor; `load` draws the load above its collector."""
    sheet.pin((0, 0), "pin")
    sheet.line((0, 0), (0.6, 0))
    sheet.resistor((0.6, 0), (2.8, 0), "r_1k")
    load(sheet.transistor((2.8, 0)))


def flyback(sheet: Sheet, x: float, low: float, high: float) -> None:
    """Draw the diode that absorbs the voltage of a coil when it switches off, beside the load at `x`."""
    aside = x + 2.2
    sheet.dot((x, low))
    sheet.dot((x, high))
    sheet.line((x, low), (aside, low))
    sheet.add(elm.Diode().at((aside, low)).to((aside, high)).label(sheet.value("diode"), loc="bottom", fontsize=8))
    sheet.line((aside, high), (x, high))


def coil(sheet: Sheet, at: tuple[float, float], words: str) -> float:
    """Draw a buzzer or sounder above the collector at `at`, with its diode; return the y of its upper end."""
    x, y = at
    low, high = y + 0.5, y + 2.1
    sheet.line((x, y), (x, low))
    sheet.box(x - 1.5, low, x + 0.6, high, words)
    sheet.line((x, high), (x, high + 0.5))
    flyback(sheet, x, y + 0.25, high + 0.25)
    return high + 0.5


def buzzer(sheet: Sheet) -> None:
    """Draw an active buzzer at 5 V."""

    def load(at: tuple[float, float]) -> None:
        sheet.used["buzzer"] += 1
        sheet.rail((at[0], coil(sheet, at, "active\nbuzzer,\n+ on top")), "5 V")

    switched(sheet, load)


def sounder(sheet: Sheet) -> None:
    """Draw a passive sounder at 5 V, for tones."""

    def load(at: tuple[float, float]) -> None:
        high = coil(sheet, at, f"passive\nsounder,\n{sheet.wiring.value('sounder', 'ohm')} Ω")
        sheet.used["sounder"] += 1
        sheet.resistor((at[0], high), (at[0], high + UNIT), "r_68", "bottom")
        sheet.rail((at[0], high + UNIT), "5 V")

    switched(sheet, load)


def beam(sheet: Sheet) -> None:
    """Draw a receiver with an open collector, pulled up to 3.3 V."""
    sheet.pin((0, 0), "pin")
    sheet.line((0, 0), (4.4, 0))
    sheet.dot((2, 0))
    sheet.resistor((2, 0), (2, 2), "r_10k", "bottom")
    sheet.rail((2, 2))
    sheet.box(4.4, -1.2, 7.4, 1.2, "receiver, open\ncollector: low\nwhile dark")
    sheet.used["beam"] += 1
    sheet.line((5.9, 1.2), (5.9, 2))
    sheet.rail((5.9, 2), "3.3 V, never 5 V")
    sheet.line((5.9, -1.2), (5.9, -1.5))
    sheet.ground((5.9, -1.5))
    sheet.add(elm.Line(arrow="->").at((9.6, 0.2)).to((7.8, 0.2)))
    sheet.text((8.0, 0.65), "infrared", 8)


def emitters(sheet: Sheet, x: float, y: float) -> None:
    """Draw two emitters between 5 V and the wire at `x`, `y` that switches them."""
    sheet.line((x, y), (x, y + 0.4), (x + 2.4, y + 0.4))
    sheet.dot((x, y + 0.4))
    for index in range(2):
        at = x + 2.4 * index
        sheet.add(elm.LED().at((at, y + 2.4)).to((at, y + 0.4)))
        sheet.line((at, y + 2.4), (at, y + 2.8))
    sheet.line((x, y + 2.8), (x + 2.4, y + 2.8))
    sheet.dot((x, y + 2.8))
    sheet.rail((x, y + 2.8), "5 V")
    sheet.text((x + 3.2, y + 1.4), "emitters of both beams of\na lane; modules contain\ntheir resistors", 9)


def emitter(sheet: Sheet) -> None:
    """Draw both emitters of a lane, switched by a transistor."""
    switched(sheet, lambda at: emitters(sheet, at[0], at[1]))


def emitter_driven(sheet: Sheet) -> None:
    """Draw both emitters of a lane, switched by a channel of a driver."""
    sheet.pin((0, 0), "pin")
    sheet.line((0, 0), (1.2, 0))
    uln(sheet, 1.2, "in 1–6, out 18–13")
    sheet.line((4.2, 0), (5.2, 0))
    emitters(sheet, 5.2, 0)


def piezo(sheet: Sheet) -> None:
    """Draw a disc that gives tens of volts, with bleed resistor, filter and clamp."""
    sheet.pin((0, 0), "pin")
    sheet.line((0, 0), (1, 0))
    sheet.dot((1, 0))
    sheet.add(elm.Capacitor().at((1, 0)).to((1, -2)).label(sheet.value("n1"), loc="top", fontsize=9))
    sheet.ground((1, -2))
    sheet.line((1, 0), (3.2, 0))
    sheet.dot((3.2, 0))
    sheet.clamp(3.2, 0, "tight")
    sheet.line((3.2, 0), (4.4, 0))
    sheet.resistor((4.4, 0), (6.6, 0), "r_100k")
    sheet.line((6.6, 0), (7.2, 0))
    sheet.dot((7.2, 0))
    sheet.resistor((7.2, 0), (7.2, -2), "r_1m", "bottom")
    sheet.ground((7.2, -2))
    sheet.line((7.2, 0), (9.6, 0))
    sheet.add(elm.Crystal().at((9.6, 0)).to((9.6, -2)).label("piezo disc", loc="bottom", fontsize=9))
    sheet.used["disc"] += 1
    sheet.line((9.6, -2), (7.2, -2))
    sheet.text((7.5, 0.4), "lead, 2 twisted wires", 8)


def i2c(sheet: Sheet) -> None:
    """Draw the bus with all its pull-ups, and their sum."""
    bus, modules = sheet.wiring.bus["pi_pull_up"], (("oled", "OLED", "0x3C"), ("colour", "TCS34725", "0x29"))
    sheet.pin((0, 1), f"SDA {call('pi', 2)}")
    sheet.pin((0, 0), f"SCL {call('pi', 3)}")
    sheet.line((0, 1), (12.6, 1))
    sheet.line((0, 0), (12.6, 0))
    pulls = [(1.2, f"{bus / 1000:g} kΩ\nin the Pi")]
    for index, (part, _, _) in enumerate(modules):
        pulls.append((4.6 + 4.6 * index, f"{sheet.wiring.value(part, 'pull_up') / 1000:g} kΩ\non the module"))
    for x, words in pulls:
        for at, y in ((x, 1), (x + 1.2, 0)):
            sheet.dot((at, y))
            sheet.line((at, y), (at, 1))  # across SDA, not joined to it
            sheet.add(elm.Resistor().at((at, 1)).to((at, 3.2)))
        sheet.line((x, 3.2), (x + 1.2, 3.2))
        sheet.rail((x + 0.6, 3.2))
        sheet.text((x + 1.55, 2.4), words, 8)
    for index, (_, name, address) in enumerate(modules):
        left = 5.4 + 4.6 * index
        sheet.box(left, -2.2, left + 2.6, -0.9, f"{name}\naddress {address}")
        for at, y in ((left + 0.8, 1), (left + 1.8, 0)):
            sheet.dot((at, y))
            sheet.line((at, y), (at, -0.9))
    both, one = pull_up_ohm(sheet.wiring, "full"), pull_up_ohm(sheet.wiring, "table")
    limit = sheet.wiring.limit["i2c_sink"].value
    twice = 1 / (1 / bus + 2 / sheet.wiring.value("oled", "pull_up"))
    words = (
        f"OLED alone: {one:.0f} Ω, {3300 / one:.2f} mA.   Both: {both:.0f} Ω, {3300 / both:.2f} mA.   "
        f"Limit: {limit:g} mA.\nTwo modules of 4.7 kΩ: {twice:.0f} Ω, {3300 / twice:.2f} mA. This is too much: "
        "remove the two resistors of one module."
    )
    sheet.text((0, -3.1), words, 9)


FIGURES: dict[str, Callable[[Sheet], None]] = {
    "button": button, "lead": lead, "lamp-direct": lamp_direct, "lamp-driven": lamp_driven, "buzzer": buzzer,
    "sounder": sounder, "beam": beam, "emitter": emitter, "emitter-driven": emitter_driven, "piezo": piezo, "i2c": i2c,
}  # fmt: skip


def draw(wiring: Wiring, name: str, canvas: str = "svg") -> Sheet:
    """Draw a circuit with its title above and its pins below."""
    sheet = Sheet(wiring, canvas)
    FIGURES[name](sheet)
    left, low, _, high = sheet.drawing.get_bbox()
    sheet.text((left, high + 0.9), wiring.circuit[name].title, 14)
    sheet.text((left, low - 0.6), "\n".join(pins_of(wiring, name)), 8)
    return sheet


def pins_of(wiring: Wiring, circuit: str) -> list[str]:
    """List the pins of a circuit with both their numbers."""
    found: dict[str, dict[str, None]] = {}
    for build in wiring.build:
        for net in wiring.nets(build):
            if net.circuit == circuit:
                name = "" if net.name == "pin" else f"{net.name} "
                found.setdefault(net.board, {})[f"{name}{call(net.board, net.pin)}"] = None
    lines = []
    for board, pins in found.items():
        whose = "Pi" if board == "pi" else "Sensor head"
        for start in range(0, len(pins), PINS_A_LINE):
            lines.append(f"{whose}: {', '.join(list(pins)[start : start + PINS_A_LINE])}")
    return lines


def save(wiring: Wiring, folder: Path) -> list[Path]:
    """Write each circuit as SVG and PNG; return the paths."""
    made = []
    for name in FIGURES:
        for canvas, ending in (("svg", "svg"), ("matplotlib", "png")):
            path = folder / f"circuit-{name}.{ending}"
            draw(wiring, name, canvas).drawing.save(str(path), transparent=False, dpi=110)
            made.append(path)
    return made
