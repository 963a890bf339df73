"""Draw the picture of each step from the solids of the case: new parts in colour, the others grey."""

from __future__ import annotations

from pathlib import Path

from hardware.case.assembly import Piece
from hardware.gate.picture import Colour, Picture
from hardware.guide.steps import Step

GREY: Colour = (206, 205, 201)


def draw(step: Step, pieces: list[Piece], path: Path) -> Path:
    """Draw a step. Raises ValueError if a name of it is no part."""
    down = -38.0 if step.below else 32.0 if step.front else 44.0
    picture = Picture(per_mm=2.2, round_deg=-28.0, down_deg=down)
    base = next(piece.up for piece in pieces if piece.name == "front") if step.front else 0.0
    for names, colour in ((step.shown, GREY), (step.new, None)):
        for name in names:
            found = [piece for piece in pieces if piece.name.startswith(name)]
            if not found:
                raise ValueError(f"guide.toml: {step.title}: there is no part {name!r}.")
            for piece in found:
                if colour and piece.name.startswith(step.new):
                    continue
                up = 0.0 if colour else (piece.up - base) * (1.0 if step.front else step.apart)
                picture.add(piece.mesh, colour or piece.colour, lambda p, up=up: (p[0], p[1], p[2] + up))  # type: ignore[misc]
    return picture.save(path)
