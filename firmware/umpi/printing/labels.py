"""Labels: a PDF of stickers for card sleeves, each with a QR code, the card's name below it, and cut marks."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from io import BytesIO
from itertools import groupby
from typing import Any, NamedTuple

import segno
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from umpi.printing.paper import PAPERS, write_document

RIM = 4  # white dots around a code (ISO/IEC 18004, 9.1)
WORD_MM = 4.0  # the height of the strip below the code
MARGIN_MM = 12.0
MARK_MM = 1.2  # the length of an arm of a cut mark
FONT = "Vera"  # reportlab contains this font and embeds it in the file: print shops require embedded fonts
LARGEST_PT = 6.5


class LabelSheet(NamedTuple):
    """The layout of the stickers on a page.

    `paper` is its width and height in points. `size` is the side of a code in mm, with its white rim.
    """

    paper: tuple[float, float]
    size: int

    @property
    def columns(self) -> int:
        """Return the number of columns of stickers on a page."""
        return int((self.paper[0] - 2 * MARGIN_MM * mm) // (self.size * mm))

    @property
    def rows(self) -> int:
        """Return the number of rows of stickers on a page."""
        return int((self.paper[1] - 2 * MARGIN_MM * mm) // ((self.size + WORD_MM) * mm))

    def corner(self, column: int, row: int) -> tuple[float, float]:
        """Return the upper left corner of a sticker, in points from the lower left of the page."""
        left = (self.paper[0] - self.columns * self.size * mm) / 2
        return left + column * self.size * mm, self.paper[1] - (MARGIN_MM + row * (self.size + WORD_MM)) * mm


def write_sheet(file: str, title: str, codes: Sequence[tuple[str, str]], paper: str, size: int, replace: bool) -> int:
    """Write a PDF with one sticker per code and word, and return the number of pages.

    `size` is the side of a code in mm. Raises OSError if the file cannot be written, FileExistsError if it exists and
    may not be replaced.
    """
    sheet = LabelSheet(PAPERS[paper], size)
    pdfmetrics.registerFont(TTFont(FONT, f"{FONT}.ttf"))
    document = BytesIO()
    canvas = Canvas(document, pagesize=sheet.paper, invariant=1)
    canvas.setTitle(f"{title}: stickers")
    a_page = sheet.columns * sheet.rows
    pages = [codes[first : first + a_page] for first in range(0, len(codes), a_page)]
    for number, page in enumerate(pages, 1):
        canvas.setFont(FONT, 6)
        line = f"{title}: {len(codes)} stickers, page {number} of {len(pages)}. Print at 100 %: {size} mm wide."
        canvas.drawString(MARGIN_MM * mm, (MARGIN_MM - 5) * mm, _in_font(line))
        for index, (code, word) in enumerate(page):
            _sticker(canvas, sheet, *sheet.corner(index % sheet.columns, index // sheet.columns), code, word)
        _cut_marks(canvas, sheet, len(page))
        canvas.showPage()
    canvas.save()
    write_document(file, document.getvalue(), replace)
    return len(pages)


def _sticker(canvas: Any, sheet: LabelSheet, x: float, y: float, code: str, word: str) -> None:
    side = sheet.size * mm
    matrix = segno.make_qr(code, error="m").matrix
    dot = side / (len(matrix) + 2 * RIM)
    dots = canvas.beginPath()  # one path, so that no gap is visible between dots
    for row, modules in enumerate(matrix):
        for dark, run in groupby(range(len(modules)), modules.__getitem__):
            first, *others = run
            if dark:
                dots.rect(x + (RIM + first) * dot, y - (RIM + row + 1) * dot, (1 + len(others)) * dot, dot)
    canvas.drawPath(dots, stroke=0, fill=1)
    lines, points = _lettered(_in_font(word), 0.92 * side)
    canvas.setFont(FONT, points)
    for number, line in enumerate(lines):  # below the white rim, because a scanner needs the rim
        canvas.drawCentredString(x + side / 2, y - side - (number + 0.78) * points, line)


def _lettered(word: str, width: float) -> tuple[list[str], float]:
    """Return the lines of a word and its font size in points, as large as `width` (in points) allows.

    A word with a dash takes two lines if that gives a larger font.
    """
    ways = [[word]] + [[word[: at + 1], word[at + 1 :]] for at, letter in enumerate(word) if letter == "-"]
    sized = []
    for lines in ways:
        widest = max(pdfmetrics.stringWidth(line, FONT, 1) for line in lines)
        sized.append((min(width / max(widest, 0.1), LARGEST_PT / len(lines) ** 0.4), lines))
    points, lines = max(sized, key=lambda way: way[0])
    return lines, points


def _in_font(text: str) -> str:
    """Return the text without accents that the font does not contain; the code keeps the text unchanged."""
    known = pdfmetrics.getFont(FONT).face.charToGlyph
    return "".join(letter if ord(letter) in known else unicodedata.normalize("NFD", letter)[0] for letter in text)


def _cut_marks(canvas: Any, sheet: LabelSheet, count: int) -> None:
    """Draw a small cross at each corner of each sticker."""
    corners = set()
    for index in range(count):
        column, row = index % sheet.columns, index // sheet.columns
        corners |= {(column + right, row + below) for right in (0, 1) for below in (0, 1)}
    canvas.setLineWidth(0.25)
    arm = MARK_MM * mm
    for column, row in sorted(corners):
        x, y = sheet.corner(column, row)
        canvas.line(x - arm, y, x + arm, y)
        canvas.line(x, y - arm, x, y + arm)
