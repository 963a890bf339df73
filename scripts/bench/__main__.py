"""Measure Umpi and other programs in the same run. Compare the ratios, because machines differ."""

from __future__ import annotations

import argparse

from scripts.bench.acts import acts, presses_a_game
from scripts.bench.core import core
from scripts.bench.growth import growth
from scripts.bench.hall import hall
from scripts.bench.history import history
from scripts.bench.instructions import instructions
from scripts.bench.journal import journal
from scripts.bench.lab import lab
from scripts.bench.memory import memory
from scripts.bench.oled import oled
from scripts.bench.page import page
from scripts.bench.start import start
from scripts.bench.tab import tab
from scripts.bench.tosses import tosses
from scripts.bench.web import web


def main() -> None:
    """Run the measurements asked for, all by default."""
    known = {"acts": acts, "start": start, "presses": presses_a_game, "core": core, "oled": oled, "web": web}
    known |= {"journal": journal, "lab": lab, "tosses": tosses, "page": page, "hall": hall, "memory": memory}
    known |= {"history": history, "instructions": instructions, "tab": tab, "growth": growth}
    parser = argparse.ArgumentParser(
        prog="./scripts/dev bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="\n".join(f"{name:12} {measure.__doc__}" for name, measure in known.items()),
    )  # fmt: skip
    parser.add_argument("what", nargs="*", choices=[*known, []], help="default: all")
    parser.add_argument("--check", action="store_true", help="refuse 3 %% more instructions than in the table")
    parser.add_argument("--reason", default="", help="change the lines of the table that differ by 3 %%, and say why")
    words = parser.parse_args()
    if (words.check or words.reason) and words.what != ["instructions"]:
        parser.error("--check and --reason belong to: ./scripts/dev bench instructions")
    for name in words.what or known:
        if name == "instructions":
            instructions(words.check, words.reason)
        else:
            known[name]()


if __name__ == "__main__":  # not in the processes of the laboratory
    main()
