"""In the guest: run the named scenarios and faults one after another; write a line of JSON about each to a file."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from statistics import median
from tempfile import mkdtemp

from scripts import REPO
from scripts.guest.lines import Sim
from scripts.hil.plan import CALLS, EXACT, REFUSALS, SESSIONS, STAMPS
from scripts.hil.player import KernelPlayer
from scripts.hil.refusals import CALLS as CALLS_REFUSED
from umpi.recording.session_file import read_lines
from umpi.simulator.script import ScriptFault, lines_of, play_lines
from umpi.simulator.steps import StepFault
from umpi.simulator.virtual import with_lanes
from umpi.timing.lines import BUTTONS

SCENARIOS = REPO / "tests/scenarios"
LABEL = "pinctrl-bcm2835"  # the label of the chip of a Zero 2 W's header
# Modules that the service imports late. Reading a file from the host makes the clock of a guest in virtual time jump,
# so they are imported once before anything is timed.
LATE_IMPORTS = (
    "umpi.service.run, umpi.cli.box, luma.core.interface.serial, luma.oled.device, smbus2, serial, gpiozero.pins.lgpio,"
    " gpiozero.pins.rpigpio"
)
SHOWN_S = 2.0  # limit for a screen to appear in virtual time, without calls; measured: 0.1 to 1.2 s
RECORDER = REPO / "scripts/hil/recorder"  # records the calls of the module RPi.GPIO
# The two packages with the module RPi.GPIO, and where each is: rpi-lgpio is in the venv
RPI_GPIOS: Mapping[str, Sequence[str]] = {"rpigpio": [str(Path(sys.prefix, "rpi-gpio"))], "rpi-lgpio": []}
CALLS_FILE = "calls.jsonl"
MEASURED = "every-button"  # the scenario in which the stamps of the edges are compared with the presses
MOST = 8000  # characters kept of an error


def scenario(name: str, player: KernelPlayer) -> str:
    """Play a scenario of the tests to its end. `name` may contain what drives the pins: "dodeka on lgpio"."""
    stem, _, library = name.partition(" on ")
    if library in RPI_GPIOS:
        path = ":".join([str(RECORDER), *RPI_GPIOS[library]])
        player.environment = {"PYTHONPATH": path, "RPI_GPIO_CALLS": str(player.folder / CALLS_FILE)}
        player.config = with_lanes(player.config, 0)  # umpi.toml refuses beams there
        library = "rpigpio"
    player.config = replace(player.config, factory=library or "gpiod")
    script = SCENARIOS / f"{stem}.txt"
    played = asyncio.run(play_lines(lines_of(script), player, script.parent))
    return f"{played.steps} steps, {played.presses} presses"


def run_one(name: str, sim: Sim, umpi: Path, exact: bool, sessions: Path | None = None) -> str:
    """Run a scenario or a fault on a new box, `exact` in virtual time; return a short result. Raises what went wrong.

    The session file of a scenario is kept in the folder `sessions`, and the calls of RPi.GPIO in one beside it.
    """
    from scripts.hil.faults import FAULTS

    player = KernelPlayer(umpi, sim, Path(mkdtemp(dir="/run")))
    kind: Callable[[str, KernelPlayer], str] = {**FAULTS, STAMPS: stamps, REFUSALS: refusals}.get(name, scenario)
    try:
        detail = f"{kind(name, player)}; shown within {player.slowest_s:.1f} s"
        if player.service:
            if sessions and kind is scenario:
                player.report(sessions / f"{name}.jsonl")
                if name.startswith(MEASURED):
                    detail += f"; {late(player.box.pulls, sessions / f'{name}.jsonl')}"
            stop_service(player)
        if sessions and (calls := player.folder / CALLS_FILE).exists():
            (sessions.with_name(CALLS) / f"{name}.jsonl").write_bytes(calls.read_bytes())
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


def stamps(name: str, player: KernelPlayer) -> str:
    """Measure how late each library stamps edges, idle and busy; return the results."""
    told = []
    for library, busy in product(("gpiod", *RPI_GPIOS), (0, 1)):
        factory = "rpigpio" if library in RPI_GPIOS else library
        measured = run_with(library, "scripts.hil.stamps", str(player.sim.lines), factory, str(busy))
        told.append(f"{library}{', busy' * busy}: {measured}")
    return "; ".join(told)


def refusals(name: str, player: KernelPlayer) -> str:
    """Record what RPi.GPIO answers to calls that it refuses."""
    run_with("rpigpio", "scripts.hil.refusals", str(player.folder / CALLS_FILE))
    return f"{len(CALLS_REFUSED)} calls"


def run_with(library: str, module: str, *arguments: str) -> str:
    """Run a module with this library in place; return what it prints. Raises AssertionError if it fails."""
    environment = {**os.environ, "PYTHONPATH": ":".join([*RPI_GPIOS.get(library, ()), str(REPO)])}
    command = [sys.executable, "-X", "faulthandler", "-m", module, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert not done.returncode, f"{library}: status {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout.strip()


def late(pulls: Sequence[tuple[str, bool, int]], session: Path) -> str:
    """Return how much later than the buttons moved their edges are stamped, the median and the latest.

    Raises AssertionError if the box saw other movements.
    """
    events = [line["event"] for _, line in read_lines(session.read_bytes().splitlines(True)) if "event" in line]
    edges = {(edge["line"], edge["active"], edge["at_ns"]) for edge in events if edge["#"] == "Edge"}
    seen = sorted((edge for edge in edges if edge[0] in BUTTONS), key=lambda edge: edge[2])
    seen = seen[-len(pulls) :]
    assert [edge[:2] for edge in seen] == [pull[:2] for pull in pulls], "the box saw other presses than were made"
    late_us = sorted((edge[2] - pull[2]) / 1000 for edge, pull in zip(seen, pulls, strict=True))
    return f"stamped {median(late_us):.0f} µs late, {late_us[-1]:.0f} µs at most, of {len(late_us)} edges"


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
    for folder in (sessions, sessions.with_name(CALLS)):
        folder.mkdir(exist_ok=True)
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
