"""The six seat buttons of the box: their colours and shapes, from the left."""

from __future__ import annotations

from typing import Literal, get_args

from umpi.timing import lines

COLOURS = tuple(line.capitalize() for line in lines.COLOURS)  # the seat buttons, from the left, as texts name them
Shape = Literal["disc", "square", "triangle", "diamond", "ring", "cross"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
