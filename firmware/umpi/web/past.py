"""The match in play and the past matches from the journal: acts, records, results, scores, statistics."""

from __future__ import annotations

import contextlib
import logging
import re
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeVar

from umpi.i18n.translate import current_language, player_label, tr
from umpi.journal import Foreign, Kept, open_to_read, read_lines, read_match, read_newest
from umpi.journal.queries import ended_of, read_all_meta
from umpi.journal.statistics import PlayedMatch, PlayerTotals, Stats, read_played, read_stats
from umpi.kernel.fields import Given
from umpi.kernel.game import Act, full_title
from umpi.kernel.kept import RACE
from umpi.kernel.match import Match, Refused
from umpi.kernel.record import dump, read_line, replay
from umpi.kernel.registry import find, games, origin
from umpi.referee.announcement import RACES
from umpi.referee.transcript import HIDDEN, Done
from umpi.referee.view_state import ViewState
from umpi.table.faults import broke
from umpi.table.seating import Seating
from umpi.table.telling import entered, sentence_of
from umpi.timing.race import Race
from umpi.web import documents
from umpi.web.boards import shown_board
from umpi.web.content import Content
from umpi.web.forms import ask_form, following
from umpi.web.photo import race_document
from umpi.web.results import Signer, buttons_in, signed_record
from umpi.web.shown import call_json, over_of, players_of, scores_of, shown_scores

log = logging.getLogger(__name__)

T = TypeVar("T")
BREATH_S = 0.001  # work, then sleep: one thread runs at a time, and the game has priority
SHOWN = 100  # newest past matches
KEPT = 300  # cached summaries, so that a list does not replay its matches each time


def entries(view: ViewState, first: int = 0) -> list[documents.Entry]:
    """List the acts of the match in play that are on disk, starting with index `first`."""
    if not view.saved:
        return []
    match, done_by, joined = view.saved.record.match, view.saved.done, view.saved.joined
    return [
        {
            "index": index,
            "seat": done.seat,
            "text": _told(match, index),
            "calls": [tr(call.text) for call in match.calls(index)],
            "line": match.line(index),
            "at_ms": act.at,
            "who": done.who,
            "entered": index not in view.state.alone and entered(match, index, joined),
        }
        for index, (act, done) in enumerate(zip(match.acts[first:], done_by[first:], strict=True), first)
    ]


def _told(match: Match, index: int) -> str:
    """Return the sentence about an act; if the engine fails over it, that it fails."""
    try:
        return sentence_of(match, index)
    except Exception as fault:  # the game's own code may raise anything
        return broke(match, "the history lacks an act", fault)


class History:
    """Cache the acts of the match in play that are on disk, so that each is described once."""

    def __init__(self) -> None:
        self._of: object = None  # the match, its players, the language
        self._state: object = None
        self._done: list[tuple[Act, Done]] = []
        self._entries: list[documents.Entry] = []
        self._content: Content[list[documents.Entry]] = Content.json([])

    def content(self, view: ViewState) -> Content[list[documents.Entry]]:
        """Return all acts as JSON, oldest first."""
        saved = view.saved
        match = saved.record.match if saved else None
        of = view.number, match and (match.players, not match.asks), current_language()  # at the end, hands are shown
        state = of, len(saved.lines) if saved else 0
        if state == self._state:
            return self._content
        done = list(zip(saved.record.match.acts, saved.done, strict=True)) if saved else []
        pairs = zip(self._done, done, strict=False)
        same = sum(1 for _ in takewhile(lambda two: two[0][0] is two[1][0], pairs)) if of == self._of else 0
        self._entries = self._entries[:same] + entries(view, same)
        self._done, self._of, self._state = done, of, state
        self._content = Content.json(self._entries)
        return self._content


def question_of(view: ViewState, index: int, given: Given | None = None) -> documents.PastQuestion | None:
    """Return the question that the act at `index` answered, with the fields that follow from `given`.

    Without `given`, the fields follow from the act itself. Returns None if there is no act at `index`. Raises Refused
    if only one seat may see what was drawn or could be chosen there.
    """
    match = view.saved.record.match if view.saved else None
    if not match or index not in range(len(match.acts)):
        return None
    if match.hides(index):
        raise Refused(HIDDEN)
    ask = match.asked(index)
    answers = match.acts[index].given if given is None else given
    return {"ask": ask_form(ask, match.players), **following(ask, answers, match.players)}


def record_of(view: ViewState) -> str:
    """Return the lines of the match in play that are on disk as JSON Lines, or "" if there is no match."""
    if not view.saved:
        return ""
    header = view.saved.record.header
    packages = origin(header.game.id) if "revision" in header.tags else {}  # as the journal has written them
    lines = [{**header.line(), **packages, **header.tags}, *view.saved.shown_lines()]
    return "".join(dump(line) + "\n" for line in lines)


class Past:
    """Read the matches of a journal from its file. The methods may wait for the disk."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._summaries: OrderedDict[tuple[str, int, int, str, bool], documents.Past] = OrderedDict()

    def matches(self) -> list[documents.Past]:
        """Return the newest hundred matches, newest first: those that are over by their outcome, without a reason."""

        def newest(file: sqlite3.Connection) -> list[documents.Past]:
            return [self._listed(kept, file) for kept in reversed(list(read_newest(file, SHOWN)))]

        return self._read(newest) or []

    def match(self, number: str) -> documents.Past | None:
        """Return one match with the scores after each act and its races, or None if there is no such match.

        One that is over has its result, too, if its game was removed or no longer replays it.
        """

        def whole(file: sqlite3.Connection) -> documents.Past | None:
            kept = _kept(file, number)
            if not kept:
                return None
            races = races_of(read_all_meta(file, kept.id, RACE))
            document = summary(kept, read_lines(file, kept.id), True, races)
            if document["error"] and kept.outcome:
                with contextlib.suppress(ValueError):  # the outcome cannot be read either
                    ended = by_outcome(kept, read_played(file, kept, find))
                    return document | ended | {"error": document["error"]}
            return document

        return self._read(whole)

    def moves(self, number: str) -> documents.Replay | None:
        """Return one match with all its positions, or None if there is no such match."""

        def whole(file: sqlite3.Connection) -> documents.Replay | None:
            kept = _kept(file, number)
            return replayed(kept, read_lines(file, kept.id)) if kept else None

        return self._read(whole)

    def record(self, number: str) -> str | None:
        """Return one match as JSON Lines with its signed result, or None if there is no such match."""

        def written(file: sqlite3.Connection) -> str | None:
            kept = _kept(file, number)
            if not kept:
                return None
            signer = Signer.of(self._path.parent, make=True)
            return "".join(line + "\n" for line in signed_record(file, kept, signer))

        return self._read(written)

    def stats(self) -> documents.Stats:
        """Return the statistics of all players, for all games together and for each game."""
        try:
            stats = read_stats(self._path, find)
        except (OSError, Foreign, sqlite3.Error):  # as in `_read`
            log.warning("The journal cannot be read", exc_info=True)
            stats = Stats(())
        titles = {game.id: tr(full_title(game)) for game in games()}
        return {
            "tallies": [_tally(tally, titles.get(tally.game or "", tally.game)) for tally in stats.tallies],
            "unread": [{"match": unread.match, "why": unread.why} for unread in stats.unread],
        }

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

    def _listed(self, kept: Kept, file: sqlite3.Connection) -> documents.Past:
        try:
            return by_outcome(kept, read_played(file, kept, find)) if kept.outcome else self._summary(kept, file)
        except ValueError:  # no header or outcome that can be read: a replay says where and why
            return self._summary(kept, file)

    def _summary(self, match: Kept, file: sqlite3.Connection) -> documents.Past:
        key = (current_language(), match.id, match.lines, match.header, match.open)
        if key not in self._summaries:
            self._summaries[key] = summary(match, read_lines(file, match.id))
            if len(self._summaries) > KEPT:
                self._summaries.popitem(last=False)
        return self._summaries[key]


def _tally(tally: PlayerTotals, title: str | None) -> documents.Tally:
    return {
        "game": tally.game,
        "title": title,
        "matches": tally.matches,
        "open": tally.open,
        "players": [
            {
                "name": player_label(one.name), "matches": one.matches, "won": one.won, "shared": one.shared,
                "mean": one.mean, "best": one.best,
            }
            for one in tally.players
        ],
        "pairs": [
            {"names": list(map(player_label, pair.names)), "ahead": list(pair.ahead), "level": pair.level}
            for pair in tally.pairs
        ],
        "rules": [{"name": each.name, "matches": each.matches} for each in tally.rules],
    }  # fmt: skip


def races_of(noted: Iterable[Any]) -> list[Race]:
    """Read the races of a match from its notes: the newest for each number of acts before it, in their order."""
    races: dict[int, Race] = {}
    for value in noted:
        try:
            race = Race.read(value)
        except ValueError:
            log.warning("A race of the journal cannot be read", exc_info=True)
            continue
        races[race.before] = race
    return [races[before] for before in sorted(races)]


def summary(kept: Kept, lines: list[str], progress: bool = False, races: Sequence[Race] = ()) -> documents.Past:
    """Return a summary of a match in the journal, by replaying it.

    If the replay fails, the summary contains the reason and the state up to that line. `progress` adds the scores after
    each act, none of them while the game hides them, and those of the `races` whose acts still stand.
    """
    raw = [line.encode() for line in (kept.record_header, *lines)]
    scores: list[list[int]] = []
    for step in _breathing(replay(raw, find)):
        if progress and step.record and not step.error:
            del scores[step.n :]
            if step.n > len(scores):
                scores.append(list(step.record.match.now.scores()))
    document = _heading(kept)
    if step.error:
        document["error"] = tr("Line {line}: {why}", line=step.line, why=step.error)
    if step.record:
        match, table = step.record.match, Seating.of(step.record.header)
        over, standing = over_of(match), scores_of(match)
        document |= {
            "over": over, "ended": ended_of(kept) if over else None, "rules": table.rules,
            "scores": standing, "winners": over["winners"] if over else [],
        }  # fmt: skip
        scores = [] if None in standing else scores
        if progress:
            standing_races = [race for race in races if _ran(match, race)]
            document["races"] = [race_document(race, match.players, table.buttons) for race in standing_races]
    if progress:
        document["progress"] = scores
    return document


def by_outcome(kept: Kept, played: PlayedMatch) -> documents.Past:
    """Return a summary of a match that is over, from its outcome in the journal. It gives no reason for the end."""
    winners = [seat for seat, place in enumerate(played.places) if place == 1]
    over: documents.Over = {
        "winners": winners, "together": played.together, "places": list(played.places), "why": "",
    }  # fmt: skip
    return _heading(kept) | {
        "over": over, "ended": ended_of(kept), "rules": played.rules, "scores": list(played.scores), "winners": winners,
    }  # fmt: skip


def _heading(kept: Kept) -> documents.Past:
    """Return what the header of a match says, as a summary of a match that has not ended."""
    header = read_line(kept.header.encode()) or {}
    names, game = header.get("players"), header.get("game")
    known = next((known for known in games() if known.id == game), None)
    players = list(map(str, names)) if isinstance(names, tuple) else []
    return {
        "id": kept.id, "game": game, "title": tr(full_title(known)) if known else game, "uid": kept.uid, "rules": "",
        "began": kept.began, "ended": None, "over": None, "open": kept.open,
        "players": players_of(players, buttons_in(header, len(players))), "scores": None, "winners": [], "error": "",
    }  # fmt: skip


def _ran(match: Match, race: Race) -> bool:
    """Return whether a match still has the act with which a race began, and the seats of the race."""
    if race.before not in range(len(match.acts)):
        return False
    fields = match.asked(race.before).fields
    seats = [one.seat for one in race.arrivals if one.seat is not None]
    return bool(fields) and fields[0].source in RACES and all(seat in range(len(match.players)) for seat in seats)


def replayed(kept: Kept, lines: list[str]) -> documents.Replay:
    """Return the moves of a match in the journal, as far as its record can be replayed.

    A move has only the facts that it changes, and the board if it changes, because most stay as they are.
    """
    raw = [line.encode() for line in (kept.record_header, *lines)]
    *_, last = _breathing(replay(raw, find))
    if not last.record:
        return {"game": "", "players": [], "moves": []}
    match, table = last.record.match, Seating.of(last.record.header)
    moves: list[documents.Move] = []
    known: Mapping[str, Any] = {}
    board: documents.Board = None
    for count in _breathing(range(len(match.acts) + 1)):
        move, facts = _move(match, count), match.position(count).shown_facts()
        if count and known.keys() == facts.keys():
            changed = {name: value for name, value in facts.items() if value != known[name]}
            move |= {"facts": changed, "whole": False}
        else:
            move["facts"] = facts
        known = facts
        before, board = board, shown_board(match.position(count), match.players, match)
        if board != before or not count:
            move["board"] = board
        moves.append(move)
    return {"game": match.game.id, "players": players_of(match.players, table.buttons), "moves": moves}


def _move(match: Match, count: int) -> documents.Move:
    """Return the position after `count` acts and the act that led to it, without facts."""
    position, index = match.position(count), count - 1
    return {
        "text": sentence_of(match, index) if count else "",
        "calls": [call_json(call) for call in match.calls(index)] if count else [],
        "turn": next((ask.seat for ask in position.asks() if ask.seat is not None), None),
        "scores": shown_scores(position),
        "facts": {},
        "whole": True,
    }


def _breathing(steps: Iterable[T]) -> Iterator[T]:
    """Yield each step, and sleep in between after each millisecond of work."""
    breath_s = time.perf_counter()
    for step in steps:
        if time.perf_counter() - breath_s > BREATH_S:
            time.sleep(BREATH_S)
            breath_s = time.perf_counter()
        yield step


def _kept(file: sqlite3.Connection, number: str) -> Kept | None:
    if not re.fullmatch("[0-9]{1,15}", number):
        return None
    return read_match(file, int(number))
