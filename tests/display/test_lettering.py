"""Letters and digits that are easily confused differ in every font, and a zero is no diamond."""

from __future__ import annotations

from itertools import combinations

import pytest
from PIL import Image, ImageChops

from umpi.display.lettering import FONTS, LARGE, NORMAL, SMALL, TINY, Font
from umpi.simulator.reading import image_of

LEAST = {TINY: 2, SMALL: 4, NORMAL: 4, LARGE: 5}  # dots by which two glyphs differ at least


def rendered(font: Font, text: str) -> Image.Image:
    return image_of(font.render(text))


def dots_apart(font: Font, one: str, other: str) -> int:
    """Count the dots in which two texts of one length differ."""
    return ImageChops.logical_xor(rendered(font, one), rendered(font, other)).convert("L").histogram()[255]


@pytest.mark.parametrize("font", FONTS, ids=lambda font: font.file)
def test_no_two_glyphs_are_alike(font: Font) -> None:
    pairs = [*combinations("HMNW", 2), *(("0", other) for other in "O8D6"), *combinations("mnw", 2)]
    apart = {pair: dots_apart(font, *pair) for pair in pairs}
    assert not {pair: dots for pair, dots in apart.items() if dots < LEAST[font]}


@pytest.mark.parametrize("font", FONTS, ids=lambda font: font.file)
def test_a_zero_is_not_pointed_like_a_diamond(font: Font) -> None:
    """Its first row has two dots or more, and both its sides stand upright for most of its height."""
    zero = rendered(font, "0")
    left, top, right, bottom = zero.getbbox() or (0, 0, 0, 0)
    rows = [sum(bool(zero.getpixel((x, y))) for x in range(left, right)) for y in range(top, bottom)]
    assert rows[0] >= 2
    assert rows[-1] >= 2
    for side in (left, right - 1):
        assert sum(bool(zero.getpixel((side, y))) for y in range(top, bottom)) >= (bottom - top) * 2 / 3


def test_wide_capitals_do_not_touch_the_capital_that_follows() -> None:
    for wide in "MW":
        edge = rendered(SMALL, f"{wide}H").crop((SMALL.width - 1, 0, SMALL.width, SMALL.height))
        assert edge.getbbox() is None
        assert rendered(SMALL, f"{wide}e").crop((SMALL.width - 1, 0, SMALL.width, SMALL.height)).getbbox()
