"""An A4 page with letters of all languages of the box. Lengths are mm, points count from the lower left."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from hardware.drawing.fonts import font_file

WIDTH, HEIGHT = 210.0, 297.0
MARGIN = 14.0
PLAIN, BOLD = "DejaVuSans", "DejaVuSans-Bold"  # matplotlib brings them; reportlab's own lack ő and ű
LEADING = 1.3  # distance of two lines, in sizes of the letters
POINT = 25.4 / 72

Point = tuple[float, float]
Ink = tuple[float, float, float]
BLACK: Ink = (0, 0, 0)


class Page:
    """A4 pages. `save` writes it without a date, so the same page makes the same file."""

    def __init__(self, file: Path, title: str) -> None:
        for font in (PLAIN, BOLD):
            if font not in pdfmetrics.getRegisteredFontNames():
                pdfmetrics.registerFont(TTFont(font, font_file(font)))
        self.file = file
        self._canvas: Any = Canvas(str(file), pagesize=A4, invariant=1)
        self._canvas.setTitle(title)

    def save(self) -> Path:
        """Write the file."""
        self._canvas.showPage()
        self._canvas.save()
        return self.file

    def turn(self) -> None:
        """Begin the next page."""
        self._canvas.showPage()

    def photo(self, low: Point, size: Point, file: Path) -> None:
        """Draw a picture in its colours, as large as fits, in the middle of a field."""
        reader = ImageReader(str(file))
        wide, high = reader.getSize()
        scale = min(size[0] / wide, size[1] / high)
        x, y = (start + (room - scale * side) / 2 for start, room, side in zip(low, size, (wide, high), strict=True))
        self._canvas.drawImage(reader, x * mm, y * mm, scale * wide * mm, scale * high * mm)

    def text(self, at: Point, text: str, size: float = 9, bold: bool = False, ink: Ink = BLACK) -> None:
        """Write a line that starts at `at`, with letters of `size` points."""
        self._letters(size, bold, ink)
        self._canvas.drawString(at[0] * mm, at[1] * mm, text)

    def middle(self, at: Point, text: str, size: float = 9, bold: bool = False, ink: Ink = BLACK) -> None:
        """Write a line centred at `at`."""
        self._letters(size, bold, ink)
        self._canvas.drawCentredString(at[0] * mm, at[1] * mm - 0.36 * size, text)

    def wrapped(self, at: Point, text: str, wide: float, size: float = 9) -> float:
        """Write running text below `at`, `wide` mm wide; return the y below it."""
        x, y = at
        for line in wrap(text, wide, size):
            y -= LEADING * size * POINT
            self.text((x, y), line, size)
        return y

    def line(self, points: Sequence[Point], wide: float = 0.25, dashes: Sequence[float] = ()) -> None:
        """Draw lines from point to point."""
        self._pen(wide, BLACK, dashes)
        path = self._canvas.beginPath()
        path.moveTo(points[0][0] * mm, points[0][1] * mm)
        for x, y in points[1:]:
            path.lineTo(x * mm, y * mm)
        self._canvas.drawPath(path)

    def box(
        self, low: Point, size: Point, fill: Ink | None = None, wide: float = 0.25, dashes: Sequence[float] = ()
    ) -> None:
        """Draw a rectangle from its lower left corner; `wide` 0 draws no edge."""
        self._pen(wide, BLACK, dashes)
        self._canvas.setFillColorRGB(*(fill or BLACK))
        edge, inner = int(wide > 0), int(fill is not None)
        self._canvas.rect(low[0] * mm, low[1] * mm, size[0] * mm, size[1] * mm, stroke=edge, fill=inner)

    def round(self, at: Point, across: float, fill: Ink | None = None, wide: float = 0.25, edge: Ink = BLACK) -> None:
        """Draw a circle."""
        self._pen(wide, edge, ())
        self._canvas.setFillColorRGB(*(fill or BLACK))
        self._canvas.circle(at[0] * mm, at[1] * mm, across / 2 * mm, stroke=int(wide > 0), fill=int(fill is not None))

    def shape(self, points: Sequence[Point], fill: Ink) -> None:
        """Fill a polygon."""
        self._canvas.setFillColorRGB(*fill)
        path = self._canvas.beginPath()
        path.moveTo(points[0][0] * mm, points[0][1] * mm)
        for x, y in points[1:]:
            path.lineTo(x * mm, y * mm)
        path.close()
        self._canvas.drawPath(path, stroke=0, fill=1)

    def picture(self, low: Point, size: Point, picture: Any) -> None:
        """Draw a picture with each of its dots enlarged to a square, so that printers do not blur it."""
        large = picture.convert("L").resize((picture.width * 8, picture.height * 8), 0)
        reader = ImageReader(large)
        self._canvas.drawImage(reader, low[0] * mm, low[1] * mm, size[0] * mm, size[1] * mm)

    def _letters(self, size: float, bold: bool, ink: Ink) -> None:
        self._canvas.setFillColorRGB(*ink)
        self._canvas.setFont(BOLD if bold else PLAIN, size)

    def _pen(self, wide: float, ink: Ink, dashes: Sequence[float]) -> None:
        self._canvas.setLineWidth(wide * mm)
        self._canvas.setStrokeColorRGB(*ink)
        self._canvas.setDash([dash * mm for dash in dashes])


def width_of(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a line in mm."""
    return float(pdfmetrics.stringWidth(text, BOLD if bold else PLAIN, size)) * POINT


def wrap(text: str, wide: float, size: float) -> list[str]:
    """Break running text into lines of at most `wide` mm, at ordinary spaces only."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if width_of(longer, size) <= wide:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
