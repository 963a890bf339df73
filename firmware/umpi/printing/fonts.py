"""Fonts of the pages: reportlab's own, or DejaVu if a text has letters that reportlab's font lacks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

PLAIN, BOLD = "Umpi", "Umpi-Bold"  # our names of the fonts
VERA = ("Vera.ttf", "VeraBd.ttf")  # reportlab contains them; they lack some Hungarian letters
DEJAVU = Path("/usr/share/fonts/truetype/dejavu")  # the same design with more letters, in Debian's fonts-dejavu-core

SHOWN = 10  # letters that an error names


class MissingFont(Exception):
    """Report that no font on this computer has all letters of the text."""


def register_fonts(letters: Iterable[str] = ()) -> tuple[str, ...]:
    """Register the first pair of fonts that has all letters, and return its files; raises MissingFont."""
    needed = {ord(letter) for letter in letters if letter.isprintable()}
    missing, remedy = set[int](), ""
    for names in (VERA, tuple(str(DEJAVU / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))):
        try:
            fonts = [TTFont(font, name) for font, name in zip((PLAIN, BOLD), names, strict=True)]
        except TTFError:
            remedy = " Install DejaVu: sudo apt install fonts-dejavu-core"
            continue
        missing = {letter for font in fonts for letter in needed - font.face.charToGlyph.keys()}
        if not missing:
            for font in fonts:
                pdfmetrics.registerFont(font)
                pdfmetrics._fonts[font.fontName] = font  # registerFont keeps the earlier font of a name
            return names
    shown = " ".join(map(chr, sorted(missing)[:SHOWN]))
    raise MissingFont(f"No font has all letters of the text. Missing: {shown}.{remedy}")
