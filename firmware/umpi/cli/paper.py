"""What all commands that write PDF share: the sizes of paper."""

from __future__ import annotations

import argparse

PAPERS = ("a4", "letter")


def add_paper(command: argparse.ArgumentParser) -> None:
    """Add --paper."""
    command.add_argument("--paper", choices=PAPERS, default="a4", help="paper size of the PDF (default: %(default)s)")
