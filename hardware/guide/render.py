"""Make the build guide: a picture for each step, the PDF, and the page."""

from __future__ import annotations

from pathlib import Path

import pypdfium2

from hardware.case.assembly import assembly
from hardware.case.numbers import read_case
from hardware.guide.paper import write_pdf
from hardware.guide.pictures import draw
from hardware.guide.steps import Guide, checks, read_guide
from hardware.wiring.model import read_wiring
from hardware.wiring.tables import filled

HARDWARE = Path(__file__).parents[1]
README = Path(__file__).with_name("README.md")
PREVIEW_DPI = 100


def render(folder: Path) -> list[Path]:
    """Write the pictures and the PDF into `folder`, with a preview of its first pages, and the page."""
    folder.mkdir(parents=True, exist_ok=True)
    guide, pieces = read_guide(), assembly(read_case(), HARDWARE / "case" / "out")
    pictures, made = [], []
    for number, step in enumerate(guide.steps, 1):
        if step.picture:
            pictures.append(HARDWARE / step.picture)
        else:
            made.append(draw(step, pieces, folder / f"step-{number:02}.png"))
            pictures.append(made[-1])
    measured = checks(read_wiring())
    made.append(write_pdf(guide, pictures, measured, folder / "build-guide.pdf"))
    README.write_text(filled(README.read_text(encoding="utf-8"), tables(guide, measured)), encoding="utf-8")
    return [*made, preview(made[-1], folder / "build-guide.png"), README]


def tables(guide: Guide, measured: list[tuple[str, str, str]]) -> dict[str, str]:
    """Return the tables of the page by their marks."""
    steps = ["| step | what | minutes | tools |", "|---|---|---|---|"]
    steps += [
        f"| {number} | {step.title} | {step.minutes} | {step.tools} |" for number, step in enumerate(guide.steps, 1)
    ]
    rows = ["| between header positions | when | right if |", "|---|---|---|"]
    return {"steps": "\n".join(steps), "checks": "\n".join([*rows, *(f"| {' | '.join(row)} |" for row in measured)])}


def preview(pdf: Path, picture: Path) -> Path:
    """Draw one page of steps as a picture for the page."""
    page = pypdfium2.PdfDocument(pdf)[2]
    page.render(scale=PREVIEW_DPI / 72).to_pil().quantize(128).save(picture, optimize=True)
    return picture
