"""The names of the input lines: the buttons, the beams of the funnel, and the wall."""

COLOURS = ("red", "blue", "yellow", "green", "white", "black")
NAVIGATION = ("up", "down", "ok", "back")
BUTTONS = frozenset((*COLOURS, *NAVIGATION))
HOLDING = ("ok", "back")  # the buttons with a second meaning for a long press
WALL = "wall"  # the line of the piezo on the Battledodes wall
