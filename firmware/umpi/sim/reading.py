"""Finds rendered text in a picture: the dots of each font are looked for, light on dark and dark on light."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

from umpi.panel.lettering import FONTS, Font


def reads(picture: Image.Image, text: str) -> bool:
    """Tell whether `text` stands somewhere in `picture`, in any of the panel's fonts."""
    width, height = picture.size
    rows = _rows(picture)
    full = (1 << width) - 1
    for ink in (rows, [row ^ full for row in rows]):
        for font in FONTS:
            if font.measure(text) <= width + font.width and _found(ink, _letters(font, text), width, height):
                return True
    return False


def drawn(picture: Image.Image) -> str:
    """Draw a picture with letters, two rows of dots to a line, for a message."""
    width, height = picture.size
    dot = picture.convert("1").load()
    assert dot
    lines = []
    for y in range(0, height, 2):
        pairs = ((bool(dot[x, y]), bool(dot[x, y + 1])) for x in range(width))
        lines.append("".join(" ▀▄█"[upper + 2 * lower] for upper, lower in pairs).rstrip())
    return "\n".join(lines)


@lru_cache(maxsize=512)
def _letters(font: Font, text: str) -> tuple[tuple[int, ...], int]:
    """The dots of a text: a number a row, the leftmost dot the highest bit; its width.

    Empty margins left and right are cut, those above and below are kept: an accent over a letter is another letter.
    """
    image = Image.new("1", (font.measure(text), font.height))
    font.draw(ImageDraw.Draw(image), 0, 0, text)
    box = image.getbbox()
    if box is None:
        return (), 0
    image = image.crop((box[0], 0, box[2], font.height))
    return tuple(_rows(image)), image.width


def _found(rows: list[int], letters: tuple[tuple[int, ...], int], width: int, height: int) -> bool:
    """Look for the letters at every place; a dot beside them is nobody's business, one between them is a fault."""
    wanted, wide = letters
    mask = (1 << wide) - 1
    for top in range(height - len(wanted) + 1):
        for shift in range(width - wide + 1):
            if all(rows[top + y] >> shift & mask == row for y, row in enumerate(wanted)):
                return bool(wanted)
    return False


def _rows(image: Image.Image) -> list[int]:
    """A picture as a number a row."""
    width, height = image.size
    stride, spare = (width + 7) // 8, -width % 8
    data = image.convert("1").tobytes()
    return [int.from_bytes(data[y * stride : (y + 1) * stride], "big") >> spare for y in range(height)]
