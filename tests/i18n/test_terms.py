"""One word per thing wherever somebody reads, in four languages: firmware/umpi/i18n/terms.toml lists them."""

from __future__ import annotations

import re
import tomllib

import pytest

from scripts.texts.terms import TERMS, Passage, all_faults, faults, passages
from umpi.i18n.translate import LANGUAGES

TABLE = tomllib.loads(TERMS.read_text(encoding="utf-8"))


def test_no_text_has_a_banned_word_a_plural_dodge_or_a_wrong_mark() -> None:
    """Banned words, with the word to use, are in terms.toml."""
    assert all_faults() == []


@pytest.mark.parametrize(
    ("language", "text", "fault"),
    [
        ("en", "The game is over.", "“The game is over”: say “match”"),
        ("en", "{who} strikes", "“strikes”: say “attack”"),
        ("fr", "Appuie sur ton bouton.", "“bouton”: say “touche”"),
        ("de", "Frag den Schiedsrichter.", "“Schiedsrichter”: say “Spielleiter”"),
        ("hu", "{face} (holttér)", "“holttér”: say “holt zóna”"),
        ("fr", "Quel jeu ?", "“ ?” needs a no-break space"),
        ("fr", "Panne: {device}", "“:” needs a no-break space"),
        ("fr", "Choisis « Jouer\u00a0»", "“«” needs a no-break space"),
        ("fr", "l'arbitre", "straight apostrophe: write ’"),
        ("en", "{who}'s turn", "straight apostrophe: write ’"),
        ("en", "{who} takes the line, cards: {cards}", "plural dodge: use tr_n"),
    ],
)
def test_a_planted_fault_is_found(language: str, text: str, fault: str) -> None:
    assert faults(Passage("planted", language, text, entry=True)) == [fault]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", "Quel jeu\u00a0?"),
        ("fr", "Dohdles! Le côté ?! va au-dessus\u00a0: http://umpi.local:8000"),
        ("fr", "Choisis «\u00a0Jouer\u00a0»."),
        ("en", "Which game? {who}’s match"),
        ("en", "Moves: {number}"),
    ],
)
def test_a_right_text_has_no_fault(language: str, text: str) -> None:
    assert faults(Passage("right", language, text, entry=True)) == []


def test_every_place_where_somebody_reads_is_read() -> None:
    places = {passage.place for passage in passages()}
    for known in (
        *(rf"catalogues/{code}/LC_MESSAGES/umpi\.po:\d" for code in LANGUAGES),
        *(rf"battledodes/rulebook/{code}\.md:\d" for code in LANGUAGES),
        *(rf"hardware/print/texts/{code}\.toml:[1-9]" for code in LANGUAGES),
        r"guide/chapters/g-play\.toml:[1-9]", r"^README\.md:\d", r"docs/manual\.md:\d", r"hardware/README\.md:\d",
        r"umpi replay --help", r"moving_picture\.py, caption \d",
    ):  # fmt: skip
        assert any(re.search(known, place) for place in places), known


def test_each_term_has_a_word_in_each_language_that_it_does_not_ban() -> None:
    assert len(TABLE["term"]) >= 50
    for term in TABLE["term"]:
        for code in LANGUAGES:
            for form in term.get("never", {}).get(code, ()):
                assert not re.fullmatch(form, term[code], re.I), (term["thing"], code)
