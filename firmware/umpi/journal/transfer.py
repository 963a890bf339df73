"""Transfer of matches between journals: export as JSON Lines, one match per line, and merge without duplicates."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from umpi.frozen import frozen
from umpi.journal.queries import (
    CLOSED,
    ENDED,
    LEFT,
    ON,
    ended_of,
    hides_hands,
    read_all_meta,
    read_lines,
    read_matches,
    read_meta,
    read_number,
    read_on,
    read_outcome,
    read_traces,
    read_written,
)
from umpi.journal.schema import insert, names_in
from umpi.kernel.kept import RACE, Kept, KeptLine, Uid
from umpi.kernel.record import Unreadable, dump, read_line

VERSION = 1
RENAMED_ELSEWHERE = "renamed-elsewhere"  # name of a note of a match: how many of its renames have no row here
MOST_RENAMED = 1_000_000  # a file that claims more cannot make a journal count beyond what a record can contain


class BadExport(ValueError):
    """Report what is wrong in a file of exported matches, and in which line."""


@frozen
class Shipped:
    """Contain one exported match. `lines` contains [text, who, mark] each, `races` the notes of its races.

    `ended` is when the match was last over, if that is known. `renamed` counts how often its players got other names
    until they got those in the header. `number` is its line in the file.
    """

    uid: Uid
    began: str
    rules: int | None
    how: str
    header: str
    lines: tuple[KeptLine, ...]
    outcome: str | None
    ended: str | None
    traces: tuple[str, ...]
    races: tuple[str, ...]
    renamed: int
    number: int


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
                "header": json.loads(kept.header), "lines": lines, "outcome": outcome, "ended": ended_of(kept),
                "traces": read_traces(file, kept.id), "races": read_all_meta(file, kept.id, RACE),
                "renamed": _read_renamed(file, kept.id),
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


def has(file: sqlite3.Connection, match: Shipped) -> bool:
    """Return whether a journal has all lines of a match, so that `merge` adds none."""
    texts = [text for text, _, _ in match.lines]
    number = read_number(file, match.uid)
    return number != 0 and read_lines(file, number)[: len(texts)] == texts


def merge(file: sqlite3.Connection, matches: Iterable[Shipped]) -> Counter[str]:
    """Add matches to a journal, all or none. Return how many were "new", "longer", "beside" or "there".

    Equal uids mean the same match. If a known match continued elsewhere, its new lines are added ("longer"). If it
    continued differently in two places, the other version becomes a separate match ("beside"), which is extended like
    any other one when it arrives again. "there" means that nothing was added.

    If the names of the players differ, those of the version with more renames are kept. If both have as many, those of
    the version with more lines are kept, then those later in the alphabet. A match that gets only names is "longer"
    too. So all boxes agree, whichever imports first, and a rename prevails over the names that it replaces.
    """
    done: Counter[str] = Counter()
    matches = list(matches)
    with file:
        file.execute("BEGIN IMMEDIATE")
        on = read_on(file)
        family = _Family(file, matches)
        for match in matches:
            done[_merge(file, match, family)] += 1
        if on is not None and done.total():  # the match on the table stays on the table
            _append(file, "match_status", on, ON)
    return done


class _Family:
    """Find the versions of a match in a journal: the match itself, and its copies, which have uids of their own.

    The uid of a copy is a hash of the match's uid and of the lines that the copy began with. The copy may have grown
    since then, and another box may know it by the uid of the match. So a match is not new just because its uid is.
    """

    def __init__(self, file: sqlite3.Connection, shipped: Sequence[Shipped]) -> None:
        self._file = file
        self._shipped = {match.uid: match for match in shipped}
        self._began: dict[str, set[Uid]] = {}  # a copy began when its match began: only few hashes are computed
        began = [(match.began, match.uid) for match in shipped]
        for when, uid in (*began, *file.execute("SELECT began, uid FROM match")):
            self._began.setdefault(when, set()).add(uid)
        self._origins: dict[Uid, Uid] = {}

    def versions(self, match: Shipped) -> Iterator[int]:
        """Yield the numbers of all versions of a match in the journal: first that of the same uid, then the oldest."""
        same = read_number(self._file, match.uid)
        if same:
            yield same
        origin = self._origin(match.uid, match.began)
        others = {uid for uid in self._began[match.began] if self._origin(uid, match.began) == origin}
        yield from sorted(set(map(partial(read_number, self._file), others)) - {0, same})

    def free(self, match: Shipped) -> Uid:
        """Return a uid that the journal has not yet: that of the match, else one for a copy of it.

        The copies of a copy are named after the first match, which most boxes have.
        """
        uid, origin = match.uid, self._origin(match.uid, match.began)
        named = origin
        while read_number(self._file, uid):  # more than once if a repair has cut off lines of a copy
            *_, uid = _names(named, match.lines)
            named = uid
        self._began[match.began].add(uid)
        self._origins[uid] = origin
        return uid

    def _origin(self, uid: Uid, began: str) -> Uid:
        """Return the uid of the match of which a match is a copy, also over several steps; its own if it is none."""
        if uid not in self._origins:
            others = self._began[began] - {uid}
            of = next((other for other in others if self._is_copy(uid, other)), None)
            self._origins[uid] = uid if of is None else self._origin(of, began)
        return self._origins[uid]

    def _is_copy(self, uid: Uid, of: Uid) -> bool:
        """Return whether a match is a copy of another one, by all that is known of either.

        A repair may have cut off the first lines of the copy. Then the match that it was copied from has them.
        """
        shipped = [self._shipped[each].lines for each in (uid, of) if each in self._shipped]
        here = [tuple(read_written(self._file, read_number(self._file, each))) for each in (uid, of)]
        return any(uid in _names(of, lines) for lines in {*shipped, *here})


def _names(uid: Uid, lines: Sequence[KeptLine]) -> Iterator[Uid]:
    """Yield the uid that a copy of a match has if it begins with one line, with two, and so on.

    It is the hash of the JSON of the match's uid and these lines, so repeated imports return the same one.
    """
    hashed = hashlib.sha256(dump([uid, []]).removesuffix("]]").encode())
    for n, line in enumerate(lines):
        hashed.update(f"{', ' if n else ''}{dump(line)}".encode())
        whole = hashed.copy()
        whole.update(b"]]")
        yield Uid(whole.hexdigest()[:32])


def _merge(file: sqlite3.Connection, theirs: Shipped, family: _Family) -> str:
    texts = [text for text, _, _ in theirs.lines]
    known, shorter = False, []
    for number in family.versions(theirs):
        known, own = True, read_lines(file, number)
        if own[: len(texts)] == texts:
            return "longer" if _rename(file, number, theirs, len(own)) else "there"
        if texts[: len(own)] == own:
            shorter.append((len(own), number))
    if shorter:
        there, number = max(shorter)  # an older Umpi may have kept a version twice
        _rename(file, number, theirs, there)
        _extend(file, number, theirs, there)
        return "longer"
    _insert(file, theirs, family.free(theirs))
    return "beside" if known else "new"


def _insert(file: sqlite3.Connection, match: Shipped, uid: str) -> None:
    number = _append(file, "match", match.header, match.began, uid, match.rules)
    assert number is not None
    _rename(file, number, match, 0)
    _extend(file, number, match, 0)


def _extend(file: sqlite3.Connection, number: int, match: Shipped, there: int) -> None:
    """Append the lines of a match after the first `there`, its newer races and tosses, its status and its outcome."""
    for n, line in enumerate(match.lines[there:], there + 1):
        _append(file, "line", number, n, *line)
    known = set(map(dump, read_all_meta(file, number, RACE)))
    for race in match.races:
        if race not in known:
            _append(file, "match_meta", number, RACE, race)
    tosses = set(read_traces(file, number))
    (last,) = file.execute("SELECT coalesce(max(n), 0) FROM trace WHERE match = ?", (number,)).fetchone()
    for n, trace in enumerate((trace for trace in match.traces if trace not in tosses), last + 1):
        _append(file, "trace", number, n, trace)
    _append(file, "match_status", number, CLOSED if match.how == CLOSED else LEFT)
    if match.outcome is not None:
        _append(file, "outcome", number, len(match.lines), match.outcome)
        if match.ended is not None:
            _append(file, "match_meta", number, ENDED, dump(match.ended))


def _rename(file: sqlite3.Connection, number: int, match: Shipped, there: int) -> bool:
    """Give a match of `there` lines the shipped names if they prevail. Return whether they are others."""
    players, rows, last = file.execute(
        "SELECT players, renamed, (SELECT coalesce(max(n), 0) FROM renamed WHERE match = :match) "
        "FROM summary WHERE match = :match",
        {"match": number},
    ).fetchone()
    names = names_in(match.header)
    prevails = (match.renamed, len(match.lines), names) > (_read_renamed(file, number), there, players)
    if not prevails or len(json.loads(names)) != len(json.loads(players)):
        return False
    others: bool = names != players
    if others:
        _append(file, "renamed", number, last + 1, names)
    if match.renamed != _read_renamed(file, number):  # several renames have come in one row, or in none
        _append(file, "match_meta", number, RENAMED_ELSEWHERE, dump(match.renamed - rows - others))
    return others


def _read_renamed(file: sqlite3.Connection, number: int) -> int:
    """Return how often the players of a match got other names, on all boxes on which these names arose.

    An import is no rename. If it counted as one, the names it brings would prevail over later ones.
    """
    (here,) = file.execute("SELECT renamed FROM summary WHERE match = ?", (number,)).fetchone()
    elsewhere = read_meta(file, number, RENAMED_ELSEWHERE)
    return max(0, int(here) + (elsewhere if isinstance(elsewhere, int) else 0))


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
    renamed = line.get("renamed", 0)  # nor this
    if type(renamed) is not int or renamed < 0:
        raise BadExport(f'line {number}: "renamed" must be a whole number, not negative')
    ended = line.get("ended")  # nor this
    if ended is not None and not _is_time(ended):
        raise BadExport(f'line {number}: "ended" must be a time with its zone, or null')
    lines = tuple((dump(text), who, mark) for text, who, mark in line["lines"])
    outcome = None if line["outcome"] is None else dump(line["outcome"])
    header, races = dump(line["header"]), tuple(map(dump, races))
    return Shipped(
        line["uid"], line["began"], line["rules"], line["how"], header, lines, outcome, ended, line["traces"],
        races, min(renamed, MOST_RENAMED), number,
    )  # fmt: skip


def _is_time(value: Any) -> bool:
    try:
        return datetime.fromisoformat(value).tzinfo is not None
    except (TypeError, ValueError):
        return False


def _is_line(value: Any) -> bool:
    kinds = (dict,), (str,), (int, type(None))
    return isinstance(value, tuple) and len(value) == 3 and all(type(v) in k for v, k in zip(value, kinds, strict=True))
