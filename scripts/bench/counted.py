"""Do the work whose instructions are counted (scripts/bench/instructions.py): each part ends with a call of `mark`.

The clock is injected, chance is seeded, and nothing asks again until a thread is ready. After the first part, the
garbage collector does not run: threads decide in which part it would. So each run counts the same.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what is imported is counted, too
    from umpi.kernel.game import Game

SECOND, NEVER_MS = 1_000_000_000, 1_000_000_000
NAMES = ("Ann", "Ben", "Cleo")
PRESSES, WEB_ACTS, REPLAYS, ACTS = 10, 10, 10, 60
REVIEWED = "5000"  # the match that is looked at


def mark(name: str = "", times: int = 1) -> None:
    """End a part that was done so many times; one without a name only makes the next one ready.

    Callgrind writes its counts at each call of getpriority, which nothing else calls.
    """
    os.getpriority(os.PRIO_PROCESS, 0)
    print(f"{name}\t{times}", flush=True)


def main() -> None:
    """Do all parts; the first word is the folder with the journals."""
    folder = Path(sys.argv[1])
    _first_picture(folder / "empty.db")
    mark("start and off, empty journal")
    gc.disable()
    _first_picture(folder / "full.db")
    mark("start and off without imports, 10,000 matches")
    _press_and_act(folder / "played.db")
    _review(folder / "full.db")
    for game in _games():
        _act(game)
    os._exit(0)


def _first_picture(journal: Path) -> None:
    import asyncio

    import umpi.service.run
    import umpi.web.app  # noqa: F401
    from umpi.box.config import Config
    from umpi.drivers import oled_link
    from umpi.simulator.virtual import VirtualBox

    oled_link.HEAL_MS = oled_link.SETTLED_MS = NEVER_MS  # its thread sends everything again after real time
    sys.setswitchinterval(SECOND)  # otherwise, a waiting thread asks for the interpreter every few milliseconds
    box = VirtualBox(Config(journal=journal), lambda: SECOND)
    asyncio.run(box.loop.catch_up())
    assert box.box.oled
    assert box.box.oled.wait_shown(300)
    box.loop.view.state.rules.read()  # the games and their rules, which umpi run loads behind the first picture
    box.close()  # waits for its threads, which would run on in the next part


def _press_and_act(journal: Path) -> None:
    from tests.kit.at_table import Table, codes_of
    from tests.kit.rig import Rig
    from umpi.box.config import Config

    rig = Rig(Config(journal=journal), codes_of)
    phone = Table(rig).paired()
    rig.loop.view.state.rules.read()
    mark()
    for _ in range(PRESSES // 2):
        rig.press("down up")
    mark("press", PRESSES)
    for _ in range(WEB_ACTS // 2):
        rig.now_ns += SECOND
        for answered in (phone.act("throw", keep=[], dice=[1, 4, 8]), phone.act("stop")):
            assert answered.status_code == 200, answered.text
    mark("act of a phone", WEB_ACTS)
    rig.box.close()


def _review(journal: Path) -> None:
    from umpi.web.past import Past

    past = Past(journal)
    mark()
    past.matches()
    mark("review: the newest of 10,000 matches")
    past.moves(REVIEWED)
    mark("review: the moves of one of 10,000 matches")


def _games() -> Iterator[type[Game]]:
    from umpi.kernel.registry import games

    yield from games()


def _act(game: type[Game]) -> None:
    from umpi.kernel.match import Match
    from umpi.kernel.random_games import play_out

    played = play_out(game, NAMES[: min(len(NAMES), game.seats[-1])], seed=1)
    acts = played.acts[:ACTS]
    mark()
    for _ in range(REPLAYS):
        match = Match(game, played.players)
        for act in acts:
            match.play(act)
    mark(f"act: {game.id}", REPLAYS * len(acts))


if __name__ == "__main__":
    main()
