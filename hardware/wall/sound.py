"""Faults in a set of numbers, as sentences; numbers with faults are not drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

from hardware.wall.cuts import NoRoom, laid_out, parts_of
from hardware.wall.numbers import Numbers


def astray_mm(numbers: Numbers) -> tuple[float, float]:
    """Return the error of a throw at the edge of the board, sideways by bow and turn, upwards by lean.

    A face turned by an angle turns the bounce by twice as much. A bow of s over a length l leaves its ends at 4s/l.
    """
    wall, limits = numbers.wall, numbers.limits
    far = numbers.board.long / 2 - wall.depth / 2
    sideways = 2 * (4 * limits.bow / wall.length + limits.turn / wall.length) * far
    return sideways, 2 * limits.lean / wall.height * far


def held_mm(numbers: Numbers, base_mm: float) -> float:
    """Return the length of a screw in the wall, above a base of this thickness."""
    return numbers.screws.length + numbers.screws.sunk - base_mm


def beside_mm(sheets: tuple[float, ...], y: float) -> float:
    """Return the distance of a point of the bottom to the next face or joint; negative outside."""
    half = sum(sheets) / 2
    joints = [abs(y - half + sum(sheets[:count])) for count in range(1, len(sheets))]
    return min([half - abs(y), *joints])


def clamps(numbers: Numbers) -> int:
    """Return how many clamps press the whole joint; pressure spreads at 45° through caul and upper sheet."""
    reach = 2 * (numbers.gluing.caul * numbers.stock.sheet + min(numbers.builds.two_12))
    return math.ceil(numbers.wall.length / reach)


def faults(numbers: Numbers) -> list[str]:
    """List all faults, one sentence each; an empty list if the wall can be built."""
    return [*_wall(numbers), *_screws(numbers), *_depths(numbers), *_piezo(numbers), *_placed(numbers), *_jigs(numbers)]


def _wall(numbers: Numbers) -> Iterator[str]:
    least, most = numbers.wall.depth_least, numbers.wall.depth
    for name, sheets in numbers.sheets_of.items():
        if not least <= sum(sheets) <= most:
            yield f"{name}: {sum(sheets):g} deep; the game wants {least:g} to {most:g}."


def _screws(numbers: Numbers) -> Iterator[str]:
    screws, wood = numbers.screws, numbers.material
    end = numbers.wall.length / 2 - max(map(abs, screws.along))
    if end < wood.end_by_diameter * screws.diameter:
        yield f"screws: {end:g} from the end of the wall, wanted {wood.end_by_diameter * screws.diameter:g}."
    if {(-x, y) for x, y in screws.places} != set(screws.places):
        yield "screws: not the same from both ends, so the template would not fit from below."
    if not screws.core <= screws.pilot < screws.diameter:
        yield f"pilot: {screws.pilot:g} is not between the screw's core {screws.core:g} and thread {screws.diameter:g}."
    for name, sheets in numbers.sheets_of.items():
        if screws.diameter > min(sheets) / 3:
            yield f"{name}: screws of {screws.diameter:g} are more than a third of a sheet of {min(sheets):g}."
        for x, y in screws.places:
            beside = beside_mm(tuple(sheet - wood.spread for sheet in sheets), y) - screws.diameter / 2
            if beside < wood.wood_beside:
                yield f"{name}: at {x:g} {beside:g} of wood beside the screw, wanted {wood.wood_beside:g}."
    for a, b in combinations(screws.places, 2):
        apart = math.dist(a, b)
        if apart < 2 * screws.countersink:
            yield f"screws: only {apart:.1f} between {a[0]:g} and {b[0]:g}."


def _depths(numbers: Numbers) -> Iterator[str]:
    screws, wood, base, bit = numbers.screws, numbers.material, numbers.base, numbers.bit
    for thick in (base.least, base.thickness, base.most):
        held = held_mm(numbers, thick)
        if held < wood.held_by_diameter * screws.diameter:
            yield f"base of {thick:g}: the screw holds {held:g}, wanted {wood.held_by_diameter * screws.diameter:g}."
        above = numbers.wall.height - held
        if above < wood.wood_above:
            yield f"base of {thick:g}: {above:g} of wood above the tip, wanted {wood.wood_above:g}."
    above = numbers.wall.height - screws.pilot_depth
    if above < wood.wood_above:
        yield f"pilot: {above:g} of wood above it, wanted {wood.wood_above:g}."
    if not 0 <= screws.pilot_depth - held_mm(numbers, base.thickness) <= 5:
        yield f"pilot: {screws.pilot_depth:g} deep, the screw reaches {held_mm(numbers, base.thickness):g}."
    sink = (screws.countersink - screws.clearance) / 2
    if screws.countersink < screws.head + 2 * screws.sunk or sink >= base.least:
        yield f"countersink: {screws.countersink:g} does not take a head of {screws.head:g}, {screws.sunk:g} sunk."
    if screws.clearance <= screws.diameter:
        yield f"clearance: {screws.clearance:g} holds the screw of {screws.diameter:g} in the board."
    if numbers.stock.sheet + bit.started > bit.flute:
        yield f"bit: guide and start are {numbers.stock.sheet + bit.started:g}, its flutes {bit.flute:g}."
    if screws.pilot_depth > bit.free:
        yield f"bit: a hole of {screws.pilot_depth:g}, but {bit.free:g} stand out of the chuck."


def _piezo(numbers: Numbers) -> Iterator[str]:
    piezo, screws, wall = numbers.piezo, numbers.screws, numbers.wall
    beside = (wall.depth_least - piezo.pocket) / 2
    if beside < piezo.wood_beside:
        yield f"piezo: {beside:g} of wood beside its pocket, wanted {piezo.wood_beside:g}."
    if not piezo.disc < piezo.pocket or not piezo.lead < piezo.hole <= piezo.pocket:
        yield "piezo: the disc fits its pocket, the lead its hole, and the hole lies under the pocket."
    for x, y in screws.places:
        between = math.hypot(x, y) - (piezo.pocket + screws.countersink) / 2
        if between < 10:
            yield f"piezo: {between:.1f} between its pocket and the screw at {x:g}, wanted 10."


def _placed(numbers: Numbers) -> Iterator[str]:
    wall, board = numbers.wall, numbers.board
    if wall.length >= board.short or wall.depth >= board.long:
        yield "board: the wall is larger."
    for way, far in zip(("sideways", "upwards"), astray_mm(numbers), strict=True):
        if far > numbers.limits.dode:
            yield f"limits: a throw strays {far:.1f} {way} at the board's edge, a dode is {numbers.limits.dode:g}."


def _jigs(numbers: Numbers) -> Iterator[str]:
    wall, gluing, sheet = numbers.wall, numbers.gluing, numbers.stock.sheet
    if gluing.length < wall.length + sheet or gluing.width < wall.height + sheet:
        yield "gluing: the wall does not lie on the base beside fence and stop."
    for name in ("two_15", "two_12"):
        lower, upper = numbers.sheets_of[name]
        if not lower < gluing.fence < lower + upper:
            yield f"gluing: a fence of {gluing.fence:g} does not hold both sheets of {name}, or stands above them."
    if gluing.stop > gluing.width - sheet:
        yield "gluing: the stop does not fit beside the fence."
    if numbers.saddle.width < wall.depth + 2 * sheet:
        yield "saddle: the plate is too narrow for wall and cheeks."
    if numbers.saddle.cheek >= wall.height:
        yield "saddle: the cheeks are higher than the wall; it would rock on the bench."
    if numbers.square.side <= wall.height:
        yield "square: shorter than the wall is high."
    for stock, parts in parts_of(numbers).items():
        try:
            laid_out(stock, parts, numbers.stock.kerf)
        except NoRoom as fault:
            yield f"cuts: {fault}"
