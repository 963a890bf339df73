"""What git keeps of the made files: what a page shows and what a builder orders from; pages link to nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hardware.guide.steps import read_guide
from tests.kit.kept import ROOT, kept

ORDERED = (
    "*/gerber/*",
    "*-factory.zip",
    "positions.csv",
    "assembly.csv",
    "assembly-panel.csv",
    "parts.csv",
    "cart.csv",
    "order-*.csv",
    "*.stl",
    "laser-*.dxf",
)  # by a maker of the part
KEPT = kept()
PAGES = [path for path in KEPT if path.suffix == ".md"]


def links(page: Path) -> list[Path]:
    found = re.findall(r"\]\((?!\w+:|#)([^)#]+)", page.read_text(encoding="utf-8"))
    return [(page.parent / link).resolve() for link in found]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_every_link_and_picture_of_a_page_is_in_git(page: Path) -> None:
    there = {*KEPT, *(folder for path in KEPT for folder in path.parents)}
    assert links(page)
    assert [link for link in links(page) if link.is_relative_to(ROOT / "hardware") and link not in there] == []
    assert [link for link in links(page) if not link.exists()] == []


def test_git_keeps_what_a_page_shows_and_a_builder_orders_from() -> None:
    shown = {link for page in [ROOT / "README.md", *PAGES] for link in links(page)}
    shown |= {ROOT / "hardware" / file for step in read_guide().steps for file in step.drawings}  # printed in a guide
    made = [path for path in KEPT if "out" in path.relative_to(ROOT).parts]
    assert len(made) > 100
    assert [path for path in made if path not in shown and not any(path.match(name) for name in ORDERED)] == []
