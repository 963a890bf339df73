"""Check the numbers of the beam board and write the tables of its page."""

from __future__ import annotations

from pathlib import Path

from hardware.beam.margin import refuse_faults
from hardware.beam.numbers import load
from hardware.beam.page import tables
from hardware.page import fill

PAGE = Path(__file__).with_name("README.md")


def render(folder: Path) -> list[Path]:
    """Write the tables into the page. It draws nothing into `folder`.

    Raises BadSpec for a board that must not be built.
    """
    numbers = load()
    refuse_faults(numbers)
    return [fill(PAGE, tables(numbers))]
