"""Draw models, each in its place, as one picture seen from in front and above."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import ceil, cos, floor, hypot, radians, sin
from pathlib import Path

from PIL import Image

from hardware.gate.mesh import Corner, Mesh, Triangle

Colour = tuple[int, int, int]
Lay = Callable[[Corner], Corner]

PAPER: Colour = (250, 249, 246)
INK = 0.45  # an edge is so much as bright as its face
FINE = 2  # drawn so many times as large, and made small, for smooth edges
SHARP = 0.9  # an edge is drawn where the faces' normals differ more than this cosine
SUN = (-0.30, -0.62, 0.73)


@dataclass
class Picture:
    """A parallel view along y, turned by `round_deg`, from `down_deg` above, with `per_mm` pixels."""

    per_mm: float = 4.0
    round_deg: float = -52.0
    down_deg: float = 28.0
    faces: list[tuple[Triangle, Colour]] = field(default_factory=list)
    edges: list[tuple[Corner, Corner, Colour]] = field(default_factory=list)
    paper: Colour = PAPER
    sun: Corner = SUN

    def add(self, mesh: Mesh, colour: Colour, lay: Lay, ink: float = INK) -> None:
        """Add a model to the scene; `lay` turns and moves it; an edge is `ink` times as bright as its face."""
        triangles = [(lay(a), lay(b), lay(c)) for a, b, c in mesh.triangles]
        beside: dict[frozenset[Corner], list[Corner]] = {}
        for triangle in triangles:
            normal = _normal(triangle)
            shade = 0.62 + 0.38 * max(0.0, _dot(normal, self.sun))
            self.faces.append((triangle, _times(colour, shade)))
            for index in range(3):
                beside.setdefault(frozenset((triangle[index], triangle[index - 1])), []).append(normal)
        for ends, normals in beside.items():
            if len(ends) == 2 and min(_dot(normals[0], normal) for normal in normals) < SHARP:
                start, end = sorted(ends)
                self.edges.append((start, end, _times(colour, ink)))

    def save(self, path: Path, margin: int = 24) -> Path:
        """Draw it into a PNG file."""
        scale = self.per_mm * FINE
        seen = [([self._seen(corner, scale) for corner in triangle], colour) for triangle, colour in self.faces]
        low = [min(corner[axis] for corners, _ in seen for corner in corners) - margin * FINE for axis in (0, 1)]
        high = [max(corner[axis] for corners, _ in seen for corner in corners) + margin * FINE for axis in (0, 1)]
        wide, deep = (ceil((end - begin) / FINE) * FINE for begin, end in zip(low, high, strict=True))
        canvas = _Canvas(wide, deep, self.paper)
        for corners, colour in seen:
            canvas.face([(x - low[0], y - low[1], z) for x, y, z in corners], colour)
        for start, end, colour in self.edges:
            (ax, ay, az), (bx, by, bz) = self._seen(start, scale), self._seen(end, scale)
            canvas.edge((ax - low[0], ay - low[1], az), (bx - low[0], by - low[1], bz), colour)
        image = Image.frombytes("RGB", (wide, deep), bytes(canvas.pixels))
        small = image.resize((wide // FINE, deep // FINE), Image.Resampling.BOX)
        small.quantize(160, dither=Image.Dither.NONE).save(path, optimize=True)
        return path

    def _seen(self, corner: Corner, scale: float) -> Corner:
        """Return the directions right, down and away."""
        x, y, z = corner
        a, d = radians(self.round_deg), radians(self.down_deg)
        right, away = x * cos(a) + y * sin(a), -x * sin(a) + y * cos(a)
        return right * scale, -(z * cos(d) + away * sin(d)) * scale, (away * cos(d) - z * sin(d)) * scale


class _Canvas:
    """Pixels, each with the distance of the point that it shows."""

    def __init__(self, wide: int, deep: int, paper: Colour) -> None:
        self.wide, self.deep = wide, deep
        self.pixels = bytearray(bytes(paper) * (wide * deep))
        self._away = array("f", [1e9]) * (wide * deep)

    def face(self, corners: list[Corner], colour: Colour) -> None:
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if area >= 0:  # seen from behind
            return
        dx = ((bz - az) * (cy - ay) - (cz - az) * (by - ay)) / area
        dy = ((cz - az) * (bx - ax) - (bz - az) * (cx - ax)) / area
        sides = [((ax, ay), (bx, by)), ((bx, by), (cx, cy)), ((cx, cy), (ax, ay))]
        for row in range(max(0, ceil(min(ay, by, cy) - 0.5)), min(self.deep, floor(max(ay, by, cy) - 0.5) + 1)):
            y = row + 0.5
            cuts = [p[0] + (y - p[1]) / (q[1] - p[1]) * (q[0] - p[0]) for p, q in sides if (p[1] <= y) != (q[1] <= y)]
            if not cuts:
                continue
            first, last = max(0, ceil(min(cuts) - 0.5)), min(self.wide, floor(max(cuts) - 0.5) + 1)
            away = az + (first + 0.5 - ax) * dx + (y - ay) * dy
            for at in range(row * self.wide + first, row * self.wide + last):
                if away < self._away[at]:
                    self._away[at] = away
                    self.pixels[3 * at : 3 * at + 3] = bytes(colour)
                away += dx

    def edge(self, start: Corner, end: Corner, colour: Colour) -> None:
        steps = ceil(hypot(end[0] - start[0], end[1] - start[1])) or 1
        ink = bytes(colour)
        for step in range(steps + 1):
            x, y, away = (p + (q - p) * step / steps for p, q in zip(start, end, strict=True))
            for column in (int(x), int(x) + 1):
                at = int(y) * self.wide + column
                if away - 1.5 * FINE < self._away[at]:
                    self.pixels[3 * at : 3 * at + 3] = ink


def box(low: Corner, high: Corner) -> Mesh:
    """Return a box as a model."""
    x, y, z = zip(low, high, strict=True)
    corners = [(x[i & 1], y[i >> 1 & 1], z[i >> 2]) for i in range(8)]
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return Mesh(
        tuple((corners[a], corners[b], corners[c]) for p, q, r, s in quads for a, b, c in ((p, q, r), (p, r, s)))
    )


def _normal(triangle: Iterable[Corner]) -> Corner:
    a, b, c = triangle
    u, v = [b[i] - a[i] for i in range(3)], [c[i] - a[i] for i in range(3)]
    n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    length = hypot(*n) or 1.0
    return n[0] / length, n[1] / length, n[2] / length


def _dot(a: Corner, b: Corner) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _times(colour: Colour, bright: float) -> Colour:
    red, green, blue = (min(255, round(part * bright)) for part in colour)
    return red, green, blue
