"""The gate with its sensors, six lanes, and the funnel on its stand, for the pictures of the guide."""

from __future__ import annotations

from typing import Any

from build123d import Pos

from hardware.beam.scenes import at_beams, head_board, head_place, with_boards
from hardware.beam.scenes import six as six_lanes
from hardware.board.bodies import bodies
from hardware.board.plan import Plan, plan
from hardware.gate.geometry import Build, Gate, emitter_left
from hardware.gate.numbers import read_numbers
from hardware.gate.scenes import WOOD, board, cubes, on_lane, on_rail, parts
from hardware.guide.shapes import BLUE, GREEN, METAL, ORANGE, block, line
from hardware.solids.shapes import Colour, Corner, Piece, Point, bar, nut, rod, upright
from hardware.wiring.model import read_wiring

HOUSING = (10.0, 8.0, 20.0)  # along the lane, across it, upwards
CARD: Colour = (150, 110, 190)
CARD_MM = 1.5


def gate() -> list[Piece]:
    """Return one lane with its rail, its stand and its board."""
    own = _largest("queue")
    low, high = own.pocket
    half = own.numbers.colour.board_mm / 2
    sensor = block("colour sensor", GREEN, (low, -half, -2.0), (high, half, 1.0), on_rail(own))
    head = head_board(head_place(own))
    return [board(own), *parts(own, 2), *_sensors(own, 0, 0.0, ""), *cubes(own), sensor, *head]


def six() -> list[Piece]:
    """Return six lanes with their beam boards and cables, and the gate board."""
    own = _largest("catch")
    return [*six_lanes(own), *_cables(own)]


def _cables(own: Gate) -> list[Piece]:
    """Return the cables of six lanes: a long one down between two lanes to the gate board, a short one across each."""
    wiring = read_wiring()
    beam, head = plan(wiring, "beam"), plan(wiring, "gate")
    found: list[Piece] = []
    for lane, middle in enumerate(own.lanes_at):
        first, second = (on_lane(own, middle) * at_beams(own, beam, turn) for turn in (0, 180))
        start, out, into = _top(beam, "J201", first), _top(beam, "J202", first), _top(beam, "J201", second)
        end = _top(head, f"J{102 + lane}", head_place(own))
        x, y, z = start
        beside = y + own.pitch / 2 - 8
        behind = own.profile[-1][0] + 6
        way: list[Corner] = [
            start, (x, y, z + 14), (x + 6, beside, z + 6), (x + 14, beside, 24), (behind, beside, 12),
            (behind, end[1], 24), (end[0], end[1], end[2] + 14), end,
        ]  # fmt: skip
        found += line(f"cable {lane + 1}", ORANGE, way, 3.5)
        over: list[Corner] = [out, (out[0], out[1], out[2] + 12), (into[0], into[1], into[2] + 12), into]
        found += line(f"cable {lane + 1}", BLUE, over, 3.5)
    return found


def _top(made: Plan, ref: str, place: Any) -> Corner:
    """Return the middle of the upper side of a plug on a board in its place."""
    body = next(body for body in bodies(made) if body.ref == ref)
    (x1, y1, _), (x2, y2, z2) = body.low, body.high
    at = (place * Pos((x1 + x2) / 2, (y1 + y2) / 2, z2)).position
    return at.X, at.Y, at.Z


def boards() -> list[Piece]:
    """Return one of six lanes without its lid, with its two beam boards."""
    return [piece for piece in with_boards(_largest("catch"), 0.0, "") if piece.name != "lid"]


def funnel() -> list[Piece]:
    """Return the gate, the stand of the game's funnel behind it, and a funnel, as the drawing G-11 has them."""
    pieces, stand = gate(), _largest("queue")
    numbers, own = stand.numbers, stand.numbers.funnel
    table = -numbers.stand.board_mm
    front = stand.on_lane(stand.length, numbers.lane.floor_mm)[0] + 60
    top, middle, half = stand.lip + table - own.example_mm, front + own.plate_mm / 2, own.plate_mm / 2
    pieces.append(block("game board", WOOD, (front - 150, -150, table - 3), (front + 300, 150, table)))
    for low in (table, top - own.thick_mm):
        pieces.append(block("plate", BLUE, (front, -half, low), (front + own.plate_mm, half, low + own.thick_mm)))
    for x in (front + own.hole_in_mm, front + own.plate_mm - own.hole_in_mm):
        for y in (-half + own.hole_in_mm, half - own.hole_in_mm):
            pieces.append(Piece("rod", METAL, rod((x, y), own.rod_mm, table, table + own.rod_long_mm)))
            for z in (table + own.thick_mm, top - own.thick_mm - own.nut_mm, top):
                pieces.append(Piece("nut", ORANGE, nut((x, y), 11, z, z + own.nut_mm)))
    tip = (front - 72.0, stand.lip + table + 6)
    cone = _cone((middle, 0.0), 40, 62, top, top + 130)
    return [*pieces, Piece("funnel", CARD, cone), Piece("funnel", CARD, _chute((front + 30.0, top + 60), tip, 18))]


def _largest(build: Build) -> Gate:
    numbers = read_numbers()
    return Gate(numbers, max(numbers.cubes.sizes_mm), build)


def _sensors(own: Gate, lane: int, middle: float, name: str) -> list[Piece]:
    """Return the emitters and receivers of a lane."""
    sensor, up = own.numbers.sensor, own.numbers.lane.floor_mm + own.cube / 2
    inner = own.lane / 2 + sensor.baffle_mm + sensor.nose_deep_mm
    found = []
    for beam, s in enumerate(own.beams):
        for left in (True, False):
            side = inner if left else -inner - HOUSING[1]
            low = (s - HOUSING[0] / 2, side, up - 5)
            high = (s + HOUSING[0] / 2, side + HOUSING[1], up + HOUSING[2] - 5)
            emitter = emitter_left(lane, beam) is left
            what, colour = ("emitter", ORANGE) if emitter else ("receiver", BLUE)
            found.append(block(f"{what} {name}{beam + 1}", colour, low, high, on_lane(own, middle)))
    return found


def _cone(at: Point, below: float, above: float, low: float, high: float) -> Any:
    """Return a funnel of card, open at both ends; the figures are its radii."""
    outside = bar((*at, low), (*at, high), 2 * below, 2 * above)
    return outside.cut(bar((*at, low - 0.01), (*at, high + 0.01), 2 * (below - CARD_MM), 2 * (above - CARD_MM)))


def _chute(start: Point, end: Point, half: float) -> Any:
    """Return an open trough of card between two points (x, z)."""
    (ax, az), (bx, bz) = start, end
    whole = upright([(ax, az), (bx, bz), (bx, bz + 14), (ax, az + 14)], -half, half)
    return whole.cut(upright(
        [(ax + 1, az + CARD_MM), (bx - 1, bz + CARD_MM), (bx - 1, bz + 20), (ax + 1, az + 20)],
        -half + CARD_MM, half - CARD_MM,
    ))  # fmt: skip
