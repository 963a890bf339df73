"""Write solids as STL for printers, as STEP for CAD programs, and as glTF for viewers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from build123d import Color, Compound, Location, export_gltf, export_step, export_stl

from hardware.drawing.revisions import REVISIONS
from hardware.solids.shapes import FINE_MM, TURN, Colour, Piece


def write_stl(solid: Any, path: Path) -> Path:
    """Write a model as binary STL."""
    export_stl(solid, path, FINE_MM, TURN)
    return path


def write_step(title: str, solids: Iterable[Any], revision: str, path: Path) -> Path:
    """Write named solids as one assembly, with the date of a revision: the letter of its drawings."""
    dated = datetime.fromisoformat(f"{REVISIONS[revision].date}T00:00:00")
    export_step(Compound(label=title, children=list(solids)), path, write_pcurves=False, timestamp=dated)
    return path


def write_glb(pieces: Sequence[Piece], path: Path) -> Path:
    """Write pieces as glTF in one binary file, each with its name and its colour."""
    whole = Compound(label="Umpi", children=[named(piece.solid, piece.name, piece.colour) for piece in pieces])
    export_gltf(whole, path, binary=True, linear_deflection=0.05, angular_deflection=TURN)
    return path


def named(solid: Any, name: str, colour: Colour | None = None) -> Any:
    """Return a copy of a solid with a name and a colour."""
    copy = solid.moved(Location())
    copy.label = name.replace('"', "")
    if colour:
        copy.color = Color(*(part / 255 for part in colour))
    return copy
