"""Draw the schematic of a board: each part as a symbol between the names of its nets, grouped by what it belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from hardware.board.plan import BUILD, Plan, source
from hardware.drawing.picture import Picture
from hardware.wiring.header import HEADERS
from hardware.wiring.model import Wiring
from hardware.wiring.netlist import HEADER_REF, Element, Plug, header_net, netlist

CELL, ROW, LEFT, TOP, WIDE, ACROSS = 285, 74, 20, 78, 1180, 4
NET, WIRE = "#1f4e9c", "#333333"
TALL = {"uln", "eeprom"}
PIN = 20
WORDS = 13  # height of the words: legible where the page is printed 180 mm wide


def schematic(wiring: Wiring, plan: Plan) -> Picture:
    """Draw all parts of a board."""
    net = netlist(wiring, BUILD)
    picture = Picture(WIDE, 0)
    picture.text((LEFT, 36), f"{plan.title}: schematic", 24)
    words = "Equal names in blue are joined. The number beside a leg is its pad."
    picture.text((LEFT, 60), words, 14, colour="#555555")
    groups: dict[str, list[Element]] = {}
    for part in net.on(plan.side):
        if part.part not in TALL:
            groups.setdefault(part.what, []).append(part)
    rows = 0
    for what, column, row, parts in _packed(groups):
        x, y = LEFT + CELL * column, TOP + ROW * row
        picture.box((x, y), (CELL * len(parts) - 8, ROW - 8), colour="#bbbbbb")
        picture.text((x + 6, y + 16), what, WORDS, colour="#555555")
        for at, part in enumerate(parts):
            _symbol(picture, (x + CELL * at, y + 48), part, _value(plan, part.ref))
        rows = max(rows, row + 1)
    boxes = [*_tall(wiring, plan), *_plugs(net.plugs, plan), *_header(plan)]
    low = [float(TOP + ROW * rows + 16)] * ACROSS
    for title, pins in boxes:
        column = low.index(min(low))
        _box(picture, (LEFT + CELL * column, low[column]), title, pins)
        low[column] += 34 + PIN * len(pins) + 18
    picture.height = round(max(low)) + 10
    return picture


def _packed(groups: Mapping[str, list[Element]]) -> Iterator[tuple[str, int, int, list[Element]]]:
    """Yield each group, in lines of at most four parts, with the first column and the row where it has room."""
    used: list[int] = []
    for what, parts in groups.items():
        for first in range(0, len(parts), ACROSS):
            line = parts[first : first + ACROSS]
            row = next((row for row, taken in enumerate(used) if taken + len(line) <= ACROSS), len(used))
            used += [0] * (row + 1 - len(used))
            yield what, used[row], row, line
            used[row] += len(line)


def _value(plan: Plan, ref: str) -> str:
    return next(part.value for part in plan.parts if part.ref == ref)


def _symbol(picture: Picture, at: tuple[float, float], part: Element, value: str) -> None:
    """Draw a part with two legs from left to right, or a transistor."""
    x, y = at
    nets = list(part.legs.values())
    npn = part.part == "npn"
    picture.text((x + (130 if npn else CELL / 2), y - 14), f"{part.ref}  {value}", WORDS, "end" if npn else "middle")
    if npn:
        _transistor(picture, x, y, part)
        return
    picture.text((x + 102, y + 5), nets[0], WORDS, "end", NET)
    picture.text((x + 182, y + 5), nets[1], WORDS, "start", NET)
    picture.line((x + 106, y), (x + 124, y), colour=WIRE)
    picture.line((x + 160, y), (x + 178, y), colour=WIRE)
    letter = part.ref[0]
    if letter == "R":
        picture.box((x + 124, y - 7), (36, 14))
    elif letter == "C":
        for plate in (138, 146):
            picture.line((x + plate, y - 10), (x + plate, y + 10), width=2)
        picture.line((x + 124, y), (x + 138, y))
        picture.line((x + 146, y), (x + 160, y))
    else:
        picture.line((x + 132, y - 9), (x + 132, y + 9), (x + 151, y), (x + 132, y - 9))
        picture.line((x + 151, y - 9), (x + 151, y + 9), width=2)
        picture.line((x + 124, y), (x + 132, y))
        picture.line((x + 151, y), (x + 160, y))


def _transistor(picture: Picture, x: float, y: float, part: Element) -> None:
    picture.text((x + 102, y + 5), part.legs["B"], WORDS, "end", NET)
    picture.line((x + 106, y), (x + 132, y), colour=WIRE)
    picture.line((x + 132, y - 10), (x + 132, y + 10), width=2)
    for leg, side in (("C", -1), ("E", 1)):
        picture.line((x + 132, y + 4 * side), (x + 154, y + 9 * side), (x + 166, y + 9 * side), colour=WIRE)
        picture.text((x + 170, y + 9 * side + 4), f"{part.legs[leg]} ({leg})", 12, "start", NET)


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
    picture.text((x, y + 14), title, WORDS)
    picture.box((x, y + 22), (130, PIN * len(pins) + 6), fill="#f6f6f6")
    for number, (pin, net) in enumerate(pins):
        middle = y + 35 + PIN * number
        picture.text((x + 6, middle + 5), pin, WORDS)
        picture.line((x + 130, middle), (x + 146, middle), colour=WIRE)
        picture.text((x + 150, middle + 5), net, WORDS, colour="#999999" if net == "not used" else NET)


def save(wiring: Wiring, plan: Plan, folder: Path) -> list[Path]:
    """Draw the schematic as SVG and PNG; return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    return schematic(wiring, plan).save(folder, "schematic")
