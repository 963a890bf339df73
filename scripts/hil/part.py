"""In the guest: run the named scenarios and faults one after another; write a line of JSON about each to a file."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import mkdtemp

from scripts import REPO
from scripts.guest.lines import Sim
from scripts.hil.plan import EXACT, SESSIONS
from scripts.hil.player import KernelPlayer
from umpi.simulator.script import ScriptFault, lines_of, play_lines
from umpi.simulator.steps import StepFault

SCENARIOS = REPO / "tests/scenarios"
LABEL = "pinctrl-bcm2835"  # the label of the chip of a Zero 2 W's header
# Modules that the service imports late. Reading a file from the host makes the clock of a guest in virtual time jump,
# so they are imported once before anything is timed.
LATE_IMPORTS = (
    "umpi.service.run, umpi.cli.box, luma.core.interface.serial, luma.oled.device, smbus2, serial, gpiozero.pins.lgpio,"
    " gpiozero.pins.rpigpio"
)
SHOWN_S = 2.0  # limit for a screen to appear in virtual time, without calls; measured: 0.1 to 1.2 s
MOST = 8000  # characters kept of an error


def scenario(name: str, player: KernelPlayer) -> str:
    """Play a scenario of the tests to its end; `name` may contain the pin factory: "dodeka on lgpio"."""
    stem, _, factory = name.partition(" on ")
    player.config = replace(player.config, factory=factory or "gpiod")
    path = SCENARIOS / f"{stem}.txt"
    played = asyncio.run(play_lines(lines_of(path), player, path.parent))
    return f"{played.steps} steps, {played.presses} presses"


def run_one(name: str, sim: Sim, umpi: Path, exact: bool, sessions: Path | None = None) -> str:
    """Run a scenario or a fault on a new box, `exact` in virtual time; return a short result. Raises what went wrong.

    The session file of a scenario is kept in the folder `sessions`.
    """
    from scripts.hil.faults import FAULTS

    player = KernelPlayer(umpi, sim, Path(mkdtemp(dir="/run")))
    kind: Callable[[str, KernelPlayer], str] = FAULTS.get(name, scenario)
    try:
        detail = f"{kind(name, player)}; shown within {player.slowest_s:.1f} s"
        if player.service:
            if sessions and kind is scenario:
                player.report(sessions / f"{name}.jsonl")
            stop_service(player)
        check_quiet(player)
        if exact:
            assert player.slowest_s <= SHOWN_S, f"shown after {player.slowest_s:.1f} s only, not {SHOWN_S}"
    except BaseException as fault:
        if output := player.output():
            fault.add_note(f"The service printed:\n{output}")
        raise
    finally:
        player.close()
    return detail


def stop_service(player: KernelPlayer) -> None:
    """Check that the service stops when asked and switches the panel off."""
    service, panel = player.service, player.box.panel
    assert service
    status = service.stop()
    player.service = None
    assert status == 0, f"the service ended with status {status}"
    assert not panel.lit, "the panel is left on"


def check_quiet(player: KernelPlayer) -> None:
    """Check that neither the service, in any of its runs, nor a device has reported an error."""
    # unplugged devices are warnings, and errors of a game's own code say so; all others are the box's
    lines = ["", *player.output().splitlines()]
    uncaught = [before for before, line in pairwise(lines) if line.startswith("Traceback") and before]
    logged = ("umpi: warning: ", "umpi: error: ", "umpi: debug: ")
    assert all(before.startswith(logged) for before in uncaught), "the service logged an uncaught exception"
    faults = [line for line in lines if line.startswith("umpi: error: ") and "the game's code: " not in line]
    assert not faults, f"the service logged errors: {faults}"
    assert not player.complaints, f"devices reported errors: {player.complaints}"


def main() -> int:
    """Run all that is named; return 1 if something failed, otherwise 0."""
    umpi, results, time_mode, *names = sys.argv[1:]
    subprocess.run([sys.executable, "-c", f"import {LATE_IMPORTS}"], check=True)
    sim, failed = Sim("box", LABEL), 0
    sessions = Path(results).with_name(SESSIONS)
    sessions.mkdir(exist_ok=True)
    with open(results, "a", encoding="utf-8") as lines:
        for name in names:
            began_s = time.monotonic()
            passed, detail = True, ""
            try:
                detail = run_one(name, sim, Path(umpi), time_mode == EXACT, sessions)
            except (ScriptFault, StepFault, AssertionError) as fault:
                passed, detail = False, "\n".join([str(fault), *getattr(fault, "__notes__", ())])
            except Exception:
                passed, detail = False, traceback.format_exc()
            failed += not passed
            seconds = round(time.monotonic() - began_s, 1)
            print(f"  {'passed' if passed else 'FAILED'}  {name}: {detail[:MOST]}", flush=True)
            lines.write(
                json.dumps({"name": name, "passed": passed, "detail": detail[:MOST], "seconds": seconds}) + "\n"
            )
            lines.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
