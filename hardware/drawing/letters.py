"""The letters of the drawings: DejaVu Sans, narrowed, embedded in each PDF so that every printer has them."""

from __future__ import annotations

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from hardware.drawing.fonts import font_file

PLAIN, BOLD = "DejaVuSans", "DejaVuSans-Bold"  # matplotlib brings them; Bitstream Vera licence
CAPITAL = 0.729  # height of a capital, by the size of the font
NARROW = 0.88  # DejaVu is a wide font

for _font in (PLAIN, BOLD):
    if _font not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(_font, font_file(_font)))


def width_mm(text: str, height_mm: float, bold: bool = False) -> float:
    """Return the length of words whose capitals are so high."""
    return float(pdfmetrics.stringWidth(text, BOLD if bold else PLAIN, height_mm / CAPITAL)) * NARROW


def lacking(text: str) -> str:
    """Return the first letter that the font does not have, or nothing."""
    known = pdfmetrics.getFont(PLAIN).face.charToGlyph
    return next((letter for letter in text if letter != "\n" and ord(letter) not in known), "")
