"""The printed circuit boards: every pad has the net of the netlist, and KiCad's own rules find no fault."""

from __future__ import annotations

import copy
import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hardware.board.joined import faults
from hardware.board.make import BOARDS, NoKiCad, check, kicad, kicad_input, tracks_of
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


@pytest.mark.parametrize("name", BOARDS)
def test_the_tracks_join_exactly_the_pads_of_each_net(name: str) -> None:
    """If this fails after a change of the nets, it says which nets have no tracks and how to route them."""
    assert list(faults(planned(name), tracks_of(name))) == []


def test_a_changed_netlist_says_in_words_what_is_not_routed() -> None:
    """The plug of the buttons has red and blue exchanged, and the buzzer has another pin."""
    changed = {("J2", "1"): "GPIO17.line", ("J2", "2"): "GPIO16.line", ("J1", "12"): "", ("J1", "21"): "GPIO18"}
    hat = planned("hat")
    parts = tuple(
        replace(part, pads=tuple(replace(pad, net=changed.get((part.ref, pad.name), pad.net)) for pad in part.pads))
        for part in hat.parts
    )
    found = list(faults(replace(hat, parts=parts), tracks_of("hat")))
    assert any("GPIO16.line is not joined: " in each and "J2.2" in each for each in found)
    assert any("GPIO18 is not joined: " in each and "J1.21" in each for each in found)
    assert any("a track joins GPIO16.line and GPIO17.line" in each for each in found)
    assert all("Route the board again: scripts/hardware --board --route." in each for each in found)


def test_tracks_of_a_net_that_is_gone_are_named() -> None:
    routed = tracks_of("hat")
    routed["tracks"] = [*routed["tracks"], {**routed["tracks"][0], "net": "GPIO99"}]
    assert any("tracks of GPIO99, which is no net" in each for each in faults(planned("hat"), routed))


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


def test_ground_that_a_track_cuts_in_two_is_joined_again() -> None:
    """Two ground pads on a board of one layer's width, with a rail from edge to edge between them on each layer."""
    hat = planned("hat")
    pad = next(part for part in hat.parts if part.ref == "TP3")
    ends = [replace(pad, ref=ref, at=at, pads=(replace(pad.pads[0], at=at, net=net),)) for ref, at, net in (
        ("TP1", (5.0, 2.0), "GND"), ("TP2", (5.0, 13.0), "GND"), ("TP3", (2.0, 7.5), "A"), ("TP4", (8.0, 7.5), "A"),
    )]  # fmt: skip
    tracks, vias = route(Plan("cut", "", "pi", (10.0, 15.0), tuple(ends), (), hat.rules))
    assert {track.net for track in tracks} == {"A", "GND"}
    assert all(0 < via.at[1] < 15 for via in vias)


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
    assert report(kicad_input(planned(name), tracks_of(name)), tmp_path) == {}


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
    board = json.loads(json.dumps(kicad_input(planned("hat"), tracks_of("hat"))))
    plant(board)
    assert set(report(board, tmp_path)) & kinds
