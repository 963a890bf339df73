"""Text is found in a picture exactly where it is drawn."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tests.kit.sampling import examples
from umpi.display import digits
from umpi.display.lettering import FONTS, NORMAL, SMALL, Font
from umpi.display.picture import Picture
from umpi.simulator.reading import drawn, reads

ACCENTS = "éőűß"
fonts = pytest.mark.parametrize("font", FONTS, ids=lambda font: font.file)


def lettered(font: Font, text: str, x: int = 3, y: int = 5, light: bool = True) -> Picture:
    image = Picture(128, 64, 0 if light else 1)
    font.draw(image, x, y, text, 1 if light else 0)
    return image


@fonts
@pytest.mark.parametrize("text", ["Umpi", ACCENTS, "12 : 7"])
def test_text_is_found_in_every_font_light_on_dark_and_dark_on_light(font: Font, text: str) -> None:
    assert reads(lettered(font, text), text)
    assert reads(lettered(font, text, light=False), text)


@fonts
@pytest.mark.parametrize(("accented", "plain"), list(zip("éőűßá", "eouBa", strict=True)))
def test_an_accent_is_no_other_letter(font: Font, accented: str, plain: str) -> None:
    """Names with accents show on the OLED (é ő ű ß), none as the box of a missing letter."""
    picture = lettered(font, f"l{accented}l")
    assert reads(picture, f"l{accented}l")
    assert not reads(picture, f"l{plain}l")
    assert not reads(lettered(font, f"l{plain}l"), f"l{accented}l")
    assert not reads(picture, "l\N{CJK UNIFIED IDEOGRAPH-4E00}l"), "no font has this one"


def test_a_plain_letter_is_not_found_under_an_accent() -> None:
    """A scenario that expects "nev" must fail where the screen says név."""
    assert not reads(lettered(SMALL, "név"), "nev")


@fonts
def test_missing_text_is_not_found(font: Font) -> None:
    for text in ("Umpa", "umpi", "Umpire"):
        assert not reads(lettered(font, "Umpi"), text)
    assert not reads(Image.new("1", (128, 64)), "Umpi")
    assert not reads(Image.new("1", (128, 64), 1), "Umpi")


@settings(max_examples=examples(25))
@given(st.text("abcXYZ019", min_size=1, max_size=6), st.integers(0, 80), st.integers(0, 50))
def test_text_is_found_at_any_place(text: str, x: int, y: int) -> None:
    assert reads(lettered(SMALL, text, x, y), text)


def test_text_at_the_rims_is_found_and_text_beyond_them_is_not() -> None:
    assert reads(lettered(NORMAL, "rim", 0, 0), "rim")
    assert reads(lettered(NORMAL, "rim", 128 - 18, 54), "rim")
    assert not reads(lettered(NORMAL, "rim", 128 - 12, 54), "rim")


def test_a_word_is_found_among_others_a_wider_gap_is_not() -> None:
    picture = lettered(SMALL, "last run 100")
    assert reads(picture, "run")
    assert reads(picture, "run 100")
    assert not reads(picture, "last  run")
    assert not reads(picture, "last 100")


def test_a_text_that_continues_in_the_next_line_is_found() -> None:
    """Typesetting breaks lines where it must; a scenario expects the sentence."""
    picture = lettered(SMALL, "it lies in the", 1, 5)
    SMALL.draw(picture, 40, 13, "line of Ann.")
    assert reads(picture, "it lies in the line of Ann.")
    assert reads(picture, "in the line")
    assert not reads(picture, "in the of Ann."), "the next line has a word before"
    assert not reads(picture, "lies line of"), "its own line has words after"
    assert not reads(picture, "line of Ann. it lies"), "a line is above"
    apart = lettered(SMALL, "it lies", 1, 5)
    SMALL.draw(apart, 1, 14, "in the line")
    assert not reads(apart, "it lies in the line"), "a line lower than the next"


@pytest.mark.slow
@pytest.mark.parametrize("ink", [0, 1])
@pytest.mark.parametrize("size", [(6, 10), (9, 16), (20, 36), (24, 48)])
def test_a_number_in_large_digits_is_found(size: tuple[int, int], ink: int) -> None:
    picture = Picture(128, 64, 1 - ink)
    digits.draw(picture, 5, 7, "-137", *size, ink)
    assert reads(picture, "-137")
    for other in ("-187", "-131", "+137", "-1377", "17", *"0245689"):
        assert not reads(picture, other), other


def test_a_dot_between_the_letters_is_a_fault() -> None:
    picture = lettered(SMALL, "Umpi")
    picture.fill(3 + 5, 5 + 1, 1, 1)
    assert not reads(picture, "Umpi")


@pytest.mark.parametrize("nothing", ["", " ", "   "])
def test_nothing_is_nowhere(nothing: str) -> None:
    assert not reads(lettered(SMALL, "Umpi"), nothing)


def test_a_picture_drawn_with_letters_holds_every_dot() -> None:
    image = Image.new("1", (4, 4))
    for dot in ((0, 0), (1, 1), (2, 0), (2, 1)):
        image.putpixel(dot, 1)
    assert drawn(image) == "▀▄█\n"
