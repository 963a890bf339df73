"""The bed of nails of a board: a nail at each contact and test point, what is there, and what the test asks there.

A nail reaches a contact from below, at its leg, and a test point from above. Seen from above, as the board lies, the
holes of the bed have the places of the drawing. Without a bed, hold a wire to the contacts by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hardware.board import beam
from hardware.board.plan import BUILD, Placed, Plan, Point, source
from hardware.drawing.picture import Picture
from hardware.wiring.header import CALLED, call
from hardware.wiring.model import Net, Wiring
from hardware.wiring.netlist import netlist
from umpi.box.config import RAIL_PINS

SUPPLIES = {
    "GND": "ground", "3V3": "meter: 3.3 V", "H3V3": "meter: 3.3 V", "5V": "meter: 5 V", "H5V": "meter: 5 V",
}  # fmt: skip
OF_A_BEAM = {
    "OWN": "low while its own beam is dark", "OTHER": "meter: joined to the other plug",
    "EMITTERS": "meter: joined to the other plug", "3V3": "3.3 V from the gate board", "5V": "5 V from the gate board",
    "": "free",
}  # fmt: skip
WIDE, MARGIN, COLUMN, ROW = 1400, 24, 690, 26  # pixels
BOARD_WIDE = 900  # the board at most
RADIUS, INK, TEST = 10, "#12407a", "#8a4a00"
HOLES = (
    "Contacts are numbered from 1 within a plug. x and y are in mm from the upper left corner: drill the bed there.",
    "Circles are contacts: a bed reaches their legs from below, your wire reaches them from above in the plug. "
    "Squares are test points.",
)
LEGEND = (
    "wire: touch the contact with a wire from ground when umpi doctor --factory names it.",
    "lamp: hold the test lamp between 5 V and the contact, its long leg at 5 V. meter: measure against ground.",
    *HOLES,
)
LEGEND_OF_A_BEAM = (
    "Test it in its lane: umpi doctor --guide beams. meter: measure before that, without power; it must beep.",
    *HOLES,
)


OF_A_SENSOR = {f"{CALLED['head']}{pin}": pin for pin in RAIL_PINS}  # in no circuit: it has its parts on its own board


@dataclass(frozen=True, slots=True)
class Nail:
    """One nail: its place in mm, the part and contact, the name, the pin, and what the test asks or a meter shows."""

    number: int
    at: Point
    ref: str
    contact: str
    name: str
    pin: str  # both its numbers, or ""
    touch: str


def nails(wiring: Wiring, plan: Plan) -> list[Nail]:
    """List the nails of a board, plug by plug, and then its test points."""
    found: list[Nail] = []
    for part in (*_plugs(plan), *(part for part in plan.parts if part.ref.startswith("TP"))):
        labels = _labels(wiring, plan, part)
        for pad, label in zip((pad for pad in part.pads if pad.name), labels, strict=True):
            pin, touch = _what(wiring, plan, part, pad.net)
            found.append(Nail(len(found) + 1, pad.at, part.ref, pad.name, label, pin, touch))
    return found


def picture(wiring: Wiring, plan: Plan) -> Picture:
    """Draw the board from above with its nails, and below it a table of them."""
    own = nails(wiring, plan)
    scale = min(BOARD_WIDE / plan.size[0], 13)
    wide, high = plan.size[0] * scale, plan.size[1] * scale
    left, top = (WIDE - wide) / 2, 150
    made = Picture(WIDE, 0)
    made.text((MARGIN, 34), f"{plan.title}: bed of nails, from above", 22)
    for line, words in enumerate(LEGEND_OF_A_BEAM if plan.side == "beam" else LEGEND):
        made.text((MARGIN, 62 + 22 * line), words, 17)
    made.box((left, top), (wide, high), fill="#eef3ee", width=2)

    def place(at: Point) -> Point:
        return round(left + at[0] * scale, 2), round(top + at[1] * scale, 2)

    for part in plan.parts:
        if part.ref.startswith("H"):
            made.dot(place(part.at), float(source()["board"][plan.name]["hole"]) / 2 * scale, fill="white")
    for part in _plugs(plan):
        _outline(made, part, place)
    for nail in own:
        x, y = place(nail.at)
        if nail.ref.startswith("TP"):
            made.box((x - RADIUS, y - RADIUS), (2 * RADIUS, 2 * RADIUS), fill=TEST, colour=TEST)
        else:
            made.dot((x, y), RADIUS, fill=INK, colour=INK)
        made.text((x, y + 4.5), str(nail.number), 12, "middle", "white")
    made.height = round(_table(made, plan, own, top + high + 24) + MARGIN)
    return made


def _outline(made: Picture, part: Placed, place: Callable[[Point], Point]) -> None:
    """Draw the outline of a plug, with its name in a corner."""
    left, up, right, low = part.courtyard
    (x, y), (far, deep) = place((left, up)), place((right, low))
    made.box((x, y), (far - x, deep - y), colour="#9aa79a", fill="#fbfbf4")
    made.text((x + 4, y + 14), part.ref, 13)


def _table(made: Picture, plan: Plan, own: list[Nail], top: float) -> float:
    """Write the nails in two columns, each plug below its name; return where the longer one ends."""
    blocks: list[tuple[str, list[Nail]]] = []
    for part in _plugs(plan):
        blocks.append((f"{part.ref}  {part.value}", [nail for nail in own if nail.ref == part.ref]))
    blocks.append(("Test points", [nail for nail in own if nail.ref.startswith("TP")]))
    low = [top, top]
    for title, rows in (block for block in blocks if block[1]):
        column = 0 if low[0] <= low[1] else 1
        x, y = MARGIN + column * COLUMN, low[column] + ROW
        made.text((x, y), title, 17, colour=INK)
        for nail in rows:
            y += ROW
            made.line((x, y - 19), (x + COLUMN - 30, y - 19), colour="#d5d5d5")
            for words, at in (
                (str(nail.number), 0), ("" if nail.ref.startswith("TP") else nail.contact, 38), (nail.name, 62),
                (nail.pin, 160), (nail.touch, 275), (f"{nail.at[0]:.1f}, {nail.at[1]:.1f}", COLUMN - 124),
            ):  # fmt: skip
                made.text((x + at, y), words, 16)
        low[column] = y + 12
    return max(low)


def _plugs(plan: Plan) -> list[Placed]:
    return sorted((part for part in plan.parts if "JST_XH" in part.footprint), key=lambda part: int(part.ref[1:]))


def _labels(wiring: Wiring, plan: Plan, part: Placed) -> tuple[str, ...]:
    if part.ref.startswith("TP"):
        return (part.value,)
    if plan.side == "beam":
        return beam.LABELS[part.ref]
    labels = next(plug.labels for plug in netlist(wiring, BUILD).plugs if plug.ref == part.ref)
    return tuple(label.removeprefix("active ") for label in labels)


def _what(wiring: Wiring, plan: Plan, part: Placed, net: str) -> tuple[str, str]:
    """Return the pin of a net, and what is asked there."""
    if plan.side == "beam":
        return "", OF_A_BEAM.get(net) or SUPPLIES[net]
    supply = net.removesuffix("_OUT")
    if supply in SUPPLIES:
        return "", SUPPLIES[supply] + (", behind a fuse" if supply != net else "")
    if plan.side == "head" and net in OF_A_SENSOR:
        return call("head", OF_A_SENSOR[net]), "a colour sensor"
    own = next(
        each for each in wiring.nets(BUILD)
        if each.board == plan.side and f"{CALLED[each.board]}{each.pin}" == net.partition(".")[0]
    )  # fmt: skip
    return call(own.board, own.pin), _asked(wiring, own)


def _asked(wiring: Wiring, net: Net) -> str:
    circuit = wiring.circuit[net.circuit]
    alone = net.section == "beams"  # at the Pi itself
    if circuit.emitters:
        return "lamp, without a head" if alone else f"lamp: emitters of lane {net.name.rpartition('_')[2]}"
    if net.section == "lamps":
        return f"lamp: lamp {net.name}"
    if net.section == "sounder":
        return "a buzzer, its plus at 5 V"
    if net.section == "display":
        return "meter: 3.3 V"
    if circuit.way == "bus":
        return "a display at J7 or J8"
    if net.what == "wall":
        return "meter: 0 V"
    return "wire, without a head" if alone else f"wire: contact {net.name}"
