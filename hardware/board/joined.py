"""Compare the kept tracks of a board with its nets, from the places of pads, tracks and vias alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hardware.board.ground import GROUND
from hardware.board.plan import Plan, Point

Name = tuple[str, str]  # a part and a pad
AGAIN = "scripts/hardware --board --route"


def faults(made: Plan, routed: Mapping[str, list[dict[str, Any]]]) -> Iterator[str]:
    """Yield a sentence for each net that the tracks do not join, and for each two nets that they short."""
    nets: dict[str, set[Name]] = {}
    for part, pad in made.pads():
        nets.setdefault(pad.net if pad.net else f"no net at {part.ref}.{pad.name}", set()).add((part.ref, pad.name))
    net_of = {pad: net for net, pads in nets.items() for pad in pads}
    groups = joined(made, routed)
    for net, pads in nets.items():
        pieces = [sorted(group & pads) for group in groups if group & pads]
        if len(pieces) > 1 and net != GROUND:  # the planes join ground: KiCad checks them
            words = " | ".join(", ".join(f"{ref}.{pad}" for ref, pad in piece) for piece in pieces)
            yield f"{made.name}: {net} is not joined: {words}. Route the board again: {AGAIN}."
    for group in groups:
        found = sorted({net_of[pad] for pad in group})
        if len(found) > 1:
            yield f"{made.name}: a track joins {' and '.join(found)}. Route the board again: {AGAIN}."
    known = set(nets)
    for net in sorted({track["net"] for track in routed["tracks"]} - known):
        yield f"{made.name}: there are tracks of {net}, which is no net of the board. Route the board again: {AGAIN}."


def joined(made: Plan, routed: Mapping[str, list[dict[str, Any]]]) -> list[set[Name]]:
    """Return the pads that tracks and vias join. Ground is joined only as far as its own tracks go."""
    points: dict[tuple[int, float, float], int] = {}
    group: list[int] = []

    def find(at: int) -> int:
        while group[at] != at:
            at = group[at]
        return at

    def node(layer: int, at: Point) -> int:
        key = (layer, round(at[0], 3), round(at[1], 3))
        if key not in points:
            points[key] = len(group)
            group.append(len(group))
        return points[key]

    def join(a: int, b: int) -> None:
        group[find(a)] = find(b)

    ends: list[tuple[int, Point]] = []
    tracks = [(track["layer"], _point(track["start"]), _point(track["end"])) for track in routed["tracks"]]
    for layer, start, end in tracks:
        join(node(layer, start), node(layer, end))
        ends += [(layer, start), (layer, end)]
    for via in routed["vias"]:
        at = _point(via["at"])
        join(node(0, at), node(1, at))
        ends += [(0, at), (1, at)]
    for layer, start, end in tracks:
        for other, at in ends:
            if other == layer and at not in (start, end) and _on_the_way(start, end, at):
                join(node(layer, start), node(layer, at))
    found: dict[Name, int] = {}
    for part, pad in made.pads():
        own = node(0, (part.at[0] * 1000 + pad.at[0], pad.at[1] * 1000))  # a place of its own, off the board
        for layer, at in ends:
            inside = all(abs(at[axis] - pad.at[axis]) <= pad.size[axis] / 2 for axis in (0, 1))
            if inside and (pad.drill or layer == 0):
                join(own, node(layer, at))
        found[part.ref, pad.name] = own
    groups: dict[int, set[Name]] = {}
    for name, own in found.items():
        groups.setdefault(find(own), set()).add(name)
    return list(groups.values())


def _point(at: list[float]) -> Point:
    return at[0], at[1]


def _on_the_way(start: Point, end: Point, at: Point) -> bool:
    (ax, ay), (bx, by), (x, y) = start, end, at
    if not (min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by)):
        return False
    return abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) < 1e-6
