"""Text to dots: three bitmap fonts of fixed width, with Latin-1 and Latin-2."""

from __future__ import annotations

import unicodedata
from functools import cached_property, lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

FOLDER = Path(__file__).parent / "fonts"


class Font:
    """One font: `width` and `height` of a letter's cell in dots."""

    def __init__(self, file: str, width: int, height: int) -> None:
        self.file, self.width, self.height = file, width, height

    @cached_property
    def _face(self) -> ImageFont.FreeTypeFont:
        return ImageFont.truetype(str(FOLDER / self.file), self.height)

    def measure(self, text: str) -> int:
        """How many dots wide `text` is."""
        return self.width * len(text)

    def fit(self, text: str, width: int) -> str:
        """Shorten `text` to `width` dots, with an ellipsis where it is cut.

        >>> SMALL.fit("Christelle", 40), SMALL.fit("Katy", 40)
        ('Christe…', 'Katy')
        """
        room = width // self.width
        return text if len(text) <= room else text[: max(0, room - 1)] + "…"

    def tail(self, text: str, width: int) -> str:
        """Shorten `text` to the end of it that fits `width` dots.

        >>> SMALL.tail("fire-2 fire-1", 40)
        '… fire-1'
        """
        room = width // self.width
        return text if len(text) <= room else "…" + text[len(text) - max(0, room - 1) :]

    def draw(self, draw: ImageDraw.ImageDraw, x: int, y: int, text: str, ink: int = 1) -> None:
        """Draw `text` with its upper left corner at x, y."""
        if text:
            draw.bitmap((x, y), _rendered(self, text), fill=ink)


@lru_cache(maxsize=1024)
def _rendered(font: Font, text: str) -> Image.Image:
    """The dots of a text, kept: rendering it costs more than all the rest of a picture."""
    text = unicodedata.normalize("NFC", text)
    image = Image.new("1", (font.measure(text), font.height))
    draw = ImageDraw.Draw(image)
    draw.fontmode = "1"
    draw.text((0, 0), text, font=font._face, fill=1)
    return image


TINY = Font("4x6.pcf.gz", 4, 6)
SMALL = Font("5x8.pcf.gz", 5, 8)
NORMAL = Font("6x10.pcf.gz", 6, 10)
FONTS = (TINY, SMALL, NORMAL)
