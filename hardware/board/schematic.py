"""Draw the schematic of a board: each part as a symbol between the names of its nets, grouped by what it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hardware.board.plan import BUILD, Plan, source
from hardware.wiring.header import HEADERS
from hardware.wiring.model import Wiring
from hardware.wiring.netlist import HEADER_REF, Element, Plug, header_net, netlist
from hardware.wiring.picture import Picture

CELL, ROW, LEFT, TOP, WIDE = 250, 46, 20, 70, 1560
NET, WIRE = "#1f4e9c", "#333333"
TALL = {"uln", "eeprom"}
COLUMN, PIN = 300, 18


def schematic(wiring: Wiring, plan: Plan) -> Picture:
    """Draw all parts of a board."""
    net = netlist(wiring, BUILD)
    picture = Picture(WIDE, 0)
    picture.text((LEFT, 36), f"{plan.title}: schematic", 22)
    words = "Equal names in blue are joined. The number beside a leg is its pad."
    picture.text((LEFT, 56), words, 12, colour="#555555")
    groups: dict[str, list[Element]] = {}
    for part in net.on(plan.side):
        if part.part not in TALL:
            groups.setdefault(part.what, []).append(part)
    y = float(TOP)
    for what, parts in groups.items():
        picture.text((LEFT, y + 18), what, 13)
        for at, part in enumerate(parts):
            column, line = at % 5, at // 5
            _symbol(picture, (LEFT + 180 + CELL * column, y + ROW * line + 14), part, _value(plan, part.ref))
        y += ROW * ((len(parts) - 1) // 5 + 1)
    y += 20
    boxes = [*_tall(wiring, plan), *_plugs(net.plugs, plan), *_header(plan)]
    low = [y] * 5
    for title, pins in boxes:
        column = low.index(min(low))
        _box(picture, (LEFT + COLUMN * column + 10, low[column]), title, pins)
        low[column] += 34 + PIN * len(pins) + 16
    picture.height = round(max(low)) + 10
    return picture


def _value(plan: Plan, ref: str) -> str:
    return next(part.value for part in plan.parts if part.ref == ref)


def _symbol(picture: Picture, at: tuple[float, float], part: Element, value: str) -> None:
    """Draw a part with two legs from left to right, or a transistor."""
    x, y = at
    nets = list(part.legs.values())
    picture.text((x + 108, y - 10), f"{part.ref}  {value}", 11, "middle")
    if part.part == "npn":
        _transistor(picture, x, y, part)
        return
    picture.text((x + 66, y + 4), nets[0], 11, "end", NET)
    picture.text((x + 150, y + 4), nets[1], 11, "start", NET)
    picture.line((x + 70, y), (x + 90, y), colour=WIRE)
    picture.line((x + 126, y), (x + 146, y), colour=WIRE)
    letter = part.ref[0]
    if letter == "R":
        picture.box((x + 90, y - 6), (36, 12))
    elif letter == "C":
        for plate in (104, 112):
            picture.line((x + plate, y - 9), (x + plate, y + 9), width=2)
        picture.line((x + 90, y), (x + 104, y))
        picture.line((x + 112, y), (x + 126, y))
    else:
        picture.line((x + 98, y - 8), (x + 98, y + 8), (x + 116, y), (x + 98, y - 8))
        picture.line((x + 116, y - 8), (x + 116, y + 8), width=2)
        picture.line((x + 90, y), (x + 98, y))
        picture.line((x + 116, y), (x + 126, y))


def _transistor(picture: Picture, x: float, y: float, part: Element) -> None:
    picture.text((x + 66, y + 4), part.legs["B"], 11, "end", NET)
    picture.line((x + 70, y), (x + 100, y), colour=WIRE)
    picture.line((x + 100, y - 9), (x + 100, y + 9), width=2)
    for leg, side in (("C", -1), ("E", 1)):
        picture.line((x + 100, y + 4 * side), (x + 122, y + 11 * side), (x + 146, y + 11 * side), colour=WIRE)
        picture.text((x + 150, y + 11 * side + 4), f"{part.legs[leg]} ({leg})", 10, "start", NET)


def _tall(wiring: Wiring, plan: Plan) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    pads = source()["pad"]
    for part in netlist(wiring, BUILD).on(plan.side):
        if part.part in TALL:
            kind = wiring.part[part.part]
            numbers = pads.get(part.part) or {leg: str(at) for at, leg in enumerate(kind.legs, 1)}
            pins = [(f"{numbers[leg]} {leg}", part.legs.get(leg, "not used")) for leg in kind.legs]
            yield f"{part.ref}  {kind.what}", pins


def _plugs(plugs: tuple[Plug, ...], plan: Plan) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    for plug in plugs:
        if plug.board == plan.side:
            pins = zip(plug.labels, plug.nets, strict=True)
            yield f"{plug.ref}  {plug.title}", [(f"{at} {label}", net) for at, (label, net) in enumerate(pins, 1)]


def _header(plan: Plan) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    used = {pad.net for _, pad in plan.pads()}
    ref = HEADER_REF[plan.side]
    for first in (1, 21):
        pins = [(f"{at} {HEADERS[plan.side][at]}", header_net(plan.side, at)) for at in range(first, first + 20)]
        title = f"{ref}  positions {first} to {first + 19}"
        yield title, [(pin, net if net in used else "not used") for pin, net in pins]


def _box(picture: Picture, at: tuple[float, float], title: str, pins: list[tuple[str, str]]) -> None:
    x, y = at
    picture.text((x, y + 12), title, 12)
    picture.box((x, y + 20), (130, PIN * len(pins) + 6), fill="#f6f6f6")
    for number, (pin, net) in enumerate(pins):
        middle = y + 32 + PIN * number
        picture.text((x + 6, middle + 4), pin, 11)
        picture.line((x + 130, middle), (x + 146, middle), colour=WIRE)
        picture.text((x + 150, middle + 4), net, 11, colour="#999999" if net == "not used" else NET)


def save(wiring: Wiring, plan: Plan, folder: Path) -> list[Path]:
    """Draw the schematic as SVG and PNG; return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    return schematic(wiring, plan).save(folder, "schematic")
