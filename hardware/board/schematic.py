"""Draw the schematic of a board as a picture, and write it for KiCad. Both are of one layout."""

from __future__ import annotations

from pathlib import Path

from hardware.board import kicad_sch
from hardware.board.layout import PAGE, Symbol, layout
from hardware.board.plan import Plan
from hardware.board.symbols import Point
from hardware.drawing.picture import Picture
from hardware.wiring.model import Wiring

STEP = 7  # pixels per step of the grid
WORDS = 10.5
NET, WIRE, PART, FRAME = "#1f4e9c", "#2a7a3a", "#7a1f1f", "#999999"


def schematic(wiring: Wiring, plan: Plan) -> Picture:
    """Draw all parts of a board."""
    sheet = layout(wiring, plan)
    picture = Picture(PAGE[0] * STEP, round(sheet.bounds()[3] + 6) * STEP)
    for words, corner, (w, h) in sheet.frames:
        picture.box(_px(corner), (w * STEP, h * STEP), colour=FRAME)
        picture.text(_px((corner[0] + 1, corner[1] + 2.4)), words, 15, colour="#333333")
    for wire in sheet.wires:
        picture.line(*map(_px, wire), colour=WIRE, width=1.5)
    for symbol in sheet.symbols:
        _symbol(picture, symbol)
    for at in sheet.joints():
        picture.dot(_px(at), 3, fill=WIRE, colour=WIRE)
    for x, y in sheet.unused:
        picture.line(_px((x - 0.5, y - 0.5)), _px((x + 0.5, y + 0.5)))
        picture.line(_px((x - 0.5, y + 0.5)), _px((x + 0.5, y - 0.5)))
    for label in sheet.labels:
        side = -1 if label.turn else 1
        at = _px((label.at[0] + side * 0.6, label.at[1] + 0.55))
        picture.text(at, label.net, WORDS, "end" if label.turn else "start", NET, "white")
    return picture


def _px(at: Point) -> Point:
    return round(at[0] * STEP, 2), round(at[1] * STEP, 2)


def _symbol(picture: Picture, symbol: Symbol) -> None:
    shape = symbol.shape
    for a, b in shape.boxes:
        (x1, x2), (y1, y2) = (sorted(each) for each in zip(symbol.place(a), symbol.place(b), strict=True))
        fill = "#fffbe6" if shape.named else "none"
        picture.box(_px((x1, y1)), ((x2 - x1) * STEP, (y2 - y1) * STEP), colour=PART, fill=fill, width=1.5)
    for line in shape.lines:
        picture.line(*(_px(symbol.place(point)) for point in line), colour=PART, width=1.5)
    for centre, radius in shape.circles:
        picture.dot(_px(symbol.place(centre)), radius * STEP, fill="white", colour=PART)
    for pin in shape.pins:
        dx, dy = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[pin.turn]
        inner = (pin.at[0] + dx * pin.length, pin.at[1] + dy * pin.length)
        if pin.length:
            picture.line(_px(symbol.place(pin.at)), _px(symbol.place(inner)), colour=PART, width=1.5)
        if shape.named:
            x, y = symbol.place(inner)
            picture.text(_px((x + dx * 0.5, y + 0.5)), pin.name, WORDS, "start" if dx > 0 else "end")
            picture.text(_px((x - dx, y - 0.2)), pin.number, 8, "middle", PART)
    for words, (x, y) in symbol.words():
        picture.text(_px((x, y + 0.5)), words, WORDS, "middle")


def save(wiring: Wiring, plan: Plan, folder: Path) -> list[Path]:
    """Draw the schematic as SVG and PNG, and write it for KiCad; return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{plan.name}.kicad_sch"
    path.write_text(kicad_sch.text(layout(wiring, plan), plan), encoding="utf-8")
    return [*schematic(wiring, plan).save(folder, "schematic"), path]
