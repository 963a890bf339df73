"""In the guest: what is to be tried, one after the other, to a line of JSON each in a file: what, whether, and how."""

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

from hil_guest.guest import REPO
from hil_guest.lines import Sim

from hil_box.plan import EXACT, SESSIONS
from hil_box.playing import KernelPlaying
from umpi.simulator.script import ScriptFault, lines_of, play_lines
from umpi.simulator.steps import StepFault

SCENARIOS = REPO / "tests/scenarios"
LABEL = "pinctrl-bcm2835"  # as the chip of a Zero 2 W's header is called
# What the service imports when it first needs it. Files are read once from the host, and while that lasts the clock of
# a guest in virtual time leaps from timer to timer: it is done before anything is timed.
LATE = (
    "umpi.service.run, umpi.cli.box, luma.core.interface.serial, luma.oled.device, smbus2, serial, gpiozero.pins.lgpio,"
    " gpiozero.pins.rpigpio"
)
SHOWN_S = 2.0  # by then what is looked for is there, in virtual time: 0.1 to 1.2 s, without the calls before it
MOST = 8000  # characters of what went wrong


def scenario(name: str, playing: KernelPlaying) -> str:
    """Play a scenario of the tests to its end; `name` may say by which pin factory: "dodeka on lgpio"."""
    stem, _, factory = name.partition(" on ")
    playing.config = replace(playing.config, factory=factory or "gpiod")
    path = SCENARIOS / f"{stem}.txt"
    played = asyncio.run(play_lines(lines_of(path), playing, path.parent))
    return f"{played.steps} steps, {played.presses} presses"


def try_out(name: str, sim: Sim, umpi: Path, exact: bool, sessions: Path | None = None) -> str:
    """Try one thing on a new box, `exact` in virtual time; tells how it went, raises what went wrong.

    What the box recorded while it played a scenario is kept in the folder `sessions`.
    """
    from hil_box.faults import FAULTS

    playing = KernelPlaying(umpi, sim, Path(mkdtemp(dir="/run")))
    kind: Callable[[str, KernelPlaying], str] = FAULTS.get(name, scenario)
    try:
        told = f"{kind(name, playing)}; shown within {playing.slowest_s:.1f} s"
        if playing.service:
            if sessions and kind is scenario:
                playing.report(sessions / f"{name}.jsonl")
            end(playing)
        calm(playing)
        if exact:
            assert playing.slowest_s <= SHOWN_S, f"shown after {playing.slowest_s:.1f} s only, not {SHOWN_S}"
    except BaseException as fault:
        if said := playing.said():
            fault.add_note(f"The service said:\n{said}")
        raise
    finally:
        playing.close()
    return told


def end(playing: KernelPlaying) -> None:
    """See that the service ends as it is asked to, the panel off."""
    service, panel = playing.service, playing.box.panel
    assert service
    status = service.stop()
    playing.service = None
    assert status == 0, f"the service ended with status {status}"
    assert not panel.lit, "the panel is left on"


def calm(playing: KernelPlaying) -> None:
    """See that the service has told of no fault of its own, in none of its lives, nor a device of what it was told."""
    # devices that are pulled out are warnings, and what a game's own code raises says so; all else is the box's fault
    lines = ["", *playing.said().splitlines()]
    uncaught = [before for before, line in pairwise(lines) if line.startswith("Traceback") and before]
    logged = ("umpi: warning: ", "umpi: error: ", "umpi: debug: ")
    assert all(before.startswith(logged) for before in uncaught), "the service told of a fault of its own"
    faults = [line for line in lines if line.startswith("umpi: error: ") and "the game's code: " not in line]
    assert not faults, f"the service told of a fault of its own: {faults}"
    assert not playing.complaints, f"devices complain: {playing.complaints}"


def main() -> int:
    """Try all that is named; the exit status is 1 where something went wrong."""
    umpi, results, time_is, *names = sys.argv[1:]
    subprocess.run([sys.executable, "-c", f"import {LATE}"], check=True)
    sim, wrong = Sim("box", LABEL), 0
    sessions = Path(results).with_name(SESSIONS)
    sessions.mkdir(exist_ok=True)
    with open(results, "a", encoding="utf-8") as lines:
        for name in names:
            began_s = time.monotonic()
            right, told = True, ""
            try:
                told = try_out(name, sim, Path(umpi), time_is == EXACT, sessions)
            except (ScriptFault, StepFault, AssertionError) as fault:
                right, told = False, "\n".join([str(fault), *getattr(fault, "__notes__", ())])
            except Exception:
                right, told = False, traceback.format_exc()
            wrong += not right
            seconds = round(time.monotonic() - began_s, 1)
            print(f"  {'right' if right else 'WRONG'}  {name}: {told[:MOST]}", flush=True)
            lines.write(json.dumps({"what": name, "right": right, "told": told[:MOST], "seconds": seconds}) + "\n")
            lines.flush()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
