"""The copy of the journal from before an update that converts it, for an older version that is back."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

from umpi.appliance.bundle import BadBundle
from umpi.kernel.messages import message

COPY, ASIDE = ".before-update", ".newer"
BESIDE = ("-wal", "-shm", ".saved")  # of SQLite, and the number of rows that Umpi notes


def journal_schema(journal: Path) -> int:
    """Return the schema of a journal, 0 if there is none yet. Raises BadBundle if it cannot be read."""
    if not journal.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as file:
            return int(file.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error as fault:
        template = "The matches cannot be read ({file}: {why}), so nothing is changed."
        raise BadBundle(message(template, file=str(journal), why=str(fault))) from None


def keep_copy(journal: Path) -> None:
    """Copy a journal that the next version will convert. Nobody may write it now. Raises sqlite3.Error and OSError."""
    new, copy = _beside(journal, f"{COPY}.new"), _beside(journal, COPY)
    new.unlink(missing_ok=True)
    with closing(sqlite3.connect(journal)) as file, closing(sqlite3.connect(new)) as written:
        file.backup(written)
    was = journal.stat()
    os.chown(new, was.st_uid, was.st_gid)
    new.chmod(was.st_mode & 0o777)
    with new.open("rb") as opened:
        os.fsync(opened.fileno())
    new.replace(copy)


def take_back(journal: Path, readable: int) -> bool:
    """If this version cannot read the journal, put it aside and use the copy; return whether it did so.

    `readable` is the schema of this version. The power may fail between any two changes: the journal goes first, as the
    files beside it are its own. What was put aside before stays. Raises BadBundle and OSError.
    """
    copy, aside = _beside(journal, COPY), _aside(journal)
    if not copy.exists() or (journal.exists() and journal_schema(journal) <= readable):
        return False
    if journal.exists():
        journal.replace(aside)
    for end in BESIDE:
        if (file := _beside(journal, end)).exists():
            file.replace(_beside(aside, end))
    copy.replace(journal)
    return True


def forget_copy(journal: Path) -> None:
    """Remove the copy, because the version that has converted the journal is accepted. Raises OSError."""
    _beside(journal, COPY).unlink(missing_ok=True)


def _aside(journal: Path) -> Path:
    """Return the first free name for a journal that is put aside; the last one used if that was not finished."""
    names = (_beside(journal, ASIDE if number == 1 else f"{ASIDE}-{number}") for number in count(1))
    last = None
    for name in names:
        if not name.exists():
            return last if last and not journal.exists() else name
        last = name
    raise AssertionError


def _beside(journal: Path, end: str) -> Path:
    return journal.with_name(journal.name + end)
