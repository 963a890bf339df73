"""Binary STL models: their measures, and the points where a needle goes in and out."""

from __future__ import annotations

import struct
from collections import Counter
from pathlib import Path
from typing import NamedTuple

Corner = tuple[float, float, float]
Triangle = tuple[Corner, Corner, Corner]


class Mesh(NamedTuple):
    """A model's triangles, with their corners counter-clockwise seen from outside."""

    triangles: tuple[Triangle, ...]

    @property
    def low(self) -> Corner:
        """Return the lowest corner of the box round it, in mm."""
        return self._ends[0]

    @property
    def high(self) -> Corner:
        """Return the highest corner of the box round it, in mm."""
        return self._ends[1]

    @property
    def volume(self) -> float:
        """Return its volume in mm³; negative if it is inside out."""
        return sum(_dot(a, _cross(b, c)) for a, b, c in self.triangles) / 6

    @property
    def open_edges(self) -> int:
        """Return the number of edges with unequal directions among the triangles: 0 if the model is watertight."""
        runs: Counter[tuple[Corner, Corner]] = Counter()
        for a, b, c in self.triangles:
            for start, end in ((a, b), (b, c), (c, a)):
                runs[start, end] += 1
                runs[end, start] -= 1
        return sum(count > 0 for count in runs.values())

    def along(self, axis: int, at: tuple[float, float]) -> tuple[float, ...]:
        """Return where a needle along x, y or z (0, 1, 2) goes in and out, at its two other coordinates in their order.

        Put it beside corners and edges: one that it meets exactly may count twice.
        """
        first, second = (other for other in range(3) if other != axis)
        met = []
        for triangle in self.triangles:
            a, b, c = ((corner[first] - at[0], corner[second] - at[1]) for corner in triangle)
            parts = [one[0] * two[1] - one[1] * two[0] for one, two in ((b, c), (c, a), (a, b))]
            if all(part > 0 for part in parts) or all(part < 0 for part in parts):
                met.append(sum(p * corner[axis] for p, corner in zip(parts, triangle, strict=True)) / sum(parts))
        return tuple(sorted(met))

    @property
    def _ends(self) -> tuple[Corner, Corner]:
        x, y, z = zip(*(corner for triangle in self.triangles for corner in triangle), strict=True)
        return (min(x), min(y), min(z)), (max(x), max(y), max(z))


def read_mesh(file: Path) -> Mesh:
    """Read a binary STL file; raises ValueError where its length is not what it says."""
    data = file.read_bytes()
    (count,) = struct.unpack_from("<I", data, 80)
    if len(data) != 84 + 50 * count:
        raise ValueError(f"{file.name}: it says {count} triangles, which is not its length.")
    triangles = []
    for index in range(count):
        x = struct.unpack_from("<9f", data, 84 + 50 * index + 12)
        triangles.append(((x[0], x[1], x[2]), (x[3], x[4], x[5]), (x[6], x[7], x[8])))
    return Mesh(tuple(triangles))


def write_mesh(file: Path, mesh: Mesh) -> None:
    """Write a binary STL file, its triangles in their order, so that the same model is the same file."""
    lines = [b"".ljust(80), struct.pack("<I", len(mesh.triangles))]
    for a, b, c in sorted(map(_turned, mesh.triangles)):
        lines.append(struct.pack("<12fH", 0, 0, 0, *a, *b, *c, 0))  # readers take the normal from the corners
    file.write_bytes(b"".join(lines))


def _turned(triangle: Triangle) -> Triangle:
    """Begin with its lowest corner."""
    a, b, c = triangle
    return min((a, b, c), (b, c, a), (c, a, b))


def _dot(a: Corner, b: Corner) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Corner, b: Corner) -> Corner:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
