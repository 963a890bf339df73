"""Read STL models as arrays of triangles, and measure them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Mesh:
    """Triangles, with their corners counter-clockwise seen from outside: an array of n × 3 × 3."""

    triangles: Any

    @property
    def low(self) -> tuple[float, ...]:
        """Return the lowest corner of the box round it, in mm."""
        return tuple(self.triangles.min((0, 1)))

    @property
    def high(self) -> tuple[float, ...]:
        """Return the highest corner of the box round it, in mm."""
        return tuple(self.triangles.max((0, 1)))

    @property
    def volume(self) -> float:
        """Return its volume in mm³; negative if it is inside out."""
        a, b, c = self.triangles.transpose(1, 0, 2)
        return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)

    @property
    def open_edges(self) -> int:
        """Return the number of edges without a neighbour that runs the other way: 0 if the model is watertight."""
        order = self._order
        runs = np.concatenate([order[:, (0, 1)], order[:, (1, 2)], order[:, (2, 0)]])
        forth, back = (set(map(tuple, each.tolist())) for each in (runs, runs[:, ::-1]))
        return len(forth - back) + len(runs) - len(forth)

    @property
    def bodies(self) -> int:
        """Return the number of pieces that have no corner in common."""
        own = np.arange(self._order.max() + 1)
        while True:
            lowest = own[self._order].min(1)
            before = own.copy()
            for side in range(3):
                np.minimum.at(own, self._order[:, side], lowest)
            if (own == before).all():
                return len(np.unique(own))

    def along(self, axis: int, at: tuple[float, float]) -> tuple[float, ...]:
        """Return where a needle along x, y or z (0, 1, 2) goes in and out, at its two other coordinates in their order.

        Put it beside corners and edges: one that it meets exactly may count twice.
        """
        others = [other for other in range(3) if other != axis]
        a, b, c = (self.triangles[:, corner][:, others] - at for corner in range(3))
        parts = np.stack([p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0] for p, q in ((b, c), (c, a), (a, b))], axis=1)
        met = np.all(parts > 0, axis=1) | np.all(parts < 0, axis=1)
        heights = (parts * self.triangles[..., axis]).sum(1)[met] / parts.sum(1)[met]
        return tuple(sorted(heights.tolist()))

    @cached_property
    def _order(self) -> Any:
        """The corners of each triangle by number, one number for those at the same place."""
        corners = np.round(self.triangles.reshape(-1, 3), 4)
        return np.unique(corners, axis=0, return_inverse=True)[1].reshape(-1, 3)


def read_stl(file: Path) -> Mesh:
    """Read a binary STL file."""
    rows = np.fromfile(file, np.uint8)[84:].reshape(-1, 50)
    return Mesh(rows[:, 12:48].copy().view("<f4").reshape(-1, 3, 3).astype(float))


def mesh_of(piece: Any) -> Mesh:
    """Return the triangles of a piece."""
    corners, order = piece.triangles
    return Mesh(corners[order])
