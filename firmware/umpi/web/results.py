"""Results of matches for other programs, signed, as JSON and as CSV: read from the journal, without a replay."""

from __future__ import annotations

import csv
import io
import logging
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, cast

from umpi.box.identity import has_identity, read_identity
from umpi.box.signing import SigningKey, read_key
from umpi.frozen import frozen
from umpi.i18n.translate import tr
from umpi.journal import Foreign, Kept, open_to_read, read_lines, read_matches
from umpi.journal.queries import ended_of, hides_hands, read_chain
from umpi.journal.statistics import read_played
from umpi.kernel.game import full_title
from umpi.kernel.record import dump, read_line
from umpi.kernel.registry import find, games
from umpi.kernel.seal import closed
from umpi.web import documents

MOST = 200  # results per request
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes a text that begins so for a formula
COLUMNS = (
    "uid", "match", "game", "title", "rules", "began", "ended", "seat", "button", "player", "score", "place", "won",
)  # fmt: skip
FIGURES = ("game", "title", "player", "matches", "won", "shared", "mean", "best")

SIGNED = "signed"  # the tag of a record with the signed result

log = logging.getLogger(__name__)


@frozen
class Signer:
    """The id of a box, and its key if it has one."""

    box: str
    key: SigningKey | None

    @classmethod
    def of(cls, folder: Path, make: bool) -> Signer:
        """Return that of the box whose journal is in `folder`; with `make` it gets a key.

        If it is no box, or its id cannot be read, it signs nothing.
        """
        box = read_identity(folder) if has_identity(folder) else None
        return cls(box.id, read_key(folder, make)) if box and box.kept else cls("", None)

    def signed(self, result: documents.Result) -> documents.Result:
        """Return a result with the id of the box, its key and its signature."""
        result = {**result, "box": self.box}
        return cast(documents.Result, self.key.sign("result", result)) if self.key else result


NOBODY = Signer("", None)  # for a table or a test, which need no signature


def read_results(
    path: Path, after: int = 0, most: int | None = MOST, signer: Signer = NOBODY
) -> list[documents.Result]:
    """Return the matches of a journal with numbers above `after`, oldest first, at most `most`; [] without a journal.

    A match that is not over has no places and no scores.
    """
    titles = _titles()
    try:
        with closing(open_to_read(path)) as file:
            kept = list(islice(read_matches(file, after), most))
            return [signer.signed(_result(file, each, titles)) for each in kept]
    except FileNotFoundError:
        return []
    except (OSError, Foreign, sqlite3.Error):
        log.warning("The journal cannot be read", exc_info=True)
        raise


def signed_results(path: Path, after: int) -> list[documents.Result]:
    """Return what `read_results` returns, signed by the box, which gets a key if it has none."""
    return read_results(path, after, signer=Signer.of(path.parent, make=True))


def signed_record(file: sqlite3.Connection, kept: Kept, signer: Signer) -> list[str]:
    """Return the lines of a record whose header has the signed result of the match as the tag "signed".

    The chain in it is over the record without the tag. A box without a key does not sign. Until the match is over, what
    the box drew for single seats is hidden; such a record is not signed.
    """
    lines = kept.header, *read_lines(file, kept.id)
    if hides_hands(file, kept):
        return [dump(closed(read_line(line.encode()) or {})) for line in lines]
    signed = signer.signed(_result(file, kept, _titles()))
    header = read_line(kept.header.encode())
    if not signed["signature"] or not header or dump(header) != kept.header:  # a header of another program stays
        return [*lines]
    return [dump({**header, SIGNED: signed}), *lines[1:]]


def _titles() -> dict[str, str]:
    return {game.id: str(tr(full_title(game))) for game in games()}


def _result(file: sqlite3.Connection, kept: Kept, titles: Mapping[str, str]) -> documents.Result:
    fields: documents.Result = {
        "box": "", "uid": kept.uid, "match": kept.id, "revision": kept.revision, "chain": read_chain(file, kept),
        "game": "", "title": "", "rules": "", "began": kept.began, "ended": None, "over": False, "players": [],
        "scores": [], "places": [], "winners": [], "error": "", "key": "", "signature": "",
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
