"""Find the pieces into which tracks cut the two ground planes. The router then joins them with tracks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardware.board.route import Grid, Node

GROUND = "GND"
AROUND = [(across, down) for across in (-1, 0, 1) for down in (-1, 0, 1) if across or down]
Group = list["Node"]  # nodes that copper joins: a ground track, or the middle of a pad with a hole


def is_plane(grid: Grid, node: Node) -> bool:
    """Return whether the plane reaches a node: where a track of ground would fit, KiCad's plane also does."""
    return node not in grid.gaps and fits(grid, node)


def fits(grid: Grid, node: Node) -> bool:
    """Return whether a track of ground fits at a node."""
    layer, column, row = node
    if not (0 <= column < grid.columns and 0 <= row < grid.rows):
        return False
    if grid.hard["track"][layer][row * grid.columns + column] not in ("", GROUND):
        return False
    return all(net.startswith(GROUND) for net in grid.soft.get(node, ()))


def spokes(grid: Grid, middle: Group) -> Group:
    """Return where the spokes of a pad with a hole reach the planes: KiCad leaves a gap around each pad of ground."""
    found: Group = []
    for start in middle:
        for across, down in AROUND:
            _, column, row = start
            node = start
            while node in grid.gaps and fits(grid, node):
                column, row = column + across, row + down
                node = (start[0], column, row)
            if is_plane(grid, node):
                found.append(node)
    return found


def pieces(grid: Grid, groups: Iterable[Group]) -> list[set[Node]]:
    """Return the pieces of ground that contain one of the groups, the largest first."""
    links: dict[Node, list[Group]] = {}
    for group in groups:
        for node in group:
            links.setdefault(node, []).append(group)
    done: set[Node] = set()
    found: list[set[Node]] = []
    for start in links:
        if start not in done:
            piece = _reached(grid, start, links)
            done |= piece
            found.append(piece)
    return sorted(found, key=len, reverse=True)


def _reached(grid: Grid, start: Node, links: Mapping[Node, list[Group]]) -> set[Node]:
    piece, edge = {start}, [start]
    while edge:
        node = edge.pop()
        for other in _beside(grid, node, links):
            if other not in piece:
                piece.add(other)
                edge.append(other)
    return piece


def _beside(grid: Grid, node: Node, links: Mapping[Node, list[Group]]) -> Iterator[Node]:
    for group in links.get(node, ()):
        yield from group
    if not is_plane(grid, node):
        return
    layer, column, row = node
    for across, down in AROUND:
        other = (layer, column + across, row + down)
        if is_plane(grid, other):
            yield other
