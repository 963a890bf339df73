"""Pages for drawings: one sheet of paper, or several with crosses to align them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

from hardware.drawing.ink import Box, Fill, Ink, Letters, Ring, Stroke, extent, inked
from hardware.drawing.letters import width_mm
from hardware.drawing.revisions import revision_of
from hardware.drawing.sheet import PAPERS, Point, Sheet

MARGIN_MM = 10.0  # household printers leave 3 to 6 mm white
BLOCK_MM = 24.0  # the height of the title block
CLEAR_MM = 2.0  # between drawing and frame
OVERLAP_MM = 12.0  # width that two neighbouring pages share
BAR_MM = 100.0
CELLS_MM = 17.0  # of it, below the title
LICENCE = "Umpi, CERN-OHL-P-2.0"


@dataclass(frozen=True, slots=True)
class Page:
    """A page: the part of the drawing in `window`, moved by `shift`, and its frame; in mm of paper."""

    width: float
    height: float
    window: Box
    shift: Point
    drawing: list[Ink]
    crosses: list[Ink]  # at the seams, at the same places as on the neighbours
    frame: list[Ink]


def pages_of(sheet: Sheet) -> list[Page]:
    """Put a sheet on pages of its paper, upright or lying, whichever takes fewer pages."""
    inks = inked(sheet)
    box = extent(inks)
    short, long = PAPERS[sheet.paper]
    upright, lying = _tiles(box, short, long), _tiles(box, long, short)
    (width, height), (columns, rows) = (
        ((long, short), lying) if lying[0] * lying[1] <= upright[0] * upright[1] else ((short, long), upright)
    )
    across, up = _room(width, height)
    step_x, step_y = across - OVERLAP_MM, up - OVERLAP_MM
    left = (box[0] + box[2] - (columns - 1) * step_x - across) / 2
    bottom = (box[1] + box[3] - (rows - 1) * step_y - up) / 2
    crosses = _crosses(left, bottom, across, up, columns, rows)
    pages = []
    for row, column in product(range(rows), range(columns)):
        x, y = left + column * step_x, bottom + (rows - 1 - row) * step_y
        tile = f"{chr(ord('A') + column)}{row + 1}" if columns * rows > 1 else ""
        place = f"{sheet.paper}, page {row * columns + column + 1} of {rows * columns}" + (f": {tile}" if tile else "")
        window = (MARGIN_MM, MARGIN_MM + BLOCK_MM, width - MARGIN_MM, height - MARGIN_MM)
        frame = _frame(sheet, window, place)
        if tile:
            frame.append(Letters((window[0] + 2, window[3] - 7), tile, 5, bold=True))
        shift = (window[0] - x, window[1] - y)
        pages.append(Page(width, height, window, shift, inks, crosses, frame))
    return pages


def whole_of(sheet: Sheet) -> Page:
    """Put a sheet on one page: its paper if it fits, otherwise a page that is large enough."""
    pages = pages_of(sheet)
    if len(pages) == 1:
        return pages[0]
    inks = inked(sheet)
    left, bottom, right, top = extent(inks)
    across, up = max(right - left, 190.0) + 10, top - bottom + 10
    window = (MARGIN_MM, MARGIN_MM + BLOCK_MM, MARGIN_MM + across, MARGIN_MM + BLOCK_MM + up)
    shift = (window[0] + (across - left - right) / 2, window[1] + (up - bottom - top) / 2)
    frame = _frame(sheet, window, f"overview; {len(pages)} pages {sheet.paper}")
    return Page(window[2] + MARGIN_MM, window[3] + MARGIN_MM, window, shift, inks, [], frame)


def _room(width: float, height: float) -> tuple[float, float]:
    return width - 2 * MARGIN_MM, height - 2 * MARGIN_MM - BLOCK_MM


def _tiles(box: Box, width: float, height: float) -> tuple[int, int]:
    room = _room(width, height)
    long = (box[2] - box[0] + 2 * CLEAR_MM, box[3] - box[1] + 2 * CLEAR_MM)
    columns, rows = (
        1 if wanted <= there else math.ceil((wanted - OVERLAP_MM) / (there - OVERLAP_MM))
        for wanted, there in zip(long, room, strict=True)
    )
    return columns, rows


def _crosses(left: float, bottom: float, across: float, up: float, columns: int, rows: int) -> list[Ink]:
    step_x, step_y = across - OVERLAP_MM, up - OVERLAP_MM
    seams = [
        (left + (column + 1) * step_x + OVERLAP_MM / 2, bottom + row * step_y + part * up)
        for column, row, part in product(range(columns - 1), range(rows), (0.2, 0.8))
    ] + [
        (left + column * step_x + part * across, bottom + (row + 1) * step_y + OVERLAP_MM / 2)
        for column, row, part in product(range(columns), range(rows - 1), (0.2, 0.8))
    ]
    inks: list[Ink] = []
    for x, y in seams:
        inks.append(Ring((x, y), 2, "MARK"))
        inks += [Stroke(((x - 4, y), (x + 4, y)), False, "MARK"), Stroke(((x, y - 4), (x, y + 4)), False, "MARK")]
    return inks


def _frame(sheet: Sheet, window: Box, place: str) -> list[Ink]:
    left, bottom, right, top = window
    foot = bottom - BLOCK_MM
    room = right - left - 6 - width_mm(sheet.number, 4, bold=True)
    title = min(4.0, 4.0 * room / width_mm(sheet.title, 4.0, bold=True))
    inks: list[Ink] = [
        Stroke(((left, foot), (right, foot), (right, top), (left, top)), True, "DIM"),
        Stroke(((left, bottom), (right, bottom)), False, "DIM"),
        Letters((left + 2, bottom - 5.2), sheet.title, title, bold=True),
        Letters((right - 2, bottom - 5.2), sheet.number, 4, "right", bold=True),
        Letters((left + 2, foot + 2.2), f"If this bar is not {BAR_MM:g} mm long, print at 100 %, not fitted.", 2.2),
        Stroke(_bar(left + 2, foot + 6, BAR_MM), True, "DIM"),
    ]
    inks += [Fill(_bar(left + 2 + tens, foot + 6, 10)) for tens in range(0, 100, 20)]
    return inks + _cells(sheet, (left + BAR_MM + 5, foot, right, foot + CELLS_MM), place)


def _cells(sheet: Sheet, box: Box, place: str) -> list[Ink]:
    """Return the fields of the title block: two columns with four rows."""
    left, foot, right, top = box
    revision, middle, high = revision_of(sheet.number), (left + right) / 2, (top - foot) / 4
    rows = [
        (f"scale {sheet.scale[0]}:{sheet.scale[1]}, mm", f"revision {revision.name}"),
        (f"tolerance {sheet.tolerance}", f"date {revision.date}"),
        (sheet.material, f"quantity {sheet.quantity}"),
        (place, LICENCE),
    ]
    inks: list[Ink] = [Stroke(((x, foot), (x, top)), False, "DIM") for x in (left, middle)]
    for row, cells in enumerate(rows):
        y = top - row * high
        inks.append(Stroke(((left, y), (right, y)), False, "DIM"))
        for x, words in zip((left, middle), cells, strict=True):
            size = min(2.2, 2.2 * (middle - left - 2.4) / max(width_mm(words, 2.2), 1))
            inks.append(Letters((x + 1.2, y - high + 1.2), words, size))
    return inks


def _bar(x: float, y: float, long: float) -> tuple[Point, ...]:
    return ((x, y), (x + long, y), (x + long, y + 2), (x, y + 2))
