"""Draw the wall, its jigs and its place, and write the tables of its page."""

from __future__ import annotations

from pathlib import Path

from hardware.drawing import Sheet
from hardware.page import fill
from hardware.wall.board import board_sheet, cut_sheet, place_sheet
from hardware.wall.jigs import gluing_sheet, saddle_sheet
from hardware.wall.numbers import Numbers, load
from hardware.wall.page import tables
from hardware.wall.sound import faults
from hardware.wall.views import drill_sheet, fixing_sheet, wall_sheet

PAGE = Path(__file__).with_name("README.md")
SHEETS = {
    "wall": wall_sheet,
    "drilling": drill_sheet,
    "fixing": fixing_sheet,
    "gluing-jig": gluing_sheet,
    "saddle": saddle_sheet,
    "board": board_sheet,
    "place": place_sheet,
    "cuts": cut_sheet,
}


def sheets(numbers: Numbers) -> dict[str, Sheet]:
    """Draw all sheets by name; raises ValueError with every fault of numbers that cannot be built."""
    if wrong := faults(numbers):
        raise ValueError("wall.toml: " + " ".join(wrong))
    return {name: draw(numbers) for name, draw in SHEETS.items()}


def render(folder: Path) -> list[Path]:
    """Write all drawings into `folder`, and the tables into the page."""
    numbers = load()
    paths = [path for name, sheet in sheets(numbers).items() for path in sheet.save(folder, name)]
    return [*paths, fill(PAGE, tables(numbers))]
