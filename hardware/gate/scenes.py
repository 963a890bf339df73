"""Draw pictures of the gate's models: one lane with cubes at rest, six lanes, and a lane without its lid."""

from __future__ import annotations

from math import cos, radians, sin
from pathlib import Path

from hardware.gate.geometry import Gate, Point
from hardware.gate.mesh import Corner, read_mesh
from hardware.gate.numbers import Numbers
from hardware.gate.picture import Colour, Lay, Picture, box

PRINT: Colour = (92, 98, 108)
LID: Colour = (150, 158, 170)
STAND: Colour = (214, 164, 96)
WOOD: Colour = (226, 204, 164)
RED, BLUE, YELLOW = (206, 62, 56), (62, 104, 190), (240, 200, 64)
GREEN, WHITE, BLACK = (74, 156, 92), (244, 244, 240), (70, 70, 74)
CUBES: tuple[Colour, ...] = (RED, BLUE, YELLOW, GREEN, WHITE, BLACK)


def pictures(numbers: Numbers, folder: Path) -> list[Path]:
    """Draw the pictures of the larger gate from the models in `folder`."""
    size = max(numbers.cubes.sizes_mm)
    return [
        _whole(Gate(numbers, size, "queue"), folder, 4.0).save(folder / "one.png"),
        _whole(Gate(numbers, size, "catch"), folder, 2.6).save(folder / "six.png"),
        _lane(Gate(numbers, size), folder).save(folder / "open.png"),
    ]


def _whole(gate: Gate, folder: Path, per_mm: float) -> Picture:
    picture = Picture(per_mm=per_mm)
    begin, long, wide = gate.base
    board = gate.numbers.stand.board_mm
    picture.add(box((begin, -wide / 2, -board), (begin + long, wide / 2, 0)), WOOD, _as_it_is)
    for number, middle in enumerate(gate.lanes_at):
        _one(picture, gate, folder, middle, range(gate.places) if gate.build == "queue" else (number,))
    return picture


def _one(picture: Picture, gate: Gate, folder: Path, middle: float, cubes: range | tuple[int, ...]) -> None:
    numbers, size, build = gate.numbers, gate.cube, gate.build
    lane, rail = numbers.lane, numbers.rail
    beams = 2 if build == "queue" else 1
    on_lane = laid(gate.lane_foot, lane.slope_deg, middle)
    on_rail = laid(gate.rail_foot, rail.slope_deg, middle)
    half = numbers.stand.width_mm / 2
    parts: tuple[tuple[str, Colour, Lay], ...] = (
        (f"stand-{size:g}-{build}", STAND, lambda p: (p[0], middle + half - p[2], p[1])),
        (f"lane-{size:g}-{beams}", PRINT, on_lane),
        (f"lid-{size:g}", LID, lambda p: on_lane((p[0], p[1], p[2] + lane.floor_mm + gate.lane))),
        (f"rail-{size:g}-{build}", PRINT, on_rail),
    )
    for name, colour, lay in parts:
        picture.add(read_mesh(folder / f"{name}.stl"), colour, lay)
    if build == "catch":
        end = gate.length - numbers.mouth.back_in_mm
        foot = lane.floor_mm - numbers.mouth.groove_mm[1]
        back = read_mesh(folder / f"back-{size:g}.stl")
        picture.add(back, LID, lambda p: on_lane((end - p[2], p[0], p[1] + foot)))
    for place, cube in enumerate(cubes):
        front = gate.front + place * size
        solid = box((front, -size / 2, rail.floor_mm), (front + size, size / 2, rail.floor_mm + size))
        picture.add(solid, CUBES[cube], on_rail)


def _lane(gate: Gate, folder: Path) -> Picture:
    picture = Picture(per_mm=4.5, round_deg=30, down_deg=38)
    numbers, size = gate.numbers, gate.cube
    picture.add(read_mesh(folder / f"lane-{size:g}-2.stl"), LID, _as_it_is)
    floor = numbers.lane.floor_mm
    for number, front in enumerate((gate.beams[0] + 40, gate.beams[1] + 3)):
        solid = box((front, -size / 2, floor), (front + size, size / 2, floor + size))
        picture.add(solid, CUBES[number], _as_it_is)
    return picture


def _as_it_is(corner: Corner) -> Corner:
    return corner


def laid(foot: Point, slope_deg: float, middle: float) -> Lay:
    """Return how a model goes onto a slope that starts at `foot`, `middle` mm from the middle of the board."""
    c, s = cos(radians(slope_deg)), sin(radians(slope_deg))
    return lambda p: (foot[0] + p[0] * c - p[2] * s, p[1] + middle, foot[1] + p[0] * s + p[2] * c)
