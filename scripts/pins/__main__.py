"""Measure Umpi's pin factory and gpiozero's lgpio factory on simulated lines in the guest, and print a table.

Two minutes; the first time three. Needs Debian 12 on amd64, and root.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from scripts import REPO
from scripts.guest.guest import Guest, GuestFault, default_work, guarded


def main() -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="./scripts/dev pins-hil", description=__doc__)
    parser.add_argument("--work", type=Path, default=default_work(), help="where the guest is built (%(default)s)")
    guest = Guest(parser.parse_args().work, lambda line: print(line, file=sys.stderr, flush=True))

    def measure() -> int:
        guest.build()
        # edges come out of order only on two processors, and delays are exact only in virtual time
        for part, exact in (("stress", False), ("delays", True)):
            print(f"pins-hil: booting the guest for {part}", file=sys.stderr, flush=True)
            if not guest.run(f"sh {REPO}/scripts/pins/guest {part} {guest.python}", exact=exact):
                raise GuestFault("the measurement failed, see above")
        figures = [guest.out / "umpi.json", guest.out / "lgpio.json"]
        table = [guest.python, "-m", "scripts.pins.measure", "table", *figures]
        return subprocess.run(list(map(str, table)), env=os.environ | {"PYTHONPATH": str(REPO)}).returncode

    return guarded("pins-hil", measure)


if __name__ == "__main__":
    sys.exit(main())
