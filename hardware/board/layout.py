"""Lay out the schematic of a board: symbols at their places, wires between them, and names of nets.

The circuit of each pin is drawn from left to right: what is in series lies in its wire, what goes to a supply stands
above or below it. Units are steps of 1.27 mm, y downwards.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from hardware.board import beam
from hardware.board.plan import BUILD, PICO_EDGE, PICO_ROWS, BadBoard, Placed, Plan, source
from hardware.board.symbols import (
    CAPACITOR,
    FIDUCIAL,
    FUSE,
    GROUND,
    HOLE,
    RESISTOR,
    TEST,
    Kind,
    Point,
    Shape,
    Side,
    box,
    diode,
    supply,
    transistor,
)
from hardware.wiring.header import HEADERS
from hardware.wiring.model import Board, Wiring
from hardware.wiring.netlist import RAILS, Element, Plug, netlist

LETTER = 0.95  # width of a letter of the names
STEP = 9  # from one part that stands at a wire to the next
PAGE = (330, 233)  # A3
GAP, EDGE, HEAD = 4, 10, 5
TITLE = (88, 38)  # size of the title block, at the right below
CHANNEL = 8  # from one channel of a driver to the next
WIDTHS = range(170, 60, -10)  # of a frame at most: the first that fits


@dataclass(frozen=True, slots=True)
class Symbol:
    """A part at its place; `turn` is counterclockwise, in degrees."""

    ref: str
    value: str
    shape: Shape
    at: Point
    turn: int = 0
    footprint: str = ""

    def place(self, point: Point) -> Point:
        """Return where a point of the shape is on the sheet."""
        x, y = {0: point, 90: (-point[1], point[0]), 180: (-point[0], -point[1]), 270: (point[1], -point[0])}[self.turn]
        return self.at[0] + x, self.at[1] - y

    def words(self) -> tuple[tuple[str, Point], tuple[str, Point]]:
        """Return designator and value, each with the place of its middle."""
        x, y = self.at
        if self.shape.power:
            return ("", self.at), (self.value, (x, y + 3 if self.shape is GROUND else y - 2.8))
        if self.shape.named:
            (_, top), (_, low) = self.shape.boxes[0]
            return (self.ref, (x, y - top - 1.2)), (self.value, (x, y - low + 1.4))
        if self.shape in (TEST, HOLE, FIDUCIAL):
            return (self.ref, (x, y - (5 if self.shape is TEST else 2.4))), (self.value, (x, y + 3))
        if self.lies():
            return (self.ref, (x, y - 2.2)), (self.value, (x, y + 2.3))
        aside = 6.0 if self.shape.name == "NPN" else 2.2
        wide = {word: aside + len(word) * LETTER / 2 for word in (self.ref, self.value)}
        return (self.ref, (x + wide[self.ref], y - 1)), (self.value, (x + wide[self.value], y + 1))

    def lies(self) -> bool:
        """Return whether its legs are at its left and right."""
        return (self.shape.name == "D") == (self.turn % 180 == 0) and self.shape.name != "NPN"


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a net at the end of a wire; `turn` 0 writes it to the right, 180 to the left."""

    net: str
    at: Point
    turn: int


@dataclass
class Sheet:
    """All that is drawn."""

    symbols: list[Symbol] = field(default_factory=list)
    wires: list[tuple[Point, Point]] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    unused: list[Point] = field(default_factory=list)  # pins that are joined to nothing
    frames: list[tuple[str, Point, Point]] = field(default_factory=list)  # words, corner and size

    def add(self, other: Sheet, by: Point) -> None:
        """Add another sheet, moved."""
        dx, dy = by

        def moved(at: Point) -> Point:
            return at[0] + dx, at[1] + dy

        self.symbols += [replace(each, at=moved(each.at)) for each in other.symbols]
        self.wires += [(moved(a), moved(b)) for a, b in other.wires]
        self.labels += [replace(each, at=moved(each.at)) for each in other.labels]
        self.unused += map(moved, other.unused)
        self.frames += [(words, moved(corner), size) for words, corner, size in other.frames]

    def wire(self, *points: Point) -> None:
        """Draw a wire through points."""
        self.wires += [(a, b) for a, b in pairwise(points) if a != b]

    def bounds(self) -> tuple[float, float, float, float]:
        """Return left, top, right and low."""
        points: list[Point] = [point for wire in self.wires for point in wire]
        for symbol in self.symbols:
            shape = symbol.shape
            own = [*(pin.at for pin in shape.pins), *(point for line in shape.lines for point in line)]
            own += [corner for corners in shape.boxes for corner in corners]
            points += map(symbol.place, own)
            for words, (x, y) in symbol.words():
                points += [(x - len(words) * LETTER / 2, y - 1), (x + len(words) * LETTER / 2, y + 1)]
        for label in self.labels:
            points.append(label.at)
            points.append((label.at[0] + (3 + len(label.net) * LETTER) * (-1 if label.turn else 1), label.at[1]))
        for _, (x, y), (w, h) in self.frames:
            points += [(x, y), (x + w, y + h)]
        xs, ys = zip(*points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def joints(self) -> list[Point]:
        """Return where at least three ends of wires and pins meet."""
        ends = Counter(point for wire in self.wires for point in wire)
        ends.update(symbol.place(pin.at) for symbol in self.symbols for pin in symbol.shape.pins)
        return sorted(at for at, count in ends.items() if count > 2)


@dataclass
class Drawer:
    """Draws the parts of one board."""

    wiring: Wiring
    plan: Plan
    parts: Mapping[str, Placed] = field(init=False)
    side: Board = field(init=False)
    gnd: str = field(init=False)
    supplies: set[str] = field(init=False)

    def __post_init__(self) -> None:
        """Keep the parts by designator, and the supplies. Raises BadBoard for the beam board, which is in no wiring."""
        if self.plan.side == "beam":
            raise BadBoard(f"{self.plan.name}: its circuit is not in wiring.toml.")
        self.side = self.plan.side
        self.parts = {part.ref: part for part in self.plan.parts}
        self.gnd = RAILS[self.side]["gnd"]
        self.supplies = set(RAILS[self.side].values())

    def _shape(self, part: Element) -> Shape:
        ref = self.wiring.part[part.part].ref
        pads = source()["pad"].get(part.part) or source()["pad"].get(ref, {})
        if ref == "D":
            return diode(pads["A"], pads["K"])
        if ref == "Q":
            return transistor(pads["B"], pads["C"], pads["E"])
        return {"R": RESISTOR, "C": CAPACITOR, "F": FUSE}[ref]

    def _symbol(self, ref: str, shape: Shape, at: Point, turn: int = 0) -> Symbol:
        part = self.parts[ref]
        return Symbol(ref, part.value, shape, at, turn, part.footprint)

    def _nets(self, ref: str) -> dict[str, str]:
        return {pad.name: pad.net for pad in self.parts[ref].pads}

    def end(self, sheet: Sheet, net: str, at: Point, turn: int) -> None:
        """Put a supply's symbol or the name of a net at the end of a wire."""
        if net == self.gnd:
            sheet.symbols.append(Symbol("", net, GROUND, at))
        elif net in self.supplies:
            sheet.symbols.append(Symbol("", net, supply(net), at))
        else:
            sheet.labels.append(Label(net, at, turn))

    def above(self, sheet: Sheet, net: str, at: Point) -> None:
        """Put the name of a net above its wire."""
        sheet.wire(at, (at[0], at[1] - 2))
        sheet.labels.append(Label(net, (at[0], at[1] - 2), 0))

    def stand(self, sheet: Sheet, part: Element, top: str, at: Point) -> tuple[Point, Point]:
        """Draw a part with two legs upright, its leg on net `top` above; return the places of its legs."""
        shape = self._shape(part)
        first = self._nets(part.ref)[shape.pins[0].number] == top
        turn = (270 if first else 90) if shape.name == "D" else (0 if first else 180)
        sheet.symbols.append(self._symbol(part.ref, shape, at, turn))
        return (at[0], at[1] - 3), (at[0], at[1] + 3)

    def lie(self, sheet: Sheet, part: Element, left: str, at: Point) -> tuple[Point, Point]:
        """Draw a part with two legs along a wire, its leg on net `left` at the left; return the places of its legs."""
        shape = self._shape(part)
        first = self._nets(part.ref)[shape.pins[0].number] == left
        turn = (0 if first else 180) if shape.name == "D" else (90 if first else 270)
        sheet.symbols.append(self._symbol(part.ref, shape, at, turn))
        return (at[0] - 3, at[1]), (at[0] + 3, at[1])

    def alone(self, part: Element) -> Sheet:
        """Draw a part with the names of its nets, a supply above and ground below."""
        sheet = Sheet()
        top, low = part.legs.values()
        if top == self.gnd or (low in self.supplies and low != self.gnd and top not in self.supplies):
            top, low = low, top
        above, below = self.stand(sheet, part, top, (0, 0))
        self.end(sheet, top, above, 0)
        self.end(sheet, low, below, 0)
        return sheet

    def chain(self, start: str, parts: Iterable[Element]) -> Sheet:
        """Draw the circuit of a pin from its net to the right."""
        sheet, left = Sheet(), list(parts)
        net, at = start, (0.0, 0.0)
        sheet.labels.append(Label(net, at, 180))
        while True:
            at = self._standing(sheet, net, at, left)
            onward = [part for part in left if net in part.legs.values()]
            if not onward:
                break
            part = onward[0]
            left.remove(part)
            if part.part == "npn":
                net, at = self._npn(sheet, part, at)
            else:
                one, two = part.legs.values()
                begin, end = self.lie(sheet, part, net, (at[0] + 5, at[1]))
                sheet.wire(at, begin)
                net, at = (two if net == one else one), end
        if net != start:
            sheet.wire(at, (at[0] + 2, at[1]))
            sheet.labels.append(Label(net, (at[0] + 2, at[1]), 0))
        return sheet

    def _standing(self, sheet: Sheet, net: str, at: Point, left: list[Element]) -> Point:
        """Draw the parts between a net and a supply, above and below its wire; return the end of the wire."""
        here = [part for part in left if len(part.legs) == 2 and net in part.legs.values()
                and self.supplies & set(part.legs.values())]  # fmt: skip
        count = {True: 0, False: 0}
        for part in here:
            left.remove(part)
            far = next(other for other in part.legs.values() if other != net)
            down = far == self.gnd
            count[down] += 1
            x = at[0] + 2 + STEP * (count[down] - 1)
            ends = self.stand(sheet, part, net if down else far, (x, at[1] + (3 if down else -3)))
            self.end(sheet, far, ends[1] if down else ends[0], 0)
        columns = max(count.values())
        places = [at, *((at[0] + 2 + STEP * column, at[1]) for column in range(columns))]
        sheet.wire(*places)
        if columns:
            sheet.wire(places[-1], (places[-1][0] + STEP - 2, at[1]))
            return places[-1][0] + STEP - 2, at[1]
        return at

    def _npn(self, sheet: Sheet, part: Element, at: Point) -> tuple[str, Point]:
        x, y = at[0] + 8 + math.ceil(len(part.legs["B"]) * LETTER), at[1]
        pads = source()["pad"]["Q"]
        shape = self._shape(part)
        symbol = self._symbol(part.ref, shape, (x, y))
        sheet.symbols.append(symbol)
        sheet.wire((at[0] + 2, y), symbol.place(shape.pin(pads["B"]).at))
        sheet.wire(at, (at[0] + 2, y))
        self.above(sheet, part.legs["B"], (at[0] + 2, y))
        self.end(sheet, part.legs["E"], symbol.place(shape.pin(pads["E"]).at), 0)
        top = symbol.place(shape.pin(pads["C"]).at)
        sheet.wire(top, (top[0] + 2, top[1]))
        return part.legs["C"], (top[0] + 2, top[1])

    def pins(self, sheet: Sheet, symbol: Symbol) -> None:
        """Put the name of its net at each pin of a box, or the cross of an unused pin."""
        nets = self._nets(symbol.ref)
        sheet.symbols.append(symbol)
        for pin in symbol.shape.pins:
            at = symbol.place(pin.at)
            if net := nets.get(pin.number, ""):
                sheet.labels.append(Label(net, at, 180 if pin.turn == 0 else 0))
            else:
                sheet.unused.append(at)

    def driver(self, part: Element, series: Mapping[str, Element]) -> Sheet:
        """Draw a driver, with the resistors at its outputs."""
        legs = list(self.wiring.part[part.part].legs)
        number = {leg: str(at) for at, leg in enumerate(legs, 1)}
        rows = range(1, 9)
        left: Side = [(number[f"I{row}"], f"I{row}", "input") for row in rows]
        right: Side = [(number[f"O{row}"], f"O{row}", "passive") for row in rows]
        ends: list[tuple[str, str, Kind]] = [(number["GND"], "GND", "power_in")]
        shape = box(part.part.upper(), [*left, *ends], [*right, (number["COM"], "COM", "passive")], pitch=CHANNEL)
        sheet, symbol = Sheet(), self._symbol(part.ref, shape, (0, 0))
        self.pins(sheet, symbol)
        for pin in shape.pins:
            net, at = self._nets(part.ref)[pin.number], symbol.place(pin.at)
            if other := series.get(net) if pin.name.startswith("O") else None:
                sheet.labels = [label for label in sheet.labels if label.at != at]
                corner = (at[0] + 2, at[1])
                sheet.wire(at, corner, (corner[0] + 18, corner[1]))
                self.above(sheet, net, corner)
                _, end = self.lie(sheet, other, net, (corner[0] + 21, corner[1]))
                far = next(each for each in other.legs.values() if each != net)
                sheet.labels.append(Label(far, end, 0))
        return sheet

    def eeprom(self, part: Element) -> Sheet:
        """Draw the ID EEPROM."""
        number = source()["pad"][part.part]
        left: Side = [(number[leg], leg, "input") for leg in ("A0", "A1", "A2", "WP")]
        right: list[tuple[str, str, Kind]] = [
            (number["SDA"], "SDA", "bidirectional"), (number["SCL"], "SCL", "input"),
            (number["VCC"], "VCC", "power_in"), (number["GND"], "GND", "power_in"),
        ]  # fmt: skip
        sheet = Sheet()
        self.pins(sheet, self._symbol(part.ref, box("24LC32", left, right), (0, 0)))
        return sheet

    def plug(self, plug: Plug) -> Sheet:
        """Draw a plug with the names of its contacts."""
        sheet, left = Sheet(), [(str(at), label, "passive") for at, label in enumerate(plug.labels, 1)]
        shape = box(plug.ref, left, wide=16)  # type: ignore[arg-type]
        self.pins(sheet, self._symbol(plug.ref, shape, (0, 0)))
        return sheet

    def header(self) -> Iterator[Sheet]:
        """Draw the header of the Pi, or the two rows of a Pico."""
        supplied: set[str] = set()
        for ref in ("J1",) if self.plan.side == "pi" else PICO_ROWS:
            nets, first = self._nets(ref), PICO_EDGE if ref == PICO_ROWS[1] else 0
            pins: list[tuple[str, str, Kind]] = []
            for number in sorted(nets, key=int):
                name = HEADERS[self.plan.side][int(number) + first]
                new = nets[number] in self.supplies and nets[number] not in supplied
                supplied |= {nets[number]} if new else set()
                kind: Kind = "power_out" if new else "passive" if nets[number] in self.supplies else "bidirectional"
                pins.append((number, name if not name.isdigit() else f"{'GPIO' if ref == 'J1' else 'GP'}{name}", kind))
            sheet = Sheet()
            sides = (pins[::2], pins[1::2]) if ref == "J1" else (pins, [])
            self.pins(sheet, self._symbol(ref, box(ref, *sides, wide=20), (0, 0)))
            yield sheet

    def loose(self) -> Iterator[Sheet]:
        """Draw test points, fiducials and holes."""
        for part in self.plan.parts:
            if part.ref.startswith("TP"):
                sheet = Sheet([self._symbol(part.ref, TEST, (0, 0))])
                sheet.labels.append(Label(part.pads[0].net, (0, 0), 0))
                yield sheet
            elif part.ref.startswith(("FID", "H")):
                yield Sheet([self._symbol(part.ref, HOLE if part.ref.startswith("H") else FIDUCIAL, (0, 0))])

    def sections(self) -> Iterator[tuple[str, list[Sheet]]]:
        """Yield the title of each part of the schematic, with its circuits."""
        net = netlist(self.wiring, BUILD)
        parts = list(net.on(self.side))
        drivers = [part for part in parts if part.part == "uln"]
        outputs = {its for part in drivers for leg, its in part.legs.items() if leg.startswith("O")}
        series = {its: part for part in parts for its in part.legs.values() if its in outputs and part not in drivers}
        taken = {part.ref for part in [*drivers, *series.values()]}
        circuits: dict[str, dict[str, list[Element]]] = {}
        supplies: list[Sheet] = []
        for part in parts:
            if part.ref in taken or part.part == "eeprom":
                continue
            if set(part.legs.values()) <= self.supplies:
                supplies.append(self.alone(part))
            else:
                title = self.wiring.circuit[part.circuit].title if part.circuit else part.what.capitalize()
                circuits.setdefault(title, {}).setdefault(part.what, []).append(part)
        yield self.plan.title, list(self.header())
        for title, groups in circuits.items():
            if not any(part.circuit for group in groups.values() for part in group):
                own = [self.eeprom(part) for part in parts if part.part == "eeprom" and part.what in groups]
                yield title, own + [self.alone(part) for group in groups.values() for part in group]
            else:
                yield title, [self.chain(self._pin_net(group), group) for group in groups.values()]
        for part in drivers:
            yield (
                "Driver of the lamps" if self.plan.side == "pi" else "Driver of the emitters",
                [self.driver(part, series)],
            )
        yield "Supplies", supplies
        yield "Plugs", [self.plug(plug) for plug in net.plugs if plug.board == self.plan.side]
        yield "Test points, fiducials and holes", list(self.loose())

    def _pin_net(self, group: list[Element]) -> str:
        """Return the net of the pin of a circuit: the only one without a point in its name."""
        nets = {its for part in group for its in part.legs.values()} - self.supplies
        return next(its for its in sorted(nets) if "." not in its)


def of_a_beam(plan: Plan) -> Iterator[tuple[str, list[Sheet]]]:
    """Yield the title of each part of the beam board's schematic, with its parts; each pin has the name of its net."""
    placed = {part.ref: part for part in plan.parts}
    for title, members in beam.groups():
        sheets = []
        for part in members:
            shape = beam.shape_of(part)
            turn = 90 if part.kind == "ir" else 0
            symbol = Symbol(part.ref, part.value, shape, (0, 0), turn, placed[part.ref].footprint)
            sheet = Sheet([symbol])
            for pin in shape.pins:
                at, net = symbol.place(pin.at), part.nets.get(pin.number, "")
                if net:
                    sheet.labels.append(Label(net, at, 180 if shape.named and pin.turn == 0 else 0))
                else:
                    sheet.unused.append(at)
            sheets.append(sheet)
        yield title, sheets
    loose = [part for part in plan.parts if part.ref.startswith(("FID", "H"))]
    shapes = [(part, HOLE if part.ref.startswith("H") else FIDUCIAL) for part in loose]
    yield (
        "Fiducials and holes",
        [Sheet([Symbol(part.ref, "", shape, (0, 0), 0, part.footprint)]) for part, shape in shapes],
    )


def layout(wiring: Wiring, plan: Plan) -> Sheet:
    """Lay out the schematic of a board on a sheet of A3. Raises BadBoard if it has no room."""
    sections = list(of_a_beam(plan) if plan.side == "beam" else Drawer(wiring, plan).sections())
    for widest in WIDTHS:
        framed = sorted((_framed(title, blocks, widest) for title, blocks in sections), key=lambda block: -block[2])
        made = Sheet()
        made.add(_packed(framed, PAGE[0] - 2 * EDGE)[0], (EDGE, EDGE))
        if _has_room(made):
            return made
    raise BadBoard(f"{plan.name}: the schematic has no room on A3.")


def _has_room(made: Sheet) -> bool:
    """Return whether all frames are on the page and beside the title block."""
    left, top = PAGE[0] - TITLE[0], PAGE[1] - TITLE[1]
    ends = [(x + w, y + h) for _, (x, y), (w, h) in made.frames]
    return all(low <= PAGE[1] - EDGE and (right <= left or low <= top) for right, low in ends)


Block = tuple[Sheet, int, int]  # with its width and height


def _packed(blocks: Iterable[Block], most: int) -> Block:
    """Put blocks beside each other, each in the first row that has room, and below each other in a row that has."""
    sheet, wide = Sheet(), 0
    rows: list[list[list[int]]] = []  # of each row its columns: x, width, next y, lower edge
    for block, width, height in blocks:
        x, y = _room(rows, most, width, height)
        sheet.add(block, (x, y))
        wide = max(wide, x + width)
    return sheet, wide, max((column[3] for row in rows for column in row), default=0)


def _room(rows: list[list[list[int]]], most: int, width: int, height: int) -> tuple[int, int]:
    """Find room: under a block of the same row, beside it, or in a new row."""
    for row in rows:
        for column in row:
            if width <= column[1] and column[2] + height <= column[3]:
                column[2] += height + GAP
                return column[0], column[2] - height - GAP
        right = row[-1][0] + row[-1][1] + GAP
        if right + width <= most and height <= row[0][3] - (top := row[0][4]):
            row.append([right, width, top + height + GAP, row[0][3], top])
            return right, top
    top = max((column[3] for column in rows[-1]), default=0) + GAP if rows else 0
    rows.append([[0, width, top + height + GAP, top + height, top]])
    return 0, top


def _framed(title: str, blocks: list[Sheet], widest: int) -> Block:
    """Put circuits side by side in a frame with a title."""
    cut = []
    for block in blocks:
        left, top, right, low = block.bounds()
        at = Sheet()
        at.add(block, (-math.floor(left), -math.floor(top)))
        cut.append((at, math.ceil(right) - math.floor(left), math.ceil(low) - math.floor(top)))
    inside, wide, high = _packed(cut, widest)
    sheet = Sheet()
    sheet.add(inside, (GAP, HEAD))
    size = (max(wide, math.ceil(len(title) * LETTER)) + 2 * GAP, high + HEAD + GAP)
    sheet.frames.append((title, (0, 0), size))
    return sheet, *size
