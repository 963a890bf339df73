"""The guess funnel of card: nets to cut, fold and glue, after the order of parts in the sheet.

A box holds a chute that falls by 45 degrees, as steep as the gate's lane. The chute narrows by 25 degrees a side, more
than twice the angle of friction, so that cubes come out one by one. In the simulation, a longer or a shorter straight
part holds more cubes. Its lip fits into the mouth of the gate, for cubes of 16 mm and of 12 mm. A hopper sits in the
cover by its own taper. Nobody has built it yet.

All numbers are inside measures in mm; x counts from the back wall of the box to the front.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import atan, cos, degrees, radians, sin, sqrt, tan

from umpi.kernel import message
from umpi.kernel.printable import BLACK, GREY, Label, Mark, Outline, Paragraph, Piece, Point, polygon, polyline

SHEET = (250.0, 176.0)  # landscape; fits A4 and Letter
WALL, HIGH = 85.0, 168.0  # the box: its side and its height
TAB = 11.0
LIP_WIDE = 20.0  # inside: less than 21, where a cube of 16 mm could turn and get stuck
LIP_OUT = 30.0  # how far the lip is in front of the box
LIP_HIGH = 8.0  # the floor of the lip above the foot of the box
CHUTE_WIDE = 60.0  # at the back
CHUTE_WALL = 25.0
SIDE_DEG = 25.0  # of each side, where the chute narrows
STRAIGHT = 40.0  # the straight part before the lip
TONGUE = (30.0, 9.0)  # the tab of the chute, and the slot in the back wall
HOPPER_TOP, HOPPER_LOW, HOPPER_SLANT = 130.0, 40.0, 70.3
HOLE = 46.0  # in the cover: the hopper sits in it by its taper
RIM = 9.5
CARD = 0.5  # thicker than any card of 160 to 250 grams

CHUTE_LONG = sqrt(2) * (WALL + LIP_OUT)  # at 45 degrees
BACK_HIGH = LIP_HIGH + WALL + LIP_OUT  # the floor of the chute at the back wall
NARROWS = (CHUTE_WIDE - LIP_WIDE) / 2 / tan(radians(SIDE_DEG))
LIP_OUTSIDE = LIP_WIDE + 2 * CARD


def nets() -> tuple[Piece, ...]:
    """Return the five sheets of the funnel."""
    return tuple(
        Piece(SHEET, tuple(marks)) for marks in (_half(True), _half(False), _hopper(True), _hopper(False), _chute())
    )


def _fold(a: Point, b: Point) -> Outline:
    return Outline(f"M {a[0]} {a[1]} L {b[0]} {b[1]}", "", GREY, 0.3, dashed=True)


def _cut(*corners: Point, closed: bool = True) -> Outline:
    return Outline(polygon(corners) if closed else polyline(corners), "", BLACK, 0.35)


def _half(front: bool) -> Iterator[Mark]:
    """Draw two walls of the box: the front or the back, a side, and a tab."""
    left, top = 3.0, 4.0
    low, tab = top + HIGH, left + 2 * WALL
    yield _cut((left, top), (tab, top), (tab + TAB, top + TAB / 2), (tab + TAB, low - TAB / 2), (tab, low), (left, low))
    yield _fold((left + WALL, top), (left + WALL, low))
    yield _fold((tab, top), (tab, low))
    yield _glue((tab + TAB / 2 + 1, top + HIGH / 2), 90)
    middle = left + WALL / 2
    if front:
        wide, bottom = opening(), low - (LIP_HIGH + LIP_OUT) + 0.5
        high = sqrt(2) * CHUTE_WALL + 3
        yield _cut(*_corners(middle - wide / 2, bottom - high, wide, high))
        yield Label((middle, top + 12), "?!", 30, WALL, "centre", bold=True)
        yield Label((middle, top + 20), message("Front: the chute comes out here"), 9, WALL - 8, "centre")
    else:
        at = low - BACK_HIGH
        yield _cut((middle - TONGUE[0] / 2 - 0.5, at), (middle + TONGUE[0] / 2 + 0.5, at), closed=False)
        yield Label((middle, at - 5), message("Back: cut the slot here"), 9, WALL - 8, "centre")
    yield Label((left + 1.5 * WALL, top + HIGH / 2), message("Side"), 9, WALL - 8, "centre")
    yield from _notes((tab + TAB + 4, top), SHEET[0] - tab - TAB - 7, front)


def opening() -> float:
    """Return the width of the opening in the front wall: the chute there, two walls of card, and room.

    With 2 mm of room in place of 10, five times as many simulated handfuls of three cubes stopped in the chute.
    """
    beyond = sqrt(2) * LIP_OUT - STRAIGHT  # along the chute, from the narrow part to the wall
    return LIP_WIDE + 2 * max(0.0, beyond) * tan(radians(SIDE_DEG)) + 4 * CARD + 10


def _notes(at: Point, wide: float, front: bool) -> Iterator[Mark]:
    if front:
        steps = (
            message("1. Use card of 160 to 250 g/m². Cut along solid lines, fold along dashed lines."),
            message("2. Glue both halves of the box together."),
            message("3. Fold up the sides of the chute. Glue its tabs."),
            message("4. Push the chute from above, narrow end first, through the opening. Its tab goes into the slot."),
        )
    else:
        steps = (
            message("5. Put the cover on the box. Do not glue it, so that you can reach the chute."),
            message("6. Glue the hopper, and push it into the hole of the cover until it fits tightly."),
            message("7. Turn the cover so that the side with ?! is above the chute."),
            message("8. If a cube gets stuck, jiggle the funnel."),
        )
    y = at[1]
    for step in steps:
        yield Paragraph((at[0], y), step, wide, 39, 9)
        y += 41


def _hopper(marked: bool) -> Iterator[Mark]:
    """Draw two of the four walls of the hopper; one wall of the first half has the sign that goes above the chute."""
    half = atan((HOPPER_TOP - HOPPER_LOW) / 2 / HOPPER_SLANT)
    far, near = HOPPER_TOP / 2 / sin(half), HOPPER_LOW / 2 / sin(half)
    apex = SHEET[0] / 2 - 4, 16 - near * cos(2 * half)

    def at(out: float, angle: float) -> Point:
        return apex[0] + out * sin(angle), apex[1] + out * cos(angle)

    ways = (-2 * half, 0.0, 2 * half)
    tab = at(near + 4, 2 * half), at(far - 4, 2 * half)
    over = TAB * cos(2 * half), -TAB * sin(2 * half)
    yield _cut(
        *(at(near, way) for way in ways),
        (tab[0][0] + over[0], tab[0][1] + over[1]), (tab[1][0] + over[0], tab[1][1] + over[1]),
        *(at(far, way) for way in reversed(ways)),
    )  # fmt: skip
    yield _fold(at(near, 0), at(far, 0))
    yield _fold(at(near, 2 * half), at(far, 2 * half))
    middle = at((near + far) / 2, 2 * half)
    yield _glue((middle[0] + over[0] / 2, middle[1] + over[1] / 2 + 1), -degrees(2 * half) + 90)
    if marked:
        x, y = at((near + far) * cos(half) / 2, -half)
        yield Label(
            (x + 5.6 * sin(half), y - 5.6 * cos(half)), "?!", 44, 60, "centre", bold=True, turn=180 + degrees(half)
        )
    text = message("Hopper: two of its walls. Glue the other half to the tab.")
    yield Paragraph((6, 128), text, SHEET[0] - 12, 8, 10)
    if marked:
        align = (
            message("The side with ?! belongs above the side of the box where the chute comes out."),
            message("With the gate: raise the funnel until the lip of the chute reaches 10 to 20 mm into the mouth of "
                    "the gate, on its floor or up to 10 mm above it. The page of the gate gives the height."),
            message("Without the gate: put the funnel in the middle of the board. The cubes come out one by one."),
        )  # fmt: skip
        y = 138.0
        for line, high in zip(align, (7.0, 12.0, 7.0), strict=True):
            yield Paragraph((6, y), line, SHEET[0] - 12, high, 9)
            y += high + 1


def _chute() -> Iterator[Mark]:
    """Draw the chute, its wide end at the top, and the cover of the box."""
    centre, top = 60.0, TONGUE[1] + 1.5
    wide, lip, lean = CHUTE_WIDE / 2, LIP_WIDE / 2, radians(SIDE_DEG)
    end = CHUTE_LONG
    neck, bend = end - STRAIGHT, end - STRAIGHT - NARROWS
    out = CHUTE_WALL * sin(lean), CHUTE_WALL * cos(lean)
    mitre = CHUTE_WALL * tan(lean / 2)  # so that two sides do not overlap on the sheet
    for way in (-1, 1):

        def at(along: float, across: float, way: int = way) -> Point:
            return centre + way * across, top + along

        high = wide + CHUTE_WALL
        yield _cut(at(0, wide), at(0, high), at(bend, high), at(bend, wide), closed=False)
        yield _cut(
            at(bend, wide), at(bend + out[0], wide + out[1]),
            at(neck + out[0] - mitre * cos(lean), lip + out[1] + mitre * sin(lean)), at(neck, lip), closed=False,
        )  # fmt: skip
        yield _cut(
            at(neck, lip), at(neck + mitre, lip + CHUTE_WALL), at(end, lip + CHUTE_WALL), at(end, lip), closed=False
        )
        yield _cut(
            at(bend, wide + 12), at(bend + 5, wide + 13.5), at(bend + 5, high - 3), at(bend, high - 1), closed=False
        )
        for a, b in pairwise((at(0, wide), at(bend, wide), at(neck, lip), at(end, lip))):
            yield _fold(a, b)
        yield _fold(at(bend, wide + 12), at(bend, high - 1))
    yield _cut((centre - lip, top + end), (centre + lip, top + end), closed=False)
    tongue, deep = TONGUE[0] / 2, TONGUE[1]
    yield _cut(
        (centre - wide, top), (centre - tongue, top), (centre - tongue + 2, top - deep),
        (centre + tongue - 2, top - deep), (centre + tongue, top), (centre + wide, top), closed=False,
    )  # fmt: skip
    yield _fold((centre - tongue, top), (centre + tongue, top))
    yield Label((centre, top + 40), message("Chute"), 12, 50, "centre", bold=True)
    yield Label((centre, top + end - 6), message("Lip"), 9, LIP_WIDE - 2, "centre")
    yield from _cover((SHEET[0] - WALL - 2 * CARD - 2 * RIM - 3, 20.0))


def _cover(corner: Point) -> Iterator[Mark]:
    """Draw the cover with its rim, and the hole for the hopper."""
    side = WALL + 2 * CARD
    left, top = corner[0] + RIM, corner[1] + RIM
    middle = left + side / 2, top + side / 2

    def turned(along: float, out: float, turn: int) -> Point:
        x, y = along - side / 2, out - side / 2
        for _ in range(turn):
            x, y = -y, x
        return middle[0] + x, middle[1] + y

    for turn in range(4):
        yield _cut(
            turned(0, 0, turn), turned(0, -RIM, turn), turned(side, -RIM, turn), turned(side, 0, turn), closed=False
        )
        yield _fold(turned(0, 0, turn), turned(side, 0, turn))
    yield _cut(*_corners(middle[0] - HOLE / 2, middle[1] - HOLE / 2, HOLE, HOLE))
    yield Label((middle[0], middle[1] + 1), message("Cut out"), 9, HOLE - 6, "centre", ink=GREY)
    yield Label((middle[0], top + side - 6), message("Cover"), 12, side - 8, "centre", bold=True)
    text = message("Fold the rim down, and join its corners with tape.")
    yield Paragraph((corner[0], top + side + RIM + 3), text, side + 2 * RIM, 12, 9)


def _glue(at: Point, turn: float) -> Label:
    return Label(at, message("glue"), 8, 20, "centre", ink=GREY, turn=turn)


def _corners(x: float, y: float, wide: float, high: float) -> tuple[Point, ...]:
    return (x, y), (x + wide, y), (x + wide, y + high), (x, y + high)
