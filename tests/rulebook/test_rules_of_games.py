"""The rules of the shipped games: whole, with the same structure in each language, and true in their examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from umpi.kernel.record import read_line
from umpi.kernel.registry import find
from umpi.rulebook.book import Block, Example, Items, Paragraph, Rulebook, Table
from umpi.rulebook.example import replay_example
from umpi.rulebook.shelf import Shelf

GAMES = ("battledodes", "dodeka", "dodekka", "dohdles", "dudab-buba")
LANGUAGES = ("en", "fr", "de", "hu")
USUAL = ["Goal", "What you need", "Set-up", "A turn", "Scoring", "End and ties", "Rulings", "Options"]
FIVE = Shelf([*map(find, GAMES)])

# What the notes of an example state, and a call that the engine makes after the act before the note: kind and keys.
STATED: dict[tuple[str, str], list[tuple[str, dict[str, Any]]]] = {
    ("battledodes", "turn"): [
        ("Ann's dode stays with face 4", {"kind": "struck", "seat": 0, "dode": 1, "by": 1, "left": 4}),
        ("Ann scores 4 × 3 + 5 × 2 + 12 × 1 = 34", {"kind": "scored", "seat": 0, "points": 34}),
    ],
    ("battledodes", "collisions"): [
        ("Ann's dode leaves the board", {"kind": "struck", "seat": 0, "dode": 3, "by": 1, "left": 0}),
        ("Ann scores 6 × 5 = 30", {"kind": "scored", "seat": 0, "points": 30}),
    ],
    ("dodeka", "first-turns"): [
        ("A pair scores 40", {"kind": "scored", "seat": 0, "combination": "pair", "points": 40}),
        ("the sum is 27, so Ben scores 20", {"kind": "scored", "seat": 1, "combination": "sum", "points": 20}),
        ("A 13 scores 250", {"kind": "scored", "seat": 2, "combination": "thirteen", "points": 250}),
    ],
    ("dodeka", "last-round"): [
        ("The others finish the round", {"kind": "last-round"}),
        ("Ben makes the pairtraiz", {"kind": "pairtraiz", "seat": 1}),
        ("Cleo is last and pays 140 to Ben", {"kind": "part", "part": 1, "first": 1, "last": 2, "stake": 140}),
    ],
    ("dodeka", "play-off"): [
        ("Ann and Ben are tied for first place", {"kind": "play-off", "for": "first", "seats": (0, 1)}),
        ("Ben wins the set. Cleo stays last and pays 40", {"kind": "part", "first": 1, "last": 2, "stake": 40}),
    ],
    ("dodekka", "bust"): [("The total is 13", {"kind": "bust", "seat": 0, "total": 13, "cards": 4})],
    ("dodekka", "no-bust"): [
        ("The total is 14, but a 2 is beside a 2: no bust", {"kind": "no-bust", "seat": 1, "total": 14, "value": 2}),
        ("Ann busts", {"kind": "bust", "seat": 0, "total": 13, "cards": 5}),
    ],
    ("dodekka", "final-score"): [("Ann wins", {"kind": "over", "winners": (0,)})],
    ("dohdles", "cubes"): [
        ("Dan is wrong", {"kind": "guess", "seat": 3, "right": False}),
        ("Ann is right", {"kind": "guess", "seat": 0, "right": True}),
    ],
    ("dohdles", "right-guess"): [
        ("Ann is wrong", {"kind": "guess", "seat": 0, "right": False}),
        ("Cleo is right", {"kind": "guess", "seat": 2, "right": True}),
    ],
    ("dudab-buba", "request"): [("Ben asks for red", {"kind": "request", "seat": 1, "ask": "colour:red"})],
    ("dudab-buba", "sixth-card"): [
        ("takes the five cards before it", {"kind": "taken", "seat": 0, "column": 0, "cards": 5}),
    ],
    ("dudab-buba", "shaman"): [],
    ("dudab-buba", "jungle"): [("Ann takes the column", {"kind": "taken", "seat": 0, "column": 0, "cards": 3})],
    ("dudab-buba", "scoring"): [("Together: 0 points", {"kind": "round", "round": 1, "points": (19, 0)})],
}
# The end of each example: what the rules say, as far as no call says it.
ENDS: dict[tuple[str, str], dict[str, Any]] = {
    ("battledodes", "turn"): {"phase": "roll", "seat": 0, "scores": (34, 0)},
    ("battledodes", "collisions"): {"scores": (30, 0)},
    ("dodeka", "first-turns"): {"seat": 0},
    ("dodeka", "last-round"): {"phase": "over", "winners": (1,), "scores": (0, 140, -140)},
    ("dodeka", "play-off"): {"phase": "over", "winners": (1,), "scores": (0, 40, -40)},
    ("dodekka", "bust"): {"phase": "turn", "seat": 1},
    ("dodekka", "no-bust"): {"phase": "deal"},
    ("dodekka", "final-score"): {"scores": (10, 10), "winners": (0,)},
    ("dohdles", "cubes"): {"phase": "clue", "seat": 2, "scores": (4, 0, 1, -2)},
    ("dohdles", "right-guess"): {"phase": "clue", "seat": 1, "scores": (-1, 2, 3)},
    ("dudab-buba", "request"): {"phase": "turn", "seat": 1},
    ("dudab-buba", "sixth-card"): {"phase": "turn", "seat": 1},
    ("dudab-buba", "shaman"): {"phase": "turn", "seat": 1},
    ("dudab-buba", "jungle"): {"phase": "turn", "seat": 1},
    ("dudab-buba", "scoring"): {"scores": (19, 0)},
}


def notes_of(example: Example) -> Iterator[str]:
    """Yield the English notes of an example's record."""
    for raw in example.record:
        if (line := read_line(raw)) and "note" in line:
            yield line["note"]


def book(game: str, language: str = "en") -> Rulebook:
    found = FIVE.find(game, language)
    assert found
    assert found.language == language
    return found


def examples(game: str, language: str = "en") -> dict[str, Example]:
    blocks = [block for section in book(game, language).sections for block in section.blocks]
    return {block.name: block for block in blocks if isinstance(block, Example)}


def structure(of: Rulebook) -> list[list[tuple[str, object]]]:
    """What must be the same in each language: the kinds of blocks, numbers of items and cells, names of examples."""
    return [[_shape(block) for block in section.blocks] for section in of.sections]


def _shape(block: object) -> tuple[str, object]:
    match block:
        case Items(items, numbered):
            return "list", (len(items), numbered)
        case Table(head, rows):
            return "table", (len(head), len(rows))
        case Example(name):
            return "example", name
    return "paragraph", 1


def numbers(of: Rulebook) -> list[list[str]]:
    """The numbers of two and more digits in each section, each once: smaller ones may be words."""
    return [sorted(set(re.findall(r"\d\d+", " ".join(_texts(section.blocks))))) for section in of.sections]


def _texts(blocks: tuple[Block, ...]) -> list[str]:
    texts: list[str] = []
    for block in blocks:
        match block:
            case Paragraph(text):
                texts.append(text)
            case Items(items):
                texts += items
            case Table(head, rows):
                texts += [cell for row in (head, *rows) for cell in row]
            case Example(_, title, notes):
                texts += [title, *(notes or notes_of(block))]
    return texts


def test_the_rules_of_all_five_games_are_read_without_a_flaw() -> None:
    assert [FIVE.flaw(game) for game in FIVE.games()] == [""] * len(GAMES)
    assert {game.id for game in FIVE.games()} == set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_have_the_usual_sections_in_their_order(game: str) -> None:
    titles = [section.title for section in book(game).sections]
    assert [title for title in titles if title in USUAL] == USUAL
    assert len(set(titles)) == len(titles)
    assert all(section.blocks for section in book(game).sections)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_the_same_structure(game: str, language: str) -> None:
    assert structure(book(game, language)) == structure(book(game))
    for name, example in examples(game, language).items():
        assert language == "en" or len(example.notes) == len(list(notes_of(example))), name


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_the_same_numbers(game: str, language: str) -> None:
    assert numbers(book(game, language)) == numbers(book(game))


@pytest.mark.parametrize("game", GAMES)
def test_sentences_are_short(game: str) -> None:
    """A reader must understand a sentence at first reading: 25 words at most."""
    for section in book(game).sections:
        for block in section.blocks:
            texts = [block.text] if isinstance(block, Paragraph) else block.items if isinstance(block, Items) else ()
            texts = [*texts, *(notes_of(block) if isinstance(block, Example) else ())]
            for sentence in re.split(r"(?<=[.!?:]) ", " ".join(texts)):
                assert len(sentence.split()) <= 25, sentence


def test_every_example_is_in_the_tables_here() -> None:
    there = {(game, name) for game in GAMES for name in examples(game)}
    assert there == set(STATED) == set(ENDS)


@pytest.mark.parametrize(("game", "name"), STATED, ids=map("-".join, STATED))
def test_an_example_states_what_the_engine_says(game: str, name: str) -> None:
    """Each statement is in a note, and the engine makes the call after the act that the note follows."""
    _, steps = replay_example(examples(game)[name], find(game))
    for statement, expected in STATED[game, name]:
        step = next(step for step in steps if any(statement in note for note in step.notes))
        calls = [{key: call.line().get(key) for key in expected} for call in step.calls]
        assert expected in calls, statement


@pytest.mark.parametrize(("game", "name"), ENDS, ids=map("-".join, ENDS))
def test_an_example_ends_as_the_engine_does(game: str, name: str) -> None:
    match, _ = replay_example(examples(game)[name], find(game))
    state = match.state()
    assert {key: state[key] for key in ENDS[game, name]} == ENDS[game, name]


@pytest.mark.parametrize("game", GAMES)
def test_every_record_is_used(game: str) -> None:
    folder = Path(__file__).parents[2] / "firmware" / "umpi" / "games" / game.replace("-", "_") / "rulebook"
    assert {file.stem for file in folder.glob("*.jsonl")} == set(examples(game))


def test_a_game_without_rules_has_none() -> None:
    assert Shelf([find("quiz")]).games() == []
    assert FIVE.find("quiz", "en") is None


def test_a_language_without_rules_gets_the_english_ones() -> None:
    found = FIVE.find("dodeka", "nl")
    assert found
    assert found.language == "en"
