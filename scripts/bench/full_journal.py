"""Make a journal with many matches, for measurements."""

from __future__ import annotations

import contextlib
from itertools import count
from pathlib import Path
from random import Random

from umpi.journal import Journal
from umpi.journal.queries import CLOSED
from umpi.journal.schema import connect, insert
from umpi.kernel.random_games import play_out
from umpi.kernel.record import Header, dump
from umpi.kernel.registry import find
from umpi.referee.transcript import outcome_of

NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fred", "Gert", "Hanna", "Ida", "Jan")
ACTS = 159  # of a match; the last ones are those that end it


def make_journal(path: Path, matches: int, name: str = "dodeka", acts: int = ACTS) -> None:
    """Write finished matches between changing players, each of about so many acts, and one that is left open."""
    with contextlib.closing(Journal(path)):
        pass
    game, chance = find(name), Random(1)
    played = next(
        found for seed in count() if abs(len((found := play_out(game, NAMES[:2], seed=seed)).acts) - acts) < 5
    )
    lines, outcome = [dump(act.line()) for act in played.acts], dump(outcome_of(played))
    with contextlib.closing(connect(path)) as file, file:
        for number in range(1, matches + 1):
            players = NAMES[number % 10], NAMES[(number * 3 + 1) % 10]
            players = players if len({*players}) == 2 else NAMES[:2]
            header = dump(Header(game, players).line())
            uid = chance.randbytes(16).hex()
            file.execute(insert("match", "?1", "?2", "?3", "?4"), (header, "2026-01-01", uid, game.revision))
            rows = [(number, n, line, "panel", n) for n, line in enumerate(lines, 1)]
            file.executemany(insert("line", "?1", "?2", "?3", "?4", "?5"), rows)
            file.execute(insert("outcome", "?1", "?2", "?3"), (number, len(lines), outcome))
            file.execute(insert("match_meta", "?1", "?2", "?3"), (number, "turn_s", "30"))
            file.execute(insert("match_status", "?1", "?2"), (number, CLOSED))
    with contextlib.closing(Journal(path)) as journal:
        journal.begin(Header(game, NAMES[:2]).line(), game.revision)
