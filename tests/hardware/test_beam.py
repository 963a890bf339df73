"""The beam board: margins against integration and simulation, and numbers that must be refused."""

from __future__ import annotations

from dataclasses import replace
from math import pi
from pathlib import Path
from typing import Any

import pytest

from hardware.beam import render
from hardware.beam.margin import Unread, beam, bearable, faults, openness, reference_v, refuse_faults, seen, unread
from hardware.beam.numbers import load
from hardware.beam.page import tables
from hardware.board.bodies import Body, bodies, thickness
from hardware.board.plan import Placed, plan, source
from hardware.gate.geometry import Build, Gate
from hardware.gate.numbers import read_numbers
from hardware.page import filled
from hardware.spec import BadSpec
from hardware.wiring.model import read_wiring
from hardware.wiring.netlist import netlist
from tests.kit.stl import read_stl

NUMBERS = load()
BEAM = beam(NUMBERS)


def test_the_board_of_the_page_has_no_fault() -> None:
    assert list(faults(NUMBERS)) == []
    assert BEAM.light_margin >= 1.25
    assert BEAM.dark_margin >= 1.25


def test_the_page_has_the_tables_of_today() -> None:
    page = render.PAGE.read_text(encoding="utf-8")
    assert filled(page, tables(NUMBERS)) == page


@pytest.mark.parametrize(
    ("part", "value", "says"),
    [
        ("emitter", {"mw_sr": (40, 72, 200)}, "the weakest beam has 0.72 times"),
        ("emitter", {"ohm": 165.0}, "the weakest beam"),
        ("emitter", {"ohm": 100.0}, "both emitters take 72 mA"),
        ("receiver", {"load_ohm": 1_000_000.0}, "10000 lux make 1.25 of what seems light"),
        ("receiver", {"load_ohm": 330_000.0}, "the weakest beam"),
        ("receiver", {"dark_na": 200.0}, "10000 lux"),
        ("receiver", {"load_pf": 470.0}, "a smaller load_pf"),
        ("comparator", {"lower_ohm": 100_000.0}, "the weakest beam"),
        ("comparator", {"lower_ohm": 300_000.0}, "10000 lux"),
        ("comparator", {"hold_ohm": 10_000_000.0}, "hysteresis of the reference is 3 mV"),
        ("comparator", {"offset_mv": 60.0}, "the weakest beam"),
        ("supply", {"usb_volt": (4.0, 5.0, 5.25)}, "the weakest beam"),
        ("light", {"lux": 100_000.0}, "100000 lux make"),
    ],
)
def test_a_wrong_value_is_refused_with_its_reason(part: str, value: dict[str, Any], says: str) -> None:
    wrong = replace(NUMBERS, **{part: replace(getattr(NUMBERS, part), **value)})
    with pytest.raises(BadSpec) as refused:
        refuse_faults(wrong)
    assert says in str(refused.value)
    assert str(refused.value).startswith("beam.toml: ")


@pytest.mark.parametrize("figure", unread(NUMBERS), ids=lambda figure: figure.what)
def test_an_unread_figure_may_be_as_wrong_as_the_page_says_and_no_more(figure: Unread) -> None:
    last = bearable(NUMBERS, figure)
    assert list(faults(figure.put(NUMBERS, last))) == []
    if last == figure.farthest:
        assert figure.what.startswith("most light of an emitter")
    else:
        assert list(faults(figure.put(NUMBERS, last + (figure.farthest - figure.value) / 1000)))


def test_a_board_that_misses_a_limit_has_no_figure_that_may_be_wrong() -> None:
    weak = replace(NUMBERS, emitter=replace(NUMBERS.emitter, ohm=400.0))
    with pytest.raises(BadSpec, match="weakest beam"):
        bearable(weak, unread(weak)[0])


def test_a_lane_without_the_roof_behind_its_beams_lets_too_much_daylight_in() -> None:
    numbers = read_numbers()
    short = replace(numbers, lane=replace(numbers.lane, tail_mm=4))
    assert any("lux" in fault for fault in faults(NUMBERS, Gate(short, 16, "catch")))


@pytest.mark.parametrize(("away", "high", "along"), [(20.0, 17.25, 8.0), (20.0, 17.25, 15.2), (3.0, 30.0, 30.0)])
def test_what_a_wall_sees_agrees_with_integration(away: float, high: float, along: float) -> None:
    """cos · cos / (pi r²) over the rectangle: the definition of a view factor, midpoint rule."""
    steps = 200
    total = 0.0
    for i in range(steps):
        up = (i + 0.5) * high / steps
        for j in range(steps):
            aside = (j + 0.5) * along / steps
            far = away**2 + up**2 + aside**2
            total += up * away / (pi * far**2)
    assert seen(away, high, along) == pytest.approx(total * high * along / steps**2, rel=1e-3)


def test_a_wall_at_the_very_edge_of_a_wide_opening_sees_half() -> None:
    assert 2 * seen(0.001, 1e6, 1e6) == pytest.approx(0.5, abs=1e-3)


def test_a_small_share_of_the_daylight_reaches_the_wall() -> None:
    assert 0.05 < openness(Gate(read_numbers(), 16, "catch")) < 0.08


def test_the_reference_is_where_its_three_currents_balance() -> None:
    own = NUMBERS.comparator
    for light, out in ((True, 3.3), (False, 0.0)):
        at = 3.3 - reference_v(NUMBERS, 3.3, light, 1.0)
        flows = [(3.3 - at) / own.upper_ohm, -at / own.lower_ohm, (out - at) / own.hold_ohm]
        assert sum(flows) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("most", [False, True])
def test_delays_agree_with_a_simulated_load(most: bool) -> None:
    """The load in steps of 10 ns: dv/dt = (drop - v) / tau, from full light to none, and from none to the weakest."""
    step_us = 0.01
    tau, volt, time = BEAM.tau_us[2], min(BEAM.drop[2], BEAM.full) if most else 0.0, 0.0
    aim = 0.0 if most else BEAM.drop[0]
    while volt > BEAM.to_dark if most else volt < BEAM.to_light:
        volt += (aim - volt) * step_us / tau
        time += step_us
    claimed = BEAM.dark_us[2] if most else BEAM.light_us
    assert time + BEAM.delay_us == pytest.approx(claimed, rel=2e-3)


def test_daylight_holds_a_beam_up_as_a_simulated_load_does() -> None:
    """From the supply's limit towards what daylight leaves, in steps of 10 ns."""
    step_us = 0.01
    aim, volt, time = BEAM.sun + BEAM.dark, BEAM.full, 0.0
    while volt > BEAM.to_dark:
        volt += (aim - volt) * step_us / BEAM.tau_us[2]
        time += step_us
    assert time + BEAM.delay_us == pytest.approx(BEAM.sunny_us, rel=2e-3)
    assert BEAM.sunny_us > BEAM.dark_us[2]


def test_the_delay_gives_the_light_back() -> None:
    """A beam of three times the light falls to the reference within tau · ln 3."""
    assert BEAM.spare(BEAM.delay_us + BEAM.tau_us[1] * 1.0986) == pytest.approx(3, rel=1e-3)


@pytest.mark.slow  # it needs build123d
def test_the_page_is_written_only_for_a_board_that_may_be_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "README.md"
    names = ("parts", "margins", "unread")
    page.write_text("".join(f"<!-- {name} -->\n<!-- /{name} -->\n" for name in names), encoding="utf-8")
    monkeypatch.setattr(render, "PAGE", page)
    pytest.importorskip("build123d", reason="no build123d here: pip install -e '.[cad]'")
    assert render.render(tmp_path) == [tmp_path / "lane.png", tmp_path / "six.png", page]
    assert "TSAL6100" in page.read_text(encoding="utf-8")
    weak = replace(NUMBERS, emitter=replace(NUMBERS.emitter, ohm=400.0))
    monkeypatch.setattr(render, "load", lambda: weak)
    with pytest.raises(BadSpec, match="weakest beam"):
        render.render(tmp_path)


BOARD = plan(read_wiring(), "beam")
LANE = Gate(read_numbers(), 16, "catch")
ON_BOARD = {part.ref: part for part in BOARD.parts}


def middle(part: Placed) -> tuple[float, float]:
    xs, ys = zip(*(pad.at for pad in part.pads), strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def test_emitter_and_receiver_of_two_boards_that_face_each_other_meet_at_the_beams() -> None:
    """The same board on both sides: seen from the other side, left and right change places."""
    emitter, receiver = middle(ON_BOARD["D201"]), middle(ON_BOARD["D202"])
    assert emitter[1] == receiver[1]
    assert receiver[0] - emitter[0] == LANE.beams[0] - LANE.beams[1]
    assert BOARD.size[0] - emitter[0] == receiver[0]


def test_the_board_fits_its_pocket_its_screw_and_the_lid() -> None:
    own, sensor = LANE.numbers.beam_board, LANE.numbers.sensor
    hole, high = ON_BOARD["H1"].at, middle(ON_BOARD["D201"])[1]
    assert own.wide_mm - 1 <= BOARD.size[0] < own.wide_mm
    assert BOARD.size[1] - high <= sensor.below_mm
    assert (hole[0], high - hole[1]) == (BOARD.size[0] / 2, own.screw_up_mm)
    assert source()["body"]["ir"]["height"] <= own.face_mm - 0.2, "the lens does not reach the end of the bore"
    outside = LANE.lane / 2 + sensor.baffle_mm + own.face_mm + thickness()
    assert LANE.width / 2 - outside >= 2, "room for the head of the screw and the legs"
    rib = (hole[0] - own.rib_mm / 2, hole[0] + own.rib_mm / 2, hole[1] - own.rib_mm / 2)
    lid = BOARD.size[1] - high + LANE.cube / 2  # from the lower edge of the board to the floor, added below
    plugs = {body.ref: body for body in bodies(BOARD)}
    for part in BOARD.parts:
        left, _, right, low = part.courtyard
        if part.ref.startswith(("R", "C", "U", "D")):
            assert right <= rib[0] or left >= rib[1] or low <= rib[2], f"{part.ref} is over the rib"
        if part.ref.startswith(("R", "C", "U")):
            assert plugs[part.ref].high[2] - thickness() < own.face_mm - sensor.nose_deep_mm, part.ref
        if part.ref.startswith("J"):
            assert BOARD.size[1] - low > lid - LANE.cube + LANE.high + LANE.numbers.lane.roof_mm, "above the lid"
    mated = source()["body"]["plug"]["mated"]
    assert 2 * (LANE.lane / 2 + sensor.baffle_mm + own.face_mm - mated) > 15, "two plugs with their wires"


def test_the_plug_has_the_order_of_a_lane_and_the_second_board_gets_the_second_beam() -> None:
    lane = next(plug for plug in netlist(read_wiring(), "hat").plugs if plug.ref == "J102")
    assert lane.labels == ("GND", "3.3 V", "lane 1", "second 1", "emitter 1", "5 V")
    inward, outward = ([pad.net for pad in ON_BOARD[ref].pads] for ref in ("J201", "J202"))
    assert inward == ["GND", "3V3", "OWN", "OTHER", "EMITTERS", "5V"]
    second = dict(zip(inward, outward, strict=True))  # what the second board gets on each of its nets
    assert second == {**{net: net for net in ("GND", "3V3", "EMITTERS", "5V")}, "OWN": "OTHER", "OTHER": ""}


def test_the_circuit_of_the_board_is_that_of_the_page() -> None:
    nets = {ref: [pad.net for pad in part.pads] for ref, part in ON_BOARD.items() if ref[0] in "RCDU"}
    assert nets == {
        "R201": ["5V", "ANODE"], "D201": ["EMITTERS", "ANODE"], "D202": ["SIGNAL", "GND"],
        "R202": ["3V3", "SIGNAL"], "C201": ["3V3", "SIGNAL"], "R203": ["3V3", "REFERENCE"],
        "R204": ["REFERENCE", "GND"], "R205": ["OWN", "REFERENCE"], "C202": ["3V3", "GND"], "C203": ["5V", "GND"],
        "U201": ["OWN", "GND", "REFERENCE", "SIGNAL", "3V3"],
    }  # fmt: skip
    values = {ref: part.value for ref, part in ON_BOARD.items() if ref.startswith("R")}
    assert values == {"R201": "130 Ω", "R202": "470 kΩ", "R203": "10 kΩ", "R204": "180 kΩ", "R205": "2.2 MΩ"}


@pytest.mark.parametrize(
    ("part", "ohm"), [("r_10k", NUMBERS.comparator.upper_ohm), ("r_470k", NUMBERS.receiver.load_ohm)]
)
def test_the_parts_list_asks_for_the_resistors_that_the_margins_allow(part: str, ohm: float) -> None:
    listed = read_wiring().part[part]
    assert listed.values["ohm"] == ohm
    assert "1 % on the beam boards" in listed.choose
    assert "on a beam board" in listed.instead, "each other value needs a word about the beam boards"


def test_light_passes_the_lane_for_boards_at_both_beams_and_the_boards_lie_on_a_rib() -> None:
    sensor, own = LANE.numbers.sensor, LANE.numbers.beam_board
    mesh = read_stl(render.PAGE.parents[1] / "gate" / "out" / "lane-16-boards.stl")
    assert not mesh.open_edges
    high, beside = LANE.numbers.lane.floor_mm + LANE.cube / 2, 0.013
    baffle = LANE.lane / 2 + sensor.baffle_mm
    for s in LANE.beams:
        assert mesh.along(1, (s + beside, high + beside)) == ()
        past = mesh.along(1, (s + sensor.aperture_mm / 2 + 0.2, high + beside))
        assert past == pytest.approx((-baffle, -LANE.lane / 2, LANE.lane / 2, baffle))
    between = mesh.along(1, (sum(LANE.beams) / 2 + beside, high + beside))
    face = baffle + own.face_mm
    assert between == pytest.approx((-face, -LANE.lane / 2, LANE.lane / 2, face))


@pytest.mark.parametrize("build", ["queue", "catch"])
def test_the_gate_board_has_room_behind_the_stands_with_its_usb_at_the_rear(build: Build) -> None:
    gate, head = Gate(read_numbers(), 16, build), plan(read_wiring(), "gate")
    along = {"queue": head.size[0], "catch": head.size[1]}[build]
    begin, long, wide = gate.base
    assert gate.head_middle - along / 2 >= gate.profile[-1][0] + 5, "the stand"
    assert gate.head_middle + along / 2 <= begin + long - 5, "the edge"
    assert wide >= {"queue": head.size[1], "catch": head.size[0]}[build]
    page = " ".join(render.PAGE.read_text(encoding="utf-8").split())
    rear = begin + long - gate.head_middle
    holes = sorted({part.at for part in head.parts if part.ref.startswith("H")})
    apart = (holes[-1][0] - holes[0][0], holes[-1][1] - holes[0][1])
    assert gate.numbers.head.holes_mm == apart
    own = [(round(max(at) - min(at), 6)) for at in zip(*gate.head_holes, strict=True)]
    assert own == list(apart if build == "queue" else apart[::-1])
    words = {"queue": f"{rear:.1f} mm from the rear edge under one lane", "catch": f"{rear:.1f} mm behind six"}
    assert words[build] in page


@pytest.mark.slow  # it needs build123d
def test_no_part_of_the_boards_is_in_the_lane_or_its_lid() -> None:
    """Emitters and receivers are left out: their boxes are square, their bores are round."""
    pytest.importorskip("build123d", reason="no build123d here: pip install -e '.[cad]'")
    from hardware.beam.scenes import at_beams
    from hardware.gate import models
    from hardware.solids.shapes import box

    lane = models.lane_for_boards(Gate(LANE.numbers, 16))
    lid_z = LANE.numbers.lane.floor_mm + LANE.high
    lid = box((0, -LANE.lid_half, lid_z), (LANE.throat, LANE.lid_half, lid_z + LANE.numbers.lane.roof_mm))
    outline = Body("board", "board", (0.0, 0.0, 0.0), (*BOARD.size, thickness()))
    for turn in (0, 180):
        place = at_beams(LANE, BOARD, turn)
        for body in (outline, *bodies(BOARD)):
            solid = box(body.low, body.high).moved(place)
            for other in (lane, lid) if body.kind != "ir" else ():
                common = solid.intersect(other)
                assert common is None or common.volume < 0.01, f"{body.ref}, turned by {turn}"
