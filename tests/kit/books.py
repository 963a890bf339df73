"""A play that is written to a journal, and the book of what must be there after each step of it."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from umpi.journal import Journal, open_to_read, read_outcome, read_traces
from umpi.journal.recovery import SMALL, check_whole
from umpi.kernel.kept import Uid

NAMES = ("Ann", "Ben", "Zoë", "Ernő", "Ödön", "Li")
OFF_AND_ON = "off and on"
OF_ALL = ("begin", "speak", "pair", "revoke")  # calls that name no match
TURN = "turn_s"
OUTCOME = {"places": [1, 2, 2], "scores": [500, 300, 300]}
Step = tuple[Any, ...]  # what is called, and with which values; a match goes by its place in the book, from 1
ANOTHER: Step = ("begin", {"umpi": 1, "game": "dodeka", "players": ["Ann", "Ben"], "options": {}}, 1)


@dataclass
class Page:
    """A match as the book has it."""

    players: list[str]
    how: str = "on"
    lines: list[tuple[Any, ...]] = field(default_factory=list)  # each with who wrote it, and its mark
    outcome: Any = None
    turn_s: Any = None
    traces: list[str] = field(default_factory=list)


@dataclass
class Book:
    """All that was written, in order; called as a journal is."""

    pages: list[Page] = field(default_factory=list)
    on_table: int | None = None
    language: str = ""
    phones: list[tuple[str, str, str]] = field(default_factory=list)

    def begin(self, header: dict[str, Any], rules: int) -> None:
        self.pages.append(Page(list(header["players"])))
        self.on_table = len(self.pages)

    def append(self, match: int, lines: list[Any], who: str, marks: list[int], outcome: Any) -> None:
        page = self.pages[match - 1]
        page.lines += [(line, who, mark) for line, mark in zip(lines, marks, strict=True)]
        page.outcome = outcome

    def rename(self, match: int, players: list[str]) -> None:
        self.pages[match - 1].players = list(players)

    def take_up(self, match: int) -> None:
        self.pages[match - 1].how, self.on_table = "on", match

    def leave(self, match: int) -> None:
        self.pages[match - 1].how = "left"
        self.on_table = None if self.on_table == match else self.on_table

    def close_match(self, match: int) -> None:
        self.pages[match - 1].how = "closed"
        self.on_table = None if self.on_table == match else self.on_table

    def note(self, match: int, what: str, value: Any) -> None:
        self.pages[match - 1].turn_s = value

    def keep_trace(self, match: int, lines: list[str]) -> None:
        self.pages[match - 1].traces.append("".join(line + "\n" for line in lines))

    def speak(self, language: str) -> None:
        self.language = language

    def pair(self, hash: str, who: str, name: str) -> None:
        self.phones.append((hash, who, name))

    def revoke(self, hash: str) -> None:
        self.phones = [phone for phone in self.phones if phone[0] != hash]

    def copy(self) -> Book:
        """Record the present state."""
        pages = [replace(page, lines=list(page.lines), traces=list(page.traces)) for page in self.pages]
        return replace(self, pages=pages, phones=list(self.phones))


def read_book(path: Path) -> Book:
    """Read what a journal has, as a box does that opens it, and check that its summaries are those of its rows."""
    with closing(Journal(path)) as journal:
        assert journal.trouble == "", journal.trouble
        matches = journal.matches()
        rows = [kept.uid for kept in matches]
        on_table = journal.on_table()
        book = Book([], rows.index(on_table) + 1 if on_table else None, journal.spoken(), journal.phones())
        with closing(open_to_read(path)) as file:
            if journal.notice or path.stat().st_size > SMALL:  # else the journal has just checked all of it
                check_whole(file, True)
            for kept in matches:
                lines = [(json.loads(text), who, mark) for text, who, mark in journal.written(kept.uid)]
                page = Page(json.loads(kept.header)["players"], kept.how, lines, read_outcome(kept))
                page.turn_s, page.traces = journal.noted(kept.uid, TURN), read_traces(file, kept.id)
                book.pages.append(page)
    return book


def wipe(path: Path) -> None:
    """Remove a journal, and what SQLite has beside it."""
    for end in ("", "-wal", "-shm"):
        Path(f"{path}{end}").unlink(missing_ok=True)


def a_play(seed: int, steps: int) -> list[Step]:
    """Make up a play: several matches, answers of one line to three, undos, names, traces, phones, restarts."""
    chance = Random(seed)
    play: list[Step] = [("begin", header(chance), 1)]
    matches, phones, at = 1, 0, 0
    taken_up = {1}
    while len(play) < steps:
        match = matches if chance.random() < 0.9 else chance.randint(1, matches)
        at += chance.randint(1, 90_000)
        kind = chance.choices(
            ("append", "undo", "begin", "rename", "close_match", "leave", "note", "keep_trace", "speak", "pair",
             "revoke", OFF_AND_ON),
            (60, 9, 7, 5, 3, 3, 3, 5, 2, 2, 1, 5),
        )[0]  # fmt: skip
        if kind in ("append", "undo") and match not in taken_up:
            play.append(("take_up", match))
            taken_up.add(match)
        if kind == "append":
            lines = [{"do": "throw", "dice": [chance.randint(1, 12) for _ in range(3)], "at": at}]
            lines += [{"do": "stop", "at": at + more} for more in range(chance.randint(0, 2))]
            who, outcome = chance.choice(("panel", "phone:Red", "box")), chance.choice((None, None, OUTCOME))
            play.append(("append", match, lines, who, [at + n for n in range(len(lines))], outcome))
        elif kind == "undo":
            play.append(("append", match, [{"undo": chance.randint(1, 3), "at": at}], "panel", [at], None))
        elif kind == "begin":
            play.append(("begin", header(chance), 1))
            matches += 1
            taken_up.add(matches)
        elif kind == "rename":
            play.append(("rename", match, chance.sample(NAMES, 3)))
        elif kind in ("close_match", "leave"):
            play.append((kind, match))
        elif kind == "note":
            play.append(("note", match, TURN, chance.randint(1, 90)))
        elif kind == "keep_trace":
            play.append(("keep_trace", match, [f"edge lane_{at % 7} {at + more}" for more in range(at % 300)]))
        elif kind == "speak":
            play.append(("speak", chance.choice(("de", "en", "fr", "hu"))))
        elif kind == "pair":
            phones += 1
            play.append(("pair", f"hash {phones}", "referee", f"Phone {phones}"))
        elif kind == "revoke":
            play.append(("revoke", f"hash {chance.randint(0, phones)}"))
        else:
            play.append((OFF_AND_ON,))
            taken_up.clear()
    return play


def header(chance: Random) -> dict[str, Any]:
    """The header of a match of three."""
    return {"umpi": 1, "game": "dodeka", "players": chance.sample(NAMES, 3), "options": {}}


class Scribe:
    """Writes a play to a journal and to a book.

    A box that cannot read its journal when it is switched on does not know of the matches in it: what a play has for
    those is then left out, of the book too.
    """

    def __init__(self, path: Path, book: Book | None = None) -> None:
        self.path = path
        self.book = book.copy() if book else Book()
        self.journal = Journal(path)
        self.uids: list[Uid | None] = [kept.uid for kept in self.journal.matches()]  # of the book's matches

    def do(self, step: Step) -> bool:
        """Take one step; True where all is on disk, so that it may be shown."""
        call, *values = step
        if call == OFF_AND_ON:
            self._off_and_on()
        elif call in OF_ALL:
            named = dict(zip(("hash", "who", "name"), values, strict=True)) if call == "pair" else {}
            uid = getattr(self.journal, call)(*(() if named else values), **named)
            getattr(self.book, call)(*values)
            self.uids += [uid] if call == "begin" else []
        elif call == "take_up" and not self.journal.save():
            pass  # not while something is NOT SAVED
        elif call == "take_up" and (taken := self.uids[values[0] - 1]) is not None:
            self.journal.take_up(taken, len(self.book.pages[values[0] - 1].lines))
            self.book.take_up(*values)
        elif (uid := self.uids[values[0] - 1]) is not None:
            getattr(self.journal, call)(uid, *values[1:])
            getattr(self.book, call)(*values)
        return self.journal.trouble == ""

    def _off_and_on(self) -> None:
        if not self.journal.save():
            return  # what is only in memory would rightly go
        self.journal.close()
        self.journal = Journal(self.path)
        there: list[Uid | None] = [kept.uid for kept in self.journal.matches()]
        self.uids = there or [None] * len(self.uids)

    def close(self) -> None:
        """Switch off."""
        self.journal.close()
