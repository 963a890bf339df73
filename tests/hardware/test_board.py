"""The printed circuit boards: every pad has the net of the netlist, and KiCad's own rules find no fault."""

from __future__ import annotations

import copy
import json
import math
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hardware.board.make import BOARDS, NoKiCad, Routed, check, kicad, told, tracks_of
from hardware.board.plan import BUILD, BadBoard, Plan, crowded, plan, source
from hardware.board.route import route
from hardware.board.schematic import schematic
from hardware.wiring.model import read_wiring
from hardware.wiring.netlist import netlist

pytestmark = pytest.mark.once

WIRING = read_wiring()
OUT = Path(__file__).parents[2] / "hardware" / "board" / "out"
Board = dict[str, Any]


@cache
def planned(name: str) -> Plan:
    return plan(WIRING, name)


def on_the_way(start: tuple[float, float], end: tuple[float, float], at: tuple[float, float]) -> bool:
    (ax, ay), (bx, by), (x, y) = start, end, at
    if not (min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by)):
        return False
    return abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) < 1e-6


def joined(made: Plan, routed: Routed) -> list[set[tuple[str, str]]]:
    """The pads that tracks and vias join, found from their places alone. The planes join all ground."""
    points: dict[tuple[int, float, float], int] = {}
    group: list[int] = []

    def find(at: int) -> int:
        while group[at] != at:
            at = group[at]
        return at

    def node(layer: int, at: tuple[float, float]) -> int:
        key = (layer, round(at[0], 3), round(at[1], 3))
        if key not in points:
            points[key] = len(group)
            group.append(len(group))
        return points[key]

    def join(a: int, b: int) -> None:
        group[find(a)] = find(b)

    ends: list[tuple[int, tuple[float, float]]] = []
    for track in routed["tracks"]:
        start, end = tuple(track["start"]), tuple(track["end"])
        join(node(track["layer"], start), node(track["layer"], end))
        ends += [(track["layer"], start), (track["layer"], end)]
    for via in routed["vias"]:
        at = tuple(via["at"])
        join(node(0, at), node(1, at))
        ends += [(0, at), (1, at)]
    for track in routed["tracks"]:
        start, end = tuple(track["start"]), tuple(track["end"])
        for layer, at in ends:
            if layer == track["layer"] and at not in (start, end) and on_the_way(start, end, at):
                join(node(layer, start), node(layer, at))
    found: dict[tuple[str, str], int] = {}
    for part, pad in made.pads():
        own = node(0, (part.at[0] * 1000 + pad.at[0], pad.at[1] * 1000))  # a place of its own, off the board
        for layer, at in ends:
            inside = all(abs(at[axis] - pad.at[axis]) <= pad.size[axis] / 2 for axis in (0, 1))
            if inside and (pad.drill or layer == 0):
                join(own, node(layer, at))
        found[part.ref, pad.name] = own
    groups: dict[int, set[tuple[str, str]]] = {}
    for pad_name, at in found.items():
        groups.setdefault(find(at), set()).add(pad_name)
    return list(groups.values())


@pytest.mark.parametrize("name", BOARDS)
def test_the_tracks_join_exactly_the_pads_of_each_net(name: str) -> None:
    made = planned(name)
    nets: dict[str, set[tuple[str, str]]] = {}
    for part, pad in made.pads():
        if pad.net and pad.net != "GND":
            nets.setdefault(pad.net, set()).add((part.ref, pad.name))
    groups = [group for group in joined(made, tracks_of(name)) if len(group) > 1]
    net_of = {pad: net for net, pads in nets.items() for pad in pads}
    without_ground = [group for group in groups if group & set(net_of)]
    assert sorted(map(sorted, without_ground)) == sorted(sorted(pads) for pads in nets.values() if len(pads) > 1)


@pytest.mark.parametrize("name", BOARDS)
def test_no_part_overlaps_another_or_the_edge(name: str) -> None:
    assert list(crowded(planned(name))) == []


@pytest.mark.parametrize("name", BOARDS)
def test_every_part_and_plug_of_the_netlist_is_on_a_board(name: str) -> None:
    made = planned(name)
    net = netlist(WIRING, BUILD)
    wanted = {part.ref for part in net.on(made.side)} | {plug.ref for plug in net.plugs if plug.board == made.side}
    assert wanted <= {part.ref for part in made.parts}


def test_the_hat_has_the_outline_holes_and_header_of_the_specification() -> None:
    """Raspberry Pi's drawing of a HAT: 65 by 56.5 mm, holes 3.5 mm from the edges and 58 by 49 mm apart."""
    hat = planned("hat")
    assert hat.size == (65.0, 56.5)
    holes = [part.at for part in hat.parts if part.ref.startswith("H")]
    assert holes == [(3.5, 3.5), (61.5, 3.5), (3.5, 52.5), (61.5, 52.5)]
    header = next(part for part in hat.parts if part.ref == "J1")
    assert header.below
    pads = {pad.name: pad.at for pad in header.pads}
    middle = [sum(at[axis] for at in pads.values()) / 40 for axis in (0, 1)]
    assert middle == pytest.approx([32.5, 3.5])
    assert pads["1"] == pytest.approx((8.37, 4.77))  # towards the middle of the board, at the side of the memory card
    assert pads["2"] == pytest.approx((8.37, 2.23))


def test_the_pico_sits_with_its_rows_17_78_mm_apart_and_in_order() -> None:
    """Pico datasheet, figure 3: 1 and 40 are beside the USB plug, opposite each other."""
    edge = {}
    for part, first in ((p, 1 if p.ref.endswith("A") else 21) for p in planned("gate").parts if p.ref[:4] == "J101"):
        edge.update({first + int(pad.name) - 1: pad.at for pad in part.pads})
    for position in range(1, 21):
        x, y = edge[position]
        assert edge[41 - position] == pytest.approx((x, y - 17.78))
    assert edge[20][0] - edge[1][0] == pytest.approx(48.26)


@pytest.mark.parametrize("name", BOARDS)
def test_the_schematic_is_of_today(name: str) -> None:
    assert (OUT / name / "schematic.svg").read_text(encoding="utf-8") == schematic(WIRING, planned(name)).svg()


def test_a_part_without_a_place_is_refused() -> None:
    less = copy.deepcopy(source())
    del less["board"]["hat"]["place"]["R1"]
    with pytest.raises(BadBoard, match=r"\[board.hat.place\]: R1"):
        plan(WIRING, "hat", less)


def test_parts_over_each_other_and_over_the_edge_are_found() -> None:
    moved = copy.deepcopy(source())
    place = moved["board"]["hat"]["place"]
    place["R1"], place["C6"] = place["R3"], [0, 20, 0]
    found = list(crowded(plan(WIRING, "hat", moved)))
    assert any("R1 and R3 overlap" in each for each in found)
    assert any("C6 is over the edge" in each for each in found)


def test_the_router_joins_what_belongs_together() -> None:
    """A small board: the four resistors of the navigation buttons and their plug."""
    hat = planned("hat")
    kept = {"R19", "R20", "R21", "R22", "J4"}
    nets = {f"GPIO{pin}.line" for pin in (4, 5, 6, 7)}
    parts = tuple(part for part in hat.parts if part.ref in kept)
    small = Plan("small", "", "pi", (20.0, 50.0), parts, (), hat.rules)
    tracks, _ = route(small)
    assert nets <= {track.net for track in tracks}
    assert all(math.dist(track.start, track.end) > 0 for track in tracks)


def need_kicad() -> None:
    try:
        kicad()
    except NoKiCad as missing:
        pytest.skip(str(missing))


def report(board: Board, folder: Path) -> dict[str, list[str]]:
    """KiCad's report of a board, by kind of fault."""
    text = check(board, folder).read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    for kind, words in re.findall(r"^\[(\w+)\]: (.*(?:\n    .*)*)", text, re.M):
        if "Severity: error" in words:
            found.setdefault(kind, []).append(words)
    return found


@pytest.mark.parametrize("name", BOARDS)
def test_kicad_finds_no_error(name: str, tmp_path: Path) -> None:
    need_kicad()
    assert report(told(planned(name), tracks_of(name)), tmp_path) == {}


def without_a_track(board: Board) -> None:
    board["tracks"] = [track for track in board["tracks"] if track["net"] != "GPIO16.line"]


def a_short(board: Board) -> None:
    """A track from the pin's pad of R1 to the pin's pad of R3."""
    ends = [pad.at for part, pad in planned("hat").pads() if (part.ref, pad.name) in (("R1", "1"), ("R3", "1"))]
    board["tracks"].append({"net": "GPIO16", "layer": 0, "start": ends[0], "end": ends[1], "width": 0.25})


def too_near(board: Board) -> None:
    """A track 0.1 mm below a pad of R1."""
    pad = next(pad for part, pad in planned("hat").pads() if (part.ref, pad.name) == ("R1", "1"))
    x, y = pad.at[0], pad.at[1] + pad.size[1] / 2 + 0.225
    board["tracks"].append({"net": "5V", "layer": 0, "start": [x - 0.4, y], "end": [x + 0.4, y], "width": 0.25})


def too_thin(board: Board) -> None:
    board["tracks"][0]["width"] = 0.1


def over_the_edge(board: Board) -> None:
    board["tracks"].append({"net": "5V", "layer": 0, "start": [10, 56.4], "end": [20, 56.4], "width": 0.25})


def on_another(board: Board) -> None:
    places = {part["ref"]: part for part in board["parts"]}
    places["R1"]["at"] = places["R3"]["at"]


def via_in_a_pad(board: Board) -> None:
    pad = next(part for part in board["parts"] if part["ref"] == "R2")["at"]
    board["vias"].append({"net": "5V", "at": pad})


PLANTED: dict[str, tuple[Callable[[Board], None], set[str]]] = {
    "a net that is not joined": (without_a_track, {"unconnected_items"}),
    "a short from 5 V to a pin": (a_short, {"shorting_items", "tracks_crossing", "clearance"}),
    "two tracks too near": (too_near, {"clearance", "shorting_items", "tracks_crossing"}),
    "a track too thin": (too_thin, {"track_width"}),
    "a track at the edge": (over_the_edge, {"copper_edge_clearance", "clearance"}),
    "a part moved": (on_another, {"clearance", "shorting_items", "courtyards_overlap"}),
    "a via in a part": (via_in_a_pad, {"clearance", "shorting_items", "tracks_crossing", "hole_clearance"}),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_kicad_finds_a_planted_fault(fault: str, tmp_path: Path) -> None:
    need_kicad()
    plant, kinds = PLANTED[fault]
    board = json.loads(json.dumps(told(planned("hat"), tracks_of("hat"))))
    plant(board)
    assert set(report(board, tmp_path)) & kinds
