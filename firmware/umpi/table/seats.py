"""The six seat buttons of the box: their colours and shapes, from the left."""

from __future__ import annotations

from typing import Literal, get_args

COLOURS = ("Red", "Blue", "Yellow", "Green", "White", "Black")  # the seat buttons, from the left
Shape = Literal["disc", "square", "triangle", "diamond", "ring", "cross"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
