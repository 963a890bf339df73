"""Let a handful of cubes fall through a gate, and read where they came to rest and what the beams saw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import pi, sin
from typing import Any

import numpy as np

from hardware.gate.bodies import GRAVITY, STEP_MS, model
from hardware.gate.geometry import Gate
from scripts.falls.chance import Handful
from umpi.timing.occlusion import BeamEdge

Array = Any  # of numpy
EACH_MS = 1.0  # a picture of all cubes
REST_MS = 150.0  # so long nothing moves on the rail
HELD_MS = 1500.0  # and so long nothing moves above it: most cubes that stop in the mouth creep, and come free before
SLOW = 0.01  # mm per ms, a hundredth of what a cube has at the beams
LONGEST_MS = 8000.0
AWAY = 2000.0  # where a cube waits for its entry
FELL_MM = 60.0  # a cube so far below the floor of the lane fell beside the funnel


@dataclass(frozen=True)
class Fall:
    """One throw: for each ms and each cube its centre and its turn (x, y, z, w, x, y, z).

    Before its entry, a cube is far away along x; after a fall beside the funnel, along y.
    """

    gate: Gate
    handful: Handful
    track: Array

    @cached_property
    def beside(self) -> tuple[int, ...]:
        """Return the cubes that bounced out of the funnel: beside the gate, or over it. Players may toss them again."""
        found = []
        for cube, way in enumerate(np.moveaxis(self.track, 1, 0)):
            _, y, z = way[int((way[:, 0] <= self.gate.beams[0]).argmax()), :3]
            passes = way[:, 0].min() <= self.gate.beams[0]
            if way[-1, 1] > AWAY / 2 or (passes and (abs(y) > self.gate.lane or z > self.gate.high)):
                found.append(cube)
        return tuple(found)

    @cached_property
    def stuck(self) -> tuple[int, ...]:
        """Return the cubes that rest above the rail, or never came in."""
        return tuple(cube for cube, x in enumerate(self.track[-1, :, 0]) if x > 0 and cube not in self.beside)

    @cached_property
    def edges(self) -> tuple[BeamEdge, ...]:
        """Return the edges of the lane's two beams, as one source without errors stamps them."""
        found = []
        for beam, s in enumerate(self.gate.beams):
            dark: list[tuple[float, int]] = []
            for cube, entry in enumerate(self.handful.entries):
                track = self.track[:, cube]
                outside = _outside(track, entry.body.size_mm, s, self.gate.cube / 2)
                outside[np.abs(track[:, 1]) > self.gate.lane] = AWAY  # it falls beside the gate
                dark += [(at, 1 if into else -1) for at, into in _crossings(outside)]
            found += [(at, beam, down) for at, down in _merged(dark)]
        return tuple(
            BeamEdge(number, round(at * 1e6), 0, beam, down) for number, (at, beam, down) in enumerate(sorted(found), 1)
        )

    def front_ms(self, cube: int, s: float) -> float:
        """Return when the front of a cube was first at `s`; infinite if it never was."""
        ahead = self.track[:, cube, 0] - self.handful.entries[cube].body.size_mm / 2 <= s
        return float(ahead.argmax()) * EACH_MS if ahead.any() else float("inf")

    def entered_ms(self, cube: int) -> float:
        """Return when a cube came in."""
        return float((self.track[:, cube, 0] < AWAY / 2).argmax()) * EACH_MS

    @property
    def passed(self) -> tuple[int, ...]:
        """Return the cubes that passed the second beam, by the time of their centres at the first."""
        first, second = self.gate.beams
        ways = self.track[:, :, 0]
        through = [
            cube
            for cube in range(ways.shape[1])
            if ways[:, cube].min() < second - self.gate.cube and cube not in self.beside
        ]
        return tuple(sorted(through, key=lambda cube: int((ways[:, cube] <= first).argmax())))

    @property
    def arrived(self) -> tuple[int, ...]:
        """Return the same cubes by the time of their fronts at the throat."""
        return tuple(sorted(self.passed, key=lambda cube: self.front_ms(cube, self.gate.throat)))

    @property
    def queue(self) -> tuple[int, ...]:
        """Return the cubes on the rail from the stop, but for what stands on another or on its edge: that is -1."""
        last = self.track[-1]
        on_rail = sorted((cube for cube in range(len(last)) if last[cube, 0] <= 0), key=lambda cube: last[cube, 0])
        return tuple(cube if _lies(self.gate, last[cube]) else -1 for cube in on_rail)


def fall(gate: Gate, handful: Handful, to_rail: bool = True) -> Fall:
    """Throw a handful, until all is at rest or, without `to_rail`, past the lane. Needs mujoco: ModuleNotFoundError."""
    return Fall(gate, handful, np.array(list(_states(gate, handful, to_rail))))


def _states(gate: Gate, handful: Handful, to_rail: bool) -> Iterator[Array]:
    from mujoco import MjData, mj_step

    world = model(
        gate, [entry.body for entry in handful.entries], handful.kind.feed, handful.damping, handful.raised_mm
    )
    data, still, many = MjData(world), world.opt.gravity.copy(), len(handful.entries)
    places, speeds = data.qpos.reshape(many, 7), data.qvel.reshape(many, 6)
    waiting, moved_ms = list(range(many)), 0.0
    for tick in range(int(LONGEST_MS / EACH_MS)):
        now = tick * EACH_MS
        for cube in waiting.copy():
            entry, size = handful.entries[cube], handful.entries[cube].body.size_mm
            near = np.linalg.norm(places[:, :3] - entry.place, axis=1) < 1.5 * size
            if now >= entry.at_ms and cube == waiting[0] and not near.any():
                waiting.remove(cube)
                places[cube] = *entry.place, *entry.turn
                speeds[cube] = *entry.speed, *entry.spin
                moved_ms = now
            else:
                places[cube] = AWAY + 100 * cube, 0, 500, 1, 0, 0, 0
                speeds[cube] = 0
        world.opt.gravity[:] = still
        world.opt.gravity[1] += GRAVITY * handful.shake * sin(2 * pi * handful.shake_hz * now / 1000)
        mj_step(world, data, nstep=round(EACH_MS / STEP_MS))
        for fell in np.flatnonzero((places[:, 2] < -FELL_MM) & (places[:, 0] > 0) | (places[:, 1] > AWAY / 2)):
            places[fell], speeds[fell] = (AWAY, AWAY + 100 * fell, 500, 1, 0, 0, 0), 0
        yield places.copy()
        there = [cube for cube in range(many) if cube not in waiting]
        if np.abs(speeds[there, :3]).max(initial=0.0) > SLOW:
            moved_ms = now
        rest_ms = HELD_MS if places[:, 0].max() > 0 else REST_MS
        if now - moved_ms > rest_ms and now > handful.entries[-1].at_ms:
            return
        if not to_rail and places[:, 0].max() < 0:
            return


def _lies(gate: Gate, state: Array) -> bool:
    """Return whether a cube lies flat on the rail."""
    from math import atan2, cos, radians

    turn = radians(gate.numbers.lane.slope_deg - gate.numbers.rail.slope_deg)
    axes = _axes(state[None, 3:])[0]
    flat = max(abs(float(axis @ np.array([sin(turn), 0, cos(turn)]))) for axis in axes.T)
    return flat > cos(atan2(1, 6))


def _axes(turns: Array) -> Array:
    """Return the rotation of each quaternion: its columns are the directions of the cube's edges."""
    w, x, y, z = turns.T
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]).transpose(2, 0, 1)  # fmt: skip


def _outside(states: Array, size: float, s: float, high: float) -> Array:
    """Return how far a beam across the lane is outside of a cube at each moment; below 0 it is dark."""
    edges = _axes(states[:, 3:])[:, (0, 2), :] * (size / 2)  # seen from the side: three directions
    gone = np.array([s, high]) - states[:, (0, 2)]
    found = np.full(len(states), -np.inf)
    for face in range(3):
        along = edges[:, :, face]
        long = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)
        normal = np.stack([-along[:, 1], along[:, 0]], 1) / long[:, None]
        reach = np.abs(np.einsum("ti,tij->tj", normal, edges)).sum(1)
        away = np.abs(np.einsum("ti,ti->t", normal, gone)) - reach
        found = np.where(long > 1e-3 * size, np.maximum(found, away), found)
    return found


def _crossings(outside: Array) -> Iterator[tuple[float, bool]]:
    """Yield when a beam goes dark or light, in ms, between two pictures."""
    for at in np.flatnonzero((outside[1:] < 0) != (outside[:-1] < 0)):
        before, after = float(outside[at]), float(outside[at + 1])
        yield (float(at) + before / (before - after)) * EACH_MS, after < 0


def _merged(changes: list[tuple[float, int]]) -> Iterator[tuple[float, bool]]:
    """Yield the edges of a beam that several cubes darken."""
    deep = 0
    for at, change in sorted(changes):
        before, deep = deep, deep + change
        if (before > 0) != (deep > 0):
            yield at, deep > 0


def in_order(fall: Fall) -> bool:
    """Return whether the cubes lie on the rail in the order in which they passed the beams, each flat."""
    return fall.queue == fall.passed and all(a != b for a, b in pairwise(fall.queue))
