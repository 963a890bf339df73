"""Games written down in tests/records: each replays through the command line to the state its header expects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.game_tables import KEYS, MORE
from umpi.cli import main

RECORDS = Path(__file__).parents[1] / "records"
GAMES = ("battledodes", "dodeka", "dodekka", "dohdles", "dudab-buba", "quiz", "scorepad")
PATHS = [path for game in GAMES for path in sorted((RECORDS / game).glob("*.jsonl"))]


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def standing(lines: list[dict[str, Any]]) -> Iterator[int]:
    """Count the standing actions after each line that follows the header."""
    count = 0
    for line in lines:
        count += ("do" in line) - line.get("undo", 0)
        yield count


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_record_replays_to_the_state_it_expects(path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """What each record shows stands in its header's tag "about"."""
    header, *rest = lines_of(path)
    status = main(["replay", "--trace", str(path)])
    *trace, last = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    now = last["state"].pop("now")  # what the next person must do is no part of the state
    assert (status, last) == (0, {"n": last["n"], "state": header["expect"]})
    assert (now is None) == (header["expect"]["phase"] == "over")
    assert [step["n"] for step in trace] == list(standing(rest))
    assert [step["line"] for step in trace] == list(range(2, len(rest) + 2))
    assert last["n"] == (trace[-1]["n"] if trace else 0)


CALLED = [path for path in PATHS if "calls" in lines_of(path)[0]]


@pytest.mark.parametrize("path", CALLED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_record_has_the_calls_it_expects(path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """The header's tag "calls" has all calls of the record, by line."""
    main(["replay", "--trace", str(path)])
    steps = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert {str(step["line"]): step["calls"] for step in steps if "calls" in step} == lines_of(path)[0]["calls"]


def test_every_kind_of_call_is_in_a_golden_record() -> None:
    """The contract's kinds, and those that the games add."""
    heads = [lines_of(path)[0] for path in CALLED]
    there = {(head["game"], call["kind"]) for head in heads for calls in head["calls"].values() for call in calls}
    wanted = {(game, kind) for game in GAMES for kind in [*KEYS[game], *MORE.get(game, ())]}
    assert wanted <= there
    assert {kind for _, kind in there} >= {"over"}


@pytest.mark.parametrize("game", GAMES)
def test_every_record_says_what_it_shows(game: str) -> None:
    """A golden record without its source proves nothing."""
    headers = {path.stem: lines_of(path)[0] for path in PATHS if path.parent.name == game}
    assert len(headers) > 20
    assert [name for name, header in headers.items() if not header.get("about")] == []
    assert {header["game"] for header in headers.values()} == {game}


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_has_its_reason(game: str) -> None:
    """A misspelt card would be refused too; the reason shows which rule did it."""
    refusals = [
        (path.stem, number)
        for path in PATHS
        if path.parent.name == game
        for number, line in enumerate(lines_of(path), 1)
        if "refuse" in line and not line.get("why")
    ]
    assert refusals == []


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_acts_refused_in_a_record_are_refused_in_play(
    path: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A `refuse` line says what would be an error; written as an action the record ends right there, for its reason."""
    text = path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(text[1:], 2):
        action = json.loads(line).get("refuse") if line else None
        if action is None or "do" not in action:
            continue
        broken = tmp_path / "broken.jsonl"
        broken.write_text("\n".join([*text[: number - 1], json.dumps(action)]), encoding="utf-8")
        assert main(["replay", str(broken)]) == 1, f"line {number}: {line}"
        last = json.loads(capfdbinary.readouterr().out)
        assert (last["line"], last["error"]) == (number, json.loads(line)["why"])
