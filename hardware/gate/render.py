"""Draw the gate from its numbers: models, pictures, drawings and the tables of its page."""

from __future__ import annotations

from pathlib import Path

from hardware.gate.drawings import drawings
from hardware.gate.numbers import read_numbers
from hardware.gate.page import write_page
from hardware.gate.scad import write_models
from hardware.gate.scenes import pictures


def render(folder: Path) -> list[Path]:
    """Write everything that is made from gate.toml; raises OSError where there is no OpenSCAD."""
    numbers = read_numbers()
    folder.mkdir(parents=True, exist_ok=True)
    made = [*write_models(numbers, folder), *pictures(numbers, folder), *drawings(numbers, folder)]
    return [*made, write_page(numbers, folder)]
