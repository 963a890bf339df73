"""The rules with the options in force: numbers, sentences of variations, and examples played by other numbers."""

from __future__ import annotations

import re
from typing import Any

import pytest

from umpi.kernel.registry import find
from umpi.rulebook.book import Example, Rulebook
from umpi.rulebook.fill import by_the_sheet, check
from umpi.rulebook.shelf import Shelf

LANGUAGES = ("en", "fr", "de", "hu")
OTHER: dict[str, dict[str, Any]] = {  # another value of each option that the text follows
    "dodekka": {"limit": 17, "line": 6, "minus": 3},
    "dodeka": {"scale": (777, 222, 111, 44, 33, 22, 11), "target": 555, "ties": "shared"},
    "battledodes": {"dodes": 3, "multipliers": (2, 4, 6, 8, 19), "target": 222},
    "dudab-buba": {
        "hand_least": 1, "hand_most": 7, "column_length": 9, "dudab_points": 8, "shaman_points": 6,
        "baby_points": (-91, -92, -93, -94, -95, -96, -97, 98), "request": "may", "second_dudab": "same",
        "jungle_place": "free", "cover": "number", "jungle_shed": True, "columns": 4,
    },
    "dohdles": {
        "riddles": 1, "steps_back": 7, "steps_forward": 8, "steps_reward": 9,
        "first_right": "free", "second_end": "gone", "announcement": "one",
    },
}  # fmt: skip
NUMBERS = (
    "limit", "target", "scale", "baby_points", "hand_most", "column_length", "steps_reward", "columns", "riddles",
)  # fmt: skip
CASES = [(game, option) for game, options in OTHER.items() for option in options]
SHELF = Shelf([*map(find, OTHER)])


def book(game: str, language: str, **options: Any) -> Rulebook:
    found = SHELF.find(game, language, {**by_the_sheet(find(game)), **options})
    assert found
    return found


def changed(game: str, language: str, **options: Any) -> list[int]:
    """The places of the sections that differ with these options."""
    pairs = zip(book(game, language).sections, book(game, language, **options).sections, strict=True)
    return [
        place for place, (before, after) in enumerate(pairs) if _without_examples(before) != _without_examples(after)
    ]


def _without_examples(section: Any) -> str:
    return str([block for block in section.blocks if not isinstance(block, Example)])


def test_every_experiment_is_in_the_table_here() -> None:
    for game, options in OTHER.items():
        assert set(find(game).experiments) <= set(options)


@pytest.mark.parametrize(("game", "option"), CASES, ids=map("-".join, CASES))
def test_the_text_follows_the_option_in_every_language_alike(game: str, option: str) -> None:
    value = OTHER[game][option]
    places = {language: changed(game, language, **{option: value}) for language in LANGUAGES}
    assert places["en"], "no section follows it"
    assert places == dict.fromkeys(LANGUAGES, places["en"])
    if option in NUMBERS:
        for number in value if isinstance(value, tuple) else (value,):
            shown = str(number).replace("-", "−")
            for language in LANGUAGES:
                assert re.search(rf"\b{shown}\b|{shown}\b", str(book(game, language, **{option: value}))), shown


@pytest.mark.parametrize("game", OTHER)
def test_no_brace_is_left_in_any_text(game: str) -> None:
    for language in LANGUAGES:
        for options in ({}, OTHER[game]):
            texts = [_without_examples(section) for section in book(game, language, **options).sections]
            assert not [text for text in texts if re.search(r"[{}]|  |\. \.|''", text)]


def test_an_example_that_was_played_by_other_rules_than_those_around_it_is_left_out() -> None:
    def names(game: str, **options: Any) -> list[str]:
        sections = book(game, "en", **options).sections
        return [block.name for section in sections for block in section.blocks if isinstance(block, Example)]

    assert names("dodekka") == names("dodekka", scores="shown") == ["bust", "no-bust", "final-score"]
    assert names("dodekka", limit=15) == []
    assert names("dodeka") == names("dodeka", parts=7) == ["first-turns", "last-round", "play-off"]
    assert names("dodeka", target=1000) == ["first-turns"]
    assert "request" in names("dudab-buba")
    assert set(names("dudab-buba")) - set(names("dudab-buba", request="trust")) == {"request"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_says_how_many_cards_a_new_line_has(language: str) -> None:
    assert not re.search("three cards|drei Karten|trois cartes|három lap", str(book("dodekka", language, line=5)))


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("Over {targets}.", "the game has no option targets"),
        ("Over {scale.pairs}.", "the game has no option scale.pairs"),
        ("{tie=sets: Sets.}", "the game has no option tie"),
        ("{ties=set: Sets.}", "the option ties is never set"),
        ("{ties!=sharde: All of\nthem.}", "the option ties is never sharde"),
        ("{minutes!=nul: In time.}", "the option minutes is never nul"),
        ("{target=7: Low.}", "the option target is never 7"),
        ("{ties=shared: Over {targets}.}", "the game has no option targets"),
        ("{ties =sets: Sets.}", "{ties =sets: Sets.} is neither {OPTION} nor {OPTION=VALUE: sentence}"),
        ("It scores {scale,pair}.", "{scale,pair}. is neither {OPTION} nor {OPTION=VALUE: sentence}"),
        ("{ties=sets: One.\n\nOther.}", "a sentence in braces ends in the paragraph, item or cell where it begins"),
        ("- {ties=sets: one\n- two}", "a sentence in braces ends in the paragraph, item or cell where it begins"),
        ("## Over {target}", "headings, heads of tables and examples contain no options"),
        ("| {target} | b |\n|---|---|", "headings, heads of tables and examples contain no options"),
        ("{ties=sets: Sets.}}", "} is neither {OPTION} nor {OPTION=VALUE: sentence}"),
    ],
)
def test_what_a_text_misspells_is_a_fault_with_its_line(wrong: str, why: str) -> None:
    right = "# T\n\n## S\n\n{ties=sets: Over {target},\nor so.} {minutes!=null: in {minutes}.}\n\n"
    check(right, find("dodeka"))
    with pytest.raises(ValueError, match=rf"^line 8: {re.escape(why)}$"):
        check(f"{right}{wrong}\n", find("dodeka"))


def test_a_match_is_read_with_its_own_options() -> None:
    """A record names what differs from the defaults."""
    sheet, wide = SHELF.find("dohdles", "en"), SHELF.find("dohdles", "en", {"announcement": "one"})
    assert "All of them guess this riddle." in str(wide)
    assert "All of them guess this riddle." not in str(sheet)
