"""Draw the parts of hardware/ from their numbers: drawings, diagrams, models, and the tables of their pages.

  ./scripts/dev hardware            all parts
  ./scripts/dev hardware wall gate  some of them
  ./scripts/dev hardware --board    the printed circuit boards, as files for a factory; needs KiCad

Each part is a folder with a file of numbers. Its drawings are in its folder `out`.
"""

from __future__ import annotations

import argparse
from importlib import import_module

from scripts import REPO

HARDWARE = REPO / "hardware"
PARTS = {  # a part and the module whose render(folder) draws it
    "wiring": "hardware.wiring.render",
    "gate": "hardware.gate.render",
    "wall": "hardware.wall.render",
    "case": "hardware.case.render",
    "print": "hardware.print.render",
    "cart": "hardware.cart.render",
    "guide": "hardware.guide.render",
}


def main() -> None:
    """Draw the named parts and print the paths."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="./scripts/dev hardware", description=__doc__, formatter_class=formatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (default: all)")
    parser.add_argument("--board", action="store_true", help="make the printed circuit boards with KiCad")
    parser.add_argument("--route", action="store_true", help="with --board: find their tracks again, in some minutes")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"{', '.join(sorted(unknown))}: expected {', '.join(PARTS)}.")
    if options.route and not options.board:
        parser.error("--route goes with --board.")
    if options.board:
        from hardware.board.make import NoKiCad, NotRouted, render
        from hardware.board.route import Unroutable

        try:
            made = render(again=options.route)
        except NoKiCad as missing:
            parser.error(f"{missing}.")
        except (NotRouted, Unroutable) as wrong:
            parser.error(str(wrong))
        for path in made:
            print(path)
    for part in options.parts or (() if options.board else PARTS):
        for path in import_module(PARTS[part]).render(HARDWARE / part / "out"):
            print(path)


if __name__ == "__main__":
    main()
