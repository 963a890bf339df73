"""The tables of a journal, and the check that a file is one."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from zlib import crc32

from umpi.kernel.messages import Message, message

APPLICATION = 0x756D7069  # "umpi", in the header of the SQLite file
SCHEMA = 3
# `match.uid` identifies a match on every box. `rules` is the revision of its rules at the start.
# `line.mark` identifies the position after the line.
# The newest row of `match_status` shows which match is on the table.
# `match_meta` contains values outside the record, for example an open dispute or the time limit per turn.
# `sum` is the checksum of the row's values. It reveals a card that returns other data than was written.
TABLES = """
    CREATE TABLE IF NOT EXISTS match (id INTEGER PRIMARY KEY, header TEXT NOT NULL, began TEXT NOT NULL,
                        uid TEXT, rules INTEGER, sum INTEGER);
    CREATE TABLE IF NOT EXISTS line (match INTEGER NOT NULL REFERENCES match, n INTEGER NOT NULL, text TEXT NOT NULL,
                       who TEXT NOT NULL, mark INTEGER, sum INTEGER, PRIMARY KEY (match, n));
    CREATE TABLE IF NOT EXISTS renamed (match INTEGER NOT NULL REFERENCES match, n INTEGER NOT NULL,
                          players TEXT NOT NULL, sum INTEGER, PRIMARY KEY (match, n));
    CREATE TABLE IF NOT EXISTS match_status (n INTEGER PRIMARY KEY, match INTEGER NOT NULL REFERENCES match,
                        how TEXT NOT NULL, sum INTEGER);
    CREATE TABLE IF NOT EXISTS outcome (match INTEGER NOT NULL REFERENCES match, lines INTEGER NOT NULL,
                          text TEXT NOT NULL, sum INTEGER, PRIMARY KEY (match, lines));
    CREATE TABLE IF NOT EXISTS match_meta (n INTEGER PRIMARY KEY, match INTEGER NOT NULL REFERENCES match,
                        what TEXT NOT NULL, text TEXT NOT NULL, sum INTEGER);
    CREATE TABLE IF NOT EXISTS trace (match INTEGER NOT NULL REFERENCES match, n INTEGER NOT NULL, text TEXT NOT NULL,
                        sum INTEGER, PRIMARY KEY (match, n));
    CREATE TABLE IF NOT EXISTS spoken (n INTEGER PRIMARY KEY, language TEXT NOT NULL, sum INTEGER);
    CREATE TABLE IF NOT EXISTS phone (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, who TEXT NOT NULL,
                        name TEXT NOT NULL, began TEXT NOT NULL, revoked TEXT, sum INTEGER);
"""
SUMMED = {  # the columns that each checksum covers
    "match": ("header", "began", "uid", "rules"),
    "line": ("match", "n", "text", "who", "mark"),
    "renamed": ("match", "n", "players"),
    "match_status": ("match", "how"),
    "outcome": ("match", "lines", "text"),
    "match_meta": ("match", "what", "text"),
    "trace": ("match", "n", "text"),
    "spoken": ("language",),
    "phone": ("hash", "who", "name", "began"),
}
INDEX = """
    CREATE UNIQUE INDEX IF NOT EXISTS match_uid ON match (uid);
    CREATE INDEX IF NOT EXISTS match_status_match ON match_status (match, n);
"""


def insert(table: str, *values: str) -> str:
    """Return the SQL statement that appends a row with its checksum.

    `values` are SQL expressions in the column order of SUMMED.
    """
    columns, what = ", ".join(SUMMED[table]), ", ".join(values)
    return f"INSERT INTO {table} ({columns}, sum) SELECT {what}, sum_of({what})"


def sum_of(*values: object) -> int:
    """Return the checksum (CRC-32) of a row's values."""
    return crc32(json.dumps(values).encode())


def connect(path: Path | str, *, uri: bool = False) -> sqlite3.Connection:
    """Open a database file and register the function `sum_of` that its statements use."""
    file = sqlite3.connect(path, check_same_thread=False, timeout=0.5, uri=uri)
    file.create_function("sum_of", -1, sum_of, deterministic=True)
    return file


NO_JOURNAL = "{path} is not an Umpi journal: {fault}. Move it, or choose another with --journal."
NOT_OURS = "{path} is another program's database. Name another file with --journal."
NEWER = "{path} needs a newer Umpi (schema {schema}, this one reads {read}). Update Umpi."
OLDER = "{path} was made by an older Umpi (schema {schema}, this one reads {read}). Start the box once: it converts it."


class Foreign(Exception):
    """A file that is not a journal of this Umpi. The box leaves it unchanged."""


class Newer(Foreign):
    """A journal that a newer Umpi wrote."""


class Older(Foreign):
    """A journal that an older Umpi wrote. The box keeps it, and copies its matches into a new one."""


def has_tables(file: sqlite3.Connection, path: Path | str) -> bool:
    """Return whether a file contains the tables of a journal. Return False if it is empty.

    Raises Foreign if it is not a journal, Newer or Older if another Umpi wrote it. Raises sqlite3.OperationalError if
    the file cannot be read.
    """
    try:
        application = file.execute("PRAGMA application_id").fetchone()[0]
        schema: int = file.execute("PRAGMA user_version").fetchone()[0]
        tables = file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except sqlite3.DatabaseError as fault:
        if isinstance(fault, sqlite3.OperationalError):
            raise
        raise Foreign(message(NO_JOURNAL, path=path, fault=fault)) from None
    if application != APPLICATION and (tables or schema):
        raise Foreign(message(NOT_OURS, path=path))
    if schema > SCHEMA:
        raise Newer(message(NEWER, path=path, schema=schema, read=SCHEMA))
    if tables and schema == 0:
        raise Foreign(message(NO_JOURNAL, path=path, fault=f"schema {schema}"))
    if tables and schema != SCHEMA:
        raise Older(message(OLDER, path=path, schema=schema, read=SCHEMA))
    return bool(tables)


def make_tables(file: sqlite3.Connection) -> None:
    """Create the tables of a journal, all or none."""
    signs = f"PRAGMA application_id={APPLICATION}; PRAGMA user_version={SCHEMA};"
    try:
        file.executescript(f"BEGIN; {TABLES} {INDEX} {signs} COMMIT;")
    except BaseException:
        if file.in_transaction:
            file.rollback()
        raise


def why(fault: BaseException) -> str:
    """Return the text of an exception. A Message remains a Message, so that it can be translated."""
    own = fault.args[0] if fault.args else ""
    if isinstance(fault, OSError) and fault.strerror:
        return fault.strerror
    return own if isinstance(own, Message) else str(fault)
