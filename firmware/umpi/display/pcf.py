"""Bitmap fonts in X11's Portable Compiled Format, read without a library.

The format has a table of contents; each table begins with its own format: the order of its bytes and bits, and how rows
are padded (as documented for FontForge, and as X.Org's libXfont reads it).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Face:
    """The glyphs of a font by the code points of their letters; `missing` stands for all others."""

    glyphs: dict[int, Glyph]
    missing: Glyph

    def glyph(self, letter: str) -> Glyph:
        """Return the glyph of a letter."""
        return self.glyphs.get(ord(letter), self.missing)


class _Table(NamedTuple):
    """A table: its format, the order of its bytes as `struct` writes it, and where its contents begin."""

    form: int
    order: str
    start: int


def read_pcf(data: bytes) -> Face:
    """Read a font. Raises ValueError if the data is not one."""
    if data[:4] != MAGIC:
        raise ValueError(f"expected a PCF font, which begins with {MAGIC!r}; got {data[:4]!r}")
    (count,) = struct.unpack_from("<I", data, 4)
    entries = (struct.unpack_from("<4I", data, 8 + 16 * number) for number in range(count))
    places = {kind: offset for kind, _, _, offset in entries}

    def table(kind: int) -> _Table:
        (form,) = struct.unpack_from("<I", data, places[kind])
        return _Table(form, ">" if form & 4 else "<", places[kind] + 4)

    accelerators = table(ACCELERATORS)
    (ascent,) = struct.unpack_from(f"{accelerators.order}i", data, accelerators.start + 8)
    metrics = _metrics(data, table(METRICS))
    glyphs = _glyphs(data, table(BITMAPS), metrics, ascent)
    numbers, default = _encodings(data, table(ENCODINGS))
    letters = {code: glyphs[number] for code, number in numbers.items() if number != NONE}
    return Face(letters, letters.get(default, glyphs[0]))


def _metrics(data: bytes, table: _Table) -> list[tuple[int, ...]]:
    """Return for each glyph its left and right edge, advance, ascent and descent in dots."""
    form, order, start = table
    if form & 0x100:  # compressed: bytes with 128 added
        (count,) = struct.unpack_from(f"{order}H", data, start)
        return [tuple(byte - 128 for byte in data[start + 2 + 5 * at : start + 7 + 5 * at]) for at in range(count)]
    (count,) = struct.unpack_from(f"{order}I", data, start)
    return [struct.unpack_from(f"{order}5h", data, start + 4 + 12 * at) for at in range(count)]


def _glyphs(data: bytes, table: _Table, metrics: list[tuple[int, ...]], ascent: int) -> list[Glyph]:
    form, order, start = table
    pad, unit, high_first = 8 << (form & 3), 1 << (form >> 4 & 3), bool(form & 8)
    if unit > 1 and high_first != bool(form & 4):
        raise ValueError(f"bitmaps of format {form:#x}: bits and bytes in different orders are not read")
    (count,) = struct.unpack_from(f"{order}I", data, start)
    offsets = struct.unpack_from(f"{order}{count}I", data, start + 4)
    first = start + 4 + 4 * count + 16  # after the sizes of all bitmaps under each padding
    glyphs = []
    for (left, right, advance, up, down), offset in zip(metrics, offsets, strict=True):
        width, height = right - left, up + down
        length = -(-width // pad) * pad // 8
        picture = Picture(width, height)
        for y in range(height):
            row = data[first + offset + y * length :][:length]
            if not high_first:
                row = bytes(int(f"{byte:08b}"[::-1], 2) for byte in row)
            picture.rows[y] = int.from_bytes(row, "big") >> (8 * length - width)
        glyphs.append(Glyph(advance, left, ascent - up, picture))
    return glyphs


def _encodings(data: bytes, table: _Table) -> tuple[dict[int, int], int]:
    """Return the number of each letter's glyph by its code point, and the code point for letters that are missing."""
    _, order, start = table
    low, high, top, bottom, default = struct.unpack_from(f"{order}5H", data, start)
    codes = [row << 8 | column for row in range(top, bottom + 1) for column in range(low, high + 1)]
    return dict(zip(codes, struct.unpack_from(f"{order}{len(codes)}H", data, start + 10), strict=True)), default
