"""Writer of deeds: each deed's rows are written all or none, and a refused deed delays only its own match."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from umpi.journal.queries import ON, read_match, read_written
from umpi.journal.schema import insert, why
from umpi.kernel.record import dump

BEGIN = insert("match", ":one", ":two", ":three", ":four")
LINE = insert("line", ":match", ":one", ":two", ":three", ":four")
RENAMED = insert("renamed", ":match", "1 + count(*)", ":one") + " FROM renamed WHERE match = :match"
STATUS = insert("match_status", ":match", ":one")
OUTCOME = insert("outcome", ":match", ":one", ":two").replace("INSERT", "INSERT OR REPLACE", 1)
META = insert("match_meta", ":match", ":one", ":two")
TRACE = insert("trace", ":match", "1 + count(*)", ":one") + " FROM trace WHERE match = :match"
SPOKEN = insert("spoken", ":one")
PHONE = insert("phone", ":one", ":two", ":three", ":four").replace("INSERT", "INSERT OR IGNORE", 1)
REVOKED = "UPDATE phone SET revoked = :two WHERE hash = :one AND revoked IS NULL"
VALUES = ("one", "two", "three", "four")

NO_MATCH = 0  # for rows about the box itself
Row = tuple[str, int, tuple[object, ...]]  # statement, match, values
Deed = tuple[Row, ...]
REFUSED = sqlite3.IntegrityError, sqlite3.DataError, OverflowError, UnicodeError  # caused by the row, not by the card


@dataclass(slots=True)
class Written:
    """Collect the results of writing deeds.

    `left` contains the deeds that are still to be written, `refused` the reason for the first one of each match.
    `begun` maps each new match to its row. `copies` maps each match that another box has also continued to the row of
    its copy.
    """

    left: list[Deed] = field(default_factory=list)
    refused: dict[int, str] = field(default_factory=dict)
    begun: dict[int, int] = field(default_factory=dict)
    copies: dict[int, int] = field(default_factory=dict)

    def moved(self, deed: Iterable[Row]) -> Deed:
        """Return a deed with the current numbers of its matches.

        Line numbers in a copy increase by one because of the note in it.
        """
        rows = []
        for statement, match, values in deed:
            match = self.begun.get(match, match)
            if match in self.copies:
                if statement in (LINE, OUTCOME) and isinstance(values[0], int):
                    values = (values[0] + 1, *values[1:])
                match = self.copies[match]
            rows.append((statement, match, values))
        return tuple(rows)


def write_deeds(file: sqlite3.Connection, deeds: Sequence[Deed], meta: Mapping[int, Mapping[str, str]]) -> Written:
    """Write deeds in order. After a refused deed, the later deeds of the same match wait.

    `meta` contains the values that this box has noted for each match. Raises sqlite3.Error if the file itself cannot
    be written. Then nothing is written.
    """
    written = Written()
    if not deeds:
        return written
    with file:
        file.execute("BEGIN")
        for deed in deeds:
            _write(file, deed, meta, written)
    return written


def _write(file: sqlite3.Connection, deed: Deed, meta: Mapping[int, Mapping[str, str]], written: Written) -> None:
    deed = written.moved(deed)
    matches = {match for _, match, _ in deed} - {NO_MATCH}
    if matches & written.refused.keys():
        _keep(deed, matches, "", written)
        return
    file.execute("SAVEPOINT deed")
    begun: dict[int, int] = {}
    statement, match = "", NO_MATCH
    try:
        for statement, match, values in deed:
            row = _execute(file, statement, begun.get(match, match), *values)
            if statement == BEGIN:
                begun[match] = row
    except REFUSED as fault:
        file.execute("ROLLBACK TO deed")
        taken = statement == LINE and getattr(fault, "sqlite_errorname", "") == "SQLITE_CONSTRAINT_PRIMARYKEY"
        if taken and match > NO_MATCH and match not in written.copies.values():
            lines = min(int(str(values[0])) for of, at, values in deed if (of, at) == (LINE, match)) - 1
            written.copies[match] = _copy(file, match, lines, meta.get(match, {}))
            _write(file, deed, meta, written)
        else:
            _keep(deed, matches, why(fault), written)
    else:
        written.begun |= begun
    file.execute("RELEASE deed")


def _keep(deed: Deed, matches: Iterable[int], fault: str, written: Written) -> None:
    """Add a deed to those left, and mark its matches as refused."""
    written.left.append(deed)
    for match in matches or (NO_MATCH,):
        written.refused.setdefault(match, fault)


def _copy(file: sqlite3.Connection, match: int, lines: int, meta: Mapping[str, str]) -> int:
    """Begin a copy of a match with the first lines, which this box knows. Return its row."""
    kept = read_match(file, match)
    assert kept
    known = read_written(file, match)[:lines]
    note = dump({"note": f"match {match} continues here, as another box has continued it too"})
    copy = _execute(file, BEGIN, NO_MATCH, kept.header, kept.began, secrets.token_hex(16), kept.rules)
    for n, line in enumerate([*known, (note, "box", known[-1][2] if known else None)], 1):
        _execute(file, LINE, copy, n, *line)
    for what, text in meta.items():
        _execute(file, META, copy, what, text)
    _execute(file, STATUS, copy, ON)
    return copy


def _execute(file: sqlite3.Connection, statement: str, match: int, *values: object) -> int:
    """Write a row and return its number."""
    return file.execute(statement, {"match": match, **dict(zip(VALUES, values, strict=False))}).lastrowid or match
