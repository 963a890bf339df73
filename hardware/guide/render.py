"""Make the build guide: a picture for each step, the PDF, and the page."""

from __future__ import annotations

from pathlib import Path

import pypdfium2

from hardware.guide.measure import Row, checks
from hardware.guide.paper import BUILDS, pages, write_pdf
from hardware.guide.steps import Guide, read_guide
from hardware.page import fill
from hardware.wiring.model import read_wiring

README = Path(__file__).with_name("README.md")
HARDWARE = Path(__file__).parents[1]
PREVIEW_DPI = 100
PREVIEW = 19  # a page with two steps


def render(folder: Path) -> list[Path]:
    """Write the pictures and the PDF into `folder`, with a preview of one page, and the page."""
    from hardware.guide.pictures import draw  # needs build123d

    folder.mkdir(parents=True, exist_ok=True)
    guide = read_guide()
    shown = pictures(guide, folder)
    drawn = [draw(step, shown[step.label]) for step in guide.steps if not step.picture]
    for old in set(folder.glob("step-*.png")) - set(drawn):
        old.unlink()
    made = write_pdf(guide, shown, measured(), folder / "build-guide.pdf")
    return [*drawn, made, preview(made, folder / "build-guide.png"), fill(README, tables(guide, measured()))]


def pictures(guide: Guide, folder: Path) -> dict[str, Path]:
    """Return the file of the picture of each step."""
    return {
        step.label: HARDWARE / step.picture if step.picture else folder / f"step-{step.label}.png"
        for step in guide.steps
    }


def measured() -> dict[str, list[Row]]:
    """Return the resistances to measure at both boards."""
    wiring = read_wiring()
    return {"pi": checks(wiring, "pi"), "wires": checks(wiring, "pi", "minimal"), "head": checks(wiring, "head")}


def tables(guide: Guide, measure: dict[str, list[Row]]) -> dict[str, str]:
    """Return the tables of the page by their marks."""
    found = {}
    ways = ["| build | chapters | pages of the PDF | hours |", "|---|---|---|---|"]
    for build in BUILDS:
        letters = ", ".join(chapter.letter for chapter in guide.chapters if build in chapter.builds)
        ways.append(f"| {build} | {letters} | {pages(guide, build)} | {guide.minutes(build) / 60:.0f} |")
    found["ways"] = "\n".join(ways)
    for name, rows in measure.items():
        lines = ["| between positions | when | right if |", "|---|---|---|"]
        found[f"checks-{name}"] = "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])
    return found


def preview(pdf: Path, picture: Path) -> Path:
    """Draw one page of steps as a picture for the page."""
    page = pypdfium2.PdfDocument(pdf)[PREVIEW]
    page.render(scale=PREVIEW_DPI / 72).to_pil().quantize(128).save(picture, optimize=True)
    return picture
