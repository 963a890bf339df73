"""The outbox: results that wait for the broker or for the club, in an SQLite file beside the journal."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from umpi.mqtt.dropped import MOST, DroppedMessage
from umpi.mqtt.payloads import Sent
from umpi.web.documents import Result

TABLES = """
    CREATE TABLE IF NOT EXISTS result (uid TEXT PRIMARY KEY, match INTEGER NOT NULL, revision INTEGER NOT NULL,
                        over INTEGER NOT NULL, text TEXT NOT NULL, sent INTEGER NOT NULL DEFAULT -1,
                        kept INTEGER NOT NULL DEFAULT -1);
    CREATE TABLE IF NOT EXISTS pairing (cookie TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS dropped (n INTEGER PRIMARY KEY, at TEXT NOT NULL, topic TEXT NOT NULL, why TEXT NOT NULL,
                        begins TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS club (key TEXT NOT NULL, offer INTEGER NOT NULL);
"""


class Outbox:
    """Keep each result until the broker has it (`sent`) and the club has it (`kept`), by the revision they have.

    A match that is not over is no result, unless it was one before: then its undoing is one too.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        self._file = sqlite3.connect(path, isolation_level=None)
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.executescript(TABLES)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def put(self, result: Result) -> bool:
        """Keep a result; return whether it is new or was changed. A result may get a signature later."""
        uid, over, revision, text = result["uid"], result["over"], result["revision"], json.dumps(result)
        known = self._file.execute("SELECT revision, over, text FROM result WHERE uid = ?", (uid,)).fetchone()
        if not uid or (not over and not (known and known[1])):
            return False
        if known and (
            known[0] > revision or (known[0] == revision and (not result.get("signature") or known[2] == text))
        ):
            return False
        self._file.execute(
            "INSERT INTO result (uid, match, revision, over, text) VALUES (?, ?, ?, ?, ?) ON CONFLICT (uid) DO UPDATE "
            "SET match = excluded.match, revision = excluded.revision, over = excluded.over, text = excluded.text",
            (uid, result["match"], revision, over, text),
        )
        return True

    def unsent(self) -> list[Result]:
        """Return the results that the broker has not confirmed, oldest first."""
        return self._results("sent <> revision")

    def unkept(self) -> list[Result]:
        """Return the results that the club has not confirmed, oldest first."""
        return self._results("kept <> revision")

    def sent(self, uid: str, revision: int) -> None:
        """Note that the broker has a result."""
        self._file.execute("UPDATE result SET sent = ? WHERE uid = ? AND revision = ?", (revision, uid, revision))

    def kept(self, uid: str, revision: int) -> None:
        """Note that the club has a result. A result that was not sent is left as it is: the club cannot have it."""
        self._file.execute(
            "UPDATE result SET kept = revision WHERE uid = ? AND revision = ? AND sent = revision", (uid, revision)
        )

    def sent_of(self, uid: str) -> Sent | None:
        """Return the revision and the signature of a result, None if there is no such result."""
        found = self._file.execute("SELECT revision, text FROM result WHERE uid = ?", (uid,)).fetchone()
        return Sent(uid, found[0], json.loads(found[1]).get("signature", "")) if found else None

    def last(self) -> Result | None:
        """Return the newest match that is over, None if there is none."""
        found = self._file.execute("SELECT text FROM result WHERE over ORDER BY match DESC LIMIT 1").fetchone()
        return json.loads(found[0]) if found else None

    def drop(self, wall: Callable[[], datetime], topic: str, why: str, begins: str) -> None:
        """Keep a message that was dropped, and the newest ones before it."""
        at = wall().isoformat(timespec="seconds")
        found = self._file.execute(
            "INSERT INTO dropped (at, topic, why, begins) VALUES (?, ?, ?, ?)", (at, topic, why, begins)
        )
        self._file.execute("DELETE FROM dropped WHERE n <= ?", (int(found.lastrowid or 0) - MOST,))

    def dropped(self) -> list[DroppedMessage]:
        """Return the messages that were dropped, newest last."""
        rows = self._file.execute("SELECT at, topic, why, begins FROM dropped ORDER BY n")
        return [DroppedMessage(*row) for row in rows]

    @property
    def cookie(self) -> str:
        """The cookie of the pairing with the box, "" if there is none."""
        found = self._file.execute("SELECT cookie FROM pairing").fetchone()
        return str(found[0]) if found else ""

    @cookie.setter
    def cookie(self, cookie: str) -> None:
        self._replace("pairing", cookie)

    @property
    def club(self) -> tuple[str, int]:
        """The key of the club and the number of its newest offer, ("", 0) if no club has signed anything yet."""
        found = self._file.execute("SELECT key, offer FROM club").fetchone()
        return (str(found[0]), int(found[1])) if found else ("", 0)

    @club.setter
    def club(self, club: tuple[str, int]) -> None:
        self._replace("club", *club)

    def _replace(self, table: str, *row: str | int) -> None:
        self._file.execute("BEGIN IMMEDIATE")
        self._file.execute(f"DELETE FROM {table}")
        if any(row):
            self._file.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        self._file.execute("COMMIT")

    def _results(self, which: str) -> list[Result]:
        rows = self._file.execute(f"SELECT text FROM result WHERE {which} ORDER BY match")
        return [json.loads(text) for (text,) in rows]
