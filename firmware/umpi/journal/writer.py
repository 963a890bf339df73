"""Writer of deeds: each deed's rows are written all or none, and a refused deed delays only its own match."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from umpi.journal.queries import ON, read_match, read_number, read_written
from umpi.journal.schema import insert, why
from umpi.kernel.kept import Uid
from umpi.kernel.record import dump

MATCH = "(SELECT id FROM match WHERE uid = :match)"
BEGIN = insert("match", ":one", ":two", ":match", ":three")
LINE = insert("line", MATCH, ":one", ":two", ":three", ":four")
RENAMED = insert("renamed", MATCH, "1 + count(*)", ":one") + f" FROM renamed WHERE match = {MATCH}"
STATUS = insert("match_status", MATCH, ":one")
OUTCOME = insert("outcome", MATCH, ":one", ":two").replace("INSERT", "INSERT OR REPLACE", 1)
META = insert("match_meta", MATCH, ":one", ":two")
TRACE = insert("trace", MATCH, "1 + count(*)", ":one") + f" FROM trace WHERE match = {MATCH}"
SPOKEN = insert("spoken", ":one")
PHONE = insert("phone", ":one", ":two", ":three", ":four").replace("INSERT", "INSERT OR IGNORE", 1)
REVOKED = "UPDATE phone SET revoked = :two WHERE hash = :one AND revoked IS NULL"
VALUES = ("one", "two", "three", "four")

NO_MATCH = Uid("")  # for rows about the box itself
Row = tuple[str, Uid, tuple[object, ...]]  # statement, match, values
Deed = tuple[Row, ...]
REFUSED = sqlite3.IntegrityError, sqlite3.DataError, OverflowError, UnicodeError  # caused by the row, not by the card


@dataclass(slots=True)
class WriteResult:
    """Collect the results of writing deeds.

    `left` contains the deeds that are still to be written, `refused` the reason for the first one of each match.
    `copies` contains the copy of each match that another box has also continued. `numbers` contains the numbers of all
    matches that were begun, copied or refused, 0 if a match is not on disk.
    """

    left: list[Deed] = field(default_factory=list)
    refused: dict[Uid, str] = field(default_factory=dict)
    copies: dict[Uid, Uid] = field(default_factory=dict)
    numbers: dict[Uid, int] = field(default_factory=dict)

    def moved(self, deed: Iterable[Row]) -> Deed:
        """Return a deed with its rows in the copies of their matches.

        Line numbers in a copy increase by one because of the note in it.
        """
        rows = []
        for statement, match, values in deed:
            if match in self.copies:
                if statement in (LINE, OUTCOME) and isinstance(values[0], int):
                    values = (values[0] + 1, *values[1:])
                match = self.copies[match]
            rows.append((statement, match, values))
        return tuple(rows)


def write_deeds(file: sqlite3.Connection, deeds: Sequence[Deed], meta: Mapping[Uid, Mapping[str, str]]) -> WriteResult:
    """Write deeds in order. After a refused deed, the later deeds of the same match wait.

    `meta` contains the values that this box has noted for each match. Raises sqlite3.Error if the file itself cannot
    be written. Then nothing is written.
    """
    result = WriteResult()
    if not deeds:
        return result
    with file:
        file.execute("BEGIN")
        for deed in deeds:
            _write(file, deed, meta, result)
    return result


def _write(file: sqlite3.Connection, deed: Deed, meta: Mapping[Uid, Mapping[str, str]], result: WriteResult) -> None:
    deed = result.moved(deed)
    matches = {match for _, match, _ in deed} - {NO_MATCH}
    if matches & result.refused.keys():
        _keep(file, deed, matches, "", result)
        return
    file.execute("SAVEPOINT deed")
    begun: dict[Uid, int] = {}
    statement, match = "", NO_MATCH
    try:
        for statement, match, values in deed:
            row = _execute(file, statement, match, *values)
            if statement == BEGIN:
                begun[match] = row
    except REFUSED as fault:
        file.execute("ROLLBACK TO deed")
        taken = statement == LINE and getattr(fault, "sqlite_errorname", "") == "SQLITE_CONSTRAINT_PRIMARYKEY"
        if taken and match not in begun and match not in result.copies.values():
            lines = min(int(str(values[0])) for of, at, values in deed if (of, at) == (LINE, match)) - 1
            _copy(file, match, lines, meta.get(match, {}), result)
            _write(file, deed, meta, result)
        else:
            _keep(file, deed, matches, why(fault), result)
    else:
        result.numbers |= begun
    file.execute("RELEASE deed")


def _keep(file: sqlite3.Connection, deed: Deed, matches: Iterable[Uid], fault: str, result: WriteResult) -> None:
    """Add a deed to those left, and mark its matches as refused."""
    result.left.append(deed)
    for match in matches or (NO_MATCH,):
        result.refused.setdefault(match, fault)
        result.numbers[match] = read_number(file, match)


def _copy(file: sqlite3.Connection, match: Uid, lines: int, meta: Mapping[str, str], result: WriteResult) -> None:
    """Begin a copy of a match with the first lines, which this box knows."""
    number, copy = read_number(file, match), new_uid()
    kept = read_match(file, number)
    assert kept
    known = read_written(file, number)[:lines]
    note = dump({"note": f"match {number} continues here, as another box has continued it too"})
    result.copies[match], result.numbers[match] = copy, number
    result.numbers[copy] = _execute(file, BEGIN, copy, kept.header, kept.began, kept.rules)
    for n, line in enumerate([*known, (note, "box", known[-1][2] if known else None)], 1):
        _execute(file, LINE, copy, n, *line)
    for what, text in meta.items():
        _execute(file, META, copy, what, text)
    _execute(file, STATUS, copy, ON)


def _execute(file: sqlite3.Connection, statement: str, match: Uid, *values: object) -> int:
    """Write a row and return its number."""
    return file.execute(statement, {"match": match, **dict(zip(VALUES, values, strict=False))}).lastrowid or 0


def new_uid() -> Uid:
    """Draw the uid of a new match."""
    return Uid(secrets.token_hex(16))
