"""Check the numbers of the beam board, draw its lane, and write the tables of its page."""

from __future__ import annotations

from pathlib import Path

from hardware.beam import reach
from hardware.beam.margin import refuse_faults
from hardware.beam.numbers import load
from hardware.beam.page import tables
from hardware.gate.geometry import Gate
from hardware.gate.numbers import read_numbers
from hardware.page import fill
from hardware.wiring.model import read_wiring

PAGE = Path(__file__).with_name("README.md")


def render(folder: Path) -> list[Path]:
    """Draw a lane and six lanes with their boards, and write the tables into the page.

    Raises BadSpec for a board that must not be built, and ModuleNotFoundError without build123d.
    """
    from hardware.beam.scenes import pictures

    numbers, gate = load(), read_numbers()
    refuse_faults(numbers)
    reach.refuse_faults(gate, read_wiring())
    folder.mkdir(parents=True, exist_ok=True)
    drawn = pictures(Gate(gate, gate.beam_board.cube_mm, "catch"), folder)
    return [*drawn, fill(PAGE, tables(numbers))]
