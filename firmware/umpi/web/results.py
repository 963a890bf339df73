"""Results of matches for other programs, as JSON and as CSV: read from the journal, without replaying the matches."""

from __future__ import annotations

import csv
import io
import logging
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from umpi.i18n.translate import tr
from umpi.journal import Foreign, Kept, open_to_read, read_matches
from umpi.journal.queries import ended_of, read_chain
from umpi.journal.statistics import read_played
from umpi.kernel.game import full_title
from umpi.kernel.record import read_line
from umpi.kernel.registry import find, games
from umpi.web import documents

MOST = 200  # results per request
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes a text that begins so for a formula
COLUMNS = (
    "uid", "match", "game", "title", "rules", "began", "ended", "seat", "button", "player", "score", "place", "won",
)  # fmt: skip
FIGURES = ("game", "title", "player", "matches", "won", "shared", "mean", "best")

log = logging.getLogger(__name__)


def read_results(path: Path, after: int = 0, most: int | None = MOST) -> list[documents.Result]:
    """Return the matches of a journal with numbers above `after`, oldest first, at most `most`; [] without a journal.

    A match that is not over has no places and no scores.
    """
    titles = {game.id: tr(full_title(game)) for game in games()}
    try:
        with closing(open_to_read(path)) as file:
            return [_result(file, kept, titles) for kept in list(islice(read_matches(file, after), most))]
    except FileNotFoundError:
        return []
    except (OSError, Foreign, sqlite3.Error):
        log.warning("The journal cannot be read", exc_info=True)
        raise


def _result(file: sqlite3.Connection, kept: Kept, titles: Mapping[str, str]) -> documents.Result:
    fields: documents.Result = {
        "uid": kept.uid, "match": kept.id, "revision": kept.revision, "chain": read_chain(file, kept), "game": "",
        "title": "", "rules": "", "began": kept.began, "ended": None, "over": False, "players": [], "scores": [],
        "places": [], "winners": [], "error": "",
    }  # fmt: skip
    try:
        played = read_played(file, kept, find)
    except ValueError as fault:
        fields["error"] = str(fault)
        return fields
    header = read_line(kept.header.encode()) or {}
    pairs = enumerate(zip(played.players, buttons_in(header, len(played.players)), strict=True))
    fields |= {
        "game": played.game, "title": str(titles.get(played.game, played.game)), "rules": played.rules,
        "ended": ended_of(kept), "over": bool(played.places),
        "players": [{"seat": seat, "name": name, "button": button} for seat, (name, button) in pairs],
        "scores": list(played.scores), "places": list(played.places),
        "winners": [seat for seat, place in enumerate(played.places) if place == 1],
    }  # fmt: skip
    return fields


def buttons_in(header: Mapping[str, Any], seats: int) -> Sequence[int]:
    """Return the button of each seat according to a header, the first buttons if it does not say it."""
    given = header.get("buttons")
    fits = isinstance(given, tuple) and len({*given}) == seats and all(type(button) is int for button in given)
    return given if fits and isinstance(given, tuple) else range(seats)


def matches_csv(results: Iterable[documents.Result]) -> bytes:
    """Return results as CSV: a row per player of each match."""
    return _csv(COLUMNS, (row for result in results for row in _rows(result)))


def _rows(result: documents.Result) -> Iterator[list[object]]:
    about = [result[key] for key in ("uid", "match", "game", "title", "rules", "began", "ended")]
    for player in result["players"]:
        seat, over = player["seat"], result["over"]
        ended = [result["scores"][seat], result["places"][seat], int(seat in result["winners"])] if over else [None] * 3
        yield [*about, seat, player["button"], player["name"], *ended]


def stats_csv(tallies: Iterable[documents.Tally]) -> bytes:
    """Return the figures of all players as CSV: a row per player and game."""
    games = (tally for tally in tallies if tally["game"] is not None)
    rows = ((tally, one) for tally in games for one in tally["players"])
    keys = ("name", "matches", "won", "shared", "mean", "best")
    return _csv(FIGURES, ([tally["game"], tally["title"], *map(one.get, keys)] for tally, one in rows))


def _csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    written = io.StringIO()
    table = csv.writer(written)
    table.writerow(columns)
    table.writerows([_cell(value) for value in row] for row in rows)
    return written.getvalue().encode()


def _cell(value: object) -> object:
    """Return a value for a cell. A text that a spreadsheet would compute gets an apostrophe in front."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
