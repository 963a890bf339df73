"""Calculate the places of all parts of the gate from its numbers, for one size of cube, in mm.

Along a lane, `s` counts upwards from its lower end; along a rail, `u` upwards from the outer face of its stop. Across,
0 is the middle. On the table, x runs from the rail's low end backwards, under the lane, and z up from the base board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import atan, cos, radians, sin, sqrt, tan
from typing import Literal

from hardware.gate.numbers import Numbers
from hardware.spec import BadSpec

Point = tuple[float, float]
Build = Literal["queue", "catch"]  # one lane with the queue rail; a lane a seat, each with a short catch
BUILDS: tuple[Build, ...] = ("queue", "catch")
SIX = 6
FINGERS_MM = 2.0  # room for finger and thumb beyond the cube at the stop of the rail


@dataclass(frozen=True)
class Gate:
    """A gate for cubes of one size."""

    numbers: Numbers
    cube: float
    build: Build = "queue"

    @property
    def lane(self) -> float:
        """Return the lane's width."""
        return self.cube + self.numbers.cubes.play_mm

    @property
    def high(self) -> float:
        """Return the roof's height above the lane's floor."""
        return self.cube * self.numbers.lane.high_cubes

    @property
    def check_notch(self) -> float:
        """Return where a cube lifts the check piece, from its low end: the slope then equals the highest friction."""
        return self.cube / sin(atan(self.numbers.cubes.passes))

    @property
    def width(self) -> float:
        """Return the outer width of a lane with its sensors."""
        sensor = self.numbers.sensor
        return self.lane + 2 * (sensor.baffle_mm + sensor.nose_deep_mm + sensor.slot_deep_mm)

    @property
    def pitch(self) -> float:
        """Return the distance from lane to lane if six are side by side."""
        return self.width + self.numbers.stand.pitch_spare_mm

    @property
    def beams(self) -> tuple[float, float]:
        """Return `s` of the first and the second beam."""
        tail = self.numbers.lane.tail_mm
        return tail + self.numbers.code.beam_gap_mm, tail

    @property
    def block(self) -> Point:
        """Return `s` of both ends of the sensors' block."""
        first, second = self.beams
        beyond = self.numbers.sensor.block_mm
        return second - beyond, first + beyond

    @property
    def throat(self) -> float:
        """Return `s` where the lane begins to widen."""
        return self.beams[0] + self.numbers.lane.run_up_mm

    @property
    def shoulder(self) -> float:
        """Return `s` where the mouth has its full width."""
        return self.sides[-1][0]

    @property
    def mouth(self) -> float:
        """Return the mouth's width inside."""
        return 2 * self.sides[-1][1]

    @cached_property
    def sides(self) -> tuple[Point, ...]:
        """Return where each side of the mouth bends, from the throat up: `s`, and the distance from the middle."""
        found = [(self.throat, self.lane / 2)]
        for deg, wide in self.numbers.mouth.sides:
            s, out = found[-1]
            wider = self.cube * wide / 2
            found.append((s + (wider - out) / tan(radians(deg)), wider))
        return tuple(found)

    @property
    def traps(self) -> tuple[str, ...]:
        """Return where a cube rests between the sides of the mouth even without friction, with its figure.

        A cube that lies flat on one side touches the other with its lower corner. If that corner is above the narrow
        end, the cube's centre is lower than in any turn between, so it stays.
        """
        found = []
        largest = self.cube + self.numbers.cubes.spread_mm
        for (deg, _), (_, half) in zip(self.numbers.mouth.sides, self.sides, strict=False):
            above = corner_above(largest, 2 * half, deg)
            if above > 0:
                found.append(
                    f"[mouth] sides: {deg:g}° above a width of {2 * half:g} mm traps a cube of {largest:g} mm: "
                    f"its lower corner rests {above:.2f} mm above the narrow end."
                )
        return tuple(found)

    @property
    def length(self) -> float:
        """Return the length of the lane and its mouth."""
        return self.shoulder + self.numbers.mouth.length_mm

    @property
    def rail_lane(self) -> float:
        """Return the rail's width inside."""
        return self.cube + self.numbers.rail.play_mm

    @property
    def rail_side(self) -> float:
        """Return the height of the rail's walls above its floor."""
        return self.cube * self.numbers.rail.side_height

    @property
    def places(self) -> int:
        """Return the number of cubes for which the rail has room."""
        return self.numbers.rail.queue if self.build == "queue" else self.numbers.rail.catch

    @property
    def front(self) -> float:
        """Return `u` of the front of the cube at the stop."""
        return self.numbers.rail.stop_mm + self.numbers.rail.foam_mm

    @property
    def rail_length(self) -> float:
        """Return the length of the rail with its stop."""
        cubes = self.places * (self.cube + self.numbers.cubes.spread_mm)
        return self.front + cubes + self.numbers.rail.spare_mm

    @property
    def window(self) -> float:
        """Return the side of the square through which the colour sensor looks."""
        return self.cube * self.numbers.colour.window

    @property
    def window_at(self) -> float:
        """Return `u` of its middle, halfway between the sensor's chip and its lamp."""
        return self.front + self.cube / 2

    @property
    def pocket(self) -> Point:
        """Return `u` of both ends of the sensor's board; its lamp is towards the stop."""
        middle = self.window_at + self.numbers.colour.beside_mm / 2
        return middle - self.numbers.colour.pocket_mm / 2, middle + self.numbers.colour.pocket_mm / 2

    @property
    def seat(self) -> float:
        """Return `u` where the stand begins to support the rail."""
        behind, plain = self.numbers.rail.seat_mm
        return self.pocket[1] + behind if self.build == "queue" else plain

    @property
    def rail_screws(self) -> tuple[float, ...]:
        """Return `u` of the screws into the stand."""
        inset = self.numbers.screws.rail_in_mm
        return self.seat + inset, self.rail_length - inset

    @property
    def lane_screws(self) -> tuple[float, float]:
        """Return `s` of the screws into the stand."""
        inset = self.numbers.screws.stand_in_mm
        return self.block[0] + inset, self.block[1] - inset

    @property
    def boss(self) -> Point:
        """Return `s` of both ends of the bosses of the lid's upper screws."""
        long, below = self.numbers.screws.boss_mm
        return self.throat - below - long, self.throat - below

    @property
    def lid_screws(self) -> tuple[float, float, float]:
        """Return `s` of the lid's screws, on either side."""
        inset = self.numbers.screws.lid_in_mm
        return self.block[0] + inset, self.block[1] - inset, sum(self.boss) / 2

    @property
    def lid_out(self) -> float:
        """Return the distance of the lid's screws from the middle."""
        return self.lane / 2 + self.numbers.screws.lid_out_mm

    @property
    def lid_half(self) -> float:
        """Return half the lid's width: up to the sensors' slots."""
        return self.lane / 2 + self.numbers.sensor.baffle_mm + self.numbers.sensor.nose_deep_mm

    @cached_property
    def rail_foot(self) -> Point:
        """Return the point where the rail's underside ends at its low end."""
        rail = self.numbers.rail
        return rail.floor_mm * sin(radians(rail.slope_deg)), rail.clear_mm

    @cached_property
    def rail_top(self) -> Point:
        """Return the point where the rail's floor ends above."""
        return _on(self.rail_foot, self.numbers.rail.slope_deg, self.rail_length, self.numbers.rail.floor_mm)

    @cached_property
    def lane_foot(self) -> Point:
        """Return the point where the lane's underside ends at its low end."""
        step = _on(self.rail_top, self.numbers.rail.slope_deg, 0, self.numbers.rail.step_mm)
        return _on(step, self.numbers.lane.slope_deg, 0, -self.numbers.lane.floor_mm)

    def on_rail(self, u: float, up: float = 0) -> Point:
        """Return a point by its way along the rail and its height above the rail's underside."""
        return _on(self.rail_foot, self.numbers.rail.slope_deg, u, up)

    def on_lane(self, s: float, up: float = 0) -> Point:
        """Return a point by its way along the lane and its height above the lane's underside."""
        return _on(self.lane_foot, self.numbers.lane.slope_deg, s, up)

    @property
    def profile(self) -> tuple[Point, ...]:
        """Return the outline of the stand, seen from the side."""
        first, last = self.on_rail(self.seat), self.on_lane(self.block[1] + self.numbers.stand.behind_mm)
        return (first[0], 0), first, self.on_rail(self.rail_length), self.on_lane(self.block[0]), last, (last[0], 0)

    @property
    def pilots(self) -> tuple[tuple[Point, Point], ...]:
        """Return the pilot holes in the stand, each from the seat to its end."""
        deep = self.numbers.screws.deep_mm
        into_rail = [(self.on_rail(u), self.on_rail(u, -deep)) for u in self.rail_screws]
        return *into_rail, *((self.on_lane(s), self.on_lane(s, -deep)) for s in self.lane_screws)

    @property
    def feet(self) -> tuple[float, ...]:
        """Return x of the screws from below through the base board."""
        inset = self.numbers.stand.foot_in_mm
        return self.profile[0][0] + inset, self.profile[-1][0] - inset

    @property
    def lip(self) -> float:
        """Return the height above the table at which the game's own chute must end: the floor of the mouth's end."""
        return self.numbers.stand.board_mm + self.on_lane(self.length, self.numbers.lane.floor_mm)[1]

    @property
    def funnel_range(self) -> Point:
        """Return the least and the greatest height of a funnel's lip above its foot for which its stand can be set."""
        own = self.numbers.funnel
        lowest = 2 * own.thick_mm + 3 * own.nut_mm  # both plates with their nuts
        return max(0.0, self.lip - (own.rod_long_mm - own.nut_mm)), self.lip - lowest

    @property
    def base(self) -> tuple[float, float, float]:
        """Return x of the start of the base board, its length and its width."""
        margin = self.numbers.stand.margin_mm
        back = self.on_lane(self.length)[0]
        width = self.numbers.stand.one_board_mm if self.build == "queue" else SIX * self.pitch + 2 * margin
        return -margin, _whole(back + 2 * margin), _whole(width)

    @property
    def head_middle(self) -> float:
        """Return x of the middle of the gate board, between the stands and the rear edge of the base board."""
        begin, long, _ = self.base
        return (self.profile[-1][0] + begin + long) / 2

    @property
    def head_holes(self) -> tuple[Point, ...]:
        """Return x and the distance from the middle of the holes for the gate board: along one lane, across six."""
        long, short = self.numbers.head.holes_mm
        along, across = (long / 2, short / 2) if self.build == "queue" else (short / 2, long / 2)
        return tuple((self.head_middle + x, y) for x in (-along, along) for y in (-across, across))

    @property
    def lanes_at(self) -> tuple[float, ...]:
        """Return the middles of the lanes across the base board, from its middle, the left one first."""
        if self.build == "queue":
            return (0.0,)
        return tuple(((SIX - 1) / 2 - lane) * self.pitch for lane in range(SIX))


def emitter_left(lane: int, beam: int) -> bool:
    """Return whether a beam's emitter is on the left, looking up the lane; lanes and beams count from 0.

    The sides alternate, so that behind a receiver there is always a receiver, which looks the other way.
    """
    return (lane + beam) % 2 == 0


def corner_above(cube: float, wide: float, deg: float) -> float:
    """Return how far above a narrow end of a mouth the lower corner of a cube is that lies flat on one of its sides.

    Below 0 the corner would be in the lane: then the cube goes on. Each side is at `deg` to the lane.
    """
    a = radians(deg)
    centre = cube / 2 * cos(a) * (cos(a) + sin(a)) / sin(a) - wide / 2 / tan(a)
    return centre + cube / sqrt(2) * sin(a - radians(45))


def held_across(deg: float, friction: float) -> float:
    """Return how far friction holds a flat cube whose diagonal is across a mouth: the tangent of the diagonal's turn.

    Each of two opposite corners touches a side at `deg` to the lane. A force on it may be off the side's normal by the
    angle of friction f. The forces balance weight and turn while 2 tan(turn) <= tan(deg + f) - tan(deg - f).
    No angle of the sides makes that 0.
    """
    a, f = radians(deg), atan(friction)
    return (tan(a + f) - tan(a - f)) / 2


def refuse_traps(numbers: Numbers) -> None:
    """Check the mouth for every size of cube. Raises BadSpec with each place that traps one."""
    if traps := [trap for size in numbers.cubes.sizes_mm for trap in Gate(numbers, size).traps]:
        raise BadSpec("\n".join(traps))


def gates(numbers: Numbers) -> Iterator[Gate]:
    """Return every gate that is drawn."""
    for size in numbers.cubes.sizes_mm:
        for build in BUILDS:
            yield Gate(numbers, size, build)


def _on(foot: Point, slope_deg: float, along: float, up: float) -> Point:
    """Return a point along a slope and perpendicular to it."""
    c, s = cos(radians(slope_deg)), sin(radians(slope_deg))
    return foot[0] + along * c - up * s, foot[1] + along * s + up * c


def _whole(mm: float) -> float:
    return float(-(-mm // 5) * 5)
