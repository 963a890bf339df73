"""Pages: the sizes of paper, the room on a page, and the foot of a sheet with a ruler that checks the scale."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm

from umpi.i18n.translate import tr
from umpi.kernel.printable import Label, Point
from umpi.printing.pen import LARGE, Pen

PAPERS = {"a4": A4, "letter": LETTER}  # width and height in points
MARGIN = 10.0  # mm; most printers leave a part of it empty
FOOT = 12.0  # mm, the height of the foot
LINE = 0.2  # mm, room for half of a line at the edge
RULER = 100  # mm


class Page(NamedTuple):
    """A page: its title, whether it is landscape, what draws on it, and whether it is in large print.

    A page `to_read` needs no scale, so its foot has no ruler. `draw` gets a pen whose points count from the upper left
    corner of the room of the page.
    """

    title: str
    wide: bool
    draw: Callable[[Pen], None]
    large: bool = False
    to_read: bool = False


def write_document(file: str, document: bytes, replace: bool) -> None:
    """Write a whole document. Raises OSError, and FileExistsError if the file exists and may not be replaced."""
    with open(file, "wb" if replace else "xb") as out:
        out.write(document)


def paper_of(paper: str, wide: bool) -> Point:
    """Return the width and height of a page in points."""
    short, long = PAPERS[paper]
    return (long, short) if wide else (short, long)


def room_of(paper: str, wide: bool) -> Point:
    """Return the width and height in mm of the room between the margins and above the foot."""
    across, high = paper_of(paper, wide)
    return across / mm - 2 * MARGIN - 2 * LINE, high / mm - 2 * MARGIN - FOOT - 2 * LINE


def draw_page(pen: Pen, page: Page, number: int, count: int) -> None:
    """Draw a page and its foot."""
    with pen.moved((MARGIN + LINE, MARGIN + LINE)):
        page.draw(pen)
    across, high = pen.size
    with pen.moved((MARGIN, high - MARGIN - FOOT)):
        if page.large:
            text = tr("Page {number} of {count}.", number=number, count=count)
            pen.label(Label((across - 2 * MARGIN, 9.5), text, LARGE, across - 2 * MARGIN, "right"))
            return
        left, right = RULER + 8, across - 2 * MARGIN
        pen.label(Label((right, 6.5), page.title, 8, right - left, "right", bold=True))
        pages: str = tr("Page {number} of {count}.", number=number, count=count)
        if not page.to_read:
            _ruler(pen)
            pages += " " + tr("Print at 100 %. The ruler is {length} mm long.", length=RULER)
        pen.label(Label((right, 10.5), pages, 7, right - left, "right"))


def _ruler(pen: Pen) -> None:
    base = 10.5
    pen.line((0.1, base), (RULER, base))
    for tick in range(0, RULER + 1, 5):
        high = 3.5 if tick % 50 == 0 else 2.5 if tick % 10 == 0 else 1.3
        pen.line((min(max(tick, 0.1), RULER), base), (min(max(tick, 0.1), RULER), base - high))
    for tick in (0, 50, RULER):
        text = f"{tick} mm" if tick else "0"
        pen.label(Label((tick, 6.2), text, 6.5, 0, "centre" if tick else "left"))
