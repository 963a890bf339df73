"""What all commands that write PDF share: the sizes of paper, and what to do if reportlab is missing."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from umpi.cli.terminal import Problem

PAPERS = ("a4", "letter")


def add_paper(command: argparse.ArgumentParser) -> None:
    """Add --paper."""
    command.add_argument("--paper", choices=PAPERS, default="a4", help="paper size of the PDF (default: %(default)s)")


@contextmanager
def needs_reportlab(what: str) -> Iterator[None]:
    """Import reportlab inside: it is an extra, and takes long to import on a Pi. Raises Problem if it is missing."""
    try:
        yield
    except ModuleNotFoundError as fault:
        if not (fault.name or "").startswith("reportlab"):
            raise
        raise Problem(f"{what} needs reportlab: pip install reportlab") from None
