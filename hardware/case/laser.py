"""Draw all panels of a case on one sheet, as DXF for a laser: with its kerf added, cuts in red, engraving in blue.

Kerf is taken off what the beam passes: outlines grow by half of it, holes shrink by half of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import ezdxf
from ezdxf import units
from ezdxf.document import Drawing

from hardware.case.numbers import Case, Oled
from hardware.case.panels import clips, panels
from hardware.case.shapes import Hole, Panel, Point, grown
from hardware.drawing.dxf import order_classes

APART = 6.0  # between panels, and to the sheet's edge
CUT, ENGRAVE = ("CUT", 1), ("ENGRAVE", 5)  # layers and AutoCAD colours, as most cutters tell them apart
CLIPS = 4


def pieces(case: Case, oled: Oled) -> list[tuple[Panel, Point]]:
    """Arrange all panels, clips and spacers; return each with the place of its lower left corner."""
    found = panels(case, oled)
    rows = [[found["front"], found["base"]], [found["near"], found["rear"]], [found["left"], found["right"]]]
    clip, spacer = clips(case)
    layers = max(1, round(case.clip.spacer / case.box.sheet))
    rows.append([clip] * CLIPS + [spacer] * CLIPS * layers)
    laid, high = [], APART
    for row in rows:
        along = APART
        for piece in row:
            laid.append((piece, (along, high)))
            along += piece.size[0] + APART
        high += max(piece.size[1] for piece in row) + APART
    return laid


def sheet_size(laid: Iterable[tuple[Panel, Point]]) -> Point:
    """Return the size of the sheet that is needed."""
    ends = [(x + piece.size[0] + APART, y + piece.size[1] + APART) for piece, (x, y) in laid]
    return max(x for x, _ in ends), max(y for _, y in ends)


def beam(piece: Panel, kerf: float) -> list[list[Point] | Hole]:
    """Return the path of the beam round a piece: holes first, outline last, so that nothing drops too early."""
    cuts: list[list[Point] | Hole] = [
        cut._replace(diameter=cut.diameter - kerf) if isinstance(cut, Hole) else cut.contour(-kerf / 2)
        for cut in piece.cuts
    ]
    return [*cuts, grown(piece.outline, kerf / 2)]


def write_laser(case: Case, oled: Oled, file: Path) -> Path:
    """Write the sheet in mm, without a date."""
    kept, ezdxf.options.write_fixed_meta_data_for_testing = ezdxf.options.write_fixed_meta_data_for_testing, True
    try:
        doc = _document(case, oled)
        order_classes(doc)
        doc.saveas(file)
    finally:
        ezdxf.options.write_fixed_meta_data_for_testing = kept
    return file


def _document(case: Case, oled: Oled) -> Drawing:
    doc = ezdxf.new("R2000", units=units.MM)
    for name, colour in (CUT, ENGRAVE):
        doc.layers.add(name, color=colour)
    space = doc.modelspace()
    for piece, (x, y) in pieces(case, oled):
        for stroke in piece.strokes:
            space.add_lwpolyline([(x + a, y + b) for a, b in stroke], dxfattribs={"layer": ENGRAVE[0]})
        for way in beam(piece, case.box.kerf):
            layer = {"layer": CUT[0]}
            if isinstance(way, Hole):
                space.add_circle((x + way.centre[0], y + way.centre[1]), way.diameter / 2, dxfattribs=layer)
            else:
                space.add_lwpolyline([(x + a, y + b) for a, b in way], close=True, dxfattribs=layer)
    return doc
