"""Write the gate's numbers for OpenSCAD, make the STL models with it, and keep the digests of their sources."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from hardware.gate.geometry import BUILDS, gates
from hardware.gate.mesh import read_mesh, write_mesh
from hardware.gate.numbers import SOURCE, Numbers

WRITTEN = SOURCE.with_name("numbers.scad")
SOURCES = tuple(f"{name}.scad" for name in ("numbers", "shapes", "lane", "lid", "rail", "stand", "back", "sleeve"))
MADE_FROM = "made-from.json"  # digests: where there is no OpenSCAD a test still sees that a model is out of date

FOLLOWS = (
    "lane", "width", "mouth", "throat", "shoulder", "length", "rail_lane", "rail_length", "front", "window",
    "window_at", "seat", "beams", "block", "pocket", "lane_screws", "rail_screws", "lid_screws", "lid_out",
    "lid_half", "boss", "profile", "feet",
)  # fmt: skip


class Model(NamedTuple):
    """A printed part: its file, its source, and the values that the source gets."""

    name: str
    source: str
    values: tuple[str, ...]


def models(numbers: Numbers) -> Iterator[Model]:
    """List every part that is printed."""
    for cube in numbers.cubes.sizes_mm:
        size = f"cube={cube}"
        for beams in (1, 2):
            yield Model(f"lane-{cube}-{beams}", "lane.scad", (size, f"lane_beams={beams}"))
        yield Model(f"lid-{cube}", "lid.scad", (size,))
        for build in BUILDS:
            for part in ("rail", "stand"):
                yield Model(f"{part}-{cube}-{build}", f"{part}.scad", (size, f'build="{build}"'))
        yield Model(f"back-{cube}", "back.scad", (size,))
    yield Model("sleeve", "sleeve.scad", ())


def written(numbers: Numbers) -> str:
    """Write the numbers, and what follows from them, in OpenSCAD's words."""
    lines = ["// Written from gate.toml by scripts/hardware gate: change that.", "cube = 16;", 'build = "queue";', ""]
    for section, fields in numbers._asdict().items():
        lines += [f"{section}_{name} = {_scad(value)};" for name, value in fields._asdict().items()]
    every = list(gates(numbers))
    names = _scad([f"{gate.cube:g} {gate.build}" for gate in every])
    lines += ["", "// what follows, by size of cube and build", f'gate = search([str(cube, " ", build)], {names})[0];']
    lines += [f"{name} = {_scad([getattr(gate, name) for gate in every])}[gate];" for name in FOLLOWS]
    return "\n".join([*lines, ""])


def write_models(numbers: Numbers, folder: Path) -> list[Path]:
    """Write numbers.scad, and the models into `folder`; raises OSError where there is no OpenSCAD."""
    if not shutil.which("openscad"):
        raise OSError("The gate's models are made by OpenSCAD, which is not here: apt install openscad.")
    WRITTEN.write_text(written(numbers), encoding="utf-8")
    paths = []
    for model in models(numbers):
        paths.append(folder / f"{model.name}.stl")
        args = [word for setting in model.values for word in ("-D", setting)]
        command = ["openscad", "-q", "--export-format", "binstl", *args, "-o", str(paths[-1].resolve()), model.source]
        subprocess.run(command, check=True, cwd=SOURCE.parent)
        write_mesh(paths[-1], read_mesh(paths[-1]))  # OpenSCAD writes the triangles in another order each time
    kept = folder / MADE_FROM
    kept.write_text(json.dumps(made_from(numbers, folder), indent=1) + "\n", encoding="utf-8")
    return [WRITTEN, *paths, kept]


def made_from(numbers: Numbers, folder: Path) -> dict[str, str]:
    """Return the digests of the sources as they would be written now, and of the models as they are."""
    contents = {name: (SOURCE.parent / name).read_bytes() for name in SOURCES}
    contents[WRITTEN.name] = written(numbers).encode()
    contents |= {f"{model.name}.stl": (folder / f"{model.name}.stl").read_bytes() for model in models(numbers)}
    return {name: hashlib.sha256(data).hexdigest() for name, data in contents.items()}


def _scad(value: object) -> str:
    if isinstance(value, dict):
        return _scad([[name, each] for name, each in value.items()])
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, int | float):
        return f"{round(value, 4):g}"
    assert isinstance(value, Sequence)
    return f"[{', '.join(map(_scad, value))}]"
