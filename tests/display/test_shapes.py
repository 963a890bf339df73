"""The seats' marks and the large digits differ from each other at any size, and stay in their cells."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from umpi.display import digits
from umpi.display.marks import mark
from umpi.display.picture import Picture
from umpi.display.sheet import HEIGHT, WIDTH, Sheet
from umpi.simulator.reading import image_of
from umpi.table.seats import SHAPES

SIGNS = "0123456789-+"
SIZES = [(wide, high) for wide in range(6, 41) for high in range(10, 51) if wide * 8 <= high * 5 and high <= wide * 2]


def differing(one: Image.Image, other: Image.Image) -> int:
    return sum(ImageChops.logical_xor(one, other).histogram()[1:])


def digit(sign: str, wide: int, high: int, ink: int = 1) -> Image.Image:
    """A digit in the middle of a sheet of the other ink, three dots of it all round."""
    picture = Picture(wide + 6, high + 6, 1 - ink)
    digits.draw(picture, 3, 3, sign, wide, high, ink)
    return image_of(picture)


def test_any_two_marks_differ_in_many_dots() -> None:
    """They differ in a sixth of the dots or more, for people to whom the buttons' colours look alike."""
    for (size, dots), (one, other) in product(((7, 8), (13, 24)), combinations(range(len(SHAPES)), 2)):
        assert differing(image_of(mark(one, size)), image_of(mark(other, size))) >= dots, (SHAPES[one], SHAPES[other])


def test_any_two_digits_differ_at_every_size() -> None:
    """By two dots at the least sizes; the larger, the more."""
    for size in SIZES:
        drawn = {sign: digit(sign, *size) for sign in SIGNS}
        for one, other in combinations(SIGNS, 2):
            assert differing(drawn[one], drawn[other]) >= size[0] // 3, (one, other, size)


@pytest.mark.parametrize("ink", [0, 1])
def test_a_digit_stays_in_its_cell(ink: int) -> None:
    for wide, high in SIZES:
        for sign in SIGNS:
            image = digit(sign, wide, high, ink)
            ground = Image.new("1", image.size, 1 - ink)
            left, top, right, bottom = ImageChops.logical_xor(image, ground).getbbox() or (0, 0, 0, 0)
            assert left >= 3, (sign, wide, high)
            assert top >= 3, (sign, wide, high)
            assert right <= wide + 3, (sign, wide, high)
            assert bottom <= high + 3, (sign, wide, high)
            if sign.isdigit():
                assert (top, bottom) == (3, high + 3), "digits are of one height"


@settings(deadline=None)
@given(st.text(SIGNS, min_size=1, max_size=8), st.integers(0, WIDTH), st.integers(0, HEIGHT))
def test_a_number_has_the_room_it_is_given(text: str, width: int, height: int) -> None:
    size = digits.size(text, width, height)
    if size is not None:
        wide, high = size
        assert digits.measure(text, wide) <= width
        assert 0 < high <= height
        assert wide >= digits.LEAST


@settings(deadline=None)
@given(st.text(SIGNS, min_size=1, max_size=8), st.integers(20, WIDTH), st.integers(10, HEIGHT))
def test_more_room_makes_no_number_smaller(text: str, width: int, height: int) -> None:
    sizes = [digits.size(text, width + more, height) or (0, 0) for more in range(8)]
    assert all(one <= other for one, other in pairwise(sizes))


@settings(deadline=None)
@given(st.integers(-9999, 99999))
def test_a_score_fills_the_screen_between_its_rims(score: int) -> None:
    """Large score: to be read from the other end of the table."""
    sheet = Sheet()
    sheet.number(str(score), 14, HEIGHT - 1)
    left, top, right, bottom = image_of(sheet.image).getbbox() or (0, 0, 0, 0)
    assert left >= 1
    assert right <= WIDTH - 1
    assert top >= 14
    assert bottom <= HEIGHT - 1
    assert bottom - top >= 24 or score < 0 or score > 9999
