"""QR codes that a phone reads off the panel: dark modules on a lit square (ISO/IEC 18004)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from umpi.display.lettering import NORMAL, SMALL, TINY, largest
from umpi.display.picture import Picture
from umpi.display.sheet import BAR, HEIGHT, LINE, WIDTH, Sheet

if TYPE_CHECKING:  # the page for phones imports it as well, behind the first picture
    import segno

SIDE = 64  # dots, as high as the panel
DOTS = 2  # per module: a phone cannot read smaller modules on a panel of one inch
VERSIONS = (1, 2, 3)  # with 21, 25 and 29 modules: the largest leaves a rim of three dots


@lru_cache(maxsize=8)
def draw_qr(text: str) -> Picture | None:
    """Draw the code of a text: 64 × 64 dots; None if the text is longer than 53 bytes.

    The code has the smallest version with enough room, and in it the strongest correction.
    """
    code = _code(text)
    if code is None:
        return None
    count = len(code.matrix)
    start = (SIDE - count * DOTS) // 2
    picture = Picture(SIDE, SIDE, 1)
    for row, modules in enumerate(code.matrix):
        for column, dark in enumerate(modules):
            if dark:
                picture.fill(start + column * DOTS, start + row * DOTS, DOTS, DOTS, 0)
    return picture


def _code(text: str) -> segno.QRCode | None:
    import segno

    for version in VERSIONS:
        try:
            return segno.make_qr(text, version=version, error="l", boost_error=True)
        except segno.DataOverflowError:
            continue
    return None


def title_beside(sheet: Sheet, qr: Picture, title: str) -> None:
    """Draw a QR code on the left, and a title to its right."""
    sheet.image.paste(qr)
    sheet.fill(SIDE, 0, WIDTH - SIDE, BAR)
    left = SIDE + 2
    room = sheet.warn() - left
    font = largest(title, room, NORMAL, SMALL)
    sheet.text(left, (BAR - font.height) // 2, title, font, room, 0)


def write_beside(sheet: Sheet, text: str, top: int) -> None:
    """Write running text to the right of a QR code, in the largest letters that have room."""
    room, high = WIDTH - SIDE - 2, HEIGHT - LINE - top
    fonts = (NORMAL, SMALL, TINY)
    fits = (font for font in fonts if all(font.measure(word) <= room for word in text.split()))
    font = next((font for font in fits if len(font.wrap(text, room)) * font.height <= high), TINY)
    for row, line in enumerate(font.wrap(text, room)):
        sheet.text(SIDE + 2, top + row * font.height, line, font)
