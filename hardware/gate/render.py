"""Draw the gate from its numbers: models, pictures, drawings and the tables of its page."""

from __future__ import annotations

from pathlib import Path

from hardware.gate.drawings import drawings
from hardware.gate.geometry import refuse_traps
from hardware.gate.numbers import read_numbers
from hardware.gate.page import PAGE, settings_file, tables
from hardware.page import fill

SETTINGS = Path(__file__).with_name("umpi-gate.toml")  # to add to umpi.toml


def render(folder: Path) -> list[Path]:
    """Write everything that is made from gate.toml.

    Raises BadSpec if the mouth traps a cube, and ModuleNotFoundError without build123d.
    """
    from hardware.gate.models import models
    from hardware.gate.scenes import pictures
    from hardware.solids.files import write_stl

    numbers = read_numbers()
    refuse_traps(numbers)
    folder.mkdir(parents=True, exist_ok=True)
    made = [write_stl(draw(), folder / f"{name}.stl") for name, draw in models(numbers).items()]
    made += [*pictures(numbers, folder), *drawings(numbers, folder)]
    if folder == SETTINGS.parent / "out":
        SETTINGS.write_text(settings_file(numbers), encoding="utf-8")
        made.append(SETTINGS)
    return [*made, fill(PAGE, tables(numbers))]
