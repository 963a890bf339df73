"""Draw the case: drawings, sheets for a laser, models for a printer, the box to turn, and the table of the page."""

from __future__ import annotations

import shutil
from base64 import b64encode
from importlib.util import find_spec
from pathlib import Path

from hardware.case.assembly import assembly, drawn
from hardware.case.drawings import sheets
from hardware.case.glb import glb
from hardware.case.laser import pieces, sheet_size, write_laser
from hardware.case.numbers import Case, read_case
from hardware.case.panels import KEYS, labels
from hardware.case.printed import write_models
from hardware.case.step import write_step
from umpi.box.config import NAVIGATION

PAGE = Path(__file__).with_name("turn.html")
README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- from case.toml -->\n", "<!-- until here -->"


def render(folder: Path) -> list[Path]:
    """Write everything into `folder`, and the table into the page. Models need OpenSCAD."""
    case = read_case()
    folder.mkdir(parents=True, exist_ok=True)
    paths = [path for name, sheet in sheets(case).items() for path in sheet.save(folder, name)]
    paths += [write_laser(case, oled, folder / f"laser-{name}.dxf") for name, oled in case.oleds.items()]
    if shutil.which("openscad"):
        paths += write_models(case, folder)
    paths += write_solids(case, folder)
    if find_spec("build123d"):
        paths.append(write_step(case, next(iter(case.oleds.values())), folder / "box.step"))
    README.write_text(with_figures(README.read_text(encoding="utf-8"), case), encoding="utf-8")
    return [*paths, README]


def write_solids(case: Case, folder: Path) -> list[Path]:
    """Write the assembled box as GLB, as a page that turns it, and as two pictures; `folder` contains the models."""
    pieces = assembly(case, folder)
    model = glb(pieces)
    binary, page = folder / "box.glb", folder / "box.html"
    binary.write_bytes(model)
    page.write_text(PAGE.read_text(encoding="utf-8").replace("MODEL", b64encode(model).decode()), encoding="utf-8")
    pictures = [drawn(pieces, folder / "exploded.png"), drawn(pieces, folder / "box.png", apart=0, per_mm=3.4)]
    return [binary, page, *pictures]


def with_figures(page: str, case: Case) -> str:
    """Return a page with the table between its two marks."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}{figures(case)}{END}{rest.partition(END)[2]}"


def figures(case: Case) -> str:
    """Return the table of the most important dimensions."""
    (large, oled), *_ = case.oleds.items()
    pitches = {name: _pitch(labels(case, oled)) for name, oled in case.oleds.items()}
    laid = pieces(case, oled)
    rows = [
        ("outside", " × ".join(f"{length:g}" for length in case.box[:3])),
        ("sheet for a laser", " × ".join(f"{length:g}" for length in sheet_size(laid)) + f", {case.box.sheet:g} thick"),
        ("bed of a printer", " × ".join(f"{length:g}" for length in case.box[:2])),
        *((f'labels on a {name}" panel, apart', f"{pitch:.2f}") for name, pitch in pitches.items()),
        ("soft keys, apart", f"{case.keys.pitch:g}"),
        (f"holes for keys, {KEYS} and {len(NAVIGATION)}", f"{case.keys.hole:g}"),
        ("holes for lamps", f"{case.lamps.hole:g}"),
        (
            f'window for a {large}" panel',
            " × ".join(f"{length + 2 * case.window.margin:.2f}" for length in oled.active),
        ),
        ("between front and base", f"{case.box.inner[2]:g}"),
    ]
    return "| mm | |\n|---|---|\n" + "".join(f"| {what} | {figure} |\n" for what, figure in rows)


def _pitch(places: list[float]) -> float:
    return places[1] - places[0]
