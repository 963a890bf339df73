"""Run the parts of a plan, each in a guest, and collect the results in a table."""

from __future__ import annotations

import json
import shlex
import subprocess
import time
from pathlib import Path

from scripts import REPO
from scripts.guest.guest import Guest, GuestFault, Killed
from scripts.hil.plan import CUT, CUT_LINE, EXACT, ORDINARY, REAL_PINS, SESSIONS, STOCK, Part


class Runs:
    """Runs guests one after another and collects the results."""

    def __init__(self, work: Path, limit_s: int) -> None:
        self._began_s = time.monotonic()
        self._limit_s = limit_s
        self.guest = Guest(work, self._say)
        self.results: list[dict[str, object]] = []

    def run(self, part: Part) -> None:
        """Run one guest. What it did not run counts as failed, and so does a bad end of the guest itself."""
        self.report(f"booting the guest for {part.title}")
        file = self.guest.out / "results"
        file.unlink(missing_ok=True)
        why = ""
        succeeded = True
        try:
            succeeded = self.guest.run(
                _command(self.guest, part), exact=part.exact, limit_s=self._limit_s,
                disk=self.guest.out / "disk.img" if part.disk else None,
            )  # fmt: skip
        except Killed:
            self.results.append({"name": CUT[0], "passed": True, "detail": "the first turns, then the power cut"})
        except GuestFault as fault:
            why = f"the guest: {fault}"
        results = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        self._replay(results)
        completed = [result["name"] for result in (*results, *self.results)]
        missing = [name for name in part.names if name not in completed]
        if not succeeded and not missing and all(result["passed"] for result in results):
            why = "the guest: its command failed after everything had run"
        if why and not missing:
            results.append({"name": part.title, "passed": False, "detail": why})
        self.results += [*results, *({"name": name, "passed": False, "detail": why or "not run"} for name in missing)]

    def _replay(self, results: list[dict[str, object]]) -> None:
        """Replay the session files of the guest here; a result whose session does not replay is a failure."""
        for session in sorted((self.guest.out / SESSIONS).glob("*.jsonl")):
            replayed = subprocess.run(
                [self.guest.work / "venv/bin/umpi", "replay-session", session], capture_output=True, text=True
            )
            for result in results:
                if result["name"] == session.stem and replayed.returncode:
                    message = (replayed.stderr or replayed.stdout).strip().rpartition("\n")[2]
                    result |= {"passed": False, "detail": f"its session does not replay here: {message}"}
                elif result["name"] == session.stem:
                    result["detail"] = f"{result['detail']}; its session replays here"

    def report(self, text: str) -> None:
        """Print progress with the time since the start."""
        print(f"hil {time.monotonic() - self._began_s:5.0f} s: {text}", flush=True)

    def _say(self, line: str) -> None:
        if line == CUT_LINE:
            self.guest.kill()
        self.report(line)


def _command(guest: Guest, part: Part) -> str:
    """Return the shell commands for the guest: first those that need no Pi, then those that run as on a Pi."""
    commands = []
    if STOCK in part.names:
        commands.append(f"{guest.python} -m scripts.hil.pins /out/results {shlex.quote(STOCK)}")
    commands.append(f". {REPO}/scripts/guest/as-a-pi")
    tests = f"-m scripts.hil.real_pins {suite(guest)} /out/results"
    commands += [
        f"{guest.python} {tests} {factory} {shlex.quote(name)}"
        for name, factory in REAL_PINS.items()
        if name in part.names
    ]
    if boxes := [shlex.quote(name) for name in part.names if name not in (STOCK, *REAL_PINS)]:
        umpi, time_mode = guest.work / "venv/bin/umpi", EXACT if part.exact else ORDINARY
        commands.append(f"{guest.python} -m scripts.hil.part {umpi} /out/results {time_mode} {' '.join(boxes)}")
    return "\n".join(commands)


def suite(guest: Guest) -> Path:
    """Return the folder with gpiozero's own tests."""
    return guest.work / "gpiozero-tests"


def table(results: list[dict[str, object]]) -> str:
    """Return a table of the results."""
    rows = ["| on a real kernel | | guest time | |", "|---|---|---|---|"]
    for result in results:
        verdict = "passed" if result["passed"] else "FAILED"
        time_s = f"{result['seconds']} s" if "seconds" in result else ""
        how = str(result["detail"]).partition("\n")[0]
        rows.append(f"| {result['name']} | {verdict} | {time_s} | {how} |")
    return "\n".join(rows)
