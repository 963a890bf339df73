"""The names of the input lines: the buttons, the beams of the funnel, and the wall."""

from typing import Literal, get_args

Colour = Literal["red", "blue", "yellow", "green", "white", "black"]
COLOURS: tuple[str, ...] = get_args(Colour)
NAVIGATION = ("up", "down", "ok", "back")
WHERE = "where"  # the line of a spare button that asks where the match is
BUTTONS = (*COLOURS, *NAVIGATION, WHERE)
HOLDING = ("ok", "back")  # the buttons with a second meaning for a long press
WALL = "wall"  # the line of the piezo on the Battledodes wall
