"""The printed circuit boards: every pad has the net of the netlist, and KiCad's own rules find no fault."""

from __future__ import annotations

import copy
import csv
import io
import json
import math
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from hardware.board.factory import assembly_csv
from hardware.board.files import parts_csv, picture
from hardware.board.make import BOARDS, NoKiCad, NotRouted, check, errors, fitting, keep, kicad, kicad_input, tracks_of
from hardware.board.nails import nails
from hardware.board.nails import picture as nails_picture
from hardware.board.plan import BUILD, PICO_ROWS, BadBoard, Plan, crowded, plan, source
from hardware.board.schematic import schematic
from hardware.board.silk import print_of
from hardware.drawing.origin import origin, origin_of
from hardware.wiring.model import Board, read_wiring
from hardware.wiring.netlist import netlist
from umpi.box.config_file import read_config

WIRING = read_wiring()
OUT = Path(__file__).parents[2] / "hardware" / "board" / "out"
Made = dict[str, Any]


@cache
def planned(name: str) -> Plan:
    return plan(WIRING, name)


@pytest.mark.parametrize("name", BOARDS)
def test_no_part_overlaps_another_or_the_edge(name: str) -> None:
    assert list(crowded(planned(name))) == []


@pytest.mark.parametrize(("name", "side"), [("hat", "pi"), ("gate", "head")])
def test_every_part_and_plug_of_the_netlist_is_on_a_board(name: str, side: Board) -> None:
    made = planned(name)
    net = netlist(WIRING, BUILD)
    wanted = {part.ref for part in net.on(side)} | {plug.ref for plug in net.plugs if plug.board == side}
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
    for part, first in ((p, int(p.ref[2:])) for p in planned("gate").parts if p.ref in PICO_ROWS):
        edge.update({first + int(pad.name) - 1: pad.at for pad in part.pads})
    for position in range(1, 21):
        x, y = edge[position]
        assert edge[41 - position] == pytest.approx((x, y - 17.78))
    assert edge[20][0] - edge[1][0] == pytest.approx(48.26)


@pytest.mark.parametrize("name", BOARDS)
def test_the_pictures_and_the_parts_are_of_today(name: str) -> None:
    made = planned(name)
    assert origin_of(OUT / name / "schematic.png") == origin(schematic(WIRING, made).svg())
    drawn = picture(made, kicad_input(made, tracks_of(name)), print_of(made, OUT / name))
    assert origin_of(OUT / name / "board.png") == origin(drawn.svg())
    assert origin_of(OUT / name / "nails.png") == origin(nails_picture(WIRING, made).svg())
    assert (OUT / name / "parts.csv").read_text(encoding="utf-8") == parts_csv(made)
    assert (OUT / name / "assembly.csv").read_text(encoding="utf-8") == assembly_csv(made)


@pytest.mark.parametrize("name", BOARDS)
def test_each_contact_and_test_point_has_a_nail_of_its_own(name: str) -> None:
    """Compared with the places of KiCad's file of positions, which has each plug at its first leg."""
    own, made = nails(WIRING, planned(name)), planned(name)
    legs = sum(len(part.pads) for part in made.parts if "XH" in part.footprint)
    assert len(own) == legs + sum(part.ref.startswith("TP") for part in made.parts)
    assert len({nail.at for nail in own}) == len(own)
    placed = {row["Ref"]: row for row in csv.DictReader((OUT / name / "positions.csv").open(encoding="utf-8"))}
    for nail in own:
        if nail.contact == "1" and nail.ref in placed:
            assert nail.at == (float(placed[nail.ref]["PosX"]), -float(placed[nail.ref]["PosY"]))


def test_the_nails_have_each_contact_that_the_box_asks_for_by_its_name_there() -> None:
    config = read_config(OUT.parents[1] / "wiring" / "umpi-full.toml")
    assert config.head
    asked = {f"wire: contact {name}" for name in (*config.buttons, *config.head.beam_lines)}
    asked |= {f"lamp: lamp {colour}" for colour in config.lamps}
    asked |= {f"lamp: emitters of lane {lane}" for lane in range(1, config.head.lanes + 1)}
    drawn = {nail.touch for name in ("hat", "gate") for nail in nails(WIRING, planned(name))}
    assert {touch for touch in drawn if touch.startswith(("wire:", "lamp:"))} == asked


@pytest.mark.parametrize("name", BOARDS)
def test_one_file_to_upload_has_all_gerber_and_drill_files(name: str, tmp_path: Path) -> None:
    kept = {path.name: path.read_bytes() for path in (OUT / name / "gerber").iterdir()}
    with zipfile.ZipFile(OUT / name / f"{name}-factory.zip") as packed:
        assert {each: packed.read(each) for each in packed.namelist()} == kept
    job = json.loads(kept[f"{name}-job.gbrjob"])
    size = job["GeneralSpecs"]["Size"]
    assert (size["X"], size["Y"]) == pytest.approx(planned(name).size, abs=0.2), "with the width of the line"
    assert {each["Path"] for each in job["FilesAttributes"]} == {each for each in kept if each.endswith(".gbr")}


@pytest.mark.parametrize("name", BOARDS)
def test_the_factory_turns_what_its_tapes_hold_otherwise_and_places_all_parts_without_holes(name: str) -> None:
    rows = {row["Designator"]: row for row in csv.DictReader(io.StringIO(assembly_csv(planned(name))))}
    machine = {row["Ref"]: row for row in csv.DictReader((OUT / name / "positions.csv").open(encoding="utf-8"))}
    legs = {part.ref for part in planned(name).parts if part.ref in machine and any(pad.drill for pad in part.pads)}
    assert set(machine) - set(rows) == legs
    for ref, row in rows.items():
        assert (row["Mid X"], row["Mid Y"]) == (machine[ref]["PosX"], machine[ref]["PosY"])
        turned = (int(row["Rotation"]) - int(machine[ref]["Rot"])) % 360
        assert turned == {"Q": 180, "U": 180 if name == "beam" else 270}.get(ref[0], 0)


@pytest.mark.parametrize("name", BOARDS)
def test_a_factory_can_order_every_part(name: str) -> None:
    """Each row has a maker's number, but for the socket of the Pi, of which any fits."""
    rows = list(csv.DictReader(io.StringIO(parts_csv(planned(name)))))
    assert all(row["Manufacturer Part Number"] for row in rows)
    assert [row["Designator"] for row in rows if not row["Manufacturer"]] == (["J1"] if name == "hat" else [])


@pytest.mark.parametrize("name", BOARDS)
def test_print_is_large_enough_for_every_factory_and_names_each_contact(name: str) -> None:
    """At least 0.8 mm high, with strokes of 0.15 mm: the smallest aperture of the Gerber files of the print."""
    made = kicad_input(planned(name), tracks_of(name))
    assert min(words["size"] for words in made["words"]) >= 0.8
    for side in ("F", "B"):
        text = (OUT / name / "gerber" / f"{name}-{side}_Silkscreen.gbr").read_text(encoding="utf-8")
        drawn = [float(size) for size in re.findall(r"%ADD\d+C,([\d.]+)\*%", text)]
        assert min(size for size in drawn if size != 0.12) >= 0.15, "0.12 are outlines of KiCad's library"
    below = [words["text"] for words in made["words"] if words["below"]]
    plugs = [part for part in planned(name).parts if "XH" in part.footprint]
    assert len(below) == 1 + sum(len(plug.pads) for plug in plugs), "the title, and each contact"
    ones = [words for words in made["words"] if words["text"] == "1"]
    assert len(ones) == {"hat": 3, "gate": 1, "beam": 1}[name], "the header, and each integrated circuit"


@pytest.mark.parametrize("name", BOARDS)
def test_a_machine_finds_three_fiducials_far_apart(name: str) -> None:
    places = [part.at for part in planned(name).parts if part.ref.startswith("FID")]
    assert len(places) == 3
    assert min(math.dist(a, b) for a, b in combinations(places, 2)) > min(planned(name).size) / 2


def test_our_boards_add_at_most_10_uf_to_the_5_v_of_a_usb_cable() -> None:
    """USB 2.0, 7.2.4.1: the bus sees at most 10 µF. What the Pico itself has is not counted here."""
    at_5v = [part for part in netlist(WIRING, BUILD).on("head") if set(part.legs.values()) == {"H5V", "GND"}]
    assert len(at_5v) == 7
    gate = sum(WIRING.part[part.part].values["farad"] for part in at_5v)
    beam = [part for part in planned("beam").parts if {pad.net for pad in part.pads} == {"5V", "GND"}]
    assert [part.value for part in beam] == ["100 nF"]
    assert gate + 12 * 100e-9 <= 10e-6, "with two beam boards at each of six lanes"


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


def need_kicad() -> None:
    try:
        kicad()
    except NoKiCad as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("name", BOARDS)
def test_kicad_finds_no_error_and_makes_the_files_that_are_kept(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Gerber files, drill files, positions, and the tracks that it saves. Otherwise: ./scripts/dev hardware board"""
    need_kicad()
    fitting(planned(name), tracks_of(name), tmp_path)
    made = [*sorted((tmp_path / "gerber").iterdir()), tmp_path / "positions.csv"]
    assert [path.name for path in made[:-1]] == sorted(path.name for path in (OUT / name / "gerber").iterdir())
    for path in made:
        assert path.read_bytes() == (OUT / name / path.relative_to(tmp_path)).read_bytes(), path.name
    monkeypatch.setattr("hardware.board.make.KEPT", tmp_path)
    saved = json.loads(keep(tmp_path / f"{name}.kicad_pcb").read_text(encoding="utf-8"))
    monkeypatch.undo()
    for kind, items in tracks_of(name).items():
        assert sorted(map(str, saved[kind])) == sorted(map(str, items))


def test_a_changed_netlist_is_refused_with_the_names_of_the_open_nets(tmp_path: Path) -> None:
    """The plug of the buttons has red and blue exchanged, the buzzer has another pin, a track is of no net."""
    need_kicad()
    changed = {("J2", "1"): "GPIO17.line", ("J2", "2"): "GPIO16.line", ("J1", "12"): "", ("J1", "21"): "GPIO18"}
    hat, routed = planned("hat"), tracks_of("hat")
    parts = tuple(
        replace(part, pads=tuple(replace(pad, net=changed.get((part.ref, pad.name), pad.net)) for pad in part.pads))
        for part in hat.parts
    )
    routed["tracks"] = [*routed["tracks"], {**routed["tracks"][0], "net": "GPIO99"}]
    with pytest.raises(NotRouted) as refused:
        fitting(replace(hat, parts=parts), routed, tmp_path)
    words = str(refused.value)
    assert "not joined: GPIO16.line, GPIO17.line, GPIO18\n" in words
    assert "tracks of no net: GPIO99\n" in words
    assert re.search(r"clearance: .*\n.*\n.*Track \[GPIO16.line\].*\n.*pad 1 \[GPIO17.line\] of J2", words)
    assert f"./scripts/dev hardware --tracks {tmp_path / 'hat'}.kicad_pcb" in words
    assert (tmp_path / "hat.kicad_pcb").exists(), "to draw them in"


def test_a_via_in_a_pad_is_refused_with_its_name(tmp_path: Path) -> None:
    """In the oven its hole would take the solder of the pad; KiCad 6 has no rule against it."""
    need_kicad()
    hat, routed = planned("hat"), tracks_of("hat")
    pad = next(pad for part, pad in hat.pads() if (part.ref, pad.name) == ("C6", "1"))
    routed["vias"] = [*routed["vias"], {"net": pad.net, "at": list(pad.at)}]
    with pytest.raises(NotRouted, match=r"via in a pad: C6\.1 \[5V\]"):
        fitting(hat, routed, tmp_path)


def without_a_track(board: Made) -> None:
    board["tracks"] = [track for track in board["tracks"] if track["net"] != "GPIO16.line"]


def a_short(board: Made) -> None:
    """A track from the pin's pad of R1 to the pin's pad of R3."""
    ends = [pad.at for part, pad in planned("hat").pads() if (part.ref, pad.name) in (("R1", "1"), ("R3", "1"))]
    board["tracks"].append({"net": "GPIO16", "layer": 0, "start": ends[0], "end": ends[1], "width": 0.25})


def too_near(board: Made) -> None:
    """A track 0.1 mm below a pad of R1."""
    pad = next(pad for part, pad in planned("hat").pads() if (part.ref, pad.name) == ("R1", "1"))
    x, y = pad.at[0], pad.at[1] + pad.size[1] / 2 + 0.225
    board["tracks"].append({"net": "5V", "layer": 0, "start": [x - 0.4, y], "end": [x + 0.4, y], "width": 0.25})


def too_thin(board: Made) -> None:
    board["tracks"][0]["width"] = 0.1


def over_the_edge(board: Made) -> None:
    board["tracks"].append({"net": "5V", "layer": 0, "start": [10, 56.4], "end": [20, 56.4], "width": 0.25})


def on_another(board: Made) -> None:
    places = {part["ref"]: part for part in board["parts"]}
    places["R19"]["at"] = places["R20"]["at"]


def via_in_a_pad(board: Made) -> None:
    pad = next(part for part in board["parts"] if part["ref"] == "C6")["at"]
    board["vias"].append({"net": "5V", "at": pad})


PLANTED: dict[str, tuple[Callable[[Made], None], str, str]] = {  # how, the kind of fault, and words of its place
    "a net that is not joined": (without_a_track, "unconnected_items", "[GPIO16.line]"),
    "a short from one pin to another": (a_short, "clearance", "[GPIO17] of R3"),
    "two tracks too near": (too_near, "clearance", "[GPIO16] of R1"),
    "a track too thin": (too_thin, "track_width", ""),
    "a track at the edge": (over_the_edge, "copper_edge_clearance", "Track [5V]"),
    "a part moved": (on_another, "courtyards_overlap", "R19"),
    "a via in a part": (via_in_a_pad, "clearance", "Via [5V]"),
}


@pytest.fixture(scope="module")
def with_all_planted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """KiCad's errors of a board with all these faults, each at another place."""
    need_kicad()
    board = json.loads(json.dumps(kicad_input(planned("hat"), tracks_of("hat"))))
    for plant, *_ in PLANTED.values():
        plant(board)
    return errors(check(board, tmp_path_factory.mktemp("planted")))


@pytest.mark.parametrize("fault", PLANTED)
def test_kicad_finds_a_planted_fault(fault: str, with_all_planted: dict[str, list[str]]) -> None:
    _, kind, place = PLANTED[fault]
    assert any(place in words for words in with_all_planted.get(kind, [])), with_all_planted


def test_the_print_has_the_circles_and_the_flat_sides_of_emitter_and_receiver() -> None:
    """A body of 5 mm with a rim of 5.8 mm: its arc is outside the body and within the rim with its line."""
    made = plan(WIRING, "beam")
    arcs = [stroke for stroke in print_of(made, OUT / "beam") if len(stroke.points) > 20]
    for ref in ("D201", "D202"):
        pads = next(part for part in made.parts if part.ref == ref).pads
        middle = sum(pad.at[0] for pad in pads) / 2, pads[0].at[1]
        own = [arc for arc in arcs if all(math.hypot(x - middle[0], y - middle[1]) < 3.1 for x, y in arc.points)]
        assert own, ref
        far = [math.hypot(x - middle[0], y - middle[1]) for arc in own for x, y in arc.points]
        assert 2.4 < min(far) <= max(far) < 3.1, ref


def test_no_two_plugs_of_both_boards_have_one_name() -> None:
    names = [part.value for name in ("hat", "gate") for part in planned(name).parts if "XH" in part.footprint]
    assert len(names) == len(set(names)) > 10
