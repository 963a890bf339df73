"""The gate and its cubes as rigid bodies for MuJoCo, from the numbers of the printed models.

Units are mm, g and ms. x counts up the lane from its lower end, y to the left, z from its floor: gravity leans instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import atan2, cos, hypot, radians, sin
from typing import Any

from hardware.gate.geometry import FINGERS_MM, Gate, Point

GRAVITY = 9.81e-3  # mm per square ms
STEP_MS = 0.25
HARD_MS, HARD = 2, 'solimp="0.95 0.95 0.05"'  # of a contact; how much it gives back depends on its damping
SOFT = 'solref="6 0.5" solimp="0.95 0.95 0.05" friction="0.5 0 0" priority="1"'  # of the foam
THICK = 12.0  # a wall has so much behind its face that no cube passes it within a step
CHUTE_MM = 120.0  # floor and sides go on above the mouth
LIP_IN_MM = 15.0  # the lip of a chute is so deep in the mouth


@dataclass(frozen=True, slots=True)
class Body:
    """A cube: its size, the radius of its edges, its weight, and its friction on everything."""

    size_mm: float
    edge_mm: float
    grams: float
    friction: float


def model(gate: Gate, cubes: Sequence[Body], lip_mm: float | None = None, damping: float = 0.35) -> Any:
    """Return the gate with free cubes, as a MuJoCo model.

    `lip_mm` is the width inside of a chute that ends in the mouth. With a damping of 0.25 a contact gives back half
    of the speed, with 0.35 two fifths, with 0.5 three tenths, with 1 an eighth. Raises ModuleNotFoundError without
    mujoco.
    """
    from mujoco import MjModel

    slope = radians(gate.numbers.lane.slope_deg)
    pull = f"{-GRAVITY * sin(slope)} 0 {-GRAVITY * cos(slope)}"
    shapes = "".join(_shape(f"cube{at}", cube) for at, cube in enumerate(cubes))
    bodies = "".join(
        f'<body><freejoint/><geom type="mesh" mesh="cube{at}" mass="{cube.grams}" '
        f'friction="{cube.friction} 0 0" margin="{cube.edge_mm}"/></body>'
        for at, cube in enumerate(cubes)
    )
    # of two frictions the greater counts, so that of the fixed parts is 0
    fixed = "".join([*_lane(gate), *_mouth(gate, lip_mm), *_rail(gate)])
    return MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian"/><option timestep="{STEP_MS}" gravity="{pull}" cone="elliptic" '
        'impratio="10" integrator="implicitfast" iterations="20"><flag multiccd="enable"/></option><size memory="16M"/>'
        f'<default><geom condim="3" friction="0 0 0" solref="{HARD_MS} {damping}" {HARD}/></default>'
        f"<asset>{shapes}</asset><worldbody>{fixed}{bodies}</worldbody></mujoco>"
    )


def _lane(gate: Gate) -> Iterator[str]:
    """Yield the floor under lane and chute, the lid and its apron."""
    far, high, wall = gate.length + CHUTE_MM, gate.high, gate.numbers.lane.wall_mm
    wide = gate.width
    yield _box((0, far), (-wide, wide), (-THICK, 0))
    yield _box((0, gate.throat), (-wide, wide), (high, high + THICK))
    yield _box((gate.throat - wall, gate.throat), (-wide, wide), (high, gate.numbers.mouth.height_mm))


def _mouth(gate: Gate, lip_mm: float | None) -> Iterator[str]:
    """Yield the sides of lane and mouth, and beyond them those of a chute."""
    high, end = 2 * gate.numbers.mouth.height_mm, gate.length
    half = gate.mouth / 2 if lip_mm is None else lip_mm / 2
    side = [(0.0, gate.lane / 2), *gate.sides, (end, gate.mouth / 2)]
    beyond = [(end - (0.0 if lip_mm is None else LIP_IN_MM), half), (end + CHUTE_MM, half)]
    for left in (1, -1):
        for start, stop in (*pairwise(side), *pairwise(beyond)):
            yield _wall(start, stop, left, high)


def _rail(gate: Gate) -> Iterator[str]:
    """Yield the queue rail, which is flatter than the lane and begins a step below it, with its stop."""
    own, turn = gate.numbers.rail, radians(gate.numbers.lane.slope_deg - gate.numbers.rail.slope_deg)
    along, up = (-cos(turn), sin(turn)), (sin(turn), cos(turn))
    long, half = gate.rail_length - gate.front, gate.rail_lane / 2
    fingers = long - gate.cube - FINGERS_MM

    def at(way: Point, across: Point, high: Point) -> str:
        u, z = (sum(way) / 2, sum(high) / 2 - own.step_mm)
        place = f"{along[0] * u + up[0] * z} {sum(across) / 2} {along[1] * u + up[1] * z}"
        size = " ".join(f"{(most - least) / 2}" for least, most in (way, across, high))
        return f'pos="{place}" size="{size}" euler="0 {turn} 0"/>'

    yield '<geom type="box" ' + at((0, long + THICK), (-gate.width, gate.width), (-THICK, 0))
    for across in ((half, half + THICK), (-half - THICK, -half)):
        yield '<geom type="box" ' + at((0, fingers), across, (0, gate.rail_side))
        yield '<geom type="box" ' + at((fingers, long), across, (0, own.finger_mm))
    yield f'<geom type="box" {SOFT} ' + at((long, long + THICK), (-half, half), (0, gate.cube * own.stop_height))


def _box(x: Point, y: Point, z: Point) -> str:
    place, size = (" ".join(f"{(most + sign * least) / 2}" for least, most in (x, y, z)) for sign in (1, -1))
    return f'<geom type="box" pos="{place}" size="{size}"/>'


def _wall(start: Point, stop: Point, left: int, high: float) -> str:
    """Return a wall whose face goes from point to point (`s`, distance from the middle) on one side."""
    (ax, ay), (bx, by) = start, stop
    long, turn = hypot(bx - ax, by - ay), atan2(by - ay, bx - ax)
    x, y = (ax + bx) / 2 - sin(turn) * THICK / 2, (ay + by) / 2 + cos(turn) * THICK / 2
    return (
        f'<geom type="box" pos="{x} {left * y} {high / 2}" size="{long / 2} {THICK / 2} {high / 2}" '
        f'euler="0 0 {left * turn}"/>'
    )


def _shape(name: str, cube: Body) -> str:
    """Return the hull of a cube without its rounding, which is its margin.

    A bevel instead would be a face: cubes would stand on it, and it would keep them from rolling out of a corner.
    """
    half = cube.size_mm / 2 - cube.edge_mm
    points = " ".join(f"{x} {y} {z}" for x, y, z in product((-half, half), repeat=3))
    return f'<mesh name="{name}" vertex="{points}"/>'
