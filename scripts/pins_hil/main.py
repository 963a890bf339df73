"""The pins on simulated lines in the guest, measured beside gpiozero's lgpio factory, in a table."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from hil_guest.guest import Guest, GuestFault, default_work, guarded

HERE = Path(__file__).resolve().parent


def main() -> int:
    """Do it; returns the exit status."""
    parser = argparse.ArgumentParser(prog="scripts/pins-hil", description=__doc__)
    parser.add_argument("--work", type=Path, default=default_work(), help="where the guest is built (%(default)s)")
    guest = Guest(parser.parse_args().work, lambda line: print(line, file=sys.stderr, flush=True))

    def measure() -> int:
        guest.build()
        # one processor would put edges in order; and late by how much can be told only where the clock is true
        for part, exact in (("hardship", False), ("clockwork", True)):
            print(f"pins-hil: booting the guest for {part}", file=sys.stderr, flush=True)
            if not guest.run(f"sh {HERE}/guest {part} {guest.python}", exact=exact):
                raise GuestFault("something is wrong in it, as told above")
        table = [guest.python, HERE / "measure.py", "table", guest.out / "umpi.json", guest.out / "lgpio.json"]
        return subprocess.run(table, env=os.environ | {"PYTHONPATH": str(HERE.parent)}).returncode

    return guarded("pins-hil", measure)


if __name__ == "__main__":
    sys.exit(main())
