"""Recognition of text in a picture: it looks for the dots of each font, light on dark and dark on light."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw

from umpi.display import digits
from umpi.display.lettering import FONTS, Font

STRIDE = 256  # dots per row of a picture as one number; wide enough that a shift cannot wrap into the next row


def reads(picture: Image.Image, text: str) -> bool:
    """Return whether `picture` contains `text`.

    The text may be in any font of the panel, and continue at the start of the next line. A number may be in large
    digits.
    """
    picture = picture.convert("1")
    for ink in (picture, picture.point(lambda dot: not dot)):
        dots = _dots(ink)
        if any(_runs(ink, dots, font, text.split(" ")) for font in FONTS):
            return True
        if any(any(_places(ink.size, dots, number)) for number in _numbers(text, ink.size)):
            return True
    return False


def drawn(picture: Image.Image) -> str:
    """Return a picture drawn with characters, two rows of dots per line, for a message."""
    width, height = picture.size
    dot = picture.convert("1").load()
    assert dot
    lines = []
    for y in range(0, height, 2):
        pairs = ((bool(dot[x, y]), bool(dot[x, y + 1])) for x in range(width))
        lines.append("".join(" ▀▄█"[upper + 2 * lower] for upper, lower in pairs).rstrip())
    return "\n".join(lines)


def _runs(ink: Image.Image, dots: int, font: Font, words: Sequence[str], line: int | None = None) -> bool:
    """Return whether the words are on one line, or broken over several.

    `line` is the y coordinate of the line in which they must begin, if given.
    """
    for many in range(len(words), 0, -1):
        letters = _letters(font, " ".join(words[:many]))
        for x, y in _places(ink.size, dots, letters):
            end, below = x + letters.width, y + font.height
            begins = line is None or (y == line and _empty(ink, 0, y, x, below))
            goes_on = many < len(words) and _empty(ink, end, y, ink.width, below)
            if begins and (many == len(words) or (goes_on and _runs(ink, dots, font, words[many:], below))):
                return True
    return False


def _empty(ink: Image.Image, left: int, top: int, right: int, bottom: int) -> bool:
    return left >= right or ink.crop((left, top, right, bottom)).getbbox() is None


@dataclass(frozen=True, slots=True)
class _Shape:
    """The dots of a pattern: offsets from its upper left dot, of the lit dots and of the dark dots between them."""

    width: int
    height: int
    lit: tuple[int, ...]
    dark: tuple[int, ...]


@lru_cache(maxsize=512)
def _letters(font: Font, text: str) -> _Shape:
    """Return the dots of a text.

    Empty margins at the left and right are cut. Those above and below remain, because an accent above a letter makes
    another letter.
    """
    image = Image.new("1", (font.measure(text) or 1, font.height))
    font.draw(ImageDraw.Draw(image), 0, 0, text)
    left, _, right, _ = image.getbbox() or (0, 0, 0, 0)
    return _shape(image.crop((left, 0, right, font.height)))


def _numbers(text: str, size: tuple[int, int]) -> Iterator[_Shape]:
    """Yield a number in large digits in each size that the panel draws, smallest first."""
    if text and digits.size(text, *size):
        rooms = ((width, height) for width in range(size[0]) for height in range(size[1] + 1))
        for each in sorted({there for room in rooms if (there := digits.size(text, *room))}):
            yield _number(text, *each)


@lru_cache(maxsize=1024)
def _number(text: str, wide: int, high: int) -> _Shape:
    """Return the dots of a number in large digits with a dark margin at both sides.

    The margin prevents a match with a part of a digit.
    """
    image = Image.new("1", (digits.measure(text, wide) + 2, high))
    digits.draw(ImageDraw.Draw(image), 1, 0, text, wide, high)
    return _shape(image)


def _shape(image: Image.Image) -> _Shape:
    dots: dict[bool, list[int]] = {True: [], False: []}
    for place, dot in enumerate(image.convert("L").tobytes()):
        dots[dot > 0].append(place // image.width * STRIDE + place % image.width)
    lit, dark = (tuple(sorted(each, key=lambda dot: dot * 7 % 31)) for each in (dots[True], dots[False]))
    return _Shape(image.width, image.height, lit, dark)  # in mixed order, so that a few dots exclude most places


def _places(size: tuple[int, int], dots: int, shape: _Shape) -> Iterator[tuple[int, int]]:
    """Yield the places of a shape. Dots around it may differ, dots inside it must match."""
    width, height = size[0] - shape.width + 1, size[1] - shape.height + 1
    if not shape.lit or width < 1 or height < 1:
        return
    where = Image.new("1", size)
    where.paste(1, (0, 0, width, height))
    found = _dots(where)
    for there, shifts in ((dots, shape.lit), (~dots, shape.dark)):
        for shift in shifts:
            found &= there << shift
            if not found:
                return
    last = STRIDE * size[1] - 1
    while found:
        place = last - found.bit_length() + 1
        found ^= 1 << (last - place)
        yield place % STRIDE, place // STRIDE


def _dots(image: Image.Image) -> int:
    """Return a picture as one number: dot x of row y is bit y * STRIDE + x, counted from the highest."""
    wide = Image.new("1", (STRIDE, image.height))
    wide.paste(image)
    return int.from_bytes(wide.tobytes(), "big")
