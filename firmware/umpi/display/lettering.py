"""Bitmap fonts: four fonts of fixed width, with Latin-1, Latin-2 and a few symbols."""

from __future__ import annotations

import gzip
import textwrap
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from umpi.display.pcf import Face
from umpi.display.picture import Picture
from umpi.display.symbols import (
    NORMAL_LETTERS,
    POINTS,
    SMALL_ART,
    SMALL_BEFORE_CAPITALS,
    SMALL_LETTERS,
    TINY_ART,
    TINY_LETTERS,
)

FOLDER = Path(__file__).parent / "fonts"


class Font:
    """Draw text in one font; `width` and `height` are the cell of a letter in dots.

    `art` replaces letters that the font lacks or draws badly. `before_capitals` replaces them before a capital.
    """

    def __init__(
        self,
        file: str,
        width: int,
        height: int,
        art: Mapping[str, str],
        before_capitals: Mapping[str, str] | None = None,
    ) -> None:
        self.file, self.width, self.height, self._art = file, width, height, art
        self._before_capitals = before_capitals or {}

    @cached_property
    def _face(self) -> Face:
        return Face(gzip.decompress((FOLDER / self.file).read_bytes()))

    def measure(self, text: str) -> int:
        """Return the width of `text` in dots."""
        return self.width * len(text)

    def fit(self, text: str, width: int) -> str:
        """Shorten `text` to `width` dots, with an ellipsis if it is cut.

        >>> SMALL.fit("Christelle", 40), SMALL.fit("Katy", 40)
        ('Christe…', 'Katy')
        """
        room = width // self.width
        return text if len(text) <= room else text[: max(0, room - 1)] + "…"

    def apart(self, name: str, names: Sequence[str], width: int) -> str:
        """Shorten a name to `width` dots, with an ellipsis unless another of the `names` would then look the same.

        The last letter is then the first one in which those names differ.

        >>> SMALL.apart("Blue", ["Blue", "Red"], 18), SMALL.apart("Blue", ["Blue", "Black"], 12)
        ('Bl…', 'Bu')
        """
        room = max(1, width // self.width)
        alike = [other for other in names if other != name and other[: room - 1] == name[: room - 1]]
        if len(name) <= room or not alike:
            return self.fit(name, width)
        places = range(room - 1, len(name))
        differs = (at for at in places if all(other[at : at + 1] != name[at] for other in alike))
        return name[: room - 1] + name[next(differs, room - 1)]

    def tail(self, text: str, width: int) -> str:
        """Shorten `text` to the end of it that fits `width` dots.

        >>> SMALL.tail("fire-2 fire-1", 40)
        '… fire-1'
        """
        room = width // self.width
        return text if len(text) <= room else "…" + text[len(text) - max(0, room - 1) :]

    def wrap(self, text: str, width: int) -> list[str]:
        """Break running text into lines of `width` dots.

        >>> NORMAL.wrap("Too close to call.", 64)
        ['Too close', 'to call.']
        """
        room = width // self.width
        return [line for part in text.split("\n") for line in textwrap.wrap(part, room, break_on_hyphens=False) or [""]]

    def draw(self, picture: Picture, x: int, y: int, text: str, ink: int = 1) -> None:
        """Draw `text` with its upper left corner at x, y."""
        if text:
            picture.stamp(_rendered(self, text), x, y, ink)

    def render(self, text: str) -> Picture:
        """Return the dots of a text."""
        text = unicodedata.normalize("NFC", text)
        picture = Picture(self.measure(text), self.height)
        for index, letter in enumerate(text):
            if letter not in self._art:
                glyph = self._face.glyph(letter)
                picture.stamp(glyph.picture, index * self.width + glyph.left, glyph.top)
                continue
            art = self._art.get(letter, "")
            if text[index + 1 : index + 2].isupper():
                art = self._before_capitals.get(letter, art)
            rows = art.split()
            top = (self.height - len(rows)) // 2
            for y, row in enumerate(rows):
                for x, dot in enumerate(row, index * self.width + (self.width - len(row)) // 2):
                    picture.fill(x, top + y, 1, 1, dot == "#")
        return picture


@lru_cache(maxsize=1024)
def _rendered(font: Font, text: str) -> Picture:
    """Return the dots of a text from a cache: rendering costs more than the rest of a picture."""
    return font.render(text)


TINY = Font("4x6.pcf.gz", 4, 6, TINY_ART | TINY_LETTERS)
SMALL = Font("5x8.pcf.gz", 5, 8, SMALL_ART | POINTS | SMALL_LETTERS, SMALL_BEFORE_CAPITALS)
NORMAL = Font("6x10.pcf.gz", 6, 10, SMALL_ART | POINTS | NORMAL_LETTERS)
LARGE = Font("ter-u16b.pcf.gz", 8, 16, SMALL_ART)
FONTS = (TINY, SMALL, NORMAL, LARGE)


def largest(text: str, width: int, *fonts: Font) -> Font:
    """Return the first of `fonts`, the largest first, with room for `text` in one line; the last if none has."""
    return next((font for font in fonts if font.measure(text) <= width), fonts[-1])
