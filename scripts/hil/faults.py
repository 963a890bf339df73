"""Cause faults during play, on real lines and buses, and check that play continues."""

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

from scripts import REPO
from scripts.hil.plan import CUT_LINE
from scripts.hil.player import KernelPlayer
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
BACK_MESSAGE = "it answers"  # the service logs this when the panel works again
KILLS = 3
RECOVERS_S = 2.5  # the design's limit for a panel, and an allowance for a slow machine

Lines = Sequence[tuple[str, str]]


def play(player: KernelPlayer, steps: str | Lines) -> None:
    """Play steps of a scenario."""
    lines = [(step, step) for step in steps.split("\n")] if isinstance(steps, str) else steps
    asyncio.run(play_lines(lines, player, DODEKA.parent))


def cut_into_parts(path: Path, after: str, many: int) -> Iterator[tuple[Lines, str]]:
    """Yield the parts of a scenario cut into `many`, each with its last step, which begins with `after`.

    Raises StepFault if it has fewer such steps.
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


def service_killed(name: str, player: KernelPlayer) -> str:
    """Kill the service with SIGKILL during play: the panel stays lit, or the whole box loses power."""
    times = 0
    for times, (lines, lamp) in enumerate(islice(cut_into_parts(DODEKA, "lamp", 9), KILLS), 1):
        play(player, lines)
        player.kill()
        if times % 2 == 0:
            asyncio.run(player.restart())
        play(player, f'expect "Resuming"\npress ok\nexpect not "Resuming"\n{lamp}')
    assert times == KILLS, f"killed {times} times, not {KILLS}"
    return f"{times} times, resumed each time"


def panel_unplugged(name: str, player: KernelPlayer) -> str:
    """Unplug the panel, make its bus fail, remove the bus; continue without a panel, then bring it back."""
    slowest_s = 0.0

    def check_log(what: str, times: int) -> None:
        """Check that the service has logged a message about the panel so often; it counts repeated messages."""
        if player.output().count(f"display: {what}") < times:
            raise StepFault(f"not logged {times} times: {what}\n{player.output()}", 1)

    ways = _ways_to_lose_panel(player)
    number = 0
    parts = zip(cut_into_parts(DODEKA, "lamp", 12), ways, strict=False)  # a game has more parts than there are ways
    for number, ((lines, lamp), (take, give)) in enumerate(parts, 1):
        take()
        play(player, [(place, line) for place, line in lines if words_of(place, line)[:1] != ["expect"]])
        check_log("", 2 * number - 1)
        give()
        back_s = time.monotonic()
        asyncio.run(player.see(partial(check_log, BACK_MESSAGE, min(number, SAME))))
        slowest_s = max(slowest_s, time.monotonic() - back_s)
        # The log counts repeated messages together, so the last ones do not say when the picture is back.
        play(player, f'wait {RECOVERS_S:.0f} s\npanel bright\nexpect "{lamp.split()[1].capitalize()}"')
    assert number == len(ways), f"lost {number} times, not {len(ways)}"
    assert slowest_s < RECOVERS_S, f"the picture came back after {slowest_s:.1f} s"
    return f"{number} times, back within {slowest_s:.1f} s"


def _ways_to_lose_panel(player: KernelPlayer) -> list[tuple[Callable[[], object], Callable[[], object]]]:
    """Return the ways to lose the panel, each with the way to bring it back."""
    box = player.box
    faults = (errno.EREMOTEIO, errno.EIO, errno.ENXIO, errno.ETIMEDOUT)
    return [
        (lambda: box.pull("panel"), lambda: box.plug("panel")),
        *((partial(box.fail_bus, fault), partial(box.fail_bus, 0)) for fault in faults),
        (box.remove_bus, box.add_bus),
    ]


def lines_stuck(name: str, player: KernelPlayer) -> str:
    """Hold a button down, keep a beam dark from the start, let another program use a line."""
    import gpiod

    # These beams have no pull-up: gpio-sim releases a held line when a program requests a pull-up for it
    config = player.config = replace(with_lanes(player.config, 6), dark_low=False)
    play(player, START)
    player.box.hold("black", True)  # counts as one press: the first throw of a turn
    play(player, f"press red blue\nlamp blue\n{TURN}\nlamp red\n{TURN}\nlamp blue")
    player.box.hold("black", False)
    player.kill()
    player.sim.pull(config.beams["lane_1"], 1)
    play(player, f'expect "Stuck" "lane_1"\npress back\nlamp blue\n{TURN}\nlamp red')
    player.kill()
    player.sim.pull(config.beams["lane_1"], 0)
    with gpiod.request_lines(player.sim.path, consumer="fan", config={config.seats["black"]: None}):
        play(player, 'expect "Resuming"\npress ok\nlamp red')
        assert "held outside this program, by fan" in player.output(), player.output()
        play(player, f'expect "ERR"\n{TURN}\nlamp blue')
        player.kill()
    return "held down, dark from the start, used by another program"


def engine_fails(name: str, player: KernelPlayer) -> str:
    """Install an engine that fails on request, and play it."""
    folder = Path("/run/plug-in")
    install_tumble(folder)
    player.environment = {"PYTHONPATH": str(folder)}
    sys.path.insert(0, str(folder))  # for the step "game tumble"
    look_again()
    try:
        play(player, lines_of(TESTS / "hil/tumble.txt"))
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


def before_power_cut(name: str, player: KernelPlayer) -> str:
    """Play a part of a game with the journal on a disk, then print the line on which the power is cut."""
    player.config = replace(player.config, journal=DISK / "games.db")
    play(player, next(cut_into_parts(DODEKA, "lamp", 6))[0])
    print(CUT_LINE, flush=True)
    time.sleep(3600)
    return "the power was not cut"


def after_power_cut(name: str, player: KernelPlayer) -> str:
    """Continue that game to the same winner."""
    player.config = replace(player.config, journal=DISK / "games.db")
    (_, lamp), *rest = cut_into_parts(DODEKA, "lamp", 6)
    play(player, f'expect "Resuming"\npress ok\n{lamp}')
    for lines, _ in rest:
        play(player, lines)
    return "resumed, with the same winner"


FAULTS: dict[str, Callable[[str, KernelPlayer], str]] = {
    "service killed": service_killed, "panel unplugged": panel_unplugged, "lines stuck": lines_stuck,
    "engine fails": engine_fails, "before the power cut": before_power_cut, "after the power cut": after_power_cut,
}  # fmt: skip
