"""What the page says, in the language of the box: every text of its code is known to the catalogues, and no other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from at_table import Table

from umpi import web as desk
from umpi.i18n.translate import ENGLISH, LANGUAGES, set_language
from umpi.web.words import WORDS

PAGE = Path(desk.__file__).parent / "page"
SAID = re.compile(r'\b(?:say|pieces)\(([^"]*\? )?"([^"]+)"(?: : "([^"]+)")?')


def of_the_code() -> set[str]:
    """The texts of the page's modules and of what stands in its HTML."""
    html = (PAGE / "index.html").read_text(encoding="utf-8")
    texts = {*re.findall(r"data-say[^>]*>([^<]+)<", html), *re.findall(r'aria-label="([^"]+)"', html)}
    for file in PAGE.rglob("*.js"):
        for _, one, other in SAID.findall(file.read_text(encoding="utf-8")):
            texts |= {one, other} - {""}
    return texts


def test_the_catalogues_have_all_the_page_says_and_nothing_else() -> None:
    assert of_the_code() == set(WORDS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_told_the_words_of_the_boxs_language(rigs: Any, language: str) -> None:
    table = Table(rigs())
    try:
        set_language(language)
        told = table.phone().get("words").json()
    finally:
        set_language(ENGLISH)
    assert told["language"] == language
    assert told["words"].keys() == set(WORDS)
    places = re.compile(r"{\w+}")
    for text, word in told["words"].items():
        assert sorted(places.findall(word)) == sorted(places.findall(text)), text
    assert (told["words"]["Send"] == "Send") == (language == ENGLISH)
