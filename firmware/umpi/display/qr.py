"""A text to a QR code that a phone reads off the panel, dark on a lit square (ISO/IEC 18004)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from PIL import Image

SIDE = 64  # dots, as high as the panel
LEAST = 2  # dots a module: a phone cannot tell smaller ones apart on a panel of an inch
VERSIONS = (1, 2, 3)  # of 21, 25 and 29 modules: the largest leaves a rim of three dots


@lru_cache(maxsize=8)
def draw_qr(text: str) -> Image.Image | None:
    """Draw the code of a text: 64 × 64 dots, 1 bit a dot; None where it is longer than a code so small can bear.

    That is 53 bytes. The smallest version that has room, in it the strongest correction.
    """
    code = _coded(text)
    if code is None:
        return None
    count = code.getModuleCount()
    dots = SIDE // (count + LEAST)
    start = (SIDE - count * dots) // 2
    image = Image.new("1", (SIDE, SIDE), 1)
    for row in range(count):
        for column in range(count):
            if code.isDark(row, column):
                image.paste(0, (start + column * dots, start + row * dots, *_end(start, column, row, dots)))
    return image


def _end(start: int, column: int, row: int, dots: int) -> tuple[int, int]:
    return start + (column + 1) * dots, start + (row + 1) * dots


def _coded(text: str) -> Any:
    from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel  # which takes long to import on a Pi

    for version in VERSIONS:
        for level in (QRErrorCorrectLevel.H, QRErrorCorrectLevel.Q, QRErrorCorrectLevel.M, QRErrorCorrectLevel.L):
            code = QRCode(None, level)
            code.addData(text)
            if code.calculate_version() <= version:
                code.version = version
                code.make()
                return code
    return None
