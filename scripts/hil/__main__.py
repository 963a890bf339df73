"""Boot a small emulated Linux with simulated lines, start the service there, and play whole games.

A program pulls the lines of buttons and beams, a bus receives the pictures, ptys connect sensor head and scanner. The
scenarios are those of `umpi sim --script`. Then come faults: an unplugged panel, stuck lines, a killed service, a power
cut, a failing engine. It prints what passed. The exit status is 1 if something failed, and 77 if the guest cannot run
here: it needs Debian 12 on amd64, and root.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from scripts import REPO
from scripts.guest.guest import default_work, guarded
from scripts.hil.plan import CALLS, REAL_PINS, plan
from scripts.hil.runs import Runs, suite, table

FETCH = Path(__file__).with_name("fetch-suite")
RECORDED = REPO / "tests/drivers/rpi_gpio"
LIMIT_S = 3600  # of this machine's time, a guest


def main() -> int:
    """Run the command line; return the exit status."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="./scripts/dev hil", description=__doc__, formatter_class=raw)
    parser.add_argument("only", nargs="*", help="run only these rows of the table")
    parser.add_argument("--short", action="store_true", help="the short form, for continuous integration")
    parser.add_argument("--record", action="store_true", help="keep the calls of RPi.GPIO for the tests of the drivers")
    parser.add_argument("--work", type=Path, default=default_work(), help="where the guest is built (%(default)s)")
    parser.add_argument(
        "--limit", type=int, default=LIMIT_S, metavar="SECONDS", help="time limit per guest (%(default)s)"
    )
    chosen = parser.parse_args()
    runs = Runs(chosen.work, chosen.limit)

    def run_all() -> int:
        runs.guest.build()
        if any(name in REAL_PINS for part in plan(chosen.short, chosen.only) for name in part.names):
            fetched = subprocess.run([FETCH, suite(runs.guest)], capture_output=True, text=True)
            if fetched.returncode:
                runs.report(f"gpiozero's own tests cannot be fetched: {fetched.stdout.strip()}")
        for part in plan(chosen.short, chosen.only):
            runs.run(part)
        if chosen.record:
            RECORDED.mkdir(exist_ok=True)
            for calls in sorted((runs.guest.out / CALLS).glob("*.jsonl")):
                shutil.copy(calls, RECORDED / calls.name.replace(" ", "-"))
        failures = sum(not result["passed"] for result in runs.results)
        print(table(runs.results))
        runs.report(f"{len(runs.results) - failures} passed, {failures} failed")
        return 1 if failures or not runs.results else 0

    return guarded("hil", run_all)


if __name__ == "__main__":
    sys.exit(main())
