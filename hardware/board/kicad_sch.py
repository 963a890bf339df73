"""Write a schematic as KiCad 6 and later read it: its symbols are in the file, so no library is needed."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator

from hardware.board.layout import Label, Sheet, Symbol
from hardware.board.plan import Plan
from hardware.board.symbols import Pin, Point, Shape
from hardware.drawing.revisions import REVISIONS

FORMAT = 20211123  # of KiCad 6
STEP_MM = 1.27
LETTERS = "(effects (font (size 1.27 1.27)){more})"
STROKE = "(stroke (width {width}) (type default) (color 0 0 0 0))"
OFF_BOARD = {True: "no", False: "yes"}  # a name of a net is no part


def text(sheet: Sheet, plan: Plan) -> str:
    """Return a schematic as the text of a .kicad_sch file."""
    shapes = {_library(symbol): symbol.shape for symbol in sheet.symbols}
    symbols = list(_named(sheet.symbols))
    lines = [
        f"(kicad_sch (version {FORMAT}) (generator umpi)",
        f"  (uuid {_uuid(plan, 'sheet')})",
        '  (paper "A3")',
        f'  (title_block (title "{plan.title}") (date "{REVISIONS["B"].date}") (rev "{REVISIONS["B"].name}")'
        ' (company "Umpi") (comment 1 "CERN-OHL-P-2.0"))',
        "  (lib_symbols",
        *(line for name, shape in sorted(shapes.items()) for line in _shape(name, shape)),
        "  )",
        *(f"  (junction (at {_at(at)}) (diameter 0) (color 0 0 0 0) (uuid {_uuid(plan, 'joint', at)}))"
          for at in sheet.joints()),
        *(f"  (no_connect (at {_at(at)}) (uuid {_uuid(plan, 'unused', at)}))" for at in sheet.unused),
        *(f"  (wire (pts (xy {_at(a)}) (xy {_at(b)})) {STROKE.format(width=0)} (uuid {_uuid(plan, 'wire', a, b)}))"
          for a, b in sheet.wires),
        *(line for words, corner, size in sheet.frames for line in _frame(plan, words, corner, size)),
        *(_label(plan, label) for label in sheet.labels),
        *(line for ref, symbol in symbols for line in _symbol(plan, ref, symbol)),
        '  (sheet_instances (path "/" (page "1")))',
        "  (symbol_instances",
        *(f'    (path "/{_uuid(plan, ref)}" (reference "{ref}") (unit 1) (value "{symbol.value}")'
          f' (footprint "{symbol.footprint}"))' for ref, symbol in symbols),
        "  )",
        ")",
        "",
    ]  # fmt: skip
    return "\n".join(lines)


def _named(symbols: Iterable[Symbol]) -> Iterator[tuple[str, Symbol]]:
    """Give names of nets the designators that KiCad gives them."""
    count = 0
    for symbol in symbols:
        count += symbol.shape.power
        yield symbol.ref or f"#PWR{count:03}", symbol


def _uuid(plan: Plan, *of: object) -> str:
    """Return an identifier that stays the same from one run to the next."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"umpi/{plan.name}/{of}"))


def _library(symbol: Symbol) -> str:
    return f"umpi:{symbol.shape.name}"


def _mm(steps: float) -> str:
    return f"{round(steps * STEP_MM, 4):g}"


def _at(at: Point) -> str:
    return f"{_mm(at[0])} {_mm(at[1])}"


def _property(name: str, value: str, number: int, place: str, hidden: bool = False) -> str:
    return f'(property "{name}" "{value}" (id {number}) (at {place}) {LETTERS.format(more=" hide" if hidden else "")})'


def _shape(name: str, shape: Shape) -> Iterator[str]:
    hidden = "" if shape.named else "(pin_numbers hide) (pin_names (offset 0) hide)"
    kind = "(power)" if shape.power else ""
    yield f'    (symbol "{name}" {kind} {hidden} (in_bom {OFF_BOARD[shape.power]}) (on_board {OFF_BOARD[shape.power]})'
    for number, (field, value) in enumerate(_fields(shape.name, "")):
        yield f"      {_property(field, value, number, '0 0 0', number > 1)}"
    own = name.split(":")[1]
    yield f'      (symbol "{own}_0_1"'
    pen = f"{STROKE.format(width=0.254)} (fill (type none))"
    for a, b in shape.boxes:
        yield f"        (rectangle (start {_at(a)}) (end {_at(b)}) {pen})"
    for line in shape.lines:
        yield f"        (polyline (pts {' '.join(f'(xy {_at(point)})' for point in line)}) {pen})"
    for centre, radius in shape.circles:
        yield f"        (circle (center {_at(centre)}) (radius {_mm(radius)}) {pen})"
    yield f'      )\n      (symbol "{own}_1_1"'
    yield from (f"        {_pin(pin, shape)}" for pin in shape.pins)
    yield "      )\n    )"


def _fields(name: str, footprint: str) -> tuple[tuple[str, str], ...]:
    return ("Reference", "U"), ("Value", name), ("Footprint", footprint), ("Datasheet", "")


def _pin(pin: Pin, shape: Shape) -> str:
    words = f'(name "{pin.name}" {LETTERS.format(more="")}) (number "{pin.number}" {LETTERS.format(more="")})'
    hidden = " hide" if shape.power else ""
    return f"(pin {pin.kind} line (at {_at(pin.at)} {pin.turn}) (length {_mm(pin.length)}){hidden} {words})"


def _frame(plan: Plan, words: str, corner: Point, size: Point) -> Iterator[str]:
    (x, y), (w, h) = corner, size
    points = " ".join(f"(xy {_at(at)})" for at in ((x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)))
    pen = "(stroke (width 0) (type dash) (color 0 0 0 0))"
    yield f"  (polyline (pts {points}) {pen} (uuid {_uuid(plan, 'frame', corner)}))"
    letters = "(effects (font (size 2 2)) (justify left bottom))"
    yield f'  (text "{words}" (at {_at((x + 1, y + 2.6))} 0) {letters} (uuid {_uuid(plan, "title", corner)}))'


def _label(plan: Plan, label: Label) -> str:
    letters = LETTERS.format(more=" (justify right)" if label.turn else " (justify left)")
    place = f"(shape passive) (at {_at(label.at)} {label.turn})"
    return f'  (global_label "{label.net}" {place} {letters} (uuid {_uuid(plan, "label", label.at, label.net)}))'


def _symbol(plan: Plan, ref: str, symbol: Symbol) -> Iterator[str]:
    off = OFF_BOARD[symbol.shape.power]
    yield f'  (symbol (lib_id "{_library(symbol)}") (at {_at(symbol.at)} {symbol.turn}) (unit 1)'
    yield f"    (in_bom {off}) (on_board {off}) (uuid {_uuid(plan, ref)})"
    (_, ref_at), (_, value_at) = symbol.words()
    turn = symbol.turn % 180
    yield "    " + _property("Reference", ref, 0, f"{_at(ref_at)} {turn}", symbol.shape.power)
    yield "    " + _property("Value", symbol.value, 1, f"{_at(value_at)} {turn}")
    yield "    " + _property("Footprint", symbol.footprint, 2, f"{_at(symbol.at)} 0", True)
    yield "    " + _property("Datasheet", "", 3, f"{_at(symbol.at)} 0", True)
    yield from (f'    (pin "{pin.number}" (uuid {_uuid(plan, ref, pin.number)}))' for pin in symbol.shape.pins)
    yield "  )"
