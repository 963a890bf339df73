"""Make the build guides: a picture for each step, a PDF for each build, and the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pypdfium2

from hardware.cart.cart import orders, read_all
from hardware.cart.render import refuse_faults
from hardware.guide.measure import Row, checks
from hardware.guide.paper import CABLE_MM, Book, Ticks, pages, write_pdf
from hardware.guide.steps import Guide, read_guide
from hardware.page import fill
from hardware.wiring.harness import blocks
from hardware.wiring.model import BUILDS, read_wiring

README = Path(__file__).with_name("README.md")
HARDWARE = Path(__file__).parents[1]
PREVIEW_DPI = 100
PREVIEW = 5  # a page with two steps, of the guide of the table build
TICKS = {"before power": BUILDS, "with power": BUILDS, "gate, head": ("table", "full"), "full": ("full",)}
LAST = {"minimal": 4, "table": 8, "full": 13}  # the last step on the page above that a build has


def render(folder: Path) -> list[Path]:
    """Write the pictures and the PDFs into `folder`, with a preview of one page, and the page.

    Raises BadSpec for a wiring that must not be built.
    """
    from hardware.guide.pictures import draw  # needs build123d

    refuse_faults(read_wiring())
    folder.mkdir(parents=True, exist_ok=True)
    guide = read_guide()
    shown = {build: pictures(guide, folder, build) for build in BUILDS}
    drawn = [draw(step, shown["table"][step.label]) for step in guide.steps if not step.picture]
    drawn += [
        draw(step._replace(shown=(*step.shown, *step.full)), shown["full"][step.label])
        for step in guide.steps
        if step.full
    ]
    for old in {*folder.glob("step-*.png"), *folder.glob("cable-*")} - set(drawn):
        old.unlink()
    for build in BUILDS:
        for name, picture in blocks(read_wiring(), build).items():
            picture.save(folder, f"cable-{build}-{name}")
    made = {
        build: write_pdf(guide, build, book(guide, build, shown[build]), folder / f"guide-{build}.pdf")
        for build in BUILDS
    }
    page = preview(made["table"], folder / "build-guide.png")
    return [*drawn, *made.values(), page, fill(README, tables(guide, measured()))]


def pictures(guide: Guide, folder: Path, build: str) -> dict[str, Path]:
    """Return the file of the picture of each step of a build."""
    own = {
        step.label: f"step-{step.label}{'-full' if build == 'full' and step.full else ''}.png" for step in guide.steps
    }
    return {step.label: HARDWARE / step.picture if step.picture else folder / own[step.label] for step in guide.steps}


def book(guide: Guide, build: str, shown: dict[str, Path]) -> Book:
    """Return what the guide of a build shows beside its words."""
    cart, found = read_all()
    files = {file for step in guide.steps for file in (*step.drawings, step.picture) if file}
    drawings = {name: HARDWARE / name for name in files}
    return Book(shown, measured(), cables(build), drawings, orders(cart, found, build), ticks(build), settings(build))


def settings(build: str) -> tuple[str, ...]:
    """Return the lines of the wiring file of a build, without comments: those of its devices and of its gate."""
    files = [HARDWARE / "wiring" / f"umpi-{build}.toml"]
    files += [HARDWARE / "gate" / "umpi-gate.toml"] if build != "minimal" else []
    lines = (line.partition("#")[0].strip() for file in files for line in file.read_text(encoding="utf-8").splitlines())
    return tuple(line for line in lines if line)


def cables(build: str, folder: Path = README.parent / "out") -> list[tuple[Path, float]]:
    """Return the picture of each cable of a build, and its height in mm."""
    return [
        (folder / f"cable-{build}-{name}.png", picture.height / picture.width * CABLE_MM)
        for name, picture in blocks(read_wiring(), build).items()
    ]


def ticks(build: str) -> Ticks:
    """Read the rows of the acceptance sheet that a build has from the page above."""
    page = (HARDWARE / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| ✓ \| ([^|]+) \|\n\|---\|---\|\n((?:\| ☐ .*\n)+)", page, re.M)
    return [(title, list(_own(re.findall(r"^\| ☐ \| (.*) \|$", re.sub("[`*]", "", rows), re.M), build)))
            for title, rows in found if build in TICKS[title]]  # fmt: skip


def _own(rows: list[str], build: str) -> Iterator[str]:
    """Yield the rows whose step a build has, without the numbers of the steps."""
    for words in rows:
        numbers = re.search(r" \(([\d, ]+)\)$", words)
        if not numbers or min(map(int, numbers[1].split(", "))) <= LAST[build]:
            yield words[: numbers.start()] if numbers else words


def measured() -> dict[str, list[Row]]:
    """Return the resistances to measure at both boards."""
    wiring = read_wiring()
    return {"pi": checks(wiring, "pi"), "wires": checks(wiring, "pi", "minimal"), "head": checks(wiring, "head")}


def tables(guide: Guide, measure: dict[str, list[Row]]) -> dict[str, str]:
    """Return the tables of the page by their marks."""
    found = {}
    ways = ["| build | guide | chapters | pages | hours |", "|---|---|---|---|---|"]
    for build in BUILDS:
        letters = ", ".join(chapter.letter for chapter in guide.chapters if build in chapter.builds)
        file, hours = f"[guide-{build}.pdf](out/guide-{build}.pdf)", f"{guide.minutes(build) / 60:.0f}"
        ways.append(f"| {build} | {file} | {letters} | {pages(guide, build, cables(build))} | {hours} |")
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
