"""A small deterministic router: it finds tracks on a grid of two layers, and rips up what is in the way.

Ground is a plane on both layers. Each ground pad on the upper side gets a via beside it. Where the other tracks cut a
ground pad off, a track of ground joins it again.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from hardware.board.ground import GROUND, pieces, spokes
from hardware.board.plan import Pad, Plan

RAILS = {"3V3", "5V", "H3V3", "H5V"}
EDGE_MM = 0.5  # copper stays so far from the edge
HOLES_APART_MM = 0.28
GAP_MM = 0.35  # from a pad of ground to the middle of the narrowest piece of a plane
STITCH_MM = 2.5  # from one ground via to the next
MARGIN_MM = 0.03  # for what a grid cannot say
VIA_COST, TRESPASS, MOST_RIPS = 12.0, 25.0, 400
HOLE_MM = {"2.7": 3.0, "3.2": 3.4}  # radius around a mounting hole that its screw covers

Node = tuple[int, int, int]  # layer, column, row


class Unroutable(RuntimeError):
    """Raised if a net finds no way; it names the net."""


@dataclass(frozen=True, slots=True)
class Track:
    """A straight piece of copper; layer 0 is the upper side."""

    net: str
    layer: int
    start: tuple[float, float]
    end: tuple[float, float]
    width: float


@dataclass(frozen=True, slots=True)
class Via:
    """A hole with copper, from side to side."""

    net: str
    at: tuple[float, float]


@dataclass
class Grid:
    """What is free: `hard` around pads, by net, and `soft` around tracks that may be ripped up."""

    plan: Plan
    step: float
    columns: int
    rows: int
    # by kind of width: layers of nets; "" is free
    hard: dict[str, list[list[str | None]]] = field(default_factory=dict)
    soft: dict[Node, Counter[str]] = field(default_factory=dict)
    gaps: set[Node] = field(default_factory=set)  # around pads of ground, where there is no plane

    def xy(self, node: Node) -> tuple[float, float]:
        """Return the place of a node in mm."""
        return round(node[1] * self.step, 4), round(node[2] * self.step, 4)

    def near(self, x: float, y: float, radius: float) -> Iterator[tuple[int, int]]:
        """Yield the columns and rows within a radius of a place."""
        reach = range(math.ceil((y - radius) / self.step), math.floor((y + radius) / self.step) + 1)
        for row in reach:
            wide = math.sqrt(max(radius**2 - (row * self.step - y) ** 2, 0))
            for column in range(math.ceil((x - wide) / self.step), math.floor((x + wide) / self.step) + 1):
                if 0 <= column < self.columns and 0 <= row < self.rows:
                    yield column, row


def route(plan: Plan) -> tuple[list[Track], list[Via]]:
    """Route all nets of a board. Raises Unroutable."""
    grid = _grid(plan)
    nets: dict[str, list[Pad]] = {}
    for _, pad in plan.pads():
        if pad.net:
            nets.setdefault(pad.net, []).append(pad)
    signals = [net for net in nets if net != GROUND]
    waiting = deque(sorted(signals, key=lambda net: (len(nets[net]) > 6, _spread(nets[net]), net)))
    paths: dict[str, list[list[Node]]] = {}
    for number, pad in enumerate(pad for pad in nets.get(GROUND, ()) if not pad.drill):
        name = f"{GROUND}{number}"
        paths[name] = [_to_a_via(grid, pad)]
        _lay(grid, name, paths[name], 1)
    middles = [_inside(grid, pad) for pad in nets.get(GROUND, ()) if pad.drill]
    rips: Counter[str] = Counter()
    while True:
        while waiting:
            net = waiting.popleft()
            _lay_over(grid, net, _connect(grid, net, nets[net], rips), paths, waiting, rips)
        pads = [[*middle, *spokes(grid, middle)] for middle in middles]
        ground = pieces(grid, [*pads, *(path for name in sorted(paths) if name[:3] == GROUND for path in paths[name])])
        if len(ground) < 2:
            break
        way = _search(grid, GROUND, ground[-1], dict.fromkeys(ground[0]), rips)
        _lay_over(grid, f"{GROUND}+{len(paths)}", [way], paths, waiting, rips)
    tracks, vias = _copper(grid, paths)
    return tracks, vias + list(_stitches(grid, vias, ground[0] if ground else set()))


def _lay_over(
    grid: Grid,
    net: str,
    found: list[list[Node]],
    paths: dict[str, list[list[Node]]],
    waiting: deque[str],
    rips: Counter[str],
) -> None:
    """Lay the tracks of a net; rip up those that they cross, which then wait to be routed again."""
    paths[net] = found
    _lay(grid, net, found, 1)
    for other in _crossed(grid, net, found):
        rips[other] += 1
        if sum(rips.values()) > MOST_RIPS:
            raise Unroutable(f"{grid.plan.name}: {net} finds no way past {other}.")
        _lay(grid, other, paths.pop(other), -1)
        waiting.append(other)


def _spread(pads: list[Pad]) -> float:
    xs, ys = zip(*(pad.at for pad in pads), strict=True)
    return float(max(xs) - min(xs) + max(ys) - min(ys))


def _width(plan: Plan, net: str) -> float:
    return float(plan.rules["rail" if net in RAILS else "track"])


def _kind(net: str) -> str:
    return "rail" if net in RAILS else "track"


def _grid(plan: Plan) -> Grid:
    rules, step = plan.rules, float(plan.rules["grid"])
    columns, rows = round(plan.size[0] / step) + 1, round(plan.size[1] / step) + 1
    grid = Grid(plan, step, columns, rows)
    reach = {kind: rules[kind] / 2 + rules["clearance"] + MARGIN_MM for kind in ("track", "rail")}
    reach["via"] = rules["via"][0] / 2 + rules["clearance"] + MARGIN_MM
    for kind, radius in reach.items():
        layers: list[list[str | None]] = [[""] * (columns * rows) for _ in range(2)]
        edge = EDGE_MM + radius - rules["clearance"]
        for layer in layers:
            for row in range(rows):
                for column in range(columns):
                    x, y = column * step, row * step
                    if min(x, y, plan.size[0] - x, plan.size[1] - y) < edge:
                        layer[row * columns + column] = None
        for part, pad in plan.pads():
            hole = HOLE_MM[f"{pad.size[0]:g}"] if part.ref.startswith("H") else 0.0
            own = pad.net or None
            for column, row in _around(grid, pad, hole or radius, bool(hole)):
                at = row * columns + column
                for side in layers if pad.drill else layers[:1]:
                    side[at] = own if side[at] in ("", own) else None
        grid.hard[kind] = layers
    for _, pad in plan.pads():
        if pad.net == GROUND:
            around = _around(grid, pad, GAP_MM, False)
            grid.gaps |= {(layer, *at) for at in around for layer in ((0, 1) if pad.drill else (0,))}
        if pad.drill:
            for column, row in grid.near(*pad.at, (pad.drill + rules["via"][1]) / 2 + HOLES_APART_MM):
                for side in grid.hard["via"]:
                    side[row * columns + column] = None
    return grid


def _around(grid: Grid, pad: Pad, radius: float, hole: bool) -> Iterator[tuple[int, int]]:
    """Yield the nodes within `radius` of a pad's rectangle, or of a hole's centre."""
    (x, y), (w, h) = pad.at, (0.0, 0.0) if hole else pad.size
    step = grid.step
    for row in range(math.ceil((y - h / 2 - radius) / step), math.floor((y + h / 2 + radius) / step) + 1):
        for column in range(math.ceil((x - w / 2 - radius) / step), math.floor((x + w / 2 + radius) / step) + 1):
            aside = max(abs(column * step - x) - w / 2, 0)
            above = max(abs(row * step - y) - h / 2, 0)
            if math.hypot(aside, above) <= radius and 0 <= column < grid.columns and 0 <= row < grid.rows:
                yield column, row


def _inside(grid: Grid, pad: Pad) -> list[Node]:
    """Return the nodes in the middle of a pad, where a track may end."""
    layers = (0, 1) if pad.drill else (0,)
    reach = max(min(pad.size) / 2 - 0.1, grid.step / 2)
    return [(layer, column, row) for column, row in grid.near(*pad.at, reach) for layer in layers]


def _free(grid: Grid, kind: str, net: str, node: Node) -> bool:
    its = grid.hard[kind][node[0]][node[2] * grid.columns + node[1]]
    return its in ("", net)


BESIDE = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))


def _foreign(grid: Grid, net: str, node: Node) -> list[str]:
    return [other for other in grid.soft.get(node, ()) if other != net]


def _in_the_way(grid: Grid, net: str, node: Node) -> Iterable[str]:
    """Return the nets whose tracks are too near; a rail is wider than what `soft` is marked for."""
    if net not in RAILS:
        return _foreign(grid, net, node)
    layer, column, row = node
    return {other for across, down in BESIDE for other in _foreign(grid, net, (layer, column + across, row + down))}


STEPS = [(1, 0, 1.0), (-1, 0, 1.0), (0, 1, 1.0), (0, -1, 1.0)]
STEPS += [(across, down, math.sqrt(2)) for across in (1, -1) for down in (1, -1)]


def _via_fits(grid: Grid, net: str, node: Node) -> tuple[bool, set[str]]:
    """Return whether a via fits between the pads, and the nets whose tracks are in its way."""
    own = GROUND if net.startswith(GROUND) else net
    _, column, row = node
    others: set[str] = set()
    for layer in (0, 1):
        if not _free(grid, "via", own, (layer, column, row)):
            return False, others
        for across, down in BESIDE:
            others.update(_foreign(grid, net, (layer, column + across, row + down)))
    return True, others


def _to_a_via(grid: Grid, pad: Pad) -> list[Node]:
    """Find the shortest way from a ground pad to a place for a via."""
    start = (0, round(pad.at[0] / grid.step), round(pad.at[1] / grid.step))
    before: dict[Node, Node | None] = {start: None}
    queue: list[tuple[float, Node]] = [(0.0, start)]
    cost = {start: 0.0}
    while queue:
        spent, node = heapq.heappop(queue)
        fits, others = _via_fits(grid, GROUND, node)
        away = math.dist(grid.xy(node), pad.at) > 0.55 + min(pad.size) / 2
        if fits and not others and away:
            return [*_back(before, node), (1, node[1], node[2])]
        for across, down, length in STEPS:
            other = (0, node[1] + across, node[2] + down)
            if not (0 <= other[1] < grid.columns and 0 <= other[2] < grid.rows):
                continue
            cheaper = spent + length < cost.get(other, math.inf)
            if cheaper and _free(grid, "track", GROUND, other) and not grid.soft.get(other):
                cost[other] = spent + length
                before[other] = node
                heapq.heappush(queue, (spent + length, other))
    raise Unroutable(f"{grid.plan.name}: the ground pad at {pad.at} has no place for a via.")


def _back(before: dict[Node, Node | None], node: Node) -> list[Node]:
    way = [node]
    while (last := before[way[-1]]) is not None:
        way.append(last)
    return way[::-1]


def _connect(grid: Grid, net: str, pads: list[Pad], rips: Counter[str]) -> list[list[Node]]:
    """Join the pads of a net, the nearest first."""
    tree: set[Node] = set(_inside(grid, pads[0]))
    left = pads[1:]
    paths: list[list[Node]] = []
    while left:
        goals: dict[Node, Pad] = {node: pad for pad in left for node in _inside(grid, pad)}
        way = _search(grid, net, tree, goals, rips)
        reached = goals[way[-1]]
        left.remove(reached)
        tree.update(way)
        tree.update(_inside(grid, reached))
        paths.append(way)
    return paths


def _search(
    grid: Grid, net: str, starts: Iterable[Node], goals: Mapping[Node, Pad | None], rips: Counter[str]
) -> list[Node]:
    """Find the cheapest way from a tree to a goal; crossing another net's track costs, and more each time."""
    kind, own = _kind(net), GROUND if net.startswith(GROUND) else net
    hard, columns, rows, soft = grid.hard[kind], grid.columns, grid.rows, grid.soft
    boxes = [pad.at for pad in dict.fromkeys(goals.values()) if pad]
    before: dict[Node, Node | None] = dict.fromkeys(starts)
    cost: dict[Node, float] = dict.fromkeys(before, 0.0)

    def ahead(node: Node) -> float:
        x, y = node[1] * grid.step, node[2] * grid.step
        return min((max(abs(x - at[0]), abs(y - at[1])) for at in boxes), default=0.0) / grid.step * 0.9

    queue = [(ahead(node), node) for node in before]
    heapq.heapify(queue)
    done: set[Node] = set()
    while queue:
        _, node = heapq.heappop(queue)
        if node in goals:
            return _back(before, node)
        if node in done:
            continue
        done.add(node)
        layer, column, row = node
        spent = cost[node]
        onward: list[tuple[Node, float]] = []
        for across, down, length in STEPS:
            c, r = column + across, row + down
            if 0 <= c < columns and 0 <= r < rows and hard[layer][r * columns + c] in ("", own):
                other = (layer, c, r)
                foreign = _in_the_way(grid, net, other) if other in soft or net in RAILS else ()
                foreign = [each for each in foreign if not (own == each[:3] == GROUND)]
                if not any(each.startswith(GROUND) for each in foreign):
                    onward.append((other, length + sum(TRESPASS * (1 + rips[each]) for each in foreign)))
        fits, others = _via_fits(grid, net, node)
        if fits and not any(each.startswith(GROUND) for each in others):
            onward.append(((1 - layer, column, row), VIA_COST + sum(TRESPASS * (1 + rips[each]) for each in others)))
        for other, price in onward:
            if spent + price < cost.get(other, math.inf):
                cost[other] = spent + price
                before[other] = node
                heapq.heappush(queue, (cost[other] + ahead(other), other))
    raise Unroutable(f"{grid.plan.name}: {net} finds no way.")


def _lay(grid: Grid, net: str, paths: list[list[Node]], sign: int) -> None:
    """Mark the surroundings of tracks and vias as taken, or free them."""
    rules = grid.plan.rules
    half = _width(grid.plan, net) / 2
    reach = half + rules["clearance"] + rules["track"] / 2 + MARGIN_MM
    for path in paths:
        for at, node in enumerate(path):
            is_via = any(0 <= near < len(path) and path[near][0] != node[0] for near in (at - 1, at + 1))
            wide = rules["via"][0] / 2 + rules["clearance"] + rules["track"] / 2 + MARGIN_MM if is_via else reach
            for column, row in grid.near(*grid.xy(node), wide):
                grid.soft.setdefault((node[0], column, row), Counter())[net] += sign
                if not grid.soft[node[0], column, row][net]:
                    del grid.soft[node[0], column, row][net]


def _crossed(grid: Grid, net: str, paths: list[list[Node]]) -> list[str]:
    """Return the nets whose tracks these paths cross."""
    found: dict[str, None] = {}
    for path in paths:
        for at, node in enumerate(path):
            found.update(dict.fromkeys(sorted(_in_the_way(grid, net, node))))
            if at and path[at - 1][0] != node[0]:
                found.update(dict.fromkeys(sorted(_via_fits(grid, net, node)[1])))
    return [other for other in found if not other.startswith(GROUND)]


def _copper(grid: Grid, paths: dict[str, list[list[Node]]]) -> tuple[list[Track], list[Via]]:
    """Make straight tracks and vias of the paths."""
    tracks: list[Track] = []
    vias: dict[tuple[float, float], Via] = {}
    for name in sorted(paths):
        net = GROUND if name.startswith(GROUND) else name
        width = _width(grid.plan, net)
        for path in paths[name]:
            start = 0
            for at in range(1, len(path)):
                turn = at + 1 == len(path) or _way(path[at], path[at + 1]) != _way(path[at - 1], path[at])
                if path[at][0] != path[at - 1][0]:
                    vias[grid.xy(path[at])] = Via(net, grid.xy(path[at]))
                    start = at
                elif turn:
                    tracks.append(Track(net, path[at][0], grid.xy(path[start]), grid.xy(path[at]), width))
                    start = at
    return tracks, sorted(vias.values(), key=lambda via: (via.net, via.at))


def _stitches(grid: Grid, vias: list[Via], ground: set[Node]) -> Iterator[Via]:
    """Yield vias on a wide grid, wherever they fit and one of the planes is joined to the ground pads."""
    taken = [via.at for via in vias]
    every = round(STITCH_MM / grid.step)
    for row in range(every // 2, grid.rows, every):
        for column in range(every // 2, grid.columns, every):
            fits, others = _via_fits(grid, GROUND, (0, column, row))
            at = grid.xy((0, column, row))
            if not ground & {(0, column, row), (1, column, row)}:
                continue
            if fits and not any(other != GROUND for other in others) and all(math.dist(at, each) > 1 for each in taken):
                taken.append(at)
                yield Via(GROUND, at)


def _way(a: Node, b: Node) -> Node:
    return b[0] - a[0], b[1] - a[1], b[2] - a[2]
