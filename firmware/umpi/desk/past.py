"""The match in play and those of before, as the journal has them: acts, records, results, scores, statistics."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from umpi.desk.forms import ask_form, following
from umpi.desk.table import over_of, players_of
from umpi.journal import Foreign, Kept, open_to_read, read_lines, read_matches
from umpi.panel.acts import tell_act
from umpi.panel.setup import Table
from umpi.rules.catalog import find, games
from umpi.rules.fields import Given
from umpi.rules.game import full_title
from umpi.rules.record import dump, read_line, replay
from umpi.sitting import Sitting
from umpi.stats import Stats, read_stats
from umpi.tongue import called, told

Json = dict[str, Any]
T = TypeVar("T")
SHOWN = 100  # of the past matches, the newest
KEPT = 300  # summaries, so that a list is not replayed each time it is asked for


def entries(sitting: Sitting) -> list[Json]:
    """Tell the acts that stand in the match in play, the first first."""
    match = sitting.match
    if not match:
        return []
    return [
        {
            "index": index,
            "seat": done.seat,
            "text": tell_act(match, index),
            "line": act.line(),
            "at_ms": act.at,
            "who": done.who,
        }
        for index, (act, done) in enumerate(zip(match.acts, sitting.done, strict=True))
    ]


def question_of(sitting: Sitting, index: int, given: Given | None = None) -> Json | None:
    """Return the question that the act at `index` answered, with the fields that follow from what is `given`.

    Without `given` they follow from the act itself. Returns None where no act stands at `index`.
    """
    match = sitting.match
    if not match or index not in range(len(match.acts)):
        return None
    ask = match.asked(index)
    answers = match.acts[index].given if given is None else given
    return {"ask": ask_form(ask, match.players), **following(ask, answers, match.players)}


def record_of(sitting: Sitting) -> str:
    """Write the match in play as JSON Lines, "" where there is none."""
    if not sitting.record:
        return ""
    lines = [sitting.record.header.line(), *(line for line, _ in sitting.lines)]
    return "".join(dump(line) + "\n" for line in lines)


class Past:
    """The matches of a journal, read from its file; its methods may wait for the disk."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._told: OrderedDict[tuple[int, int, str, bool], Json] = OrderedDict()

    def matches(self) -> list[Json]:
        """Tell the newest hundred, the newest first."""

        def newest(file: sqlite3.Connection) -> list[Json]:
            return [self._summary(kept, file) for kept in list(read_matches(file))[: -SHOWN - 1 : -1]]

        return self._read(newest) or []

    def match(self, number: str) -> Json | None:
        """Tell one match and the scores after each of its acts, None where there is no such match."""

        def whole(file: sqlite3.Connection) -> Json | None:
            kept = _kept(file, number)
            return summary(kept, read_lines(file, kept.id), progress=True) if kept else None

        return self._read(whole)

    def record(self, number: str) -> str | None:
        """Write one match as JSON Lines, None where there is no such match."""

        def written(file: sqlite3.Connection) -> str | None:
            kept = _kept(file, number)
            return "".join(line + "\n" for line in (kept.header, *read_lines(file, kept.id))) if kept else None

        return self._read(written)

    def stats(self) -> Json:
        """Tell who has played and won how much, in all games and in each."""
        try:
            stats = read_stats(self._path, find)
        except (OSError, Foreign, sqlite3.Error):  # as below
            stats = Stats(())
        titles = {game.id: told(full_title(game)) for game in games()}
        tallies = []
        for tally in stats.tallies:
            players = [asdict(one) | {"name": called(one.name)} for one in tally.players]
            pairs = [asdict(pair) | {"names": list(map(called, pair.names))} for pair in tally.pairs]
            title = titles.get(tally.game or "", tally.game)
            tallies.append(asdict(tally) | {"title": title, "players": players, "pairs": pairs})
        return {"tallies": tallies, "unread": [asdict(unread) for unread in stats.unread]}

    def _read(self, look: Callable[[sqlite3.Connection], T]) -> T | None:
        """Look into the file; None where nothing has been played, or it is out, which the panel says."""
        try:
            with contextlib.closing(open_to_read(self._path)) as file:
                return look(file)
        except (OSError, Foreign, sqlite3.Error):
            return None

    def _summary(self, match: Kept, file: sqlite3.Connection) -> Json:
        key = (match.id, match.lines, match.header, match.open)
        if key not in self._told:
            self._told[key] = summary(match, read_lines(file, match.id))
            if len(self._told) > KEPT:
                self._told.popitem(last=False)
        return self._told[key]


def summary(kept: Kept, lines: list[str], progress: bool = False) -> Json:
    """Tell a match of the journal; one that no longer replays says where and why, as far as it does."""
    raw = [line.encode() for line in (kept.header, *lines)]
    scores: list[list[int]] = []
    for step in replay(raw, find):
        if progress and step.record and not step.error:
            del scores[step.n :]
            if step.n > len(scores):
                scores.append(list(step.record.match.now.scores()))
    header = read_line(raw[0]) or {}
    names = header.get("players")
    told_of: Json = {
        "id": kept.id, "game": header.get("game"), "title": header.get("game"), "began": kept.began, "over": None,
        "players": players_of(list(map(str, names)), range(len(names))) if isinstance(names, tuple) else [],
        "scores": None, "winners": [], "error": "",
    }  # fmt: skip
    if step.error:
        told_of["error"] = told("Line {line}: {why}", line=step.line, why=step.error)
    if step.record:
        match, table = step.record.match, Table.of(step.record.header)
        over = over_of(match)
        told_of |= {
            "title": told(full_title(match.game)), "players": players_of(match.players, table.buttons), "over": over,
            "scores": list(match.now.scores()), "winners": over["winners"] if over else [],
        }  # fmt: skip
    return told_of | ({"progress": scores} if progress else {})


def _kept(file: sqlite3.Connection, number: str) -> Kept | None:
    if not re.fullmatch("[0-9]{1,15}", number):
        return None
    return next((kept for kept in read_matches(file) if kept.id == int(number)), None)
