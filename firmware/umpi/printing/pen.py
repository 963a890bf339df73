"""A pen on the pages of a PDF: it draws the marks of the kernel. Lengths are mm from the upper left corner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import islice
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics

from umpi.i18n.translate import tr
from umpi.kernel.printable import BLACK, Label, Mark, Outline, Paragraph, Point, SeatMark, box
from umpi.printing.fonts import BOLD, PLAIN
from umpi.printing.seats import seat_marks

SMALLEST = 5.5  # points; smaller letters cannot be read at a table
LARGE = 18.0  # points; the smallest letters of large print
LEADING = 1.35  # distance of two lines, in sizes of the letters


class TooWide(ValueError):
    """Report a text that does not fit into its room in letters that can be read."""


class Pen:
    """Draws on the present page of a canvas, and collects the letters that it has written.

    `paper` is the width and height of the page in points. On a `large` page, smaller letters than LARGE are refused.
    """

    def __init__(self, canvas: Any, paper: tuple[float, float], large: bool = False) -> None:
        self.letters: set[str] = set()
        self._large = large
        self.size = (paper[0] / mm, paper[1] / mm)
        self._canvas = canvas
        canvas.setPageSize(paper)
        canvas.translate(0, paper[1])
        canvas.scale(mm, mm)

    @contextmanager
    def moved(
        self, at: Point, scale: float = 1, window: tuple[Point, Point] | None = None, turn: float = 0
    ) -> Iterator[None]:
        """Draw relative to `at`, enlarged by `scale` and turned by `turn` degrees clockwise.

        Nothing outside `window`, a corner and a size there, is drawn.
        """
        self._canvas.saveState()
        self._canvas.translate(at[0], -at[1])
        self._canvas.scale(scale, scale)
        self._canvas.rotate(-turn)
        if window:
            self._canvas.clipPath(self._path(box(*window[0], *window[1]), (0, 0), 1), stroke=0, fill=0)
        yield
        self._canvas.restoreState()

    def draw(self, marks: Sequence[Mark]) -> None:
        """Draw the marks of a piece."""
        for mark in marks:
            match mark:
                case Outline():
                    self.outline(mark)
                case Label():
                    self.label(mark)
                case Paragraph():
                    self.paragraph(mark)
                case SeatMark():
                    self.draw(seat_marks(mark.seat, mark.at, mark.size))

    def outline(self, mark: Outline) -> None:
        """Draw a shape; raises ValueError if its path cannot be read."""
        self._canvas.setLineWidth(mark.width)
        self._canvas.setLineJoin(1)
        self._canvas.setDash([2 * mark.width + 0.8, 1.2] if mark.dashed else [])
        if mark.fill:
            self._canvas.setFillColor(_colour(mark.fill))
        if mark.pen:
            self._canvas.setStrokeColor(_colour(mark.pen))
        path = self._path(mark.path, mark.at, mark.scale)
        self._canvas.drawPath(path, stroke=int(bool(mark.pen)), fill=int(bool(mark.fill)), fillMode=0)

    def label(self, mark: Label) -> None:
        """Write a line of text in the current language; raises TooWide."""
        text = str(tr(mark.text))
        font, size = (BOLD if mark.bold else PLAIN), mark.size
        wide = width_of(text, size, mark.bold)
        if mark.room and wide > mark.room:
            size *= mark.room / wide
            if size < (LARGE if self._large else min(SMALLEST, mark.size)):
                raise TooWide(f'"{text}" needs {wide:.0f} mm and has {mark.room:.0f} mm.')
            wide = mark.room
        self.letters |= set(text)
        self._canvas.saveState()
        self._canvas.translate(mark.at[0], -mark.at[1])
        self._canvas.rotate(-mark.turn)
        self._canvas.setFillColor(_colour(mark.ink))
        self._canvas.setFont(font, size / mm)
        self._canvas.drawString({"left": 0, "centre": -wide / 2, "right": -wide}[mark.align], 0, text)
        self._canvas.restoreState()

    def paragraph(self, mark: Paragraph) -> None:
        """Write running text into its room; raises TooWide."""
        size = mark.size
        while _height(str(tr(mark.text)), mark.wide, size) > mark.high:
            size -= 0.25
            if size < SMALLEST:
                raise TooWide(f'"{tr(mark.text)}" needs more than {mark.wide:.0f} × {mark.high:.0f} mm.')
        with self.moved(mark.at, turn=mark.turn):
            self.wrapped((0, 0), mark.text, mark.wide, size)

    def wrapped(self, at: Point, text: str, room: float, size: float = 9) -> float:
        """Write running text below `at` in lines of `room` mm, and return the y below it."""
        x, y = at
        for line in lines_of(str(tr(text)), room, size):
            y += LEADING * size / mm
            self.label(Label((x, y), line, size, room))
        return y

    def line(self, start: Point, end: Point, pen: str = BLACK, width: float = 0.2, dashed: bool = False) -> None:
        """Draw a straight line."""
        path = f"M {start[0]} {start[1]} L {end[0]} {end[1]}"
        self.outline(Outline(path, "", pen, width, dashed=dashed))

    def _path(self, path: str, at: Point, scale: float) -> Any:
        made = self._canvas.beginPath()
        words = iter(path.split())

        def points(count: int) -> Iterator[float]:
            numbers = [*map(float, islice(words, 2 * count))]
            if len(numbers) < 2 * count:
                raise ValueError(f'the path "{path}" ends too early.')
            for x, y in zip(numbers[::2], numbers[1::2], strict=True):
                yield at[0] + scale * x
                yield -at[1] - scale * y

        for word in words:
            match word:
                case "M":
                    made.moveTo(*points(1))
                case "L":
                    made.lineTo(*points(1))
                case "C":
                    made.curveTo(*points(3))
                case "Z":
                    made.close()
                case _:
                    raise ValueError(f'"{word}" in a path: expected M, L, C or Z.')
        return made


@cache
def _colour(colour: str) -> HexColor:
    return HexColor(colour)


def lines_of(text: str, room: float, size: float, bold: bool = False) -> list[str]:
    """Divide running text into lines of `room` mm. A word that is wider has a line of its own."""
    lines = [""]
    for word in text.split(" "):  # not at a no-break space
        longer = f"{lines[-1]} {word}".strip()
        if width_of(longer, size, bold) <= room:
            lines[-1] = longer
        elif lines == [""]:
            lines = [word]
        else:
            lines.append(word)
    return lines


def _height(text: str, room: float, size: float) -> float:
    """Return the height of running text in mm."""
    return float(len(lines_of(text, room, size)) * LEADING * size / mm)


def width_of(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a line in mm."""
    return float(pdfmetrics.stringWidth(text, BOLD if bold else PLAIN, size) / mm)
