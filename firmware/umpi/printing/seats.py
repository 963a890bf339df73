"""The seats on paper: each has the colour and the mark of its button."""

from __future__ import annotations

from umpi.kernel.printable import BLACK, BLUE, GREEN, RED, WHITE, YELLOW, Outline, Point, circle, polygon
from umpi.table.seats import COLOURS, SHAPES, Shape

INKS = dict(zip(COLOURS, (RED, BLUE, YELLOW, GREEN, WHITE, "#26262c"), strict=True))
ON = {colour: BLACK if colour in ("Yellow", "Green", "White") else WHITE for colour in COLOURS}  # legible ink
RIM = "#55565e"


def seat_marks(seat: int, at: Point, size: float) -> tuple[Outline, ...]:
    """Return the mark of a seat on its colour: a square of `size` mm whose upper left corner is `at`."""
    colour = COLOURS[seat]
    middle = at[0] + size / 2, at[1] + size / 2
    ground = Outline(polygon(((0, 0), (1, 0), (1, 1), (0, 1))), INKS[colour], RIM, 0.25, at, size)
    return ground, Outline(_shape(SHAPES[seat]), ON[colour], at=middle, scale=0.36 * size)


def _shape(shape: Shape) -> str:
    """Return the path of a mark around 0, in half its size."""
    match shape:
        case "disc":
            return circle(1)
        case "ring":
            return f"{circle(1)} {circle(0.55)}"
        case "square":
            return polygon(((-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)))
        case "triangle":
            return polygon(((-1, 0.9), (0, -0.9), (1, 0.9)))
        case "diamond":
            return polygon(((-1, 0), (0, -1), (1, 0), (0, 1)))
        case "cross":
            a, b = 0.72, 0.28
            return polygon((
                (0, -b), (a - b, -a), (a, b - a), (b, 0), (a, a - b), (a - b, a),
                (0, b), (b - a, a), (-a, a - b), (-b, 0), (-a, b - a), (b - a, -a),
            ))  # fmt: skip
