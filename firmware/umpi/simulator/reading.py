"""Recognition of text in a picture: it looks for the dots of each font, light on dark and dark on light."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, compress, zip_longest

from PIL import Image

from umpi.display import digits
from umpi.display.lettering import FONTS, Font
from umpi.display.picture import Picture
from umpi.frozen import frozen

Dots = tuple[int, int]  # the dark dots of a picture and the lit ones, each as one number
STRIDE = 256  # dots per row of a picture as one number; wide enough that a shift cannot wrap into the next row
PROBES = 16  # lit dots, and dark ones, that exclude most places before a place is compared dot by dot
INVERSE = bytes(reversed(range(256)))


def reads(picture: Image.Image | Picture, text: str) -> bool:
    """Return whether `picture` contains `text`.

    The text may be in any font of the panel, and continue at the start of the next line. A number may be in large
    digits.
    """
    image = _image(picture)
    inks = image, image.point(lambda dot: not dot)
    lit, dark = map(_dots, inks)
    for ink, dots in ((inks[0], (dark, lit)), (inks[1], (lit, dark))):
        if any(_runs(ink, dots, font, text.split(" ")) for font in FONTS):
            return True
        if any(any(_places(ink, dots, number)) for number in _numbers(text, ink.size)):
            return True
    return False


def drawn(picture: Image.Image | Picture) -> str:
    """Return a picture drawn with characters, two rows of dots per line, for a message."""
    width, height = picture.size
    dot = _image(picture).load()
    assert dot
    lines = []
    for y in range(0, height, 2):
        pairs = ((bool(dot[x, y]), bool(dot[x, y + 1])) for x in range(width))
        lines.append("".join(" ▀▄█"[upper + 2 * lower] for upper, lower in pairs).rstrip())
    return "\n".join(lines)


def image_of(picture: Picture) -> Image.Image:
    """Return a picture of the box as Pillow's, 1 bit per dot, so that it can be measured or written to a file."""
    return Image.frombytes("1", picture.size, picture.tobytes())


def _image(picture: Image.Image | Picture) -> Image.Image:
    return image_of(picture) if isinstance(picture, Picture) else picture.convert("1")


def _runs(ink: Image.Image, dots: Dots, font: Font, words: Sequence[str], line: int | None = None) -> bool:
    """Return whether the words are on one line, or broken over several.

    `line` is the y coordinate of the line in which they must begin, if given.
    """
    for many in range(len(words), 0, -1):
        letters = _letters(font, " ".join(words[:many]))
        for x, y in _places(ink, dots, letters):
            end, below = x + letters.width, y + font.height
            begins = line is None or (y == line and _empty(ink, 0, y, x, below))
            goes_on = many < len(words) and _empty(ink, end, y, ink.width, below)
            if begins and (many == len(words) or (goes_on and _runs(ink, dots, font, words[many:], below))):
                return True
    return False


def _empty(ink: Image.Image, left: int, top: int, right: int, bottom: int) -> bool:
    return left >= right or ink.crop((left, top, right, bottom)).getbbox() is None


@frozen
class _Shape:
    """A pattern: its picture, and the offsets from its upper left dot of some lit and dark dots."""

    width: int
    height: int
    picture: bytes
    probes: tuple[tuple[int, bool], ...]


@lru_cache(maxsize=4096)
def _letters(font: Font, text: str) -> _Shape:
    """Return the dots of a text.

    Empty margins at the left and right are cut. Those above and below remain, because an accent above a letter makes
    another letter.
    """
    picture = Picture(font.measure(text) or 1, font.height)
    font.draw(picture, 0, 0, text)
    image = image_of(picture)
    box = image.getbbox()
    return _shape(image.crop((box[0], 0, box[2], font.height) if box else (0, 0, 0, font.height)))


@lru_cache(maxsize=64)
def _numbers(text: str, size: tuple[int, int]) -> Sequence[_Shape]:
    """Return the shapes of a number in large digits, one for each size that the panel draws, smallest first."""
    if not text or not digits.size(text, *size):
        return []
    return [_number(text, *each) for each in _sizes(len(text), size)]


@lru_cache
def _sizes(letters: int, size: tuple[int, int]) -> Sequence[tuple[int, int]]:
    """Return the sizes of a digit in numbers of so many, smallest first."""
    rooms = ((width, height) for width in range(size[0]) for height in range(size[1] + 1))
    found = (digits.size("8" * letters, *room) for room in rooms)
    return sorted({each for each in found if each})


def _number(text: str, wide: int, high: int) -> _Shape:
    """Return the dots of a number in large digits with a dark margin at both sides.

    The margin prevents a match with a part of a digit.
    """
    picture = Picture(digits.measure(text, wide) + 2, high)
    digits.draw(picture, 1, 0, text, wide, high)
    return _shape(image_of(picture))


def _shape(image: Image.Image) -> _Shape:
    dots = image.convert("L").tobytes()
    lit, dark = (list(compress(range(len(dots)), ink)) for ink in (dots, dots.translate(INVERSE)))
    spread = (each[:: len(each) // PROBES + 1] for each in (lit, dark))
    pairs = chain.from_iterable(zip_longest(*spread))
    places = [place for place in pairs if place is not None] if lit else []
    offsets = tuple((place // image.width * STRIDE + place % image.width, dots[place] > 0) for place in places)
    return _Shape(*image.size, image.tobytes(), offsets)


def _places(ink: Image.Image, dots: Dots, shape: _Shape) -> Iterator[tuple[int, int]]:
    """Yield the places of a shape. Dots around it may differ, dots inside it must match."""
    width, height = ink.width - shape.width + 1, ink.height - shape.height + 1
    if not shape.probes or width < 1 or height < 1:
        return
    found = _corner(ink.size, width, height)
    for shift, lit in shape.probes:
        found &= dots[lit] << shift
        if not found:
            return
    last = STRIDE * ink.height - 1
    while found:
        place = last - found.bit_length() + 1
        found ^= 1 << (last - place)
        y, x = divmod(place, STRIDE)
        if ink.crop((x, y, x + shape.width, y + shape.height)).tobytes() == shape.picture:
            yield x, y


@lru_cache(maxsize=4096)
def _corner(size: tuple[int, int], width: int, height: int) -> int:
    """Return the dots of a picture that is lit in its upper left corner only."""
    where = Image.new("1", size)
    where.paste(1, (0, 0, width, height))
    return _dots(where)


def _dots(image: Image.Image) -> int:
    """Return a picture as one number: dot x of row y is bit y * STRIDE + x, counted from the highest."""
    wide = Image.new("1", (STRIDE, image.height))
    wide.paste(image)
    return int.from_bytes(wide.tobytes(), "big")
