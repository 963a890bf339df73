"""The codes of cards to a PDF of stickers for their sleeves: a QR code each, the word below, marks to cut along."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

import segno
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

PAPERS = {"a4": A4, "letter": LETTER}
RIM = 4  # white dots around a code (ISO/IEC 18004, 9.1)
WORD_MM = 4.0  # the strip below the code
MARGIN_MM = 12.0
MARK_MM = 1.2  # an arm of a cut mark
FONT = "Vera"  # which comes with reportlab, and is put into the file: print shops ask for that
LARGEST_PT = 6.5


class LabelSheet(NamedTuple):
    """How stickers lie on a page: `size` is the side of a code in mm, its white rim included."""

    paper: tuple[float, float]
    size: int

    @property
    def columns(self) -> int:
        """How many lie beside each other."""
        return int((self.paper[0] - 2 * MARGIN_MM * mm) // (self.size * mm))

    @property
    def rows(self) -> int:
        """How many lie below each other."""
        return int((self.paper[1] - 2 * MARGIN_MM * mm) // ((self.size + WORD_MM) * mm))

    def corner(self, column: int, row: int) -> tuple[float, float]:
        """Where the upper left corner of a sticker is, in points from the lower left of the page."""
        left = (self.paper[0] - self.columns * self.size * mm) / 2
        return left + column * self.size * mm, self.paper[1] - (MARGIN_MM + row * (self.size + WORD_MM)) * mm


def write_sheet(file: str, title: str, codes: Sequence[tuple[str, str]], paper: str, size: int) -> int:
    """Write a PDF of stickers, a code and its word each; returns how many pages. Raises OSError."""
    sheet = LabelSheet(PAPERS[paper], size)
    pdfmetrics.registerFont(TTFont(FONT, f"{FONT}.ttf"))
    canvas = Canvas(file, pagesize=sheet.paper, invariant=1)
    canvas.setTitle(f"{title}: stickers")
    a_page = sheet.columns * sheet.rows
    pages = [codes[first : first + a_page] for first in range(0, len(codes), a_page)]
    for number, page in enumerate(pages, 1):
        canvas.setFont(FONT, 6)
        told = f"{title}: {len(codes)} stickers, page {number} of {len(pages)}. Print at 100 %: {size} mm wide."
        canvas.drawString(MARGIN_MM * mm, (MARGIN_MM - 5) * mm, _in_font(told))
        for index, (code, word) in enumerate(page):
            _sticker(canvas, sheet, *sheet.corner(index % sheet.columns, index // sheet.columns), code, word)
        _cut_marks(canvas, sheet, len(page))
        canvas.showPage()
    canvas.save()
    return len(pages)


def _sticker(canvas: Any, sheet: LabelSheet, x: float, y: float, code: str, word: str) -> None:
    side = sheet.size * mm
    matrix = segno.make_qr(code, error="m").matrix
    dot = side / (len(matrix) + 2 * RIM)
    dots = canvas.beginPath()  # one shape, so that no seam shows between dots
    for row, modules in enumerate(matrix):
        for dark, run in groupby(range(len(modules)), modules.__getitem__):
            first, *others = run
            if dark:
                dots.rect(x + (RIM + first) * dot, y - (RIM + row + 1) * dot, (1 + len(others)) * dot, dot)
    canvas.drawPath(dots, stroke=0, fill=1)
    lines, points = _lettered(_in_font(word), 0.92 * side)
    canvas.setFont(FONT, points)
    for number, line in enumerate(lines):  # below the code's white rim, without which it cannot be read
        canvas.drawCentredString(x + side / 2, y - side - (number + 0.78) * points, line)


def _lettered(word: str, width: float) -> tuple[list[str], float]:
    """Letter a word as large as the width lets it be, on two lines where that is larger."""
    ways = [[word]] + [[word[: at + 1], word[at + 1 :]] for at, letter in enumerate(word) if letter == "-"]
    sized = []
    for lines in ways:
        widest = max(pdfmetrics.stringWidth(line, FONT, 1) for line in lines)
        sized.append((min(width / max(widest, 0.1), LARGEST_PT / len(lines) ** 0.4), lines))
    points, lines = max(sized, key=lambda way: way[0])
    return lines, points


def _in_font(text: str) -> str:
    """Leave the accent of a letter out that the font has not; the code bears the word as it is."""
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
