"""Schematics of the circuits in wiring.toml, with their values, pins and positions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PIL import Image
from schemdraw import elements as elm

from hardware.drawing.origin import save_png
from hardware.wiring.electrics import pull_up_ohm
from hardware.wiring.header import CALLED, call
from hardware.wiring.model import SHARED, Wiring
from hardware.wiring.netlist import Element, netlist
from hardware.wiring.pen import GREY, UNIT, Sheet


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
    sheet.text((1.9, 1.1), "grey: a clamp of two BAT46W, only if\na lead leaves the box", 8, GREY)


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


def uln(sheet: Sheet, x: float) -> None:
    """Draw a channel of the ULN2803A, with its input on the left and its output on the right."""
    sheet.box(x, -1, x + 3, 1, "ULN2803A\none of eight\nchannels")
    sheet.line((x + 1.5, -1), (x + 1.5, -1.3))
    sheet.ground((x + 1.5, -1.3))
    sheet.text((x + 1.9, -1.5), "leg 9 (GND)", 8)
    sheet.line((x + 1.5, 1), (x + 1.5, 1.3))
    sheet.rail((x + 1.5, 1.3), "5 V")
    sheet.text((x - 1.2, 1.45), "leg 10 (COM):\nto 5 V, never\nto ground", 8)


def lamp(sheet: Sheet, led: str, resistor: str, words: str) -> None:
    """Draw a pin that switches a lamp from 5 V."""
    sheet.pin((0, 0), "pin")
    sheet.line((0, 0), (1.2, 0))
    uln(sheet, 1.2)
    sheet.line((4.2, 0), (5, 0))
    sheet.resistor((5, 0), (7.2, 0), resistor)
    sheet.line((7.2, 0), (8, 0), (8, 0.6))
    sheet.plug((7.6, 0))
    sheet.add(elm.LED().at((8, 2.6)).to((8, 0.6)).label(words, loc="top", fontsize=9))
    sheet.used[led] += 1
    sheet.rail((8, 2.6), "5 V")


def lamp_low(sheet: Sheet) -> None:
    """Draw a pin that switches a lamp of 2 V."""
    lamp(sheet, "led_low", "r_270", "LED, red, yellow\nor amber")


def lamp_high(sheet: Sheet) -> None:
    """Draw a pin that switches a lamp of 3 V."""
    lamp(sheet, "led_high", "r_150", "LED, blue,\ngreen or white")


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
        sheet.used["sounder"] += 1
        sheet.resistor(at, (at[0], at[1] + UNIT), "r_68", "bottom")
        words = f"passive\nsounder,\n{sheet.wiring.value('sounder', 'ohm')} Ω"
        sheet.rail((at[0], coil(sheet, (at[0], at[1] + UNIT), words)), "5 V")

    switched(sheet, load)


def capacitor(sheet: Sheet, x: float, low: float, part: str, rail: str, words: str) -> None:
    """Draw a capacitor between a supply and ground."""
    sheet.add(elm.Capacitor().at((x, low + UNIT)).to((x, low)).label(sheet.value(part), loc="bottom", fontsize=8))
    sheet.rail((x, low + UNIT), rail)
    sheet.ground((x, low))
    sheet.text((x - 0.6, low - 1.1), words, 8)


def beam(sheet: Sheet) -> None:
    """Draw a receiver with an open collector, pulled up to 3.3 V."""
    sheet.pin((0, 0), "pin")
    sheet.line((0, 0), (0.6, 0))
    sheet.resistor((0.6, 0), (2.8, 0), "r_330")
    sheet.line((2.8, 0), (9, 0))
    sheet.dot((3.4, 0))
    sheet.resistor((3.4, 0), (3.4, 2), "r_10k", "bottom")
    sheet.rail((3.4, 2))
    capacitor(sheet, 5.4, 0.9, "n100", "3.3 V", "")
    sheet.plug((6.2, 0))
    sheet.text((5.7, -0.6), "cable", 8)
    capacitor(sheet, 7.6, 0.9, "n100", "3.3 V", "")
    sheet.text((6.0, -1.5), "one 100 nF on the board,\none at the receiver's legs", 8)
    sheet.box(9, -1.2, 12, 1.2, "receiver, open\ncollector: low\nwhile dark")
    sheet.used["beam"] += 1
    sheet.line((10.5, 1.2), (10.5, 2))
    sheet.rail((10.5, 2), "3.3 V, never 5 V")
    sheet.line((10.5, -1.2), (10.5, -1.5))
    sheet.ground((10.5, -1.5))
    sheet.add(elm.Line(arrow="->").at((14.2, 0.2)).to((12.4, 0.2)))
    sheet.text((12.6, 0.65), "infrared", 8)


def emitters(sheet: Sheet, x: float, y: float) -> None:
    """Draw two emitters between 5 V and the wire at `x`, `y` that switches them."""
    sheet.line((x, y), (x, y + 0.4), (x + 2.4, y + 0.4))
    sheet.dot((x, y + 0.4))
    sheet.used["emitter"] += 2
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
    capacitor(sheet, -0.6, 1.4, "u10", "5 V", "")


def emitter_driven(sheet: Sheet) -> None:
    """Draw both emitters of a lane, switched by a channel of a driver."""
    sheet.pin((0, 0), "pin")
    sheet.line((0, 0), (1.2, 0))
    uln(sheet, 1.2)
    sheet.line((4.2, 0), (6.2, 0))
    sheet.plug((5.2, 0))
    emitters(sheet, 6.2, 0)
    capacitor(sheet, -1.6, 1.4, "u1", "5 V", "")


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
    sheet.resistor((7.2, 0), (7.2, -2), "r_470k", "bottom")
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
    both, one = pull_up_ohm(sheet.wiring, "hat"), pull_up_ohm(sheet.wiring, "table")
    limit = sheet.wiring.limit["i2c_sink"].value
    twice = 1 / (1 / bus + 2 / sheet.wiring.value("oled", "pull_up"))
    words = (
        f"OLED alone: {one:.0f} Ω, {3300 / one:.2f} mA.   "
        f"With a colour sensor at J9: {both:.0f} Ω, {3300 / both:.2f} mA.   "
        f"Limit: {limit:g} mA.\nTwo modules of 4.7 kΩ: {twice:.0f} Ω, {3300 / twice:.2f} mA. This is too much: "
        "remove the two resistors of one module."
    )
    sheet.text((0, -3.1), words, 9)


def module(sheet: Sheet, cable: str, words: str) -> None:
    """Draw the back of a display with seven pins, and the wire of each to the header."""
    contacts = sheet.wiring.cable[cable]
    legs = contacts.ends[0][1]
    sheet.box(7, -0.8, 12, 0.8 * len(legs), words)
    for at, (leg, net) in enumerate(zip(legs, contacts.contacts, strict=True)):
        y = 0.8 * (len(legs) - 1 - at)
        sheet.line((1, y), (7, y))
        name = {"gnd": "GND", "3v3": "3.3 V (1)"}.get(net) or call("pi", int(net.removeprefix("GPIO")))
        sheet.pin((1, y), name)
        sheet.text((7.2, y), leg, 10)


def oled_i2c(sheet: Sheet) -> None:
    """Draw a display of seven pins on I²C."""
    module(sheet, "oled", '2.42" display,\nresistors on its back\nat IIC')
    sheet.text((1, -1.5), "D0 is SCL and D1 is SDA. DC at ground sets the address 0x3C, at 3.3 V 0x3D.", 9)


def oled_spi(sheet: Sheet) -> None:
    """Draw a display of seven pins on SPI."""
    module(sheet, "oled-spi", '2.42" display,\nresistors on its back\nat 4SPI')
    sheet.text(
        (1, -1.5), "SPI takes GPIO 7 to 11: the button Back moves to GPIO14 (8), and the serial console is off.", 9
    )


FIGURES: dict[str, Callable[[Sheet], None]] = {
    "button": button, "lead": lead, "lamp-low": lamp_low, "lamp-high": lamp_high, "buzzer": buzzer,
    "sounder": sounder, "beam": beam, "emitter": emitter, "emitter-driven": emitter_driven, "piezo": piezo, "i2c": i2c,
    "oled-i2c": oled_i2c, "oled-spi": oled_spi,
}  # fmt: skip
TITLES = {"oled-i2c": "Display with seven pins on I²C", "oled-spi": "Display with seven pins on SPI"}


def draw(wiring: Wiring, name: str, canvas: str = "svg") -> Sheet:
    """Draw a circuit with its title above, and below it every pin with its designators."""
    sheet = Sheet(wiring, canvas)
    FIGURES[name](sheet)
    left, low, _, high = sheet.drawing.get_bbox()
    sheet.text((left, high + 0.9), TITLES.get(name) or wiring.circuit[name].title, 14)
    for at, line in enumerate(pins_of(wiring, name)):
        sheet.text((left, low - 0.6 - 0.45 * at), line, 8)
    return sheet


def pins_of(wiring: Wiring, circuit: str) -> list[str]:
    """List the pins of a circuit with both their numbers, and the designators of the parts of each."""
    rows: dict[str, dict[str, None]] = {}
    for build in wiring.build:
        net = netlist(wiring, build)
        for one in wiring.nets(build):
            if one.circuit != circuit:
                continue
            own = f"{CALLED[one.board]}{one.pin}"
            refs = [part.ref for part in net.elements if part.circuit == circuit and _is_of(part, own)]
            refs += [
                f"{part.ref} legs {leg[1:]} and {19 - int(leg[1:])}"
                for part in net.on(one.board) if part.part == SHARED
                for leg, its in part.legs.items() if its == own
            ]  # fmt: skip
            refs += [f"{plug.ref} contact {plug.nets.index(its) + 1}" for plug in net.plugs for its in plug.nets
                     if its.split(".")[0] == own and plug.board == one.board]  # fmt: skip
            whose = "" if one.name == "pin" else f"{one.name} "
            rows.setdefault(f"{whose}{call(one.board, one.pin)}", {}).update(dict.fromkeys(refs))
    return [f"{pin}: {', '.join(refs)}" if refs else pin for pin, refs in rows.items()]


def _is_of(part: Element, own: str) -> bool:
    return any(net.split(".")[0] == own for net in part.legs.values())


def save(wiring: Wiring, folder: Path) -> list[Path]:
    """Write each circuit as SVG and PNG; return the paths."""
    made = []
    for name in FIGURES:
        svg, png = (folder / f"circuit-{name}.{ending}" for ending in ("svg", "png"))
        draw(wiring, name).drawing.save(str(svg))
        draw(wiring, name, "matplotlib").drawing.save(str(png), transparent=False, dpi=110)
        with Image.open(png) as image:
            image.load()
        save_png(image, png, svg.read_text(encoding="utf-8"))
        made += [svg, png]
    return made
