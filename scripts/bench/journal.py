"""Measure what writing an act costs, beside a text file and a table of SQLite, and what resuming a match costs."""

from __future__ import annotations

import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tests.kit.driven import drive
from umpi.journal import Journal
from umpi.kernel.random_games import play_out
from umpi.kernel.record import Header, dump
from umpi.kernel.registry import find, games
from umpi.referee.session import MatchSession

ACTS = 300
HEADER = {"umpi": 1, "game": "dodeka", "players": ["Ann", "Ben"]}
LINE = {"do": "throw", "keep": [], "dice": [1, 4, 8], "at": 123_456}


def journal() -> None:
    """Print the processor time of a synced act, in turn with a synced line and a synced row, and of resuming a game."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:  # on a disk: /tmp may be memory
        _acts(Path(folder))
        _resuming(Path(folder))


def _acts(folder: Path) -> None:
    text = dump(LINE)
    with (
        closing(Journal(folder / "games.db")) as journal,
        closing(sqlite3.connect(folder / "plain.db", isolation_level=None)) as table,
        (folder / "games.jsonl").open("ab", buffering=0) as plain,
    ):
        match = journal.begin(HEADER)
        for order in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "CREATE TABLE line(text TEXT)"):
            table.execute(order)

        def write() -> None:
            plain.write(text.encode() + b"\n")
            os.fsync(plain.fileno())

        acts: dict[str, Callable[[], object]] = {
            "journal": lambda: journal.append(match, [LINE], "panel", [1]),
            "SQLite, one table": lambda: table.execute("INSERT INTO line VALUES (?)", (text,)),
            "text file": write,
        }
        spent: dict[str, list[float]] = {name: [] for name in acts}
        waited: dict[str, list[float]] = {name: [] for name in acts}
        for _ in range(ACTS):
            for name, act in acts.items():
                cpu, begun = time.process_time(), time.perf_counter()
                act()
                waited[name].append((time.perf_counter() - begun) * 1000)
                spent[name].append((time.process_time() - cpu) * 1000)
        grown = sum(each.stat().st_size for each in folder.glob("games.db*")) / ACTS
    for name in acts:
        print(
            f"{name:20} {statistics.median(spent[name]):6.3f} ms of the processor a synced act; with the disk "
            f"{statistics.median(waited[name]):.2f}, 95 % within {statistics.quantiles(waited[name], n=20)[-1]:.2f}"
        )
    for name in ("SQLite, one table", "text file"):
        ratios = [ours / theirs for ours, theirs in zip(spent["journal"], spent[name], strict=True)]
        print(f"{'':20} x {statistics.median(ratios):.1f} beside {name}")
    print(f"{'':20} {grown:.0f} bytes an act at most")


def _resuming(folder: Path) -> None:
    for game in games():
        path = folder / f"{game.id}.db"
        players = ("Red", "Blue", "Yellow", "Green", "White", "Black")[: game.seats[0]]
        match = play_out(game, players, seed=7)
        acts = match.acts[:-1]  # without the last act, so that the match stays open
        with closing(Journal(path)) as journal:
            header = Header(game, players).line()
            journal.append(journal.begin(header), [act.line() for act in acts], "panel")
        took = []
        for _ in range(5):
            begun = time.process_time()
            with closing(Journal(path)) as journal:
                drive(journal, MatchSession(find, time.monotonic_ns).resume())
            took.append((time.process_time() - begun) * 1000)
        print(f"{game.id:20} {statistics.median(took):6.1f} ms of the processor to resume {len(acts)} acts")
