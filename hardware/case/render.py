"""Draw the case: drawings, sheets for a laser, models for a printer, the box to turn, and the table of the page."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path

from hardware.case.cables import refuse_faults
from hardware.case.drawings import sheets
from hardware.case.laser import pieces, sheet_size, write_laser
from hardware.case.numbers import Case, read_case
from hardware.case.panels import KEYS, labels
from hardware.page import fill
from hardware.wiring.model import read_wiring
from umpi.box.config import NAVIGATION

PAGE = Path(__file__).with_name("turn.html")
README = Path(__file__).with_name("README.md")


def render(folder: Path) -> list[Path]:
    """Write everything into `folder`, and the table into the page. Raises BadSpec for cables that do not fit.

    It needs build123d.
    """
    case = read_case()
    refuse_faults(case, read_wiring())
    folder.mkdir(parents=True, exist_ok=True)
    paths = [path for name, sheet in sheets(case).items() for path in sheet.save(folder, name)]
    paths += [write_laser(case, oled, folder / f"laser-{name}.dxf") for name, oled in case.oleds.items()]
    return [*paths, *save_solids(case, folder), fill(README, {"figures": figures(case)})]


def save_solids(case: Case, folder: Path) -> list[Path]:
    """Write the models, the assembled box as GLB, STEP, a page that turns it, and two pictures."""
    from hardware.case.assembly import assembly, drawn, save_sheets  # they need build123d
    from hardware.case.models import models
    from hardware.solids.files import write_glb, write_stl

    stls = [write_stl(draw(), folder / f"{name}.stl") for name, draw in models(case).items()]
    pieces = assembly(case)
    binary, page = write_glb(pieces, folder / "box.glb"), folder / "box.html"
    ups = json.dumps({piece.name: piece.up for piece in pieces})
    model = b64encode(binary.read_bytes()).decode()
    page.write_text(PAGE.read_text(encoding="utf-8").replace("UPS", ups).replace("MODEL", model), encoding="utf-8")
    pictures = [drawn(pieces, folder / "exploded.png"), drawn(pieces, folder / "box.png", apart=0, per_mm=3.4)]
    return [*stls, binary, page, save_sheets(case, folder / "box.step"), *pictures]


def figures(case: Case) -> str:
    """Return the table of the most important dimensions."""
    (large, oled), *_ = case.oleds.items()
    pitches = {name: _pitch(labels(case, oled)) for name, oled in case.oleds.items()}
    laid = pieces(case, oled)
    rows = [
        ("outside", " × ".join(f"{length:g}" for length in case.box.outer)),
        ("sheet for a laser", " × ".join(f"{length:g}" for length in sheet_size(laid)) + f", {case.box.sheet:g} thick"),
        ("bed of a printer", " × ".join(f"{length:g}" for length in case.box.outer[:2])),
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
    return "\n".join(["| mm | |", "|---|---|", *(f"| {what} | {figure} |" for what, figure in rows)])


def _pitch(places: list[float]) -> float:
    return places[1] - places[0]
