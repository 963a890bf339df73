"""Draw pieces, each in its place, as one picture seen from in front and above; triangles come from build123d."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, cos, radians, sin
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from hardware.solids.shapes import Colour, Piece

PAPER: Colour = (250, 249, 246)
INK = 0.45  # an edge is so much as bright as its face
FINE = 2  # drawn so many times as large, and made small, for smooth edges
SHARP = 0.9  # an edge is drawn where the normals of its faces differ more than this cosine
SUN = (-0.30, -0.62, 0.73)
Array = Any  # of numpy


@dataclass
class Picture:
    """A parallel view along y, turned by `round_deg`, from `down_deg` above, with `per_mm` pixels."""

    per_mm: float = 4.0
    round_deg: float = -52.0
    down_deg: float = 28.0
    paper: Colour = PAPER
    sun: tuple[float, float, float] = SUN
    faces: list[tuple[Array, Array]] = field(default_factory=list)  # corners as seen, and their colours
    edges: list[tuple[Array, Array]] = field(default_factory=list)

    def add(self, piece: Piece, up: float = 0.0, colour: Colour | None = None, ink: float = INK) -> None:
        """Add a piece, moved up by `up`; an edge is `ink` times as bright as its face."""
        colour, (corners, order) = colour or piece.colour, piece.triangles
        flat = corners[order]
        normals = np.cross(flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0])
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
        shades = 0.62 + 0.38 * np.maximum(0, normals @ self.sun)
        seen = self._seen(corners + np.array([0, 0, up]))
        self.faces.append((seen[order], _times(colour, shades)))
        sharp = _sharp(order, normals)
        self.edges.append((seen[sharp], np.tile(_times(colour, np.array([ink])), (len(sharp), 1))))

    def save(self, path: Path, margin: int = 24) -> Path:
        """Draw it into a PNG file."""
        faces, colours = (np.concatenate(parts) for parts in zip(*self.faces, strict=True))
        low = faces[..., :2].min((0, 1)) - margin * FINE
        wide, deep = (ceil(side / FINE) * FINE for side in faces[..., :2].max((0, 1)) + margin * FINE - low)
        pixels = np.full((deep, wide, 3), self.paper, np.uint8)
        away = np.full((deep, wide), np.inf)
        offset = np.array([*low, 0.0])
        for corners, colour in zip(faces - offset, colours, strict=True):
            _fill(pixels, away, corners, colour)
        for ends, ink in self.edges:
            _line(pixels, away, ends - offset, ink)
        small = Image.fromarray(pixels).resize((wide // FINE, deep // FINE), Image.Resampling.BOX)
        small.quantize(160, dither=Image.Dither.NONE).save(path, optimize=True)
        return path

    def _seen(self, corners: Array) -> Array:
        """Return the directions right, down and away."""
        a, d = radians(self.round_deg), radians(self.down_deg)
        right, back = (cos(a), sin(a), 0.0), (-sin(a), cos(a), 0.0)
        down = (-back[0] * sin(d), -back[1] * sin(d), -cos(d))
        away = (back[0] * cos(d), back[1] * cos(d), -sin(d))
        return corners @ np.array([right, down, away]).T * self.per_mm * FINE


def _sharp(order: Array, normals: Array) -> Array:
    """Return the two ends of each edge whose faces differ."""
    ends = np.sort(np.concatenate([order[:, (0, 1)], order[:, (1, 2)], order[:, (2, 0)]]), axis=1)
    owner = np.tile(np.arange(len(order)), 3)
    by_end = np.lexsort((ends[:, 1], ends[:, 0]))
    ends, owner = ends[by_end], owner[by_end]
    beside = np.all(ends[1:] == ends[:-1], axis=1)
    differ = np.sum(normals[owner[1:]] * normals[owner[:-1]], axis=1) < SHARP
    return ends[1:][beside & differ]


def _fill(pixels: Array, away: Array, corners: Array, colour: Array) -> None:
    """Draw a triangle where it is nearer than what is there."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners.tolist()
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if area >= -1e-9:  # seen from behind
        return
    left, top = max(0, ceil(min(ax, bx, cx) - 0.5)), max(0, ceil(min(ay, by, cy) - 0.5))
    right, low = ceil(max(ax, bx, cx) - 0.5), ceil(max(ay, by, cy) - 0.5)
    if right <= left or low <= top:
        return
    x, y = np.arange(left, right) + 0.5 - ax, (np.arange(top, low) + 0.5 - ay)[:, None]
    u = (x * (cy - ay) - y * (cx - ax)) / area
    v = (y * (bx - ax) - x * (by - ay)) / area
    depth = az + u * (bz - az) + v * (cz - az)
    there = away[top:low, left:right]
    nearer = (u >= 0) & (v >= 0) & (u + v <= 1) & (depth < there)
    there[nearer] = depth[nearer]
    pixels[top:low, left:right][nearer] = colour


def _line(pixels: Array, away: Array, ends: Array, ink: Array) -> None:
    """Draw edges, each two dots wide, where nothing is before them."""
    if not len(ends):
        return
    start, end = ends[:, 0], ends[:, 1]
    steps = np.maximum(1, np.ceil(np.linalg.norm((end - start)[:, :2], axis=1))).astype(int) + 1
    which = np.repeat(np.arange(len(ends)), steps)
    share = (np.arange(len(which)) - np.repeat(np.cumsum(steps) - steps, steps)) / (steps[which] - 1)
    x, y, z = (start[which] + (end - start)[which] * share[:, None]).T
    for column in (x.astype(int), x.astype(int) + 1):
        shown = z - 1.5 * FINE < away[y.astype(int), column]
        pixels[y.astype(int)[shown], column[shown]] = ink[which][shown]


def _times(colour: Colour, bright: Array) -> Array:
    return np.minimum(255, np.round(np.array(colour) * np.asarray(bright)[:, None])).astype(np.uint8)
