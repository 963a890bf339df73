"""The manual is played in every language, and its pages and pictures are what the box shows."""

from __future__ import annotations

import asyncio
import re

import pytest

from scripts.docs import manual
from umpi.i18n.translate import ENGLISH, LANGUAGES, set_language

GLUED = re.compile(r" [:;?!%»]|« |'")  # French: a plain space or a straight apostrophe
CODE = re.compile(r"`[^`]*`|^    .*$|\]\([^)]*\)", re.M)
BEGIN = 'game dodeka\npress red blue ok ok\nhold back\nchoose "{Players}"'


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_and_the_pictures_are_those_that_the_box_plays(language: str) -> None:
    assert manual.stale(language) == []


def played(play: str, text: str, language: str = ENGLISH) -> None:
    """Play a question of one part."""
    part = manual.Part(play, dict.fromkeys(LANGUAGES, text))
    set_language(language)
    try:
        asyncio.run(manual._play(manual.Question("made-up", dict.fromkeys(LANGUAGES, "?"), (part,)), language))
    finally:
        set_language(ENGLISH)


@pytest.mark.parametrize(
    ("play", "text", "fault"),
    [
        (BEGIN, "Choose {Unplug the box}.", "{Unplug the box}: the box has no such text."),
        (BEGIN, "Choose {Past matches}.", "no screen of its part shows {Past matches}"),
        (BEGIN, "Press <down>.", "its part presses no down"),
        (f'{BEGIN}\nchoose "{{Pause}}"', "", 'choose "{Pause}": choose Pause: Which player? has Red, Blue.'),
        (f'{BEGIN}\nexpect "{{NOT SAVED}}"', "", '"NOT SAVED" is not on the screen'),
        ("", "On a phone, {phone: Start the game now}.", "the box has no such text."),
    ],
)
def test_what_is_not_so_is_refused(play: str, text: str, fault: str) -> None:
    with pytest.raises(manual.ManualFault, match=re.escape(fault)):
        played(play, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_and_buttons_are_found_in_each_language(language: str) -> None:
    played(f"{BEGIN}\npress back", "Hold <back> and choose {Players}. {phone: Rules}", language)


@pytest.mark.parametrize(
    ("texts", "fault"),
    [
        ({"en": "Press <ok>.", "fr": "Appuie.", "de": "Drück <ok>.", "hu": "<ok>"}, "fr has other labels or buttons"),
        ({"en": "Yes", "fr": "Oui", "de": "Ja"}, "expected en, fr, hu, de, got en, fr, de"),
    ],
)
def test_each_language_says_the_same(texts: dict[str, str], fault: str) -> None:
    with pytest.raises(manual.ManualFault, match=fault):
        manual.in_all_languages("made-up", texts)


def test_each_file_is_a_question_of_the_contents() -> None:
    contents = (manual.FOLDER / "contents.toml").read_text(encoding="utf-8")
    listed = re.findall(r'"([\w-]+)"', " ".join(re.findall(r"questions = \[(.*)\]", contents)))
    assert sorted([*listed, "contents"]) == sorted(file.stem for file in manual.FOLDER.glob("*.toml"))


def test_french_has_its_own_spaces_and_apostrophes() -> None:
    """Labels are those of the catalogue, whose own tests read them: so the sources are read here, without them."""
    for file in sorted(manual.FOLDER.glob("*.toml")):
        texts = re.findall(
            r'^(?:\w+ = {.*)?\bfr = ("""\n.*?"""|"[^"]*")', file.read_text(encoding="utf-8"), re.M | re.S
        )
        assert texts, file
        assert [text for text in texts if GLUED.search(CODE.sub("", manual.LABEL.sub("…", text)))] == [], file
    assert all(map(GLUED.search, ("Qui ?", "l'écran", "« a")))
    assert not GLUED.search("Qui\u00a0? l’écran «\u00a0a\u00a0»")


def test_pictures_are_small() -> None:
    files = list(manual.PICTURES.glob("*.png"))
    assert 0 < sum(file.stat().st_size for file in files) < 60_000
