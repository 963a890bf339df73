"""Running text is set in the largest letters that fit, and no word is lost."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from umpi.display.lettering import LARGE, NORMAL, SMALL, TINY, Font
from umpi.display.screens import NOTICE, notice
from umpi.display.sheet import TOP, WIDTH, Sheet, pages, typeset
from umpi.simulator.reading import image_of, reads

LETTERS = st.characters(codec="iso8859-2", categories=("L", "N")) | st.sampled_from("-.,:!?'")
WORDS = st.lists(st.text(LETTERS, min_size=1, max_size=12), min_size=1, max_size=60)
ROOM = WIDTH - 2


def fits(font: Font, text: str, height: int) -> bool:
    """Whether a text has room, no word broken."""
    lines = font.wrap(text, ROOM)
    return len(lines) * font.height <= height and " ".join(lines).split() == text.split()


@pytest.mark.slow
@settings(deadline=None)
@given(WORDS, st.integers(16, NOTICE))
@example(["Aha!"], 16)
@example(["Christelle-Marguerite", "wins!"], 52)
def test_the_largest_letters_that_have_room_are_chosen(words: list[str], height: int) -> None:
    text = " ".join(words)
    font, lines = typeset(text, height)
    assert font in (LARGE, NORMAL, SMALL)
    assert all(font.measure(line) <= ROOM for line in lines)
    larger = [other for other in (LARGE, NORMAL, SMALL) if other.height > font.height]
    assert not any(fits(other, text, height) for other in larger)
    assert fits(font, text, height) or font is SMALL


@settings(deadline=None)
@given(WORDS)
def test_the_pages_contain_all_words_in_order(words: list[str]) -> None:
    """A rule over several pages: what the next page begins with follows on what the last one ended with."""
    text = " ".join(words)
    font, lines = typeset(text, NOTICE)
    assert " ".join(lines).split() == words, "no word is lost or broken"
    assert pages(text, NOTICE) == max(1, -(-len(lines) * font.height // (NOTICE // font.height * font.height)))
    shown = [notice("Rule", text, page).crop((0, TOP, WIDTH, 64)) for page in range(pages(text, NOTICE))]
    for index, line in enumerate(lines):
        assert reads(shown[index // (NOTICE // font.height)], line), line


@settings(deadline=None)
@given(WORDS, st.integers(16, 52))
def test_text_with_one_page_alone_ends_where_its_room_ends_and_says_so(words: list[str], height: int) -> None:
    text, sheet = " ".join(words), Sheet()
    sheet.block(text, 0, height)
    box = image_of(sheet.image).getbbox()
    assert box is None or (box[2] < WIDTH and box[3] <= height)
    font, lines = typeset(text, height, TINY)
    if len(lines) * font.height > height:
        assert font is TINY
        assert reads(sheet.image, "…"), "an ellipsis marks omitted text"


def test_a_card_is_never_broken_at_its_hyphen() -> None:
    for before in range(1, 25):
        _, lines = typeset(f"{'x' * before} fire-4 is already in the line of Christelle.", NOTICE)
        assert any("fire-4" in line for line in lines)
