"""Check the records that an author wrote: the totals after each act, and the state at the end.

Two tags of the header say what is expected: `totals` has the scores of all seats after each act, in the order of the
lines, or null for an act that is not checked. `expect` has keys of the last state.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from umpi.conformance.flaws import Flawed
from umpi.kernel.game import Game, method
from umpi.kernel.match import Match, Refused
from umpi.kernel.record import dump, read_line, replay

KEYS = (  # of a header that mean something
    "umpi", "game", "players", "options", "revision", "package", "version", "expansions", "totals", "expect",
)  # fmt: skip
TESTED = ("options", "totals", "expect")  # without one of them, a record tests less than its author means


def check_records(game: type[Any], folder: Path) -> str:
    """Replay each record of a game in a folder and return the figures; raises Flawed at the first that differs."""
    count = compared = 0
    for path, lines in records_of(game, folder):
        count += 1
        for why in mismatches(lines, game):
            raise Flawed("records", f"{path}, {why}")
        compared += len(json.loads(lines[0]).get("totals", ()))
    if not count:
        raise Flawed("records", f"{folder} has no record (*.jsonl) of {game.id}.")
    return f"{count} records, {compared} totals"


def records_of(game: type[Any], folder: Path) -> Iterator[tuple[Path, list[bytes]]]:
    """Yield each record of a game in a folder, with its lines; raises Flawed if a header is missing or wrong."""
    for path in sorted(folder.rglob("*.jsonl")):
        try:
            lines = path.read_bytes().splitlines(keepends=True)
        except OSError as fault:
            raise Flawed("records", f"{path}: {fault.strerror}.") from None
        try:
            header = json.loads(lines[0] if lines else b"{}")
        except ValueError:
            header = None
        if not isinstance(header, dict):
            raise Flawed("records", f"{path}, line 1: expected the header of a record, a JSON object.")
        if header.get("game") != game.id:
            continue
        totals, first = header.get("totals", []), f"{path}, line 1"
        for key in header:
            if key not in KEYS and (close := get_close_matches(key, TESTED, 1, 0.8)):
                raise Flawed("records", f"{first}: `{key}`: did you mean `{close[0]}`?")
        if not (isinstance(totals, list) and all(row is None or isinstance(row, list) for row in totals)):
            raise Flawed("records", f"{first}: `totals` must be a list, per act the totals of all seats or null.")
        if not isinstance(header.get("expect", {}), dict):
            raise Flawed("records", f"{first}: `expect` must be an object with keys of the last state.")
        yield path, lines


def mismatches(lines: Sequence[bytes], game: type[Game]) -> Iterator[str]:
    """Yield each difference between a record and what its header expects, with the number of the line."""
    acts = 0
    step = None
    for step in replay(lines, lambda name: _found(name, game)):
        if step.error or not step.record:
            yield f"line {step.line}: {step.error}"
            return
        assert step.line
        line = read_line(lines[step.line - 1]) or {}
        totals: Any = step.record.header.tags.get("totals", ())
        if "do" not in line:
            yield from _vain(step.line, line, game)
            continue
        if acts < len(totals) and totals[acts] is not None:
            yield from _total(step.line, line, step.record.match, totals[acts])
        acts += 1
    if step is None or not step.record:
        return
    tags: Any = step.record.header.tags
    if "totals" in tags and len(tags["totals"]) != acts:
        yield f"line 1: `totals` has {len(tags['totals'])} entries for {acts} acts; write one per act, or null."
    yield from _last(tags.get("expect", {}), step.record.match)


def _found(name: str, game: type[Game]) -> type[Game]:
    if name != game.id:
        raise Refused(f'This record is of "{name}".')
    return game


def _vain(number: int, line: Any, game: type[Game]) -> Iterator[str]:
    """Yield that a line tests no rule: without a reason, it says that an act is refused which the game has not."""
    verb = line["refuse"].get("do") if "refuse" in line and "why" not in line else None
    if isinstance(verb, str) and not hasattr(game, method(verb)):
        yield f'line {number}: the game has no "{verb}" to refuse. Correct it, or write the reason as "why".'


def _total(number: int, line: Any, match: Match, wanted: Any) -> Iterator[str]:
    if match.now.scores() != wanted:
        yield (
            f"line {number}: after {dump(line)} the totals are {_row(match.now.scores())}; "
            f"the record expects {_row(wanted)}."
        )


def _last(wanted: Any, match: Match) -> Iterator[str]:
    state = json.loads(dump(match.state()))
    for key, value in json.loads(dump(wanted)).items():
        if key not in state:
            yield f"line 1: `expect` has {key!r}; a state has {', '.join(state)}."
        elif state[key] != value:
            yield f"at the end `{key}` is {dump(state[key])}; the record expects {dump(value)}."


def _row(scores: Sequence[Any]) -> str:
    return " ".join(map(str, scores))
