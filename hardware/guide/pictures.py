"""Draw the picture of each step: what is new has colour and dark edges, the rest is pale, also on a grey print."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hardware.case.numbers import read_case
from hardware.guide.scenes import VIEWS, scene
from hardware.guide.steps import Step
from hardware.solids.picture import Picture
from hardware.solids.shapes import Colour, Piece

GREY: Colour = (222, 222, 220)
WHITE: Colour = (255, 255, 255)
PALE_EDGE, DARK_EDGE = 0.66, 0.25
LAMP = (-0.30, -0.62, -0.73)  # lights what is seen from below


@cache
def pieces_of(name: str) -> tuple[Piece, ...]:
    """Return the pieces of a scene. Raises KeyError."""
    return tuple(scene(name, read_case()))


def draw(step: Step, path: Path) -> Path:
    """Draw a step as it is in every build. Raises ValueError if a name of it is no part."""
    per_mm, turned, down = VIEWS[step.scene]
    pieces = pieces_of(step.scene)
    if step.front or step.below:
        down = -34.0 if step.below else 32.0
    picture = Picture(per_mm=per_mm, round_deg=turned, down_deg=down, paper=WHITE)
    picture.sun = LAMP if step.below else picture.sun
    base = next(piece.up for piece in pieces if piece.name == "front") if step.front else 0.0
    for names, colour, ink in ((step.shown, GREY, PALE_EDGE), (step.new, None, DARK_EDGE)):
        for name in names:
            found = [piece for piece in pieces if piece.name.startswith(name)]
            if not found:
                raise ValueError(f"{step.label} {step.title}: there is no part {name!r}.")
            for piece in found:
                if colour and piece.name.startswith(step.new):
                    continue
                up = 0.0 if colour or not piece.up else (piece.up - base) * (1.0 if step.front else step.apart)
                picture.add(piece, up, colour, ink)
    return picture.save(path)
