"""The sheet trace: each statement of the five rule sheets is proven, said, explained and printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tests.kit.sheets import (
    GAMES,
    NEEDS,
    PLACES,
    REPO,
    Mutation,
    Statement,
    broken,
    calls_in,
    failing_line,
    mutations,
    statements,
)
from umpi.i18n.translate import ENGLISH, FOLDER, LANGUAGES
from umpi.kernel.registry import find
from umpi.lessons import LESSONS
from umpi.printing.found import sheets_of

COUNTS = {"dodekka": 31, "battledodes": 37, "dodeka": 42, "dudab-buba": 84, "dohdles": 79}  # at least
SAID = ("call", "now", "ask", "setup", "note")
ROWS = [(game, row) for game in GAMES for row in statements(game)]
CHANGES = [(game, change) for game in GAMES for change in mutations(game)]


def named(value: tuple[str, Statement] | tuple[str, Mutation]) -> str:
    return value[1].id


@cache
def translated() -> Mapping[str, frozenset[str]]:
    """Return the texts that each language has."""
    texts = {}
    for code in LANGUAGES:
        if code == ENGLISH:
            continue
        with (FOLDER / code / "LC_MESSAGES" / "umpi.po").open("rb") as file:
            texts[code] = frozenset(
                each
                for message in read_po(file, locale=code)
                if message.id and any(message.string or ())
                for each in ((message.id,) if isinstance(message.id, str) else message.id)
            )
    return texts


@cache
def kinds_called(game: str) -> frozenset[str]:
    files = sorted((REPO / "tests" / "records" / game).glob("*.jsonl"))
    return frozenset(kind for file in files for kind in calls_in(file, find))


@cache
def headings(game: str, language: str) -> tuple[str, ...]:
    folder = REPO / "firmware" / "umpi" / "games" / game.replace("-", "_") / "rulebook"
    text = (folder / f"{language}.md").read_text(encoding="utf-8")
    return tuple(re.sub(r"\W+", "-", line[3:].lower()).strip("-") for line in text.splitlines() if line[:3] == "## ")


def wrong_record(game: str, place: str) -> str:
    name, _, line = place.rpartition(":")
    file = REPO / name
    if not file.is_file() or not line.isdecimal():
        return f"there is no record {place}"
    last = len(file.read_text(encoding="utf-8").splitlines())
    if not 1 <= int(line) <= last:
        return f"{name} has {last} lines, not {line}"
    failed = failing_line(file, find(game))
    return f"{name} fails at line {failed}" if failed else ""


def wrong_text(text: str) -> str:
    missing = [code for code, texts in translated().items() if text not in texts]
    return f"the text {text!r} is missing in {', '.join(missing)}" if missing else ""


def wrong_said(game: str, place: str) -> str:
    kind, _, text = place.partition(":")
    if kind not in SAID:
        return f"expected one of {', '.join(SAID)}, got {place!r}"
    if kind == "call":
        return "" if text in kinds_called(game) else f"no record makes the call {text!r}"
    return wrong_text(text)


def wrong_help(game: str, place: str) -> str:
    if place.startswith("help:"):
        return wrong_text(place.removeprefix("help:"))
    slug = place.removeprefix("rulebook#")
    if slug not in headings(game, ENGLISH):
        return f"expected help:TEXT or rulebook#HEADING, got {place!r}; headings: {', '.join(headings(game, ENGLISH))}"
    counts = {len(headings(game, code)) for code in LANGUAGES}
    return "" if len(counts) == 1 else "the rulebooks of the languages have different sections"


def wrong_lesson(game: str, place: str) -> str:
    number = place.removeprefix("step:")
    there = number.isdecimal() and 1 <= int(number) <= len(LESSONS[game].steps)
    return "" if there else f"the lesson has no {place}"


def wrong_print(game: str, place: str) -> str:
    owner, _, name = place.partition("/")
    names = [sheet.name for sheet in sheets_of(find(owner), ENGLISH)] if owner in GAMES else []
    more = ["cards"] if find(game).cards else []
    return "" if name in (*names, *more) else f"nothing to print is called {place}; there are: {', '.join(names)}"


WRONG: Mapping[str, Callable[[str, str], str]] = {
    "record": wrong_record, "said": wrong_said, "help": wrong_help, "lesson": wrong_lesson, "print": wrong_print,
}  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_every_statement_of_the_sheet_has_its_row(game: str) -> None:
    ids = [row.id for row in statements(game)]
    assert ids == [f"{game}-{number}" for number in range(1, len(ids) + 1)]
    assert len(ids) >= COUNTS[game]


@pytest.mark.parametrize("case", ROWS, ids=named)
def test_every_place_of_a_statement_exists(case: tuple[str, Statement]) -> None:
    game, row = case
    found = {column: [WRONG[column](game, place) for place in row.places[column]] for column in PLACES}
    assert {column: whys for column, whys in found.items() if any(whys)} == {}


@pytest.mark.parametrize("case", ROWS, ids=named)
def test_a_statement_has_what_its_kind_needs(case: tuple[str, Statement]) -> None:
    _, row = case
    assert row.kind in NEEDS
    assert len(row.text.split()) >= 3
    lacking = [column for column in NEEDS[row.kind] if not row.places[column] and not row.why.get(column)]
    assert lacking == []
    if row.kind == "advice" and not (row.why.get("help") or row.why.get("lesson")):
        assert row.places["help"] or row.places["lesson"]
    assert not any("not done" in why for why in row.why.values())


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_a_change_that_breaks_it(game: str) -> None:
    proven = {row.id for row in statements(game) if row.kind in ("rule", "option") and row.places["record"]}
    assert proven - {change.id for change in mutations(game)} == set()


@pytest.mark.parametrize("case", CHANGES, ids=named)
def test_a_record_fails_if_its_rule_is_broken(case: tuple[str, Mutation]) -> None:
    game, change = case
    row = next(row for row in statements(game) if row.id == change.id)
    with broken(game, change) as engine:
        assert engine is not find(game)
        failed = {place: failing_line(Path(REPO, place.rpartition(":")[0]), engine) for place in row.places["record"]}
    late = [place for place, line in failed.items() if line is not None and line >= int(place.rpartition(":")[2])]
    assert late, failed
