"""The match in play and the past matches from the journal: acts, records, results, scores, statistics."""

from __future__ import annotations

import contextlib
import json
import logging
import re
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeVar

from umpi.i18n.translate import current_language, player_label, tr
from umpi.journal import Foreign, Kept, open_to_read, read_lines, read_match, read_newest
from umpi.journal.queries import ENDED, read_meta
from umpi.journal.statistics import Stats, read_stats
from umpi.kernel.fields import Given
from umpi.kernel.game import Act, full_title
from umpi.kernel.record import dump, read_line, replay
from umpi.kernel.registry import find, games
from umpi.referee.transcript import Done
from umpi.referee.view_state import ViewState
from umpi.table.seating import TableSetup
from umpi.table.telling import tell_act
from umpi.web.content import Content
from umpi.web.forms import ask_form, following
from umpi.web.table import over_of, players_of, scores_of

log = logging.getLogger(__name__)

Json = dict[str, Any]
T = TypeVar("T")
BREATH_S = 0.001  # work, then sleep: one thread runs at a time, and the game has priority
SHOWN = 100  # newest past matches
KEPT = 300  # cached summaries, so that a list does not replay its matches each time


def entries(view: ViewState, first: int = 0) -> list[Json]:
    """List the acts of the match in play that are on disk, starting with index `first`."""
    if not view.saved:
        return []
    match, done_by = view.saved.record.match, view.saved.done
    return [
        {
            "index": index,
            "seat": done.seat,
            "text": tell_act(match, index),
            "calls": [tr(call.text) for call in match.calls(index)],
            "line": act.line(),
            "at_ms": act.at,
            "who": done.who,
        }
        for index, (act, done) in enumerate(zip(match.acts[first:], done_by[first:], strict=True), first)
    ]


class History:
    """Cache the acts of the match in play that are on disk, so that each is described once."""

    def __init__(self) -> None:
        self._of: object = None  # the match, its players, the language
        self._state: object = None
        self._done: list[tuple[Act, Done]] = []
        self._entries: list[Json] = []
        self._content = Content.of(b"[]")

    def content(self, view: ViewState) -> Content:
        """Return all acts as JSON, oldest first."""
        saved = view.saved
        of = view.number, saved and saved.record.match.players, current_language()
        state = of, len(saved.lines) if saved else 0
        if state == self._state:
            return self._content
        done = list(zip(saved.record.match.acts, saved.done, strict=True)) if saved else []
        pairs = zip(self._done, done, strict=False)
        same = sum(1 for _ in takewhile(lambda two: two[0][0] is two[1][0], pairs)) if of == self._of else 0
        self._entries = self._entries[:same] + entries(view, same)
        self._done, self._of, self._state = done, of, state
        self._content = Content.of(json.dumps(self._entries, ensure_ascii=False).encode())
        return self._content


def question_of(view: ViewState, index: int, given: Given | None = None) -> Json | None:
    """Return the question that the act at `index` answered, with the fields that follow from `given`.

    Without `given`, the fields follow from the act itself. Returns None if there is no act at `index`.
    """
    match = view.saved.record.match if view.saved else None
    if not match or index not in range(len(match.acts)):
        return None
    ask = match.asked(index)
    answers = match.acts[index].given if given is None else given
    return {"ask": ask_form(ask, match.players), **following(ask, answers, match.players)}


def record_of(view: ViewState) -> str:
    """Return the lines of the match in play that are on disk as JSON Lines, or "" if there is no match."""
    if not view.saved:
        return ""
    lines = [view.saved.record.header.line(), *(line for line, _ in view.saved.lines)]
    return "".join(dump(line) + "\n" for line in lines)


class Past:
    """Read the matches of a journal from its file. The methods may wait for the disk."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._summaries: OrderedDict[tuple[int, int, str, bool], Json] = OrderedDict()

    def matches(self) -> list[Json]:
        """Return the newest hundred matches, newest first."""

        def newest(file: sqlite3.Connection) -> list[Json]:
            return [self._summary(kept, file) for kept in reversed(list(read_newest(file, SHOWN)))]

        return self._read(newest) or []

    def match(self, number: str) -> Json | None:
        """Return one match with the scores after each act, or None if there is no such match."""

        def whole(file: sqlite3.Connection) -> Json | None:
            kept = _kept(file, number)
            return summary(kept, read_lines(file, kept.id), True, ended_of(file, kept)) if kept else None

        return self._read(whole)

    def record(self, number: str) -> str | None:
        """Return one match as JSON Lines, or None if there is no such match."""

        def written(file: sqlite3.Connection) -> str | None:
            kept = _kept(file, number)
            return "".join(line + "\n" for line in (kept.header, *read_lines(file, kept.id))) if kept else None

        return self._read(written)

    def stats(self) -> Json:
        """Return the statistics of all players, for all games together and for each game."""
        try:
            stats = read_stats(self._path, find)
        except (OSError, Foreign, sqlite3.Error):  # as in `_read`
            log.warning("The journal cannot be read", exc_info=True)
            stats = Stats(())
        titles = {game.id: tr(full_title(game)) for game in games()}
        tallies = []
        for tally in stats.tallies:
            players = [asdict(one) | {"name": player_label(one.name)} for one in tally.players]
            pairs = [asdict(pair) | {"names": list(map(player_label, pair.names))} for pair in tally.pairs]
            title = titles.get(tally.game or "", tally.game)
            tallies.append(asdict(tally) | {"title": title, "players": players, "pairs": pairs})
        return {"tallies": tallies, "unread": [asdict(unread) for unread in stats.unread]}

    def _read(self, look: Callable[[sqlite3.Connection], T]) -> T | None:
        """Return the result of `look`, or None if there is no journal or it cannot be read.

        The panel also shows that the journal cannot be read.
        """
        try:
            with contextlib.closing(open_to_read(self._path)) as file:
                return look(file)
        except FileNotFoundError:
            return None
        except (OSError, Foreign, sqlite3.Error):
            log.warning("The journal cannot be read", exc_info=True)
            return None

    def _summary(self, match: Kept, file: sqlite3.Connection) -> Json:
        key = (match.id, match.lines, match.header, match.open)
        if key not in self._summaries:
            self._summaries[key] = summary(match, read_lines(file, match.id), ended=ended_of(file, match))
            if len(self._summaries) > KEPT:
                self._summaries.popitem(last=False)
        return self._summaries[key]


def ended_of(file: sqlite3.Connection, kept: Kept) -> str | None:
    """Return when a match was last over, by the wall clock; None if the journal does not know."""
    ended = read_meta(file, kept.id, ENDED)
    return ended if isinstance(ended, str) else None


def summary(kept: Kept, lines: list[str], progress: bool = False, ended: str | None = None) -> Json:
    """Return a summary of a match in the journal, by replaying it.

    If the replay fails, the summary contains the reason and the state up to that line. `progress` adds the scores after
    each act, none of them while the game hides them. `ended` is when the match was last over.
    """
    raw = [line.encode() for line in (kept.header, *lines)]
    scores: list[list[int]] = []
    breath_s = time.perf_counter()
    for step in replay(raw, find):
        if time.perf_counter() - breath_s > BREATH_S:
            time.sleep(BREATH_S)
            breath_s = time.perf_counter()
        if progress and step.record and not step.error:
            del scores[step.n :]
            if step.n > len(scores):
                scores.append(list(step.record.match.now.scores()))
    header = read_line(raw[0]) or {}
    names = header.get("players")
    document: Json = {
        "id": kept.id, "game": header.get("game"), "title": header.get("game"), "uid": kept.uid, "rules": "",
        "began": kept.began, "ended": None, "over": None,
        "open": kept.open,
        "players": players_of(list(map(str, names)), range(len(names))) if isinstance(names, tuple) else [],
        "scores": None, "winners": [], "error": "",
    }  # fmt: skip
    if step.error:
        document["error"] = tr("Line {line}: {why}", line=step.line, why=step.error)
    if step.record:
        match, table = step.record.match, TableSetup.of(step.record.header)
        over = over_of(match)
        document |= {
            "title": tr(full_title(match.game)), "players": players_of(match.players, table.buttons), "over": over,
            "ended": ended if over else None, "rules": table.rules,
            "scores": scores_of(match), "winners": over["winners"] if over else [],
        }  # fmt: skip
        scores = [] if None in document["scores"] else scores
    return document | ({"progress": scores} if progress else {})


def _kept(file: sqlite3.Connection, number: str) -> Kept | None:
    if not re.fullmatch("[0-9]{1,15}", number):
        return None
    return read_match(file, int(number))
