"""Boxes for MuJoCo, as fixed parts are made of them."""

from __future__ import annotations

from math import atan2, cos, hypot, sin

from hardware.gate.geometry import Point

THICK = 12.0  # a wall has so much behind its face that no cube passes it within a step


def box(x: Point, y: Point, z: Point) -> str:
    """Return a box from its least and most along each axis, in mm."""
    place, size = (" ".join(f"{(most + sign * least) / 2}" for least, most in (x, y, z)) for sign in (1, -1))
    return f'<geom type="box" pos="{place}" size="{size}"/>'


def wall(start: Point, stop: Point, left: int, z: Point, thick: float = THICK) -> str:
    """Return a wall whose face goes from point to point (`x`, distance from the middle) on one side."""
    (ax, ay), (bx, by) = start, stop
    long, turn = hypot(bx - ax, by - ay), atan2(by - ay, bx - ax)
    x, y = (ax + bx) / 2 - sin(turn) * thick / 2, (ay + by) / 2 + cos(turn) * thick / 2
    (low, high), angle = z, left * turn
    return (
        f'<geom type="box" pos="{x} {left * y} {(low + high) / 2}" size="{long / 2} {thick / 2} {(high - low) / 2}" '
        f'euler="0 0 {angle}"/>'
    )
