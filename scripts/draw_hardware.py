"""Draw the parts of hardware/ from their numbers: drawings, diagrams, models, and the tables of their pages.

  scripts/hardware            all parts
  scripts/hardware wall gate  some of them

Each part is a folder with a file of numbers. Its drawings are in its folder `out`.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

HARDWARE = Path(__file__).parents[1] / "hardware"
PARTS = {  # a part and the module whose render(folder) draws it
    "wiring": "hardware.wiring.render",
    "gate": "hardware.gate.render",
    "wall": "hardware.wall.render",
    "case": "hardware.case.render",
    "print": "hardware.print.render",
    "cart": "hardware.cart.render",
    "build": "hardware.build.render",
}


def main() -> None:
    """Draw the named parts and print the paths."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="scripts/hardware", description=__doc__, formatter_class=formatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (default: all)")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"{', '.join(sorted(unknown))}: expected {', '.join(PARTS)}.")
    for part in options.parts or PARTS:
        for path in import_module(PARTS[part]).render(HARDWARE / part / "out"):
            print(path)


if __name__ == "__main__":
    main()
