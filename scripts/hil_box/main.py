"""Boot a small emulated Linux with simulated lines, start the service there, and play whole games.

A program pulls the lines of buttons and beams, a bus receives the pictures, ptys connect sensor head and scanner. The
scenarios are those of `umpi sim --script`. Then come faults: an unplugged panel, stuck lines, a killed service, a power
cut, a failing engine. It prints what passed. The exit status is 1 if something failed, and 77 if the guest cannot run
here: it needs Debian 12 on amd64, and root.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import time
from pathlib import Path

from hil_guest.guest import REPO, Guest, GuestFault, Killed, default_work, guarded

from hil_box.plan import CUT, CUT_LINE, EXACT, ORDINARY, REAL_PINS, SESSIONS, STOCK, Part, plan

HERE = Path(__file__).resolve().parent
LIMIT_S, SHORT_LIMIT_S = 3600, 1200  # of this machine's time, a guest


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
        commands.append(f"{guest.python} {REPO}/scripts/hil_box/pins.py /out/results {shlex.quote(STOCK)}")
    commands.append(f". {REPO}/scripts/hil_guest/as-a-pi")
    tests = f"{REPO}/scripts/hil_box/real_pins.py {suite(guest)} /out/results"
    commands += [
        f"{guest.python} {tests} {factory} {shlex.quote(name)}"
        for name, factory in REAL_PINS.items()
        if name in part.names
    ]
    if boxes := [shlex.quote(name) for name in part.names if name not in (STOCK, *REAL_PINS)]:
        umpi, time_mode = guest.work / "venv/bin/umpi", EXACT if part.exact else ORDINARY
        commands.append(f"{guest.python} -m hil_box.part {umpi} /out/results {time_mode} {' '.join(boxes)}")
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


def main() -> int:
    """Run the command line; return the exit status."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="scripts/hil", description=__doc__, formatter_class=raw)
    parser.add_argument("only", nargs="*", help="run only these rows of the table")
    parser.add_argument("--short", action="store_true", help="the short form, for continuous integration")
    parser.add_argument("--work", type=Path, default=default_work(), help="where the guest is built (%(default)s)")
    parser.add_argument("--limit", type=int, metavar="SECONDS", help="time limit per guest (3600; 1200 with --short)")
    chosen = parser.parse_args()
    runs = Runs(chosen.work, chosen.limit or (SHORT_LIMIT_S if chosen.short else LIMIT_S))

    def run_all() -> int:
        runs.guest.build()
        if any(name in REAL_PINS for part in plan(chosen.short, chosen.only) for name in part.names):
            fetched = subprocess.run([HERE / "fetch-suite", suite(runs.guest)], capture_output=True, text=True)
            if fetched.returncode:
                runs.report(f"gpiozero's own tests cannot be fetched: {fetched.stdout.strip()}")
        for part in plan(chosen.short, chosen.only):
            runs.run(part)
        failures = sum(not result["passed"] for result in runs.results)
        print(table(runs.results))
        runs.report(f"{len(runs.results) - failures} passed, {failures} failed")
        return 1 if failures or not runs.results else 0

    return guarded("hil", run_all)


if __name__ == "__main__":
    sys.exit(main())
