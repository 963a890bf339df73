"""What the page says, in the language of the box: every text of its code is known to the catalogues, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.extract import extract_javascript

from scripts.texts.catalogues import po_files, read
from tests.kit.at_table import Table
from tests.kit.rig import Rigs
from umpi import web
from umpi.i18n.translate import ENGLISH, LANGUAGES, set_language
from umpi.web.words import page_plurals, page_texts

PAGE = Path(web.__file__).parent / "page"


def test_the_catalogues_have_every_text_that_a_gettext_tool_finds_in_the_code() -> None:
    found = set()
    for file in PAGE.rglob("*.js"):
        with file.open("rb") as script:
            found |= {text for _, _, text, _ in extract_javascript(script, ["say", "pieces"], [], {}) if text}
    assert len(found) > 50
    assert {text for text in found if isinstance(text, str)} <= set(page_texts())


def test_both_texts_of_a_choice_and_those_of_the_html_are_found() -> None:
    assert {"Send", "The funnel and its queue rail", "toss the cube: {colour}"} <= set(page_texts())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_receives_the_texts_of_the_boxs_language(rigs: Rigs, language: str) -> None:
    table = Table(rigs())
    set_language(language)
    reply = table.phone().get("words").json()
    assert reply["language"] == language
    assert reply["words"].keys() == {*page_texts(), *(text for pair in page_plurals() for text in pair)}
    places = re.compile(r"{\w+}")
    for text in page_texts():
        word = reply["words"][text]
        assert sorted(places.findall(word)) == sorted(places.findall(text)), text
    assert (reply["words"]["Send"] == "Send") == (language == ENGLISH)
    catalogue = {code: read(file, code) for code, file in po_files()}.get(language)
    for one, many in page_plurals():
        known = catalogue and catalogue.get(one)
        assert (reply["words"][one], reply["words"][many]) == (known.string if known else (one, many))
