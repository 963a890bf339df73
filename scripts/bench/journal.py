"""Measure the time to write an act, beside a plain text file, and the time to resume a match."""

from __future__ import annotations

import os
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
    """Print milliseconds per synced act, in turn with a synced line of text, and to resume a whole game."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:  # on a disk: /tmp may be memory
        _acts(Path(folder))
        _resuming(Path(folder))


def _acts(folder: Path) -> None:
    text = dump(LINE).encode() + b"\n"
    with closing(Journal(folder / "games.db")) as journal, (folder / "games.jsonl").open("ab", buffering=0) as plain:
        match = journal.begin(HEADER)

        def write() -> None:
            plain.write(text)
            os.fsync(plain.fileno())

        acts: dict[str, Callable[[], None]] = {
            "journal": lambda: journal.append(match, [LINE], "panel", [1]),
            "text file": write,
        }
        took: dict[str, list[float]] = {name: [] for name in acts}
        for _ in range(ACTS):
            for name, act in acts.items():
                begun = time.perf_counter()
                act()
                took[name].append((time.perf_counter() - begun) * 1000)
        grown = sum(each.stat().st_size for each in folder.glob("games.db*")) / ACTS
    for name, each in took.items():
        middle, most = statistics.median(each), statistics.quantiles(each, n=20)[-1]
        print(f"{name:20} {middle:6.2f} ms a synced act, 95 % within {most:.2f}")
    ratios = [ours / theirs for ours, theirs in zip(took["journal"], took["text file"], strict=True)]
    print(f"{'':20} x {statistics.median(ratios):.1f}, {grown:.0f} bytes an act at most")


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
            begun = time.perf_counter()
            with closing(Journal(path)) as journal:
                drive(journal, MatchSession(find, time.monotonic_ns).resume())
            took.append((time.perf_counter() - begun) * 1000)
        print(f"{game.id:20} {statistics.median(took):6.1f} ms to resume {len(acts)} acts")
