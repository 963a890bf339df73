"""Boxes killed at random moments of a play, each a process of its own, and a look at what every one left on disk.

    python deaths.py FOLDER 50 20 1

lets 50 boxes die, each with its journal in FOLDER: the moments are drawn by seed 1 from the time one takes to play all
of 20 steps. What a box has shown it says once the picture is on its panel.
"""

from __future__ import annotations

import copy
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.kit.books import Book, read_book, wipe
from tests.kit.driven import drive
from tests.kit.rig import Rig
from umpi.box.config import Config
from umpi.journal import Journal
from umpi.kernel.game import Act
from umpi.kernel.random_games import sample
from umpi.kernel.registry import find
from umpi.referee.session import MatchSession
from umpi.table.commands import Do, Leave, Rename, Start, TakeBack
from umpi.table.seating import Seating

HERE = Path(__file__).parent
GAMES = ("dodeka", "scorepad", "dodekka")
NAMES = ("Ann", "Ben", "Zoë", "Ernő")
AGAIN = "again"


def play(rig: Rig, steps: int) -> Iterator[int]:
    """Play several matches, the same ones each time: answers of one act or two, undos, other names, the table left.

    Yields after each step, once it is shown, how many there have been.
    """
    chance = Random(7)
    begun = 0
    for step in range(1, steps + 1):
        match = rig.referee.session.match
        lot = chance.random()
        if match is None or not match.asks or lot < 0.07:
            game = find(GAMES[begun % len(GAMES)])
            rig.grant(Start(Seating(game, tuple(chance.sample(NAMES, 2)), (0, 1))))
            begun += 1
        elif lot < 0.2:
            rig.grant(TakeBack())
        elif lot < 0.25:
            rig.grant(Rename(chance.randint(0, 1), f"Li {step}"))
        elif lot < 0.28:
            rig.grant(Leave())
        else:
            trial, acts = copy.deepcopy(match), list[Act]()
            while trial.asks and len(acts) < 1 + (lot < 0.6):
                acts.append(sample(trial.asks, chance.random))
                trial.play(acts[-1])
            rig.grant(Do(tuple(acts)))
        rig.wait_ms(chance.randint(0, 2000))
        yield step


@dataclass(frozen=True)
class Stand:
    """The state of a box: the content of its journal, and the match that it would resume."""

    book: Book
    resumed: Any


def stand(path: Path) -> Stand:
    """Look into a journal, then start the table on it as a box does that is switched on."""
    book = read_book(path)
    with closing(Journal(path)) as journal:
        session = MatchSession(find, lambda: 0)
        refusals = drive(journal, session.resume())
        match, record = session.match, session.record
        assert not refusals, refusals
        if not match or not record:
            return Stand(book, None)
        return Stand(book, (record.header.players, len(session.lines), repr(match.now), match.acts, session.later))


def stands(folder: Path, steps: int) -> list[Stand]:
    """Play to the end on a box that is not killed; return its states before and after each step."""
    rig = Rig(Config(journal=folder / "whole.db"))
    found = [stand_aside(folder)]
    for _ in play(rig, steps):
        found.append(stand_aside(folder))
    rig.close()
    return found


def stand_aside(folder: Path) -> Stand:
    """Look at a copy, as a kill at this moment would leave it."""
    wipe(folder / "aside.db")
    for end in ("", "-wal"):
        shutil.copyfile(folder / f"whole.db{end}", folder / f"aside.db{end}")
    return stand(folder / "aside.db")


def live(path: Path, name: str, steps: int, up: int) -> None:
    """Play to the end, unless death comes first; `up` is the pipe to say on that the box is up."""
    rig = Rig(Config(journal=path))
    os.write(up, b"!")
    for step in play(rig, steps):
        os.write(1, f"{name} {step}\n".encode())
    rig.close()


def let_die(path: Path, name: str, steps: int, up_first: bool, after_s: float | None) -> int:
    """Run a box in a process of its own and kill it this long after it is ready, or started; return its exit code."""
    down, up = os.pipe()
    box = os.fork()
    if not box:
        live(path, name, steps, up)
        os._exit(0)
    os.close(up)  # so that the reader sees its end
    if up_first:
        os.read(down, 1)
        select.select([down], [], [], after_s)
    elif after_s is not None:
        time.sleep(after_s)
    if after_s is not None:
        os.kill(box, signal.SIGKILL)
    os.close(down)
    return os.waitstatus_to_exitcode(os.waitpid(box, 0)[1])


def main(folder: str, times: str, steps: str, seed: str) -> None:
    """Kill this many boxes one after another, one in ten before it is ready; each prints what it has shown."""
    sink = os.open(os.devnull, os.O_WRONLY)
    live(Path(folder, "first.db"), "first", int(steps), sink)  # loads all, so that the others begin at once
    taken_s = []
    for number in range(3):
        began_s = time.monotonic()
        let_die(Path(folder, f"unkilled-{number}.db"), "unkilled", int(steps), True, None)
        taken_s.append(time.monotonic() - began_s)
    chance, dead = Random(int(seed)), 0
    while dead < int(times):
        path = Path(folder, f"{dead}.db")
        after_s = chance.uniform(0, min(taken_s))
        ended = let_die(path, str(dead), int(steps), chance.random() < 0.9, after_s)
        if ended == -signal.SIGKILL:
            dead += 1
        elif ended:
            sys.exit(f"box {dead} ended by itself, with {ended}")
        else:  # it had come to its end before
            wipe(path)
            os.write(1, f"{dead} {AGAIN}\n".encode())


@dataclass
class Found:
    """What became of boxes that were killed."""

    shown: int = 0  # steps in all, every one there
    ahead: int = 0  # boxes with a step on disk that was not shown yet
    before: int = 0  # boxes that died before they had shown anything


def kill_and_look(folder: Path, times: int, steps: int, seed: int) -> Found:
    """Kill so many boxes and look at each; raises AssertionError where a step is missing, or there by half."""
    whole = stands(folder, steps)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(HERE / "deaths.py"), str(folder), str(times), str(steps), str(seed)]
    output = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment, check=True).stdout
    shown = dict.fromkeys(map(str, range(times)), 0)
    for name, step in map(str.split, output.splitlines()):
        shown[name] = 0 if step == AGAIN else int(step)
    found = Found()
    for name in map(str, range(times)):
        found.shown += shown[name]
        found.before += not shown[name]
        there = stand(folder / f"{name}.db")
        may_be = whole[shown[name] : shown[name] + 2]
        assert there in may_be, f"box {name}, killed after it had shown step {shown[name]}: {folder / name}.db"
        found.ahead += there != may_be[0]
        wipe(folder / f"{name}.db")
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
