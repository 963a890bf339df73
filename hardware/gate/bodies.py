"""The gate and its cubes as rigid bodies for MuJoCo, from the numbers of the printed models.

Units are mm, g and ms. x counts up the lane from its lower end, y to the left, z from its floor: gravity leans instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import cos, radians, sin
from typing import Any, Literal

from hardware.gate.funnel import LIP_IN_MM, Funnel
from hardware.gate.geometry import FINGERS_MM, Gate, Point
from hardware.gate.shapes import THICK, box, wall
from umpi.games.dohdles.funnel import LIP_WIDE

Feed = Literal["open", "chute", "funnel"]  # the mouth alone, a chute as narrow as the funnel's lip, or the whole funnel

GRAVITY = 9.81e-3  # mm per square ms
STEP_MS = 0.25
HARD_MS, HARD = 2, 'solimp="0.95 0.95 0.05"'  # of a contact; how much it gives back depends on its damping
SOFT = 'solref="6 0.5" solimp="0.95 0.95 0.05" friction="0.5 0 0" priority="1"'  # of the foam
CHUTE_MM = 120.0  # floor and sides go on above the mouth


@dataclass(frozen=True, slots=True)
class Body:
    """A cube: its size, the radius of its edges, its weight, and its friction on everything."""

    size_mm: float
    edge_mm: float
    grams: float
    friction: float


def model(gate: Gate, cubes: Sequence[Body], feed: Feed = "open", damping: float = 0.35, raised_mm: float = 0.0) -> Any:
    """Return the gate with free cubes, as a MuJoCo model.

    The lip of a funnel is `raised_mm` above the lane. With a damping of 0.25 a contact gives back half of the speed,
    with 0.35 two fifths, with 0.5 three tenths, with 1 an eighth. Raises ModuleNotFoundError without mujoco.
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
    far = gate.length + (0.0 if feed == "funnel" else CHUTE_MM)
    fixed = "".join([*_lane(gate, far), *_mouth(gate), *_rail(gate)])
    if feed == "funnel":
        fixed += "".join(Funnel(gate, raised_mm).parts())
    else:
        fixed += "".join(_sides(gate, feed))
    return MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian"/><option timestep="{STEP_MS}" gravity="{pull}" cone="elliptic" '
        'impratio="10" integrator="implicitfast" iterations="20"><flag multiccd="enable"/></option><size memory="16M"/>'
        f'<default><geom condim="3" friction="0 0 0" solref="{HARD_MS} {damping}" {HARD}/></default>'
        f"<asset>{shapes}</asset><worldbody>{fixed}{bodies}</worldbody></mujoco>"
    )


def _lane(gate: Gate, far: float) -> Iterator[str]:
    """Yield the floor, as far as it goes on above the mouth, the lid and its apron."""
    high, thick, wide = gate.high, gate.numbers.lane.wall_mm, gate.width
    yield box((0, far), (-wide, wide), (-THICK, 0))
    yield box((0, gate.throat), (-wide, wide), (high, high + THICK))
    yield box((gate.throat - thick, gate.throat), (-wide, wide), (high, gate.numbers.mouth.height_mm))


def _mouth(gate: Gate) -> Iterator[str]:
    """Yield the sides of lane and mouth."""
    side = [(0.0, gate.lane / 2), *gate.sides, (gate.length, gate.mouth / 2)]
    for left in (1, -1):
        for start, stop in pairwise(side):
            yield wall(start, stop, left, (0, 2 * gate.numbers.mouth.height_mm))


def _sides(gate: Gate, feed: Literal["open", "chute"]) -> Iterator[str]:
    """Yield the sides beyond the mouth: they go on as wide, or are those of a narrow chute that ends in it."""
    start, half = (gate.length, gate.mouth / 2) if feed == "open" else (gate.length - LIP_IN_MM, LIP_WIDE / 2)
    for left in (1, -1):
        yield wall((start, half), (gate.length + CHUTE_MM, half), left, (0, 2 * gate.numbers.mouth.height_mm))


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


def _shape(name: str, cube: Body) -> str:
    """Return the hull of a cube without its rounding, which is its margin.

    A bevel instead would be a face: cubes would stand on it, and it would keep them from rolling out of a corner.
    """
    half = cube.size_mm / 2 - cube.edge_mm
    points = " ".join(f"{x} {y} {z}" for x, y, z in product((-half, half), repeat=3))
    return f'<mesh name="{name}" vertex="{points}"/>'
