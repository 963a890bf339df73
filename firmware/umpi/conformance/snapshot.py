"""Snapshots: recorded play-throughs with all that a game says, to compare with what its rules say today.

A snapshot is a record. Notes between its acts describe each position. So a change of the rules changes lines.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from umpi.conformance.edges import edge_act
from umpi.conformance.flaws import Flawed
from umpi.conformance.tables import tables
from umpi.kernel.fields import Each, Field, Forms, Number, Pick, Profile, Some, Text, show
from umpi.kernel.game import Ask, Game
from umpi.kernel.match import Match
from umpi.kernel.random_games import NeverEnds, play
from umpi.kernel.record import Unreadable, dump, read_line, replay

ACTS = 60  # of each play-through, at most
MOST = 12  # values of a pool that are listed
AROUND = 2  # lines of a difference before and after a change
RENEW = "If the change is right, run it again with --renew."


def check_snapshot(game: type[Any], folder: Path) -> str:
    """Compare the snapshots of a folder with the rules and return the figures; raises Flawed with the difference."""
    paths = sorted(folder.glob("*.jsonl"))
    if not paths:
        raise Flawed("snapshot", f"{folder} has no snapshot. Make it: umpi check {game.id} --snapshot {folder} --renew")
    for path in paths:
        try:
            recorded = path.read_text(encoding="utf-8").splitlines()
            difference = compared(recorded, game)
        except (OSError, UnicodeError, Unreadable) as fault:
            raise Flawed("snapshot", f"{path} cannot be read: {getattr(fault, 'strerror', None) or fault}.") from None
        if difference:
            raise Flawed("snapshot", f"{path} differs from the rules of today. {RENEW}\n{difference}")
    return f"{len(paths)} play-throughs"


def renew_snapshot(game: type[Any], folder: Path, seed: int = 0) -> list[Path]:
    """Play a random game with edge values for each number of seats, write each as a snapshot, and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for header in tables(game, [{}]):
        match = header.match()
        with suppress(NeverEnds):
            for _ in play(match, seed, audited=False, draw=edge_act):
                if len(match.acts) >= ACTS:
                    break
        path = folder / f"{len(header.players)}-players.jsonl"
        lines = [dump(header.line()), *_lines(match)]
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
        written.append(path)
    return written


def compared(recorded: Sequence[str], game: type[Game]) -> str:
    """Play the acts of a snapshot again and return how it differs, "" if it does not."""
    acts = [line for line in recorded if "note" not in (read_line(line.encode()) or {})]
    header, match, error = recorded[:1], None, ""
    for step in replay((line.encode() for line in acts), lambda name: game):
        error = step.error
        match = step.record.match if step.record else None
    now = [*header, *(_lines(match) if match else ())]
    difference = "\n".join(difflib.unified_diff(list(recorded), now, "recorded", "now", lineterm="", n=AROUND))
    return difference + (f"\nThe rules now refuse the next act: {error}" if error else "")


def _lines(match: Match) -> Iterator[str]:
    """Yield a note for each position of a match, and its acts between them."""
    for index in range(len(match.acts) + 1):
        yield dump({"note": _described(match.position(index), match.offered(index))})
        if index < len(match.acts):
            yield dump(match.acts[index].line())


def _described(position: Game, asks: Sequence[Ask]) -> str:
    """Return a position in words: its phase, totals, facts and offer, or its result."""
    result = position.result()
    end = f"places {show(result.places)}, {result.why}" if result else "; ".join(map(_offered, asks))
    return f"{position.phase}; totals {show(position.scores())}; {end}; facts {dump(position.facts())}"


def _offered(ask: Ask) -> str:
    seat = "" if ask.seat is None else f"seat {ask.seat}: "
    return f"{seat}{ask.verb}({', '.join(f'{field.name} {_values(field)}' for field in ask.fields)})"


def _values(field: Field) -> str:
    """Return the values that a field accepts, in few words."""
    match field:
        case Number(_, low, high):
            return f"{low} to {high}"
        case Pick():
            return _pool(field.pool)
        case Some():
            return f"{field.least} to {field.most} of {_pool(field.pool)}"
        case Each(_, fields):
            return " and ".join(map(_values, fields))
        case Forms(_, fields, least, most):
            return f"{least} to {most} of ({' and '.join(map(_values, fields))})"
        case Text(_, least, most):
            return f"{least} to {most} letters"
        case Profile():
            return "an object"


def _pool(pool: Sequence[Any]) -> str:
    if isinstance(pool, range):
        return f"{pool[0]} to {pool[-1]}" if pool else "nothing"
    return show(tuple(pool)) if len(pool) <= MOST else f"{len(pool)} values"
