"""The gate with its sensors, six lanes, and the funnel on its stand, for the pictures of the guide."""

from __future__ import annotations

from math import cos, pi, sin
from pathlib import Path

from hardware.case.assembly import Piece, rod
from hardware.gate.geometry import Gate, emitter_left
from hardware.gate.mesh import Corner, Mesh, read_mesh
from hardware.gate.numbers import read_numbers
from hardware.gate.picture import Colour
from hardware.gate.scenes import CUBES, LID, PRINT, STAND, WOOD, laid
from hardware.guide.shapes import BLUE, GREEN, METAL, ORANGE, block, placed

HOUSING = (10.0, 8.0, 20.0)  # along the lane, across it, upwards
CARD: Colour = (150, 110, 190)


def gate(folder: Path, build: str = "queue") -> list[Piece]:
    """Return one lane with its rail, its stand and its board."""
    numbers = read_numbers()
    own = Gate(numbers, max(numbers.cubes.sizes_mm), build)  # type: ignore[arg-type]
    return [*_board(own), *_lane(own, folder, 0, 0.0, ""), *_cubes(own), *_colour(own)]


def six(folder: Path) -> list[Piece]:
    """Return six lanes; each part has the number of its lane in its name."""
    numbers = read_numbers()
    own = Gate(numbers, max(numbers.cubes.sizes_mm), "catch")
    found = _board(own)
    for lane, middle in enumerate(own.lanes_at):
        found += _lane(own, folder, lane, middle, f"lane {lane + 1} ")
    return found


def funnel(folder: Path) -> list[Piece]:
    """Return the gate, the stand of the game's funnel behind it, and a funnel, as the drawing G-11 has them."""
    pieces = gate(folder)
    numbers = read_numbers()
    own, stand = numbers.funnel, Gate(numbers, max(numbers.cubes.sizes_mm))
    table = -numbers.stand.board_mm
    front = stand.on_lane(stand.length, numbers.lane.floor_mm)[0] + 60
    top, middle, half = stand.lip + table - own.example_mm, front + own.plate_mm / 2, own.plate_mm / 2
    pieces.append(block("game board", WOOD, (front - 150, -150, table - 3), (front + 300, 150, table)))
    for low in (table, top - own.thick_mm):
        pieces.append(block("plate", BLUE, (front, -half, low), (front + own.plate_mm, half, low + own.thick_mm)))
    for x in (front + own.hole_in_mm, front + own.plate_mm - own.hole_in_mm):
        for y in (-half + own.hole_in_mm, half - own.hole_in_mm):
            pieces.append(Piece("rod", METAL, rod((x, y), own.rod_mm, table, table + own.rod_long_mm, 12), 0))
            for z in (table + own.thick_mm, top - own.thick_mm - own.nut_mm, top):
                pieces.append(Piece("nut", ORANGE, rod((x, y), 11, z, z + own.nut_mm, 6), 0))
    tip = (front - 72.0, stand.lip + table + 6)
    chute = _chute((front + 30.0, top + 60), tip, 18)
    cone = [Piece("funnel", CARD, _cone((middle, 0.0), 40, 62, top, top + 130, inside), 0) for inside in (False, True)]
    return [*pieces, *cone, Piece("funnel", CARD, chute, 0)]


def _board(own: Gate) -> list[Piece]:
    begin, long, wide = own.base
    low = -own.numbers.stand.board_mm
    return [block("base board", WOOD, (begin, -wide / 2, low), (begin + long, wide / 2, 0))]


def _lane(own: Gate, folder: Path, lane: int, middle: float, name: str) -> list[Piece]:
    numbers, size, build = own.numbers, own.cube, own.build
    on_lane, on_rail = (
        laid(own.lane_foot, numbers.lane.slope_deg, middle),
        laid(own.rail_foot, numbers.rail.slope_deg, middle),
    )
    half, up = numbers.stand.width_mm / 2, numbers.lane.floor_mm + own.lane

    def model(what: str) -> Mesh:
        return read_mesh(folder / f"{what}.stl")

    found = [
        placed(f"{name}stand", STAND, model(f"stand-{size:g}-{build}"), lambda p: (p[0], middle + half - p[2], p[1])),
        placed(f"{name}lane", PRINT, model(f"lane-{size:g}-2"), on_lane),
        placed(f"{name}lid", LID, model(f"lid-{size:g}"), lambda p: on_lane((p[0], p[1], p[2] + up))),
        placed(f"{name}rail", PRINT, model(f"rail-{size:g}-{build}"), on_rail),
    ]
    if build == "catch":
        end, foot = own.length - numbers.mouth.back_in_mm, numbers.lane.floor_mm - numbers.mouth.groove_mm[1]
        found.append(
            placed(f"{name}back", LID, model(f"back-{size:g}"), lambda p: on_lane((end - p[2], p[0], p[1] + foot)))
        )
    inner = own.lane / 2 + numbers.sensor.baffle_mm + numbers.sensor.nose_deep_mm
    beam_up = numbers.lane.floor_mm + size / 2
    for beam, s in enumerate(own.beams):
        for left in (True, False):
            emitter = emitter_left(lane, beam) is left
            side = inner if left else -inner - HOUSING[1]
            low = (s - HOUSING[0] / 2, side, beam_up - 5)
            high = (s + HOUSING[0] / 2, side + HOUSING[1], beam_up + HOUSING[2] - 5)
            what = "emitter" if emitter else "receiver"
            found.append(block(f"{what} {name}{beam + 1}", ORANGE if emitter else BLUE, low, high, on_lane))
    return found


def _cubes(own: Gate) -> list[Piece]:
    on_rail, floor, size = laid(own.rail_foot, own.numbers.rail.slope_deg, 0), own.numbers.rail.floor_mm, own.cube
    return [
        block(f"cube {place + 1}", CUBES[place], (own.front + place * size, -size / 2, floor),
              (own.front + (place + 1) * size, size / 2, floor + size), on_rail)
        for place in range(own.places)
    ]  # fmt: skip


def _colour(own: Gate) -> list[Piece]:
    on_rail, (low, high) = laid(own.rail_foot, own.numbers.rail.slope_deg, 0), own.pocket
    half = own.numbers.colour.board_mm / 2
    return [block("colour sensor", GREEN, (low, -half, -2.0), (high, half, 1.0), on_rail)]


def _cone(at: tuple[float, float], below: float, above: float, low: float, high: float, inside: bool) -> Mesh:
    sides = 32
    turns = [2 * pi * side / sides for side in range(sides)]
    rings = [[(at[0] + r * cos(t), at[1] + r * sin(t), z) for t in turns] for r, z in ((below, low), (above, high))]
    found: list[tuple[Corner, Corner, Corner]] = []
    for side in range(sides):
        (a, b), (c, d) = ((ring[side], ring[(side + 1) % sides]) for ring in rings)
        found += [(b, a, d), (d, a, c)] if inside else [(a, b, d), (a, d, c)]
    return Mesh(tuple(found))


def _chute(start: tuple[float, float], end: tuple[float, float], half: float) -> Mesh:
    """Return an open trough between two points (x, z)."""
    (ax, az), (bx, bz) = start, end
    floor = [(ax, -half, az), (ax, half, az), (bx, half, bz), (bx, -half, bz)]
    found: list[tuple[Corner, Corner, Corner]] = []
    for a, b, c, d in (floor, *([(ax, y, az), (bx, y, bz), (bx, y, bz + 14), (ax, y, az + 14)] for y in (-half, half))):
        found += [(a, b, c), (a, c, d), (c, b, a), (d, c, a)]
    return Mesh(tuple(found))
