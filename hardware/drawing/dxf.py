"""Write drawings as DXF: 1:1 in model space, in millimetres, with one layer each for cuts, drill holes and marks."""

from __future__ import annotations

import math
from pathlib import Path

import ezdxf
from ezdxf.document import Drawing
from ezdxf.enums import TextEntityAlignment
from ezdxf.layouts import Modelspace

from hardware.drawing.ink import ARROW_MM, DIM_TEXT_MM, GAP_MM, lines_of
from hardware.drawing.sheet import LAYERS, Align, Circle, Dim, Line, Note, Point, Sheet, Text

LINETYPES = {
    "DASHED": ("hidden edges", [4.5, 3.0, -1.5]),
    "CENTER": ("centre lines", [12.5, 8.0, -1.5, 1.5, -1.5]),
}
ALIGNS = {
    "left": TextEntityAlignment.LEFT,
    "centre": TextEntityAlignment.CENTER,
    "right": TextEntityAlignment.RIGHT,
}


def write_dxf(sheet: Sheet, path: Path) -> None:
    """Write what a saw, a laser or a CAD program reads; only CUT and HOLE are for tools."""
    kept, ezdxf.options.write_fixed_meta_data_for_testing = ezdxf.options.write_fixed_meta_data_for_testing, True
    try:
        document = _document(sheet)
        space = document.modelspace()
        for item in sheet.items:
            _add(space, item, 1 / sheet.ratio)
        order_classes(document)
        document.saveas(path)
    finally:
        ezdxf.options.write_fixed_meta_data_for_testing = kept


def order_classes(document: Drawing) -> None:
    """Name the classes of a document in their order, as ezdxf names them in that of a set: another in every run."""
    for name in sorted(document.entitydb.dxf_types_in_use()):
        document.classes.add_class(name)


def _document(sheet: Sheet) -> Drawing:
    document = ezdxf.new("R2010", units=ezdxf.units.MM)
    document.header["$MEASUREMENT"] = 1
    document.header["$LTSCALE"] = 1 / sheet.ratio
    for name, (description, pattern) in LINETYPES.items():
        document.linetypes.add(name, pattern, description=description)
    for name, pen in LAYERS.items():
        if name not in document.layers:
            document.layers.add(name, color=pen.colour, linetype=pen.linetype, lineweight=round(pen.width_mm * 100))
    style = document.dimstyles.new("UMPI")
    for setting, value in {
        "dimscale": 1 / sheet.ratio,
        "dimtxt": DIM_TEXT_MM,
        "dimasz": ARROW_MM,
        "dimexo": GAP_MM,
        "dimexe": GAP_MM,
        "dimgap": 0.8,
        "dimtad": 1,
        "dimdec": 1,
        "dimzin": 8,
        "dimdsep": ord("."),
    }.items():
        style.set_dxf_attrib(setting, value)
    return document


def _add(space: Modelspace, item: Line | Circle | Text | Dim | Note, real: float) -> None:
    match item:
        case Line((a, b), False, layer):
            space.add_line(a, b, dxfattribs={"layer": layer})
        case Line(points, closed, layer):
            space.add_lwpolyline(points, close=closed, dxfattribs={"layer": layer})
        case Circle(centre, diameter, layer):
            space.add_circle(centre, diameter / 2, dxfattribs={"layer": layer})
        case Text(at, text, height, align, turned):
            _write(space, at, text, height * real, align, turned)
        case Dim():
            left = (-item.way[1], item.way[0])
            base = (item.a[0] + left[0] * item.offset_mm * real, item.a[1] + left[1] * item.offset_mm * real)
            space.add_linear_dim(
                base=base,
                p1=item.a,
                p2=item.b,
                angle=math.degrees(math.atan2(item.way[1], item.way[0])) % 180,
                text=item.text or "<>",
                dimstyle="UMPI",
                dxfattribs={"layer": "DIM"},
            ).render()
        case Note(at, target, text, height):
            rightwards = at[0] >= target[0]
            space.add_line(target, (at[0], at[1] + height * real / 2), dxfattribs={"layer": "DIM"})
            _write(space, at, text, height * real, "left" if rightwards else "right", 0)


def _write(space: Modelspace, at: Point, text: str, height: float, align: Align, turned: float) -> None:
    for letters in lines_of(at, text, height, align, turned):
        entity = space.add_text(letters.text, height=height, rotation=turned, dxfattribs={"layer": "TEXT"})
        entity.set_placement(letters.at, align=ALIGNS[align])
