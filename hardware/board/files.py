"""Files of a board that need no KiCad: its picture, its parts as CSV, and its netlist."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hardware.board.plan import PICO_ROWS, Plan, source
from hardware.board.silk import Stroke, print_of
from hardware.cart.cart import Row, read_all
from hardware.drawing.picture import Picture

MM, MARGIN = 14, 20  # pixels per mm
BOARD, TOP, LOW, PAD, PRINT = "#0b4f2a", "#1f7545", "#12603a", "#e8c15a", "#ffffff"  # tracks are under the mask
HOUSED = ("H", "TP", "FID")


def picture(plan: Plan, board: dict[str, Any], strokes: Iterable[Stroke]) -> Picture:
    """Draw a board from above: tracks of both sides, print, and pads. `board` is what KiCad reads."""
    width, height = plan.size
    made = Picture(round(width * MM) + 2 * MARGIN, round(height * MM) + 2 * MARGIN)
    made.box((MARGIN, MARGIN), (width * MM, height * MM), fill=BOARD)

    def at(place: Any) -> tuple[float, float]:
        return round(MARGIN + place[0] * MM, 2), round(MARGIN + place[1] * MM, 2)

    for layer, colour in ((1, LOW), (0, TOP)):
        for track in board["tracks"]:
            if track["layer"] == layer:
                made.line(at(track["start"]), at(track["end"]), colour=colour, width=track["width"] * MM)
    for via in board["vias"]:
        made.dot(at(via["at"]), 0.22 * MM, fill=TOP, colour=LOW)
    for stroke in strokes:
        made.line(*map(at, stroke.points), colour=PRINT, width=stroke.width * MM)
    for _, pad in plan.pads():
        if pad.drill:
            made.dot(at(pad.at), max(pad.size) / 2 * MM, fill=PAD if pad.name else "#ffffff", colour=BOARD)
            made.dot(at(pad.at), pad.drill / 2 * MM, fill="#ffffff", colour=PAD)
        else:
            (x, y), (w, h) = pad.at, pad.size
            made.box(at((x - w / 2, y - h / 2)), (w * MM, h * MM), colour=PAD, fill=PAD)
    return made


def parts_csv(plan: Plan) -> str:
    """Return the parts of a board by value and footprint, with maker and number of the cart, as CSV."""
    ordered = {ref: row for row in read_all()[1] if not row.what.startswith("housing") for ref in row.refs}
    rows: dict[tuple[str, str], list[str]] = {}
    for part in plan.parts:
        if not part.ref.startswith(HOUSED):
            value = part.footprint.split("_")[2] if "XH" in part.footprint else part.value
            rows.setdefault((value, part.footprint), []).append(part.ref)
    page = io.StringIO()
    table = csv.writer(page, lineterminator="\n")
    table.writerow(["Designator", "Comment", "Footprint", "Quantity", "Manufacturer", "Manufacturer Part Number"])
    for (value, footprint), refs in rows.items():
        maker = _maker(plan, refs[0], value, ordered)
        table.writerow([",".join(refs), value, footprint.split(":")[1], len(refs), *maker])
    return page.getvalue()


def _maker(plan: Plan, ref: str, value: str, ordered: Mapping[str, Row]) -> tuple[str, str]:
    """Return maker and number of a part: of the cart, or of [buy] in board.toml for the beam board."""
    if plan.side == "beam":
        maker, number = source()["buy"][value]
        return maker, number
    row = ordered[PICO_ROWS[0] if ref in PICO_ROWS else ref]  # two rows, one line of the cart
    return row.maker, row.number or row.fits


def kicad_netlist(plan: Plan) -> str:
    """Return the netlist of a board as KiCad reads it."""
    lines = ['(export (version "E")', "  (components"]
    for part in plan.parts:
        if not part.ref.startswith(("H", "FID")):
            lines.append(f'    (comp (ref "{part.ref}") (value "{part.value}") (footprint "{part.footprint}"))')
    lines += ["  )", "  (nets"]
    nets: dict[str, list[str]] = {}
    for part, pad in plan.pads():
        if pad.net:
            nets.setdefault(pad.net, []).append(f'(node (ref "{part.ref}") (pin "{pad.name}"))')
    for code, (name, nodes) in enumerate(sorted(nets.items()), 1):
        lines.append(f'    (net (code "{code}") (name "{name}") {" ".join(nodes)})')
    return "\n".join([*lines, "  )", ")", ""])


def save(plan: Plan, board: dict[str, Any], folder: Path) -> None:
    """Write these files into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    picture(plan, board, print_of(plan, folder)).save(folder, "board")
    (folder / "parts.csv").write_text(parts_csv(plan), encoding="utf-8")
    (folder / f"{plan.name}.net").write_text(kicad_netlist(plan), encoding="utf-8")
