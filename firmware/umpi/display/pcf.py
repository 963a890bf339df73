"""Bitmap fonts in X11's Portable Compiled Format, read without a library.

The format has a table of contents; each table begins with its own format: the order of its bytes and bits, and how rows
are padded (as documented for FontForge, and as X.Org's libXfont reads it).
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from umpi.display.picture import Picture

MAGIC = b"\1fcp"
ACCELERATORS, METRICS, BITMAPS, ENCODINGS = 1 << 1, 1 << 2, 1 << 3, 1 << 5
NONE = 0xFFFF  # in place of a glyph's number: the font lacks the letter


class Glyph(NamedTuple):
    """A letter: the dots to the next one, where its picture lies in its cell, and the picture."""

    advance: int
    left: int
    top: int
    picture: Picture


class _Table(NamedTuple):
    """A table: its format, the order of its bytes as `struct` writes it, and where its contents begin."""

    form: int
    order: str
    start: int


class Face:
    """The glyphs of a font. A glyph is read when its letter is first drawn: a font has a thousand and more.

    Raises ValueError if the data is not a font.
    """

    def __init__(self, data: bytes) -> None:
        if data[:4] != MAGIC:
            raise ValueError(f"expected a PCF font, which begins with {MAGIC!r}; got {data[:4]!r}")
        self._data = data
        (count,) = struct.unpack_from("<I", data, 4)
        entries = (struct.unpack_from("<4I", data, 8 + 16 * number) for number in range(count))
        places = {kind: offset for kind, _, _, offset in entries}
        accelerators, self._metrics, self._bitmaps, self._encodings = (
            self._table(places[kind]) for kind in (ACCELERATORS, METRICS, BITMAPS, ENCODINGS)
        )
        (self._ascent,) = struct.unpack_from(f"{accelerators.order}i", data, accelerators.start + 8)
        form = self._bitmaps.form
        if form >> 4 & 3 and bool(form & 8) != bool(form & 4):
            raise ValueError(f"bitmaps of format {form:#x}: bits and bytes in different orders are not read")
        self._glyphs: dict[str, Glyph] = {}

    def glyph(self, letter: str) -> Glyph:
        """Return the glyph of a letter, or the one that stands for all letters that the font lacks."""
        if letter not in self._glyphs:
            self._glyphs[letter] = self._read(self._number(ord(letter)))
        return self._glyphs[letter]

    def _table(self, offset: int) -> _Table:
        (form,) = struct.unpack_from("<I", self._data, offset)
        return _Table(form, ">" if form & 4 else "<", offset + 4)

    def _number(self, code: int) -> int:
        """Return the number of a letter's glyph by its code point."""
        _, order, start = self._encodings
        low, high, top, bottom, default = struct.unpack_from(f"{order}5H", self._data, start)
        for each in (code, default):
            row, column = each >> 8, each & 0xFF
            if top <= row <= bottom and low <= column <= high:
                place = start + 10 + 2 * ((row - top) * (high - low + 1) + column - low)
                (number,) = struct.unpack_from(f"{order}H", self._data, place)
                if number != NONE:
                    return int(number)
        return 0

    def _edges(self, number: int) -> tuple[int, ...]:
        """Return the left and right edge, advance, ascent and descent of a glyph in dots."""
        form, order, start = self._metrics
        if form & 0x100:  # compressed: bytes with 128 added
            return tuple(byte - 128 for byte in self._data[start + 2 + 5 * number : start + 7 + 5 * number])
        return struct.unpack_from(f"{order}5h", self._data, start + 4 + 12 * number)

    def _read(self, number: int) -> Glyph:
        form, order, start = self._bitmaps
        (count,) = struct.unpack_from(f"{order}I", self._data, start)
        (offset,) = struct.unpack_from(f"{order}I", self._data, start + 4 + 4 * number)
        first = start + 4 + 4 * count + 16 + offset  # after the sizes of all bitmaps under each padding
        left, right, advance, up, down = self._edges(number)
        width, pad = right - left, 8 << (form & 3)
        length = -(-width // pad) * pad // 8
        picture = Picture(width, up + down)
        for y in range(picture.height):
            row = self._data[first + y * length : first + (y + 1) * length]
            if not form & 8:  # the first dot is in the lowest bit
                row = bytes(int(f"{byte:08b}"[::-1], 2) for byte in row)
            picture.rows[y] = int.from_bytes(row, "big") >> (8 * length - width)
        return Glyph(advance, left, self._ascent - up, picture)
