"""What goes wrong around a box on real lines and buses: each done to it in the middle of play, which goes on."""

from __future__ import annotations

import asyncio
import errno
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from hil_guest.guest import REPO

from hil_box.plan import CUT_LINE
from hil_box.playing import KernelPlaying
from umpi.kernel.registry import look_again
from umpi.service.logs import SAME
from umpi.simulator.script import lines_of, play_lines, words_of
from umpi.simulator.steps import StepFault
from umpi.simulator.virtual import with_lanes

TESTS = REPO / "tests"
DODEKA = TESTS / "scenarios/dodeka.txt"
START = "game dodeka\npress red blue ok ok"
DISK = Path("/disk")
TURN = "press red blue yellow"
BACK = "it answers"  # what the service says of a panel
KILLS = 3
RECOVERS_S = 2.5  # what design promises of a panel, and a slow machine's share

Lines = Sequence[tuple[str, str]]


def play(playing: KernelPlaying, steps: str | Lines) -> None:
    """Play steps of a scenario."""
    lines = [(step, step) for step in steps.split("\n")] if isinstance(steps, str) else steps
    asyncio.run(play_lines(lines, playing, DODEKA.parent))


def parted(path: Path, after: str, many: int) -> Iterator[tuple[Lines, str]]:
    """Cut a scenario into so many parts, each with the step it ends with, which begins with `after`.

    Raises StepFault where it has fewer such steps.
    """
    lines = lines_of(path)
    ends = [number for number, (place, line) in enumerate(lines) if words_of(place, line)[:1] == [after]]
    if len(ends) < many:
        raise StepFault(f"{path.name} has {len(ends)} steps {after}: too few for {many} parts")
    begin = 0
    for part in range(1, many):
        end = ends[len(ends) * part // many]
        yield lines[begin : end + 1], lines[end][1]
        begin = end + 1
    yield lines[begin:], ""


def killed(name: str, playing: KernelPlaying) -> str:
    """Kill the service with SIGKILL, the panel still lit, or pull the plug of the whole box, in the middle of play."""
    times = 0
    for times, (lines, lamp) in enumerate(islice(parted(DODEKA, "lamp", 9), KILLS), 1):
        play(playing, lines)
        playing.kill()
        if times % 2 == 0:
            asyncio.run(playing.restart())
        play(playing, f'expect "Resuming"\npress ok\nexpect not "Resuming"\n{lamp}')
    assert times == KILLS, f"killed {times} times, not {KILLS}"
    return f"{times} times, resumed each time"


def unplugged(name: str, playing: KernelPlaying) -> str:
    """Take the panel away by its plug, by errors of its bus and with the whole bus; play on blind, and see it again."""
    slowest_s = 0.0

    def told(what: str, times: int) -> None:
        """Look whether the service has told so often of the panel; it counts equal messages after the first few."""
        if playing.said().count(f"display: {what}") < times:
            raise StepFault(f"not told {times} times: {what}\n{playing.said()}", 1)

    ways = _ways(playing)
    number = 0
    parts = zip(parted(DODEKA, "lamp", 12), ways, strict=False)  # a game is longer than there are ways
    for number, ((lines, lamp), (take, give)) in enumerate(parts, 1):
        take()
        play(playing, [(place, line) for place, line in lines if words_of(place, line)[:1] != ["expect"]])
        told("", 2 * number - 1)
        give()
        back_s = time.monotonic()
        asyncio.run(playing.see(partial(told, BACK, min(number, SAME))))
        slowest_s = max(slowest_s, time.monotonic() - back_s)
        play(playing, f'panel bright\nexpect "{lamp.split()[1].capitalize()}"')
    assert number == len(ways), f"gone {number} times, not {len(ways)}"
    assert slowest_s < RECOVERS_S, f"the picture came back after {slowest_s:.1f} s"
    return f"{number} times, back within {slowest_s:.1f} s"


def _ways(playing: KernelPlaying) -> list[tuple[Callable[[], object], Callable[[], object]]]:
    """Tell the ways a panel goes, and how it comes back."""
    box = playing.box
    faults = (errno.EREMOTEIO, errno.EIO, errno.ENXIO, errno.ETIMEDOUT)
    return [
        (lambda: box.pull("panel"), lambda: box.plug("panel")),
        *((partial(box.answer, fault), partial(box.answer, 0)) for fault in faults),
        (box.take_bus, box.give_bus),
    ]


def stuck(name: str, playing: KernelPlaying) -> str:
    """Hold a button down for ever, a beam dark from the start, have a line taken by another program."""
    import gpiod

    # These beams are not pulled: gpio-sim lets go of what holds a line when somebody asks for it to be pulled up
    config = playing.config = replace(with_lanes(playing.config, 6), dark_low=False)
    play(playing, START)
    playing.box.hold("black", True)  # which is the first throw of a turn, and no more
    play(playing, f"press red blue\nlamp blue\n{TURN}\nlamp red\n{TURN}\nlamp blue")
    playing.box.hold("black", False)
    playing.kill()
    playing.sim.pull(config.beams["lane_1"], 1)
    play(playing, f'expect "Stuck" "lane_1"\npress back\nlamp blue\n{TURN}\nlamp red')
    playing.kill()
    playing.sim.pull(config.beams["lane_1"], 0)
    with gpiod.request_lines(playing.sim.path, consumer="fan", config={config.seats["black"]: None}):
        play(playing, 'expect "Resuming"\npress ok\nlamp red')
        assert "held outside this program, by fan" in playing.said(), playing.said()
        play(playing, f'expect "ERR"\n{TURN}\nlamp blue')
        playing.kill()
    return "held down, dark from the start, used by another program"


def broken_engine(name: str, playing: KernelPlaying) -> str:
    """Install an engine that fails wherever it is told to, and play it."""
    folder = Path("/run/plug-in")
    install_tumble(folder)
    playing.environment = {"PYTHONPATH": str(folder)}
    sys.path.insert(0, str(folder))  # for the step "game tumble"
    look_again()
    try:
        play(playing, lines_of(TESTS / "hil/tumble.txt"))
    finally:
        sys.path.remove(str(folder))
        look_again()
    return "refused, reported, left; another game is played"


def install_tumble(folder: Path) -> None:
    """Install the engine of tests/hil in a folder, as pip would."""
    about = folder / "tumble-1.dist-info"
    about.mkdir(parents=True)
    shutil.copy(TESTS / "hil/tumble.py", folder)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: tumble\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[umpi.games]\ntumble = tumble:Tumble\n")


def before_the_cut(name: str, playing: KernelPlaying) -> str:
    """Play a part of a game with the journal on a disk, and say when the power of the machine may be cut."""
    playing.config = replace(playing.config, journal=DISK / "games.db")
    play(playing, next(parted(DODEKA, "lamp", 6))[0])
    print(CUT_LINE, flush=True)
    time.sleep(3600)
    return "the power was not cut"


def after_the_cut(name: str, playing: KernelPlaying) -> str:
    """Go on with that game to the same winner."""
    playing.config = replace(playing.config, journal=DISK / "games.db")
    (_, lamp), *rest = parted(DODEKA, "lamp", 6)
    play(playing, f'expect "Resuming"\npress ok\n{lamp}')
    for lines, _ in rest:
        play(playing, lines)
    return "resumed, with the same winner"


FAULTS: dict[str, Callable[[str, KernelPlaying], str]] = {
    "service killed": killed, "panel unplugged": unplugged, "lines stuck": stuck, "engine fails": broken_engine,
    "before the power cut": before_the_cut, "after the power cut": after_the_cut,
}  # fmt: skip
