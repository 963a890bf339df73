"""Plays some turns of Dodéka on the virtual box, prints what it has shown, and is killed at a given time.

    python plays.py FOLDER sql-7 bus-40

is two boxes one after the other, each in a process of its own: one dies before the seventh statement to its journal
FOLDER/sql-7.db, one at the fortieth transfer to its panel.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from tests.kit.rig import Rig
from umpi.box.config import Config

TABLE = "red blue ok ok"
TAKE_BACK = "undo"
ANSWERS = (
    "red blue yellow",
    "red red green",
    TAKE_BACK,
    "white white blue",
    "black blue red",
    TAKE_BACK,
    "red red red",
)


def play(rig: Rig, answers: tuple[str, ...], say: Callable[[], object]) -> None:
    """Give these answers one after the other; `say` is called as soon as each has been shown."""
    for answer in answers:
        if answer == TAKE_BACK:
            rig.press("back", ms=1000)
            *before, last = ["ok"]
        else:
            *before, last = answer.split()
        rig.press(" ".join(before))
        rig.box.hold(last, True)
        rig.wait_ms(100)
        if last != "ok":  # it counts at its first edge, before its release
            say()
        rig.box.hold(last, False)
        rig.wait_ms(100)
        if last == "ok":
            say()


def live(folder: str, death: str) -> None:
    """Play until death."""
    where, _, at = death.partition("-")
    left, before = int(at), ""

    def step(statement: str = "") -> None:
        nonlocal left, before
        left -= not statement or statement != before  # SQLite reports a statement again for each of its triggers
        before = statement
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    rig = Rig(Config(journal=Path(folder) / f"{death}.db"))
    rig.start("dodeka", TABLE)
    if where == "sql":
        rig.loop.journal._file.set_trace_callback(step)
    else:
        rig.box.chip.on_data = step
    play(rig, ANSWERS, lambda: print(f"{death} shown {rig.lines}", flush=True))


def main(folder: str, *deaths: str) -> None:
    """Run one box after another in its own process, and print how each ended."""
    for death in deaths:
        print(f"{death} shown 0", flush=True)
        if not os.fork():
            live(folder, death)
            os._exit(0)
        _, status = os.wait()
        print(f"{death} ended {os.waitstatus_to_exitcode(status)}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
