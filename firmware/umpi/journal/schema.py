"""The tables of a journal, and the check that a file is one."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from zlib import crc32

from umpi.kernel.messages import Message, message
from umpi.kernel.record import dump

APPLICATION = 0x756D7069  # "umpi", in the header of the SQLite file
SCHEMA = 4
WITHOUT_SUMMARIES = 3  # the schema that is brought forward in its place
# `match.uid` identifies a match on every box. `rules` is the revision of its rules at the start.
# `line.mark` identifies the position after the line.
# The newest row of `match_status` shows which match is on the table.
# `match_meta` contains values outside the record, for example an open dispute or the time limit per turn.
# `sum` is the checksum of the row's values. It reveals a card that returns other data than was written.
# `summary` and `player` repeat what the other tables say of each match, so that nobody walks all its rows: its status,
# its players as JSON, how often they were renamed, and its outcome if no line follows it. Triggers write them in the
# transaction of the row that changes them. An act in mid-match changes neither.
# SQLite keeps these texts in the file. `_dense` makes them fit into its first page, also beside those of an older
# journal: a page of them that is lost costs every match. A start takes other definitions for damage, so whoever changes
# one also changes SCHEMA.
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
SUMMARIES = """
    CREATE TABLE IF NOT EXISTS summary (match INTEGER PRIMARY KEY REFERENCES match, how TEXT NOT NULL,
                        players TEXT NOT NULL, renamed INTEGER NOT NULL, outcome TEXT);
    CREATE TABLE IF NOT EXISTS player (name TEXT NOT NULL, match INTEGER NOT NULL REFERENCES match,
                        seat INTEGER NOT NULL, PRIMARY KEY (name, match)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS summary_open ON summary (match) WHERE how != 'closed';

    CREATE TRIGGER IF NOT EXISTS sum_match AFTER INSERT ON match BEGIN
        INSERT INTO summary VALUES (new.id, 'left', names_in(new.header), 0, NULL);
        INSERT OR IGNORE INTO player SELECT value, new.id, key FROM json_each(names_in(new.header));
    END;
    CREATE TRIGGER IF NOT EXISTS sum_line AFTER INSERT ON line BEGIN
        UPDATE summary SET outcome = NULL WHERE match = new.match AND outcome IS NOT NULL;
    END;
    CREATE TRIGGER IF NOT EXISTS sum_renamed AFTER INSERT ON renamed BEGIN
        DELETE FROM player WHERE match = new.match
            AND name IN (SELECT value FROM summary, json_each(summary.players) WHERE summary.match = new.match);
        UPDATE summary SET players = names_in(new.players), renamed = renamed + 1 WHERE match = new.match;
        INSERT OR IGNORE INTO player SELECT value, new.match, key FROM json_each(names_in(new.players));
    END;
    CREATE TRIGGER IF NOT EXISTS sum_status AFTER INSERT ON match_status BEGIN
        UPDATE summary SET how = new.how WHERE match = new.match;
    END;
    CREATE TRIGGER IF NOT EXISTS sum_outcome AFTER INSERT ON outcome BEGIN
        UPDATE summary SET outcome = new.text
            WHERE match = new.match AND new.lines = (SELECT max(n) FROM line WHERE line.match = new.match);
    END;
"""
SUMMED_UP = """
    SELECT id, coalesce((SELECT how FROM match_status WHERE match = id ORDER BY n DESC LIMIT 1), 'left') AS how,
        names_in(coalesce((SELECT players FROM renamed WHERE match = id ORDER BY n DESC LIMIT 1), header)) AS players,
        (SELECT count(*) FROM renamed WHERE match = id) AS renamed,
        (SELECT text FROM outcome WHERE match = id
            AND outcome.lines = (SELECT max(line.n) FROM line WHERE line.match = id)) AS outcome
    FROM match
"""  # the summaries as the other tables give them
SUM_UP_AGAIN = f"""
    DELETE FROM summary; DELETE FROM player;
    INSERT INTO summary {SUMMED_UP};
    INSERT OR IGNORE INTO player SELECT value, match, key FROM summary, json_each(summary.players);
"""
INDEX = """
    CREATE UNIQUE INDEX IF NOT EXISTS match_uid ON match (uid);
    CREATE INDEX IF NOT EXISTS match_status_match ON match_status (match, n);
    CREATE INDEX IF NOT EXISTS match_meta_match ON match_meta (match, what, n);
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


def names_in(text: str) -> str:
    """Return the names of players in a header, or in a list of names, as JSON; an empty list if it cannot be read."""
    try:
        given = json.loads(text)
    except ValueError:
        return "[]"
    names = given.get("players") if isinstance(given, dict) else given
    return dump([name for name in names if isinstance(name, str)] if isinstance(names, list) else [])


def connect(path: Path | str, *, uri: bool = False) -> sqlite3.Connection:
    """Open a database file and register the functions that its statements and triggers use.

    Reading a row raises sqlite3.DatabaseError if it contains bytes.
    """
    file = sqlite3.connect(path, check_same_thread=False, timeout=0.5, uri=uri)
    file.row_factory = _without_bytes
    file.create_function("sum_of", -1, sum_of, deterministic=True)
    file.create_function("names_in", 1, names_in, deterministic=True)
    return file


def _without_bytes(_: sqlite3.Cursor, row: tuple[object, ...]) -> tuple[object, ...]:
    """Return a row as it is. A journal contains no bytes: one flipped bit makes them of a text."""
    if bytes in map(type, row):
        raise sqlite3.DatabaseError(NO_TEXT)
    return row


NO_TEXT = "bytes in place of a text"
NO_JOURNAL = "{path} is not an Umpi journal: {fault}. Move it, or choose another with --journal."
NOT_OURS = "{path} is another program’s database. Name another file with --journal."
NEWER = "{path} needs a newer Umpi (schema {schema}, this one reads {read}). Update Umpi."
OLDER = "{path} was made by an older Umpi (schema {schema}, this one reads {read}). Start the box once to convert it."


class Foreign(Exception):
    """A file that is not a journal of this Umpi. The box leaves it unchanged."""


class Theirs(Foreign):
    """A whole database of another program."""


class Newer(Foreign):
    """A journal that a newer Umpi wrote."""


class Older(Foreign):
    """A journal that an older Umpi wrote. The box brings it forward: in its place, or into a new one."""

    def __init__(self, text: str, schema: int) -> None:
        super().__init__(text)
        self.schema = schema


def has_tables(file: sqlite3.Connection, path: Path | str) -> bool:
    """Return whether a file contains the tables of a journal. Return False if it is empty.

    Raises Foreign if it is not a journal, Newer or Older if another Umpi wrote it. Raises sqlite3.OperationalError if
    the file cannot be read, another sqlite3.DatabaseError if it is a journal whose tables cannot be read.
    """
    application = None
    try:
        application = file.execute("PRAGMA application_id").fetchone()[0]
        schema: int = file.execute("PRAGMA user_version").fetchone()[0]
        tables = file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except UnicodeDecodeError as fault:  # SQLite quotes a definition that it cannot read
        raise sqlite3.DatabaseError(str(fault)) from None
    except sqlite3.DatabaseError as fault:
        if isinstance(fault, sqlite3.OperationalError) or application == APPLICATION:
            raise  # the names of the tables fill several pages: its number can be readable, and one of them not
        raise Foreign(message(NO_JOURNAL, path=path, fault=fault)) from None
    if application != APPLICATION and (tables or schema):
        raise Theirs(message(NOT_OURS, path=path))
    if schema > SCHEMA:
        raise Newer(message(NEWER, path=path, schema=schema, read=SCHEMA))
    if tables and schema == 0:
        raise Foreign(message(NO_JOURNAL, path=path, fault=f"schema {schema}"))
    if tables and schema != SCHEMA:
        raise Older(message(OLDER, path=path, schema=schema, read=SCHEMA), schema)
    return bool(tables)


def make_tables(file: sqlite3.Connection) -> None:
    """Create the tables of a journal, all or none."""
    signs = f"PRAGMA application_id={APPLICATION}; PRAGMA user_version={SCHEMA};"
    _run_all(file, f"{_dense(TABLES + INDEX + SUMMARIES)} {signs}")


def _run_all(file: sqlite3.Connection, statements: str) -> None:
    """Run SQL statements, all or none."""
    try:
        file.executescript(f"BEGIN IMMEDIATE; {statements} COMMIT;")
    except BaseException:
        if file.in_transaction:
            file.rollback()
        raise


def _dense(statements: str) -> str:
    """Return SQL statements without the spaces that they can do without."""
    return " ".join(statements.split()).replace(" (", "(").replace(", ", ",")


def definitions(file: sqlite3.Connection) -> dict[str, str]:
    """Return the definition of each table, index and trigger of a journal by its name, also if its text is damaged."""
    rows = file.cursor()
    rows.row_factory = None  # a damaged text is no UTF-8, so it is read as bytes
    rows.execute("SELECT CAST(name AS BLOB), CAST(coalesce(sql, '') AS BLOB) FROM sqlite_master")
    return {name.decode("utf-8", "replace"): _dense(sql.decode("utf-8", "replace")) for name, sql in rows}


@cache
def definitions_made() -> dict[str, str]:
    """Return the definitions that `make_tables` makes."""
    with closing(connect(":memory:")) as file:
        make_tables(file)
        return definitions(file)


def add_summaries(file: sqlite3.Connection) -> None:
    """Bring a journal of the schema WITHOUT_SUMMARIES forward in its place, all or nothing."""
    _run_all(file, f"{_dense(INDEX + SUMMARIES)} {SUM_UP_AGAIN} PRAGMA user_version={SCHEMA};")


def sum_up_again(file: sqlite3.Connection) -> None:
    """Sum up all matches again, in the transaction of the caller."""
    for statement in filter(str.strip, SUM_UP_AGAIN.split(";")):
        file.execute(statement)


def why(fault: BaseException) -> str:
    """Return the text of an exception. A Message remains a Message, so that it can be translated."""
    own = fault.args[0] if fault.args else ""
    if isinstance(fault, OSError) and fault.strerror:
        return fault.strerror
    return own if isinstance(own, Message) else str(fault)
