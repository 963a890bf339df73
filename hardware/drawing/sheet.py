"""Elements of a drawing, in millimetres of the real thing: lines, holes, dimensions, words."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from hardware.drawing.letters import lacking

Point = tuple[float, float]
Align = Literal["left", "centre", "right"]
Along = Literal["", "x", "y"]

PAPERS = {"A4": (210.0, 297.0)}


@dataclass(frozen=True, slots=True)
class Pen:
    """The pen of a layer: ISO 128 widths and dashes, in mm on paper, and its AutoCAD colour number."""

    width_mm: float
    dashes_mm: tuple[float, ...]
    colour: int
    linetype: str


LAYERS = {
    "CUT": Pen(0.5, (), 1, "CONTINUOUS"),  # what is sawn or cut, and visible edges
    "HOLE": Pen(0.35, (), 5, "CONTINUOUS"),  # what is drilled
    "MARK": Pen(0.25, (), 3, "CONTINUOUS"),  # what is scribed with a pencil, or printed
    "HIDDEN": Pen(0.25, (3.0, 1.5), 8, "DASHED"),  # edges behind the material
    "CENTRE": Pen(0.18, (8.0, 1.5, 1.5, 1.5), 6, "CENTER"),
    "DIM": Pen(0.18, (), 7, "CONTINUOUS"),
    "TEXT": Pen(0.18, (), 7, "CONTINUOUS"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """Straight lines from point to point."""

    points: tuple[Point, ...]
    closed: bool
    layer: str


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle; one on HOLE gets a cross for the drill."""

    centre: Point
    diameter_mm: float
    layer: str


@dataclass(frozen=True, slots=True)
class Text:
    """A line of words; `height_mm` is that of a capital on paper, whatever the scale."""

    at: Point
    text: str
    height_mm: float
    align: Align
    turned_deg: float


@dataclass(frozen=True, slots=True)
class Dim:
    """A measure between two points; its line is `offset_mm` of paper to the left of the way from `a` to `b`."""

    a: Point
    b: Point
    offset_mm: float
    text: str
    along: Along

    @property
    def way(self) -> Point:
        """Return the direction in which it measures, of length 1."""
        x, y = self.b[0] - self.a[0], self.b[1] - self.a[1]
        if self.along == "x":
            return (math.copysign(1, x), 0)
        if self.along == "y":
            return (0, math.copysign(1, y))
        return (x / math.hypot(x, y), y / math.hypot(x, y))

    @property
    def real_mm(self) -> float:
        """Return the measured distance."""
        return (self.b[0] - self.a[0]) * self.way[0] + (self.b[1] - self.a[1]) * self.way[1]

    @property
    def words(self) -> str:
        """Return the words at its line: the given text, or the measure to a tenth."""
        return self.text or f"{round(self.real_mm, 1):g}"


@dataclass(frozen=True, slots=True)
class Note:
    """Words at `at` with an arrow to `target`."""

    at: Point
    target: Point
    text: str
    height_mm: float


Item = Line | Circle | Text | Dim | Note


@dataclass
class Sheet:
    """One drawing; points in mm of the real thing, y upwards, heights of letters and offsets in mm on paper.

    `scale` is drawing to real: (1, 5) is five times smaller, (2, 1) twice as large. Raises ValueError for a layer that
    there is not, a measure of nothing, and letters that the font lacks. `material`, `tolerance` and `quantity` go into
    the title block; the revision comes from the sheet's number.
    """

    title: str
    number: str
    scale: tuple[int, int] = (1, 1)
    paper: str = "A4"
    material: str = "see the sheet"
    tolerance: str = "±0.5"
    quantity: str = "1"
    items: list[Item] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.paper not in PAPERS:
            raise ValueError(f"sheet {self.number}: paper {self.paper!r}: there is {', '.join(PAPERS)}.")
        for words in (self.title, self.material, self.tolerance, self.quantity):
            self._legible(words)

    @property
    def ratio(self) -> float:
        """Return the millimetres on paper for one real millimetre."""
        return self.scale[0] / self.scale[1]

    def line(self, a: Point, b: Point, layer: str = "CUT") -> None:
        """Draw a line."""
        self.path((a, b), closed=False, layer=layer)

    def path(self, points: tuple[Point, ...] | list[Point], closed: bool = True, layer: str = "CUT") -> None:
        """Draw lines from point to point, and back to the first if `closed`."""
        self.items.append(Line(tuple(points), closed, self._known(layer)))

    def box(self, corner: Point, width_mm: float, height_mm: float, layer: str = "CUT") -> None:
        """Draw a rectangle from its lower left corner."""
        (x, y), (w, h) = corner, (width_mm, height_mm)
        self.path([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], layer=layer)

    def circle(self, centre: Point, diameter_mm: float, layer: str = "HOLE") -> None:
        """Draw a circle; on HOLE with a cross for the drill."""
        self.items.append(Circle(centre, diameter_mm, self._known(layer)))

    def text(self, at: Point, text: str, height_mm: float = 3, align: Align = "left", turned_deg: float = 0) -> None:
        """Write words, with `at` on their base line; further lines stand below."""
        self.items.append(Text(at, self._legible(text), height_mm, align, turned_deg))

    def dim(self, a: Point, b: Point, offset_mm: float, text: str = "", along: Along = "") -> None:
        """Measure from `a` to `b`, or only the part along x or y; a negative offset is to the right of that way."""
        measure = Dim(a, b, offset_mm, self._legible(text), along)
        if a == b or (along and a[along == "y"] == b[along == "y"]):
            raise ValueError(f"sheet {self.number}: a measure from {a} to {b} is none.")
        self.items.append(measure)

    def note(self, at: Point, target: Point, text: str, height_mm: float = 2.5) -> None:
        """Write words at `at`, with an arrow to what they name."""
        self.items.append(Note(at, target, self._legible(text), height_mm))

    def hatch(self, points: list[Point], apart_mm: float = 2, rising: bool = True) -> None:
        """Hatch a polygon at 45° as cut material; the lines are `apart_mm` apart on paper."""
        slope = 1 if rising else -1
        sides = list(zip(points, points[1:] + points[:1], strict=True))
        levels = [y - slope * x for x, y in points]
        step = apart_mm / self.ratio * math.sqrt(2)
        at = math.ceil(min(levels) / step) * step
        while at < max(levels):
            crossed = []
            for (ax, ay), (bx, by) in sides:
                below, above = ay - slope * ax - at, by - slope * bx - at
                if (below < 0) != (above < 0):
                    part = below / (below - above)
                    crossed.append((ax + part * (bx - ax), ay + part * (by - ay)))
            crossed.sort()
            for a, b in zip(crossed[::2], crossed[1::2], strict=True):
                self.line(a, b, layer="DIM")
            at += step

    def save(self, folder: Path, name: str) -> list[Path]:
        """Write `name`.dxf, .pdf, .svg and .png into `folder`, without any date, and return their paths."""
        from hardware.drawing.dxf import write_dxf
        from hardware.drawing.pages import pages_of, whole_of
        from hardware.drawing.paper import write_pdf, write_png

        folder.mkdir(parents=True, exist_ok=True)
        paths = [folder / f"{name}.{suffix}" for suffix in ("dxf", "pdf", "svg", "png")]
        svg = self.svg()
        write_dxf(self, paths[0])
        write_pdf(self, pages_of(self), paths[1], svg)
        paths[2].write_text(svg, encoding="utf-8")
        write_png(self, whole_of(self), paths[3], svg)
        return paths

    def svg(self) -> str:
        """Return the drawing as SVG, on one page."""
        from hardware.drawing.pages import whole_of
        from hardware.drawing.paper import svg_of

        return svg_of(whole_of(self))

    def _known(self, layer: str) -> str:
        if layer not in LAYERS:
            raise ValueError(f"sheet {self.number}: layer {layer!r}: there are {', '.join(LAYERS)}.")
        return layer

    def _legible(self, text: str) -> str:
        if letter := lacking(text):
            raise ValueError(f"sheet {self.number}: {text!r}: the letters of the drawings lack {letter!r}.")
        return text
