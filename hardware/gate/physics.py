"""The physics of the gate: speeds of cubes, whether they turn, wedge or bounce, and the paths of light."""

from __future__ import annotations

from math import atan, ceil, cos, degrees, radians, sin, sqrt, tan

from hardware.gate.geometry import SIX, Gate, emitter_left
from hardware.gate.numbers import Numbers

GRAVITY = 9810.0  # mm/s²


def speed(start: float, way: float, slope_deg: float, friction: float) -> float:
    """Return the speed in mm/s after `way` mm down a slope; 0 if friction stops the cube."""
    slope = radians(slope_deg)
    squared = start**2 + 2 * GRAVITY * way * (sin(slope) - friction * cos(slope))
    return sqrt(max(squared, 0))


def slowest(gate: Gate) -> float:
    """Return the speed in mm/s at the first beam of a cube that starts from rest in the throat."""
    lane = gate.numbers.lane
    return speed(0, lane.run_up_mm, lane.slope_deg, gate.numbers.cubes.friction[1])


def fastest(gate: Gate, entry: float | None = None) -> float:
    """Return the speed in mm/s of the fastest cube when its back leaves the second beam."""
    lane = gate.numbers.lane
    way = lane.run_up_mm + gate.numbers.code.beam_gap_mm + gate.cube
    return speed(lane.entry_mm_s if entry is None else entry, way, lane.slope_deg, gate.numbers.cubes.friction[0])


def friction_deg(numbers: Numbers) -> float:
    """Return the angle at which the roughest cube begins to slide."""
    return degrees(atan(numbers.cubes.friction[1]))


def wedge_from(gate: Gate) -> float:
    """Return the smallest width of a lane in which the cube would wedge."""
    return gate.cube * sqrt(2) * cos(radians(friction_deg(gate.numbers)))


def looks(cube: float, lane: float) -> float:
    """Return the longest apparent length of a cube in cube lengths: turned until it touches both walls."""
    return min(lane / cube, sqrt(2))


def share_off(gate: Gate, response_us: float) -> float:
    """Return the largest relative error of the time from beam to beam."""
    sensor = gate.numbers.sensor
    off_mm = sensor.printed_mm + sensor.threshold * sensor.aperture_mm + fastest(gate) * response_us / 1e6
    return off_mm / gate.numbers.code.beam_gap_mm


def countable(gate: Gate, response_us: float, most: int = SIX) -> int:
    """Return how many touching cubes two beams still count, with the largest error of the time between the beams.

    The firmware takes a length for n cubes where it lies within n cubes, a quarter of a cube either way.
    """
    off, longest = share_off(gate, response_us), looks(gate.cube, gate.lane)
    for n in range(1, most + 1):
        if n / (1 + off) < n - 0.25 or n * longest / (1 - off) > n * gate.numbers.code.turned + 0.25:
            return n - 1
    return most


def spread_us(gate: Gate, response_us: float) -> float:
    """Return the largest difference of stamps for level cubes in two lanes: receivers, apertures and their places."""
    sensor = gate.numbers.sensor
    return (
        response_us + (sensor.place_mm + sensor.threshold * sensor.aperture_mm) / gate.numbers.code.speed_mm_s[0] * 1e6
    )


def allowed_us(gate: Gate, response_us: float) -> tuple[int, int]:
    """Return the allowances of the firmware where it compares beams: `glitch_us` and `dead_heat_us`.

    How far two sensors are apart adds to what each does by itself: in full hundreds, not less.
    """
    code, apart = gate.numbers.code, spread_us(gate, response_us)
    glitch, dead_heat = code.glitch_us + apart, code.glitch_us + code.chatter_us + apart
    return ceil(glitch / 100) * 100, ceil(dead_heat / 100) * 100


def passes(numbers: Numbers) -> float:
    """Return the steepest light that passes a baffle, sideways by forwards: from one edge to the other's far edge."""
    return numbers.sensor.aperture_mm / numbers.sensor.baffle_mm


def needed_across(gate: Gate) -> float:
    """Return how steep light must be to reach one beam's receiver from the other's emitter."""
    return (gate.numbers.code.beam_gap_mm - gate.numbers.sensor.aperture_mm) / gate.lane


def sun(gate: Gate) -> float:
    """Return the least slope of light that enters at the lane's lower end and reaches a receiver's aperture."""
    return (gate.numbers.lane.tail_mm - gate.numbers.sensor.aperture_mm / 2) / gate.lane


def as_deg(steep: float) -> float:
    """Return a steepness as an angle to the beam."""
    return degrees(atan(steep))


def faces(lane: int, other: int, beam: int) -> bool:
    """Return whether the receiver of a lane would face another lane's emitter without the walls."""
    rightward = emitter_left(other, beam)
    return rightward == emitter_left(lane, beam) and (other < lane) == rightward


def bounce(gate: Gate, friction: float) -> float:
    """Return how far the fastest cube jumps back from the stop."""
    rail, lane = gate.numbers.rail, gate.numbers.lane
    leaving = speed(fastest(gate), lane.tail_mm, lane.slope_deg, friction)
    kink = cos(radians(lane.slope_deg - rail.slope_deg))
    back = speed(leaving * kink, gate.rail_length, rail.slope_deg, friction) * gate.numbers.cubes.rebound
    slope = radians(rail.slope_deg)
    return back**2 / (2 * GRAVITY * (sin(slope) + friction * cos(slope)))


def jump(gate: Gate, friction: float) -> float:
    """Return how far from the foam at the stop the last cube gets that jumps back, if all others are on the rail."""
    return gate.places * (gate.cube + gate.numbers.cubes.spread_mm) + bounce(gate, friction)


def to_beam(gate: Gate) -> float:
    """Return the way along rail and lane from the foam at the stop to the lower edge of the second beam."""
    return gate.rail_length - gate.front + gate.beams[1] - gate.numbers.sensor.aperture_mm / 2


def starts(gate: Gate) -> float:
    """Return how many times steeper the rail is than the roughest cube needs to start by itself."""
    return tan(radians(gate.numbers.rail.slope_deg)) / gate.numbers.cubes.friction[1]
