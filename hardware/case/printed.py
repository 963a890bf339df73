"""Write the dimensions for OpenSCAD, and make its STL models."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from hardware.case.numbers import SOURCE, Case
from hardware.case.panels import front, panels
from hardware.case.shapes import Cut, Point
from hardware.case.strength import WALLS, ribs
from hardware.gate.mesh import read_mesh, write_mesh

MODEL = SOURCE.with_name("case.scad")
MADE_FROM = "made-from.json"  # digests of the sources of the models, for machines without OpenSCAD


def dimensions(case: Case) -> str:
    """Return the dimensions as an OpenSCAD file, with curves as polygons."""
    box = case.box
    any_front = panels(case, next(iter(case.oleds.values())))
    values: dict[str, object] = {
        "outer": box[:3], "sheet": box.sheet, "screw": box.screw, "clip": case.clip.size, "groove": case.print.groove,
    }  # fmt: skip
    values |= {f"{name}_cuts": _contours(any_front[name].cuts) for name in ("base", "near", "rear", "left", "right")}
    values |= {
        f"{name}_ribs": [rib.contour() for cut in any_front[name].cuts for rib in ribs(case, cut)] for name in WALLS
    }
    fronts = [(name, front(case, oled)) for name, oled in case.oleds.items()]
    values["fronts"] = [(name, _contours(panel.cuts), panel.strokes) for name, panel in fronts]
    lines = [f"{name} = {_scad(value)};" for name, value in values.items()]
    return "\n".join(["// Written from case.toml; change that.", *lines, ""])


def models(case: Case) -> dict[str, list[str]]:
    """Return the models by the names of their files, each with its variables for OpenSCAD."""
    fronts = {f"front-{name}": ['part="front"', f'module_name="{name}"'] for name in case.oleds}
    return {"tray": ['part="tray"'], **fronts, "clip": ['part="clip"']}


def write_models(case: Case, folder: Path) -> list[Path]:
    """Write dimensions.scad and the models. Raises OSError without OpenSCAD."""
    written = folder / "dimensions.scad"
    written.write_text(dimensions(case), encoding="utf-8")
    paths = [written]
    for name, settings in models(case).items():
        paths.append(folder / f"{name}.stl")
        words = [word for setting in settings for word in ("-D", setting)]
        command = ["openscad", "-q", "--export-format", "binstl", *words, "-o", str(paths[-1]), str(MODEL)]
        subprocess.run(command, check=True)
        write_mesh(paths[-1], read_mesh(paths[-1]))  # OpenSCAD writes the triangles in another order each time
    (folder / MADE_FROM).write_text(json.dumps(made_from(case, paths[1:]), indent=1) + "\n", encoding="utf-8")
    return [*paths, folder / MADE_FROM]


def made_from(case: Case, stls: Sequence[Path]) -> dict[str, str]:
    """Return the digests of the sources of the models, and of the models."""
    sources = {"dimensions.scad": dimensions(case).encode(), MODEL.name: MODEL.read_bytes()}
    return {name: _digest(data) for name, data in sources.items()} | {f.name: _digest(f.read_bytes()) for f in stls}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _contours(cuts: Sequence[Cut]) -> list[list[Point]]:
    return [cut.contour() for cut in cuts]


def _scad(value: object) -> str:
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1e-9 else f"{round(value, 4):g}"
    assert isinstance(value, Sequence)
    return f"[{', '.join(map(_scad, value))}]"
