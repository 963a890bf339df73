"""Run the program of the sensor head on an emulated Raspberry Pi Pico, and check what the box receives of known edges.

The emulator is rp2040js, which counts cycles; `scripts/setup --full` installs it. FILE is a firmware of MicroPython for
the Pico as a .bin file: micropython.org offers .uf2 files, which this command reads as well. The edges pass through the
box's own driver over a pty. Prints a table; the exit status is 1 if a figure is not as wanted, and 77 if the emulator
cannot run here.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from scripts import REPO
from scripts.pico.cable import Cable
from scripts.pico.emulated import EmulatedPico, NotHere, tools, write_image
from scripts.pico.trials import TRIALS

HEAD = "firmware/sensor_head"


def main() -> int:
    """Do the trials and print their table."""
    parser = argparse.ArgumentParser(prog="./scripts/dev pico", description=__doc__)
    parser.add_argument("trials", nargs="*", metavar="TRIAL", help=f"only these: {', '.join(TRIALS)}")
    parser.add_argument("--firmware", type=Path, required=True, metavar="FILE", help="MicroPython for the Pico")
    parser.add_argument("--revision", help="try the program of a commit, for example an older one, in this box's stead")
    parser.add_argument("--short", action="store_true", help="try little of each")
    parser.add_argument("--seed", type=int, default=1, help="another seed chooses other moments (1)")
    chosen = parser.parse_args()
    if unknown := set(chosen.trials) - set(TRIALS):
        parser.error(f"there is no trial {', '.join(sorted(unknown))}: {', '.join(TRIALS)}")
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            node, modules = tools()
            write_image(_program(chosen.revision), folder / "image")
            pico = EmulatedPico(node, modules, chosen.firmware, folder / "image")
        except NotHere as fault:
            print(f"pico: cannot run here: {fault}")
            return 77
        cable = Cable(pico, folder)
        print(
            f"{cable.head.about.get('firmware', '?')} on the emulated Pico, {time.monotonic() - began:.0f} s",
            flush=True,
        )
        failed = 0
        for trial in chosen.trials or TRIALS:
            for result in TRIALS[trial](cable, Random(chosen.seed), chosen.short):
                failed += not result.passed
                print(f"| {result.what} | {result.figure} | {'passed' if result.passed else 'FAILED'} |", flush=True)
        cable.close()
    print(f"{failed} failed, {time.monotonic() - began:.0f} s")
    return int(failed > 0)


def _program(revision: str | None) -> list[tuple[str, bytes]]:
    """Return the head's files, of this checkout or of a commit."""
    if not revision:
        return [(file.name, file.read_bytes()) for file in (REPO / HEAD).glob("*.py")]
    listed = subprocess.run(
        ["git", "-C", REPO, "ls-tree", "--name-only", f"{revision}:{HEAD}"], capture_output=True, text=True, check=True
    ).stdout.split()
    return [
        (
            name,
            subprocess.run(
                ["git", "-C", REPO, "show", f"{revision}:{HEAD}/{name}"], capture_output=True, check=True
            ).stdout,
        )
        for name in listed
        if name.endswith(".py")
    ]


if __name__ == "__main__":
    sys.exit(main())
