"""Draw a throw as a film: the lane from above and from the side, and what its beams see."""

from __future__ import annotations

from math import cos, radians, sin
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from scripts.falls.fall import AWAY, Array, Fall, _axes
from umpi.timing.gate import Verdict

FRAME_MS, SHOWN_MS, LAST_MS = 10, 60, 1500  # a frame each 10 ms of the fall, shown for 60, and the last one longer
PER_MM = 2.2
PAPER, INK, WALL, DARK = (250, 249, 246), (40, 42, 48), (170, 174, 182), (206, 62, 56)
COLOURS = ((206, 62, 56), (62, 104, 190), (240, 200, 64), (74, 156, 92), (226, 226, 220), (90, 90, 96))
UP, SIDE, BEAMS = 62, 190, 252  # where the views are, in pixels from above
TALL = 318


def save_film(fall: Fall, verdict: Verdict, path: Path) -> Path:
    """Write the film as a GIF, and return its path."""
    frames = [_frame(fall, verdict, tick) for tick in range(0, len(fall.track), FRAME_MS)]
    last = max((edge.t for edge in fall.edges), default=0) / 1e6
    enough = [frame for tick, frame in enumerate(frames) if tick * FRAME_MS < last + 250]
    enough.append(_frame(fall, verdict, len(fall.track) - 1, with_verdict=True))
    small = [frame.quantize(24, dither=Image.Dither.NONE) for frame in enough]
    shown = [SHOWN_MS] * (len(small) - 1) + [LAST_MS]
    small[0].save(path, save_all=True, append_images=small[1:], duration=shown, loop=0, optimize=True)
    return path


def _frame(fall: Fall, verdict: Verdict, tick: int, with_verdict: bool = False) -> Any:
    gate = fall.gate
    image = Image.new("RGB", (round((gate.length + 150) * PER_MM), TALL), PAPER)
    pen = ImageDraw.Draw(image)
    for left in (1, -1):
        side = [(0.0, gate.lane / 2), *gate.sides, (gate.length + 20, gate.mouth / 2)]
        pen.line([_above(x, left * y) for x, y in side], WALL, 3)
    roof = [_beside(0, gate.high), _beside(gate.throat, gate.high), _beside(gate.throat, gate.numbers.mouth.height_mm)]
    pen.line([_beside(0, 0), _beside(gate.length + 20, 0)], WALL, 3)
    pen.line(roof, WALL, 3)
    pen.line(_rail(fall), WALL, 3)
    dark = {beam: _is_dark(fall, beam, tick) for beam in (0, 1)}
    for beam, s in enumerate(gate.beams):
        colour = DARK if dark[beam] else WALL
        pen.line([_above(s, gate.lane / 2 + 4), _above(s, -gate.lane / 2 - 4)], colour, 2)
        x, y = _beside(s, gate.cube / 2)
        pen.ellipse((x - 3, y - 3, x + 3, y + 3), outline=colour)
    for cube, state in enumerate(fall.track[tick]):
        if state[0] < AWAY / 2:
            _cube(pen, state, fall.handful.entries[cube].body.size_mm, COLOURS[cube])
    _beams(pen, fall, tick)
    words = f"{tick} ms"
    if with_verdict:
        words = f"{len(verdict.cubes)} cubes, {'clear' if verdict.clear else 'doubtful'}"
    pen.text((10, 8), words, INK, font_size=18)
    return image


def _above(x: float, y: float) -> tuple[float, float]:
    return (x + 110) * PER_MM, UP - y * PER_MM


def _beside(x: float, z: float) -> tuple[float, float]:
    return (x + 110) * PER_MM, SIDE - z * PER_MM


def _rail(fall: Fall) -> list[tuple[float, float]]:
    """Return the floor of the rail and its stop, from the side."""
    gate, own = fall.gate, fall.gate.numbers.rail
    turn, long = radians(gate.numbers.lane.slope_deg - own.slope_deg), gate.rail_length - gate.front
    points = ((0.0, -own.step_mm), (long, -own.step_mm), (long, gate.cube * own.stop_height))
    return [_beside(-u * cos(turn) + up * sin(turn), u * sin(turn) + up * cos(turn)) for u, up in points]


def _cube(pen: Any, state: Array, size: float, colour: tuple[int, int, int]) -> None:
    signs = np.array([(a, b, c) for a in (1, -1) for b in (1, -1) for c in (1, -1)])
    corners = state[:3] + signs * size / 2 @ _axes(state[None, 3:])[0].T
    for view, up in ((_above, 1), (_beside, 2)):
        seen = [view(float(corner[0]), float(corner[up])) for corner in corners]
        pen.polygon(_hull(seen), fill=colour, outline=INK)


def _hull(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the corners of the hull of some points, one after the other."""
    middle = np.mean(points, 0)
    listed, sides = sorted(set(points)), []
    for ordered in (listed, listed[::-1]):
        chain: list[tuple[float, float]] = []
        for point in ordered:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        sides += chain[:-1]
    return sides or [tuple(middle)]


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _beams(pen: Any, fall: Fall, tick: int) -> None:
    """Draw what each beam has seen so far as a bar."""
    long, left = len(fall.track), 30
    per_ms = ((fall.gate.length + 150) * PER_MM - left - 10) / long
    for beam in (0, 1):
        y = BEAMS + beam * 30
        pen.text((8, y - 2), f"{beam + 1}", INK, font_size=16)
        pen.line((left, y + 16, left + tick * per_ms, y + 16), WALL, 2)
        since: float | None = None
        for edge in (each for each in fall.edges if each.beam == beam and each.t / 1e6 <= tick):
            if edge.dark:
                since = edge.t / 1e6
            elif since is not None:
                pen.rectangle((left + since * per_ms, y, left + edge.t / 1e6 * per_ms, y + 16), fill=DARK)
                since = None
        if since is not None:
            pen.rectangle((left + since * per_ms, y, left + tick * per_ms, y + 16), fill=DARK)


def _is_dark(fall: Fall, beam: int, tick: int) -> bool:
    seen = [edge.dark for edge in fall.edges if edge.beam == beam and edge.t / 1e6 <= tick]
    return bool(seen) and seen[-1]
