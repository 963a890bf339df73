"""Transfer of matches between journals: export as JSON Lines, one match per line, and merge without duplicates."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from umpi.journal.queries import (
    CLOSED,
    LEFT,
    ON,
    hides_hands,
    read_all_meta,
    read_lines,
    read_matches,
    read_number,
    read_on,
    read_outcome,
    read_traces,
    read_written,
)
from umpi.journal.schema import insert
from umpi.kernel.kept import RACE, Kept, KeptLine, Uid
from umpi.kernel.record import Unreadable, dump, read_line

VERSION = 1


class BadExport(ValueError):
    """Report what is wrong in a file of exported matches, and in which line."""


@dataclass(frozen=True, slots=True)
class Shipped:
    """Contain one exported match. `lines` contains [text, who, mark] each, `races` the notes of its races."""

    uid: Uid
    began: str
    rules: int | None
    how: str
    header: str
    lines: tuple[KeptLine, ...]
    outcome: str | None
    traces: tuple[str, ...]
    races: tuple[str, ...]

    @property
    def name(self) -> Uid:
        """Return a uid for the copy beside a match of the same uid.

        The uid is a hash of the match's uid and lines, so repeated imports return the same one.
        """
        return Uid(hashlib.sha256(dump([self.uid, self.lines]).encode()).hexdigest()[:32])


def hidden_matches(file: sqlite3.Connection, matches: Iterable[Kept]) -> list[int]:
    """Return the numbers of those matches that cannot be exported yet: only one player may know a part of them."""
    return [kept.id for kept in matches if hides_hands(file, kept)]


def export(file: sqlite3.Connection) -> Iterator[str]:
    """Yield the matches of a journal as JSON, oldest first, one per line. The first line contains the version.

    Matches with hands that only their owners may see now are left out. The first line then contains their numbers.
    """
    matches = list(read_matches(file))
    hidden = hidden_matches(file, matches)
    yield dump({"umpi-matches": VERSION, **({"hidden": hidden} if hidden else {})})
    for kept in matches:
        if kept.id in hidden:
            continue
        outcome = read_outcome(kept)
        lines = [[json.loads(text), who, mark] for text, who, mark in read_written(file, kept.id)]
        yield dump(
            {
                "uid": kept.uid, "began": kept.began, "rules": kept.rules, "how": kept.how,
                "header": json.loads(kept.header), "lines": lines, "outcome": outcome,
                "traces": read_traces(file, kept.id), "races": read_all_meta(file, kept.id, RACE),
            }
        )  # fmt: skip


def read_export(lines: Iterable[bytes]) -> list[Shipped]:
    """Read exported matches. Raises BadExport with the line number if a line is invalid."""
    found, number = [], 0
    for number, raw in enumerate(lines, 1):
        try:
            line = read_line(raw)
        except Unreadable as fault:
            raise BadExport(f"line {number}: {fault}") from None
        if number == 1:
            if not line or line.get("umpi-matches") != VERSION:
                raise BadExport(f'line 1: an export begins with {{"umpi-matches": {VERSION}}}')
        elif line is not None:
            found.append(_shipped(line, number))
    if not number:
        raise BadExport("it is empty")
    return found


def merge(file: sqlite3.Connection, matches: Iterable[Shipped]) -> Counter[str]:
    """Add matches to a journal, all or none. Return how many were "new", "longer", "beside" or "there".

    Equal uids mean the same match. If a known match continued elsewhere, its new lines are added ("longer"). If it
    continued differently in two places, the other version becomes a separate match ("beside"). "there" means that
    nothing was added.
    """
    done: Counter[str] = Counter()
    with file:
        file.execute("BEGIN IMMEDIATE")
        on = read_on(file)
        for match in matches:
            done[_merge(file, match)] += 1
        if on is not None and done.total():  # the match on the table stays on the table
            _append(file, "match_status", on, ON)
    return done


def _merge(file: sqlite3.Connection, theirs: Shipped) -> str:
    ours = read_number(file, theirs.uid)
    if not ours:
        _insert(file, theirs, theirs.uid)
        return "new"
    own = read_lines(file, ours)
    texts = [text for text, _, _ in theirs.lines]
    if own[: len(texts)] == texts:
        return "there"
    if texts[: len(own)] == own:
        _extend(file, ours, theirs, len(own))
        return "longer"
    if read_number(file, theirs.name):
        return "there"
    _insert(file, theirs, theirs.name)
    return "beside"


def _insert(file: sqlite3.Connection, match: Shipped, uid: str) -> None:
    number = _append(file, "match", match.header, match.began, uid, match.rules)
    assert number is not None
    _extend(file, number, match, 0)
    for n, trace in enumerate(match.traces, 1):
        _append(file, "trace", number, n, trace)


def _extend(file: sqlite3.Connection, number: int, match: Shipped, there: int) -> None:
    """Append the lines of a match after the first `there` lines, its newer races, its status and its outcome."""
    for n, line in enumerate(match.lines[there:], there + 1):
        _append(file, "line", number, n, *line)
    known = set(map(dump, read_all_meta(file, number, RACE)))
    for race in match.races:
        if race not in known:
            _append(file, "match_meta", number, RACE, race)
    _append(file, "match_status", number, CLOSED if match.how == CLOSED else LEFT)
    if match.outcome is not None:
        _append(file, "outcome", number, len(match.lines), match.outcome)


def _append(file: sqlite3.Connection, table: str, *values: object) -> int | None:
    slots = [f"?{number}" for number in range(1, len(values) + 1)]
    return file.execute(insert(table, *slots), values).lastrowid


def _shipped(line: Mapping[str, Any], number: int) -> Shipped:
    kinds: dict[str, tuple[type, ...]] = {
        "uid": (str,), "began": (str,), "rules": (int, type(None)), "how": (str,), "header": (dict,),
        "lines": (tuple,), "outcome": (dict, type(None)), "traces": (tuple,),
    }  # fmt: skip
    for key, kind in kinds.items():
        if type(line.get(key, Ellipsis)) not in kind:
            raise BadExport(f'line {number}: "{key}" is missing or of another kind')
    for n, each in enumerate(line["lines"], 1):
        if not _is_line(each):
            raise BadExport(f'line {number}: "lines" {n} must be [line, who, mark]')
    if not line["uid"] or not all(isinstance(trace, str) for trace in line["traces"]):
        raise BadExport(f'line {number}: "uid" or "traces" will not do')
    races = line.get("races", ())  # an older Umpi exports none
    if not (isinstance(races, tuple) and all(isinstance(race, dict) for race in races)):
        raise BadExport(f'line {number}: "races" must be a list of objects')
    lines = tuple((dump(text), who, mark) for text, who, mark in line["lines"])
    outcome = None if line["outcome"] is None else dump(line["outcome"])
    header, races = dump(line["header"]), tuple(map(dump, races))
    return Shipped(
        line["uid"], line["began"], line["rules"], line["how"], header, lines, outcome, line["traces"], races
    )


def _is_line(value: Any) -> bool:
    kinds = (dict,), (str,), (int, type(None))
    return isinstance(value, tuple) and len(value) == 3 and all(type(v) in k for v, k in zip(value, kinds, strict=True))
