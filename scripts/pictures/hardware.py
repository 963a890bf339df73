"""Draw the parts of hardware/ from their numbers: drawings, diagrams, models, and the tables of their pages.

  ./scripts/dev hardware                    all parts
  ./scripts/dev hardware wall gate          some of them
  ./scripts/dev hardware --tracks FILE      keep the tracks of a printed circuit board that KiCad saved

Each part is a folder with a file of numbers. Its drawings are in its folder `out`. git keeps what a page shows and
what a builder orders from; .gitignore names the rest. Case, gate, beam, board and guide need build123d:
pip install -e '.[cad]'. The boards also need KiCad.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from hardware.board.make import NoKiCad, NotRouted, keep
from hardware.spec import BadSpec
from scripts import REPO

HARDWARE = REPO / "hardware"
PARTS = {  # a part and the module whose render(folder) draws it
    "wiring": "hardware.wiring.render",
    "gate": "hardware.gate.render",
    "beam": "hardware.beam.render",
    "wall": "hardware.wall.render",
    "case": "hardware.case.render",
    "board": "hardware.board.make",
    "print": "hardware.print.render",
    "cart": "hardware.cart.render",
    "guide": "hardware.guide.render",
    "chance": "hardware.chance.render",
}


def main() -> None:
    """Draw the named parts and print the paths."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="./scripts/dev hardware", description=__doc__, formatter_class=formatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (default: all)")
    parser.add_argument("--tracks", type=Path, metavar="FILE", help="a board, NAME.kicad_pcb: keep its tracks")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"{', '.join(sorted(unknown))}: expected {', '.join(PARTS)}.")
    try:
        if options.tracks:
            print(keep(options.tracks))
        for part in options.parts or (() if options.tracks else PARTS):
            for path in import_module(PARTS[part]).render(HARDWARE / part / "out"):
                print(path)
    except (BadSpec, NoKiCad, NotRouted) as wrong:
        parser.error(str(wrong))
    except ModuleNotFoundError as missing:
        parser.error(f"{missing}: pip install -e '.[cad]'.")


if __name__ == "__main__":
    main()
