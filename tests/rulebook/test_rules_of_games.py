"""The rules of the shipped games: whole, with the same structure in each language, and true in their examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.seen import check_seen
from umpi.kernel.record import dump, read_line
from umpi.kernel.registry import find
from umpi.rulebook.book import Block, Example, Items, Paragraph, Rulebook, Table
from umpi.rulebook.example import replay_example
from umpi.rulebook.shelf import Shelf

GAMES = ("battledodes", "dodeka", "dodekka", "dohdles", "dudab-buba")
LANGUAGES = ("en", "fr", "de", "hu")
USUAL = ["Goal", "What you need", "Set-up", "A turn", "Scoring", "End and ties", "Rulings", "Options"]
FIVE = Shelf([*map(find, GAMES)])


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


def played(game: str) -> Iterator[str]:
    """Yield each act of a game's examples, the calls that the engine makes after it, and the note that follows it."""
    for name, example in examples(game).items():
        match, steps = replay_example(example, find(game))
        yield f"{game}, {name}"
        for step in steps:
            yield f"  {dump(match.acts[step.count - 1].line()) if step.count else 'begins'}"
            yield from (f"    the engine: {dump(call.line())}" for call in step.calls)
            yield from (f"    the rules: {note}" for note in step.notes)
        yield f"  ends {dump({part: match.state()[part] for part in ('phase', 'seat', 'scores', 'winners')})}"


def test_what_an_example_states_is_what_the_engine_does_as_somebody_has_read_it() -> None:
    """Each note stands below the calls of its act. After a change on purpose: UMPI_APPROVE=1, and compare them."""
    check_seen(Path(__file__).with_name("examples.txt"), (line for game in GAMES for line in played(game)))


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
