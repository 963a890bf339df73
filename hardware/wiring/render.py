"""Make everything that depends on wiring.toml: schematics, harnesses, and the tables of the pages."""

from __future__ import annotations

from pathlib import Path

from hardware.page import fill
from hardware.wiring import circuits, harness
from hardware.wiring.model import read_wiring
from hardware.wiring.rules import refuse_faults
from hardware.wiring.tables import tables

HERE = Path(__file__).parent
PAGES = (HERE.parent / "README.md", HERE / "README.md")
OTHERS = ("parts",)  # tables of these pages that the cart makes
HARNESSES = ("minimal", "table", "full", "spi")


def render(folder: Path = HERE / "out") -> list[Path]:
    """Draw everything into `folder`; write the tables of the pages. Raises BadWiring for a wiring with a fault."""
    wiring = read_wiring()
    refuse_faults(wiring)
    folder.mkdir(parents=True, exist_ok=True)
    made = circuits.save(wiring, folder)
    for build in HARNESSES:
        made += harness.save(wiring, build, folder)
    if folder == HERE / "out":
        made += [fill(page, tables(wiring), OTHERS) for page in PAGES]
    return made
