"""Each translation knows its English: where that has changed and the translation has not, the text is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.texts import made_from
from scripts.texts.made_from import OTHERS, Pair, kept, now, stale, unwritten, write

ENGLISH_NOW, BEFORE = {"word track": Pair("new", "own")}, {"word track": Pair("old", "own")}


@pytest.mark.parametrize("language", OTHERS)
def test_no_translation_is_older_than_its_english(language: str) -> None:
    """Translate these again, or say that they are still right: ./scripts/dev texts --still-right NAME."""
    assert stale(now(language), kept(language)) == []


@pytest.mark.parametrize("language", OTHERS)
def test_the_hashes_are_those_of_today(language: str) -> None:
    """`./scripts/dev texts --update` writes them."""
    assert unwritten(now(language), kept(language)) == []
    names = {name.split()[0] for name in kept(language)}
    assert names == {"word", "rulebook", "guide"}


def test_a_changed_english_makes_a_translation_stale_until_it_is_translated_again() -> None:
    assert stale(ENGLISH_NOW, BEFORE) == ["word track"]
    assert unwritten(ENGLISH_NOW, BEFORE) == []
    again = {"word track": Pair("new", "own, too")}
    assert (stale(again, BEFORE), unwritten(again, BEFORE)) == ([], ["word track"])
    assert unwritten({}, BEFORE) == ["word track"]


def test_a_stale_translation_stays_so_until_somebody_says_that_it_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(made_from, "FOLDER", tmp_path)
    (tmp_path / "fr").mkdir()
    monkeypatch.setattr(made_from, "now", lambda language: BEFORE)
    assert write("fr") == []
    monkeypatch.setattr(made_from, "now", lambda language: ENGLISH_NOW)
    assert write("fr") == ["word track"]
    assert kept("fr") == BEFORE
    assert write("fr", frozenset(ENGLISH_NOW)) == []
    assert kept("fr") == ENGLISH_NOW
