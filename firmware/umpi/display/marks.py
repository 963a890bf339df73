"""The marks of the seats: each of the six buttons has a shape and a colour, for people who confuse colours."""

from __future__ import annotations

from functools import cache

from umpi.display.picture import Picture
from umpi.table.seats import SHAPES, Shape


@cache
def mark(button: int, size: int) -> Picture:
    """Draw the mark of a button, 0 to 5 from the left: `size` dots square (an odd number)."""
    radius = size // 2
    picture = Picture(size, size)
    for x in range(-radius, radius + 1):
        for y in range(-radius, radius + 1):
            picture.fill(x + radius, y + radius, 1, 1, _inside(SHAPES[button], x, y, radius))
    return picture


def _inside(shape: Shape, x: int, y: int, radius: int) -> bool:
    inner = radius - max(2, radius // 2)  # of the hole in the ring
    match shape:
        case "disc":
            return x * x + y * y <= radius * radius + radius // 2
        case "square":
            return max(abs(x), abs(y)) < radius + (radius < 3)
        case "triangle":
            return 2 * abs(x) <= y + radius
        case "diamond":
            return abs(x) + abs(y) <= radius
        case "ring":
            return inner * inner + inner < x * x + y * y <= radius * radius + radius // 2
        case "cross":
            return abs(abs(x) - abs(y)) <= radius // 3
