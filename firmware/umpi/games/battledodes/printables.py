"""What can be printed of Battledodes: a board of our own, a drawing for copying it by hand, and a score sheet.

The rule sheet gives the size of the board, the wall and the multipliers 0 to 5. The places of the hexagons are ours: on
each side a 5, around it 4 and 3 in turn, and around these 2 and 1. The heavy line around them is the border of the dead
zone, which is the rest of that side.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt

from umpi.games.battledodes.dodes import HEXES
from umpi.games.battledodes.rules import Battledodes
from umpi.kernel import Figure, message
from umpi.kernel.printable import (
    BLACK,
    GREY,
    PALE,
    Label,
    Mark,
    Needs,
    Outline,
    Paragraph,
    Piece,
    Pieces,
    Point,
    Rows,
    Scores,
    Sheet,
    Thing,
    box,
    polygon,
)

WIDE, HIGH = 1189.0, 841.0  # A0
WALL = (30.0, 260.0)  # its depth and length; it is 40 high
THIN = 24.0  # the depth of a wall of two sheets of 12 mm
ZERO_OUT = 3.05  # from the middle of a side to a 0 of the dead zone, in steps from hexagon to hexagon
SIDE = 60.0  # of a hexagon
TINTS = ("", "#f7f4ea", "#efe5c4", "#f3d08c", "#eeab6c", "#dd7a56")  # by multiplier
POINT = 25.4 / 72
TURNS = 24


def printables(language: str) -> tuple[Sheet, ...]:
    """Return the sheets of the game."""
    turns = Rows("", tuple(message("Turn {number}", number=number) for number in range(1, 1 + TURNS)))
    target = Battledodes.setup(2).target
    return (
        Needs("needs", message("What you need"), (
            Thing("dodes", message("twelve-sided dice: four for each player, in two colours"), 8),
            Thing("wall", message(
                "a wall 260 mm long, 40 mm high and 30 or 24 mm deep: hardware/wall shows how to build it"
            ), 1),
            Thing("base", message("a flat board of A0 size under the paper"), 1),
        )),
        Pieces("board", message("Board"), (Piece((WIDE, HIGH), board()),)),
        Pieces("plan", message("Board to draw by hand"), (plan(),), message("in place of the board")),
        Scores(
            "scores", message("Score sheet"), (turns,), columns=(message("points"), message("total")),
            note=message("Each dode left on the board scores face × hexagon. {target} points win.", target=target),
        ),
    )  # fmt: skip


def board() -> tuple[Mark, ...]:
    """Return the drawing of the board, both sides of the wall."""
    middle = WIDE / 2, HIGH / 2
    depth, length = WALL
    marks: list[Mark] = [
        Outline(f"M {middle[0]} 0 L {middle[0]} {HIGH}", "", GREY, 0.8, dashed=True),
        Outline(box(middle[0] - depth / 2, middle[1] - length / 2, depth, length), PALE, BLACK, 0.6),
        Outline(box(middle[0] - THIN / 2, middle[1] - length / 2, THIN, length), "", BLACK, 0.4, dashed=True),
        Outline(box(0, 0, WIDE, HIGH), "", BLACK, 1.2),
        _turned(middle, message("Wall, 260 × 40 mm, 30 or 24 mm deep"), 34, 90, 250),
    ]
    for turn, way in ((90, -1), (270, 1)):
        centre = middle[0] + way * (WIDE + depth) / 4, middle[1]
        for at, multiplier in hexagons(centre, way):
            marks.append(Outline(_hexagon(at), TINTS[multiplier], BLACK, 0.9))
            marks.append(_turned(at, str(multiplier), 150, turn))
        marks.append(Outline(border(centre), "", BLACK, 3))
        for edge in range(6):
            near, far = _corner(edge), _corner(edge + 1)
            x, y = (centre[axis] + 0.5 * ZERO_OUT * (near[axis] + far[axis]) for axis in (0, 1))
            marks.append(_turned((x, y), str(HEXES[0]), 100, turn))
    return tuple(marks)


def plan() -> Piece:
    """Return the board as a small drawing with its measures, and how to draw it at full size."""
    wide, drawn, top = 186.0, 168.0, 14.0
    scale = drawn / WIDE
    left, high = (wide - drawn) / 2 + 4, HIGH * scale
    depth, length = WALL
    middle = left + drawn / 2, top + high / 2

    def at(x: float, y: float) -> Point:
        return left + x * scale, top + y * scale

    marks: list[Mark] = [
        Outline(box(*at(0, 0), drawn, high), "", BLACK, 0.5),
        Outline(f"M {middle[0]} {top} L {middle[0]} {top + high}", "", GREY, 0.3, dashed=True),
        Outline(box(-depth / 2, -length / 2, depth, length), PALE, BLACK, 0.3, middle, scale),
    ]
    aside = (WIDE + depth) / 4
    for way in (-1, 1):
        centre = WIDE / 2 + way * aside, HIGH / 2
        marks.append(Outline(border(centre), "", BLACK, 0.8, (left, top), scale))
        for place, multiplier in hexagons(centre, way):
            marks.append(Outline(_hexagon(place), "", BLACK, 0.2, (left, top), scale))
            x, y = at(*place)
            marks.append(Label((x, y + 1.8), str(multiplier), 14, 0, "centre", bold=True))
    step = sqrt(3) * SIDE
    from_middle, row = Figure(f"{aside:.1f}"), 1.5 * SIDE
    marks += _measure(at(0, 0), at(WIDE, 0), -9, message("{number} mm", number=f"{WIDE:g}"))
    marks += _measure(at(0, 0), at(0, HIGH), -7, message("{number} mm", number=f"{HIGH:g}"))
    marks += _measure(at(WIDE / 2, HIGH), at(WIDE / 2 + aside, HIGH), 5, message("{number} mm", number=from_middle))
    marks += _measure(at(0, HIGH), at(WIDE / 2, HIGH), 5, message("{number} mm", number=Figure(f"{WIDE / 2:g}")))
    steps = (
        message("1. All measures are in mm. Draw a rectangle of {wide} × {high}, and a line across its middle.",
                wide=f"{WIDE:g}", high=f"{HIGH:g}"),
        message("2. The wall stands in the middle of this line: {length} long, {depth} or {thin} deep. "
                "hardware/wall shows how to build it.", length=f"{length:g}", depth=f"{depth:g}", thin=f"{THIN:g}"),
        message("3. Mark the middle of each half: {aside} from the line, {half} from the long edges.",
                aside=from_middle, half=Figure(f"{HIGH / 2:g}")),
        message("4. This mark is the middle of hexagon 5. A row of five hexagons runs through it towards the wall, "
                "with their middles {step} apart.",
                step=Figure(f"{step:.1f}")),
        message("5. On each side of this row, {row} away, is a row of four. Beyond it, again {row} away, is a row of "
                "three. Each row is shifted by half a hexagon, {half}.", row=f"{row:g}",
                half=Figure(f"{step / 2:.1f}")),
        message("6. Draw a circle with a radius of {side} around each middle. Step the radius off along the circle six "
                "times to mark the corners. Two of the corners point to the long edges.", side=f"{SIDE:g}"),
        message("7. Write the numbers as in the drawing: one half is the other half, turned round. The heavy line is "
                "the border of the dead zone, 0."),
    )  # fmt: skip
    y = top + high + 16
    for line in steps:
        marks.append(Paragraph((2, y), line, wide - 4, 13, 9.5))
        y += 13.5
    return Piece((wide, 244.0), tuple(marks))


def _measure(start: Point, end: Point, out: float, text: str) -> tuple[Mark, ...]:
    """Draw a measure between two points, `out` mm below them or, if it stands, on their right."""
    stands = start[0] == end[0]
    dx, dy = (out, 0.0) if stands else (0.0, out)
    (x, y), (u, v) = (start[0] + dx, start[1] + dy), (end[0] + dx, end[1] + dy)
    lines = [f"M {x} {y} L {u} {v}"]
    for a, b in (start, (x, y)), (end, (u, v)):
        lines.append(f"M {a[0]} {a[1]} L {b[0]} {b[1]}")
    at = ((x + u) / 2, (y + v) / 2)
    place = (at[0] - 1, at[1]) if stands else (at[0], at[1] - 1)
    return (
        *(Outline(line, "", GREY, 0.2) for line in lines),
        Label(place, text, 9, align="centre", turn=-90 if stands else 0),
    )


def hexagons(centre: Point, way: int) -> list[tuple[Point, int]]:
    """Return the middle and the multiplier of each hexagon of a side, the greatest first.

    `way` is 1 or -1: the two sides are equal for their players, so one is the other turned round.
    """
    highest = HEXES[-1]
    found = [(centre, highest)]
    for ring in (1, 2):
        for step in range(6 * ring):
            edge, along = divmod(step, ring)
            a, b = _corner(edge), _corner(edge + 1)
            x, y = (ring * a[i] + along * (b[i] - a[i]) for i in (0, 1))
            found.append(((centre[0] + way * x, centre[1] + way * y), highest + 1 - 2 * ring - step % 2))
    return found


def border(centre: Point) -> str:
    """Return the path of the border of the dead zone: the edges that belong to one hexagon only."""
    edges: dict[tuple[Point, ...], int] = {}
    for at, _ in hexagons((0, 0), 1):
        corners = _corners(at)
        for corner in range(6):
            edge = tuple(sorted((round(x, 3), round(y, 3)) for x, y in (corners[corner - 1], corners[corner])))
            edges[edge] = edges.get(edge, 0) + 1
    outer = [edge for edge, count in edges.items() if count == 1]
    path = [*outer.pop()]
    while outer:
        edge = next(edge for edge in outer if path[-1] in edge)
        outer.remove(edge)
        path.append(edge[1] if edge[0] == path[-1] else edge[0])
    return polygon(tuple((centre[0] + x, centre[1] + y) for x, y in path[:-1]))


def _corner(number: int) -> Point:
    """Return the way from a hexagon to its neighbour."""
    angle = number * pi / 3
    return sqrt(3) * SIDE * cos(angle), sqrt(3) * SIDE * sin(angle)


def _hexagon(at: Point) -> str:
    return polygon(_corners(at))


def _corners(at: Point) -> tuple[Point, ...]:
    angles = (pi / 6 + number * pi / 3 for number in range(6))
    return tuple((at[0] + SIDE * cos(angle), at[1] + SIDE * sin(angle)) for angle in angles)


def _turned(at: Point, text: str, size: float, turn: int, room: float = 0) -> Label:
    """Return a text around `at`, for the player on the left (90) or on the right (270)."""
    down = 0.36 * size * POINT * (-1 if turn == 90 else 1)
    return Label((at[0] + down, at[1]), text, size, room, "centre", bold=True, turn=turn)
