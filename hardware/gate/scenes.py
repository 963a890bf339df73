"""Draw pictures of the gate: one lane with cubes at rest, six lanes, and a lane without its lid."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from build123d import Plane, Pos, Rot

from hardware.gate import models
from hardware.gate.geometry import Gate, Point
from hardware.gate.numbers import Numbers
from hardware.solids.picture import Picture
from hardware.solids.shapes import Colour, Piece, box

PRINT: Colour = (92, 98, 108)
LID: Colour = (150, 158, 170)
STAND: Colour = (122, 128, 138)  # printed, as the lane
WOOD: Colour = (226, 204, 164)
RED, BLUE, YELLOW = (206, 62, 56), (62, 104, 190), (240, 200, 64)
GREEN, WHITE, BLACK = (74, 156, 92), (244, 244, 240), (70, 70, 74)
CUBES: tuple[Colour, ...] = (RED, BLUE, YELLOW, GREEN, WHITE, BLACK)


PICTURES = ("one", "six", "open")


def pictures(numbers: Numbers, folder: Path, names: Iterable[str] = PICTURES) -> list[Path]:
    """Draw pictures of the larger gate."""
    size = max(numbers.cubes.sizes_mm)
    one, six = Gate(numbers, size, "queue"), Gate(numbers, size, "catch")
    made: dict[str, tuple[Picture, Callable[[], list[Piece]]]] = {
        "one": (Picture(per_mm=4.0), lambda: [board(one), *parts(one, 2), *cubes(one)]),
        "six": (Picture(per_mm=2.6), lambda: _six(six)),
        "open": (Picture(per_mm=4.5, round_deg=30, down_deg=38), lambda: _open(one)),
    }
    return [_drawn(made[name][0], made[name][1](), folder / f"{name}.png") for name in names]


def board(gate: Gate) -> Piece:
    """Return the base board."""
    begin, long, wide = gate.base
    low = -gate.numbers.stand.board_mm
    return Piece("base board", WOOD, box((begin, -wide / 2, low), (begin + long, wide / 2, 0)))


def parts(gate: Gate, beams: int, middle: float = 0.0, name: str = "") -> list[Piece]:
    """Return the printed parts of a lane in their places, `middle` from the middle of the board."""
    numbers, size = gate.numbers, _any(gate)
    own, half = numbers.lane, numbers.stand.width_mm / 2
    lane, rail = on_lane(gate, middle), on_rail(gate, middle)
    found = [
        Piece(f"{name}stand", STAND, models.stand(gate).moved(Pos(0, middle + half, 0) * Rot(90, 0, 0))),
        Piece(f"{name}lane", PRINT, models.lane(size, beams).moved(lane)),
        Piece(f"{name}lid", LID, models.lid(size).moved(lane * Pos(0, 0, own.floor_mm + gate.high))),
        Piece(f"{name}rail", PRINT, models.rail(gate).moved(rail)),
    ]
    if gate.build == "catch":
        end, foot = gate.length - numbers.mouth.back_in_mm, own.floor_mm - numbers.mouth.groove_mm[1]
        across = Plane(origin=(end, 0, foot), x_dir=(0, -1, 0), z_dir=(-1, 0, 0)).location
        found.append(Piece(f"{name}back", LID, models.back(size).moved(lane * across)))
    return found


def cubes(gate: Gate, colours: Iterable[int] | None = None, middle: float = 0.0) -> list[Piece]:
    """Return cubes at rest on the rail, from the stop: by their places, or in these colours."""
    numbers = range(gate.places) if colours is None else colours
    floor, size, place = gate.numbers.rail.floor_mm, gate.cube, on_rail(gate, middle)
    return [
        Piece(f"cube {at + 1}", CUBES[colour], _cube(gate.front + at * size, floor, size).moved(place))
        for at, colour in enumerate(numbers)
    ]


def on_lane(gate: Gate, middle: float = 0.0) -> Any:
    """Return where a lane's own coordinates are on the board."""
    return _on(gate.lane_foot, gate.numbers.lane.slope_deg, middle)


def on_rail(gate: Gate, middle: float = 0.0) -> Any:
    """Return where a rail's own coordinates are on the board."""
    return _on(gate.rail_foot, gate.numbers.rail.slope_deg, middle)


def _on(foot: Point, slope_deg: float, middle: float) -> Any:
    return Pos(foot[0], middle, foot[1]) * Rot(0, -slope_deg, 0)


def _any(gate: Gate) -> Gate:
    """Return the gate whose lane, lid and back both builds have."""
    return Gate(gate.numbers, gate.cube)


def _six(gate: Gate) -> list[Piece]:
    found = [board(gate)]
    for lane, middle in enumerate(gate.lanes_at):
        found += [*parts(gate, 1, middle), *cubes(gate, (lane,), middle)]
    return found


def _open(gate: Gate) -> list[Piece]:
    floor, fronts = gate.numbers.lane.floor_mm, (gate.beams[0] + 40, gate.beams[1] + 3)
    found = [Piece("lane", LID, models.lane(gate, 2))]
    return found + [Piece("cube", CUBES[at], _cube(front, floor, gate.cube)) for at, front in enumerate(fronts)]


def _cube(front: float, floor: float, size: float) -> Any:
    return box((front, -size / 2, floor), (front + size, size / 2, floor + size))


def _drawn(picture: Picture, pieces: Iterable[Piece], path: Path) -> Path:
    for piece in pieces:
        picture.add(piece)
    return picture.save(path)
