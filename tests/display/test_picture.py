"""Pictures and fonts draw the same dots as Pillow and FreeType, which share none of their code."""

from __future__ import annotations

import gzip
import struct
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from umpi.display.digits import draw
from umpi.display.lettering import FOLDER, FONTS, Font
from umpi.display.pcf import Face
from umpi.display.picture import Picture

places, lengths, inks = st.integers(-9, 29), st.integers(1, 40), st.integers(0, 1)
small = st.tuples(st.integers(1, 19), st.integers(1, 9))


def noise(size: tuple[int, int], seed: int) -> tuple[Picture, Image.Image]:
    """The same dots as a picture and as one of Pillow."""
    picture, image = Picture(*size), Image.new("1", size)
    for place in range(size[0] * size[1]):
        if seed >> (place % 61) & 1:
            x, y = place % size[0], place // size[0]
            picture.fill(x, y, 1, 1)
            image.putpixel((x, y), 1)
    return picture, image


@given(small, st.integers(0, 2**61), small, st.integers(0, 2**61), places, places, lengths, lengths, inks)
def test_every_act_draws_as_pillow_does(
    size: tuple[int, int], seed: int, other_size: tuple[int, int], other_seed: int,
    x: int, y: int, width: int, height: int, ink: int,
) -> None:  # fmt: skip
    stamp, mask = noise(other_size, other_seed)

    def same(picture: Picture, image: Image.Image) -> None:
        assert picture.tobytes() == image.tobytes()

    picture, image = noise(size, seed)
    same(picture, image)
    picture.fill(x, y, width, height, ink)
    ImageDraw.Draw(image).rectangle((x, y, x + width - 1, y + height - 1), fill=ink)
    same(picture, image)
    picture.frame(x - 1, y, width + 1, height + 1)  # Pillow lights a dot below a frame that is one dot high
    ImageDraw.Draw(image).rectangle((x - 1, y, x + width - 1, y + height), outline=1)
    same(picture, image)
    picture.stamp(stamp, x, y, ink)
    ImageDraw.Draw(image).bitmap((x, y), mask, fill=ink)
    same(picture, image)
    picture.paste(stamp, y, x)
    image.paste(mask, (y, x))
    same(picture, image)
    box = (x, y, x + width, y + height)
    same(picture.crop(box), image.crop(box))
    assert [picture.dot(0, 0), picture.dot(size[0] - 1, size[1] - 1)] == [
        bool(image.getpixel((0, 0))), bool(image.getpixel((size[0] - 1, size[1] - 1))),
    ]  # fmt: skip


def test_a_dot_outside_is_refused_and_a_copy_is_a_picture_of_its_own() -> None:
    picture = Picture(3, 2, 1)
    for outside in ((3, 0), (-1, 0), (0, 2), (0, -1)):
        with pytest.raises(IndexError, match="of a picture of 3 × 2"):
            picture.dot(*outside)
    copy = picture.copy()
    copy.fill(0, 0, 1, 1, 0)
    assert picture == Picture(3, 2, 1) != copy


@pytest.mark.parametrize("font", FONTS, ids=lambda font: font.file)
def test_each_letter_lies_where_freetype_puts_it(font: Font) -> None:
    """Also the one that stands for all letters that the font lacks."""
    data = gzip.decompress((FOLDER / font.file).read_bytes())
    face, other = Face(data), ImageFont.truetype(BytesIO(data), font.height, layout_engine=ImageFont.Layout.BASIC)
    for letter in [*map(chr, range(32, 0x500)), *"–—‘’“”…→←↑↓☺✓🎲"]:
        glyph = face.glyph(letter)
        picture, image = Picture(20, 20), Image.new("1", (20, 20))
        picture.stamp(glyph.picture, glyph.left + 3, glyph.top)
        pen = ImageDraw.Draw(image)
        pen.fontmode = "1"
        pen.text((3, 0), letter, font=other, fill=1)
        assert picture.tobytes() == image.tobytes(), letter
        assert glyph.advance == other.getlength(letter), letter


@pytest.mark.parametrize("wide", range(6, 60))
def test_the_flag_of_a_large_one_is_the_polygon_that_pillow_draws(wide: int) -> None:
    high, thick = 2 * wide, max(2, wide // 4)
    stem = (wide - thick) // 2 + thick // 2
    picture, image = Picture(wide, high), Image.new("1", (wide, high))
    draw(picture, 0, 0, "1", wide, high)
    pen = ImageDraw.Draw(image)
    pen.rectangle((stem, 0, stem + thick - 1, high - 1), fill=1)
    pen.polygon([(stem, 0), (stem - thick, thick), (stem - thick, 2 * thick - 1), (stem, thick)], 1)
    assert picture.tobytes() == image.tobytes()


def test_what_is_no_font_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a PCF font"):
        Face(b"\x7fELF....")
    whole = gzip.decompress((FOLDER / "4x6.pcf.gz").read_bytes())
    count = struct.unpack_from("<I", whole, 4)[0]
    (at,) = [struct.unpack_from("<4I", whole, 8 + 16 * n)[3] for n in range(count) if whole[8 + 16 * n] == 8]
    mixed = bytearray(whole)
    mixed[at : at + 4] = struct.pack("<I", 0x18)  # bits from the high end, bytes from the low end, in units of two
    with pytest.raises(ValueError, match="different orders"):
        Face(bytes(mixed))
