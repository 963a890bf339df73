"""The cart: every part of the wiring and of the pages is in it, with a number or what fits, and its sums are right."""

from __future__ import annotations

import copy
import csv
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from hardware.beam import reach
from hardware.beam.reach import STAND_OFF_MM
from hardware.board import beam
from hardware.board.bodies import thickness
from hardware.board.plan import source
from hardware.cart.cart import assembled, printed, read_all, rows, totals
from hardware.cart.render import ABOVE, OTHERS, README, tables, tables_above, write_csv, write_orders
from hardware.case.cables import faults, needed_mm, refuse_faults, through_the_wall, ties
from hardware.case.numbers import read_case
from hardware.gate.geometry import SIX, Gate
from hardware.gate.numbers import read_numbers
from hardware.page import filled
from hardware.spec import BadSpec
from hardware.wall.numbers import load
from hardware.wiring.model import BUILDS, read_wiring
from hardware.wiring.partslist import parts

CART, FOUND = read_all()
OUT = README.parent / "out"


@pytest.mark.parametrize("build", BUILDS)
def test_every_part_of_the_wiring_is_in_the_cart_as_often_as_it_is_used(build: str) -> None:
    wiring = read_wiring()
    listed = [part for part in parts(wiring, build) if part.part not in wiring.part or not wiring.part[part.part].of]
    ordered = sum(row.quantity.get(build, 0) for row in FOUND if row.group == "electronics" and not row.by_metre)
    more = sum(
        entry["each"][thing] * CART["builds"][build].get(thing, 0)
        for entry in CART["more"] for thing in entry["each"]
        if entry["group"] == "electronics"
    )  # fmt: skip
    on_beam_boards = wiring.shopping(build).get("beam_board", 0) * len(beam.parts())
    assert ordered == sum(part.quantity for part in listed) + more + on_beam_boards


def test_every_row_has_a_number_or_says_what_fits_and_two_sources() -> None:
    for row in FOUND:
        assert bool(row.number) != bool(row.fits), row.what
        assert bool(row.maker) == bool(row.number), row.what
        assert len(set(row.sources)) == (0 if row.shop == "boards" else 2), row.what
        assert all(re.fullmatch(r"https://[\w.-]+/\S+=\S+", source) for source in row.sources), row.sources
        assert row.euro > 0, row.what
        assert bool(row.checked) == bool(row.number), f"{row.what}: where was its number found?"
    numbers = [row.number for row in FOUND if row.number]
    assert len(numbers) == len(set(numbers))


def test_a_part_that_nobody_can_order_is_named() -> None:
    cart = copy.deepcopy(CART)
    del cart["part"]["uln/SOIC-18W"]
    with pytest.raises(KeyError, match="uln in package 'SOIC-18W': name what to order"):
        rows(cart, read_wiring())


def test_screws_and_stand_offs_are_those_of_case_and_gate() -> None:
    case, gate = read_case(), read_numbers()
    long = case.box.stand_off[1]
    assert any(row.what.startswith(f"stand-off M3 x {long:g}") for row in FOUND)
    assert any(row.what.startswith(f"stand-off M2.5 x {case.pi.stand_off:g} ") for row in FOUND)
    assert any(f"rod M{gate.funnel.rod_mm:g} x {gate.funnel.rod_long_mm:g}" in row.what for row in FOUND)
    screws = next(row.what for row in FOUND if "for the gate board" in row.what)
    above, below = (float(mm) for mm in re.findall(r"screw M3 x (\d+) and one M3 x (\d+)", screws)[0])
    inside = above - thickness() + below - gate.stand.board_mm
    assert STAND_OFF_MM - 2 <= inside < STAND_OFF_MM, "two screws meet in a stand-off of the gate board"
    lids = next(row for row in FOUND if "for the lid" in row.what)
    assert [lids.quantity[build] for build in BUILDS] == [0, 6, 6 * (SIX + 1)]


def test_the_plywood_is_that_of_the_drawings() -> None:
    numbers = read_numbers()
    size = max(numbers.cubes.sizes_mm)
    for build, name in (("queue", "the funnel's lane"), ("catch", "six lanes")):
        _, long, wide = Gate(numbers, size, build).base
        sides = sorted((long, wide), reverse=True)
        assert any(row.what == f"plywood 6 mm, {sides[0]:g} x {sides[1]:g}: base board of {name}" for row in FOUND)
    wall = load()
    assert any(row.what == f"plywood 12 mm, {wall.stock.sheet_length:g} x {wall.stock.sheet_width:g}" for row in FOUND)
    under = f"board {wall.base.thickness:g} mm, {wall.board.long:g} x {wall.board.short:g}"
    assert any(row.what.startswith(under) for row in FOUND)


def test_the_posts_of_the_hat_are_those_of_a_zero() -> None:
    """The cart has a Zero 2, under which two stand-offs and one long post fit (case.toml)."""
    case = read_case()
    posts = {row.what.split(" with")[0]: row.quantity["table"] for row in FOUND if "for the Umpi HAT" in row.what}
    up = case.carrier.up
    long = case.pi.stand_off + up
    assert posts[f"stand-off M2.5 x {up:g}"] == 2
    assert min(abs(float(name.rpartition(" ")[2]) - long - case.pi.board) for name in posts) <= 0.5


def test_the_parts_that_a_factory_places_are_those_of_its_own_files() -> None:
    """From the kept files of places: two of a HAT and of a gate board at least, and twelve beam boards."""
    lines = {}
    for name in ("hat", "gate", "beam"):
        path = README.parents[1] / "board" / "out" / name / "assembly.csv"
        lines[name] = len(path.read_text(encoding="utf-8").splitlines()) - 1
    made = {build: assembled(CART, read_wiring(), build) for build in BUILDS}
    assert made["minimal"].parts == made["minimal"].euro == 0
    assert made["table"].parts == 2 * (lines["hat"] + lines["gate"])
    assert made["full"].parts == made["table"].parts + 12 * lines["beam"]


def test_totals_add_up() -> None:
    sums = totals(CART, FOUND)
    assert list(sums["full"]) == ["electronics", "case", "gate", "wall", "filament", "spares", "postage"]
    for build in BUILDS:
        needed = sum(row.euro * row.quantity.get(build, 0) for row in FOUND)
        assert sum(sums[build][group] for group in ("electronics", "case", "gate", "wall")) == pytest.approx(needed)


def test_the_files_of_the_shops_sum_up_to_the_totals_of_both_pages() -> None:
    """Only the files and the pages are read, as an accountant would: quantities, prices, postage in the table."""
    page, above = README.read_text(encoding="utf-8"), (README.parents[1] / "README.md").read_text(encoding="utf-8")
    lines = {line.split("|")[1].strip(): line.split("|")[2:] for line in (page + above).splitlines() if "|" in line}
    for at, build in enumerate(BUILDS):
        paid = 0.0
        for path in OUT.glob(f"order-{build}-*.csv"):
            with path.open(encoding="utf-8", newline="") as file:
                paid += sum(int(row["quantity"]) * float(row["about EUR each"]) for row in csv.DictReader(file))
        for own in CART["order"].values():
            postage = re.search(r" \+ (\d+) €", lines[own["title"]][at])
            paid += float(postage[1]) if postage else 0.0
        paid += printed(CART, build).euro
        assert re.search(rf"\*\*{paid:.0f}\*\*", lines["**all**"][at]), f"{build}: {paid:.2f}"
        assert f"**{paid:.0f}**" in lines["**all, about €**"][at]


def test_what_is_small_is_ordered_with_spares_and_nothing_that_a_build_does_not_need() -> None:
    by_name = {row.what: row for row in FOUND}
    assert by_name["resistor 270 Ω, 0805"].order("table") == 6
    assert by_name["resistor 1 kΩ, 0805"].order("minimal") == 0
    assert by_name["crimp contact JST XH"].order("full") >= 1.2 * by_name["crimp contact JST XH"].quantity["full"]
    assert by_name["Raspberry Pi Zero 2 WH"].order("full") == 1


def test_the_wire_of_the_cart_is_that_of_the_cables() -> None:
    """Counted from the drawn wires: seats 7 × 0.25 m, and 5 links of 0.1 m; the funnel's lane takes two runs."""
    by_name = {row.what: row for row in FOUND if row.by_metre}
    assert by_name["wire, pink, by the metre"].quantity == {"minimal": 0.25, "table": 0.5, "full": 0.5}
    seats, navigation, display = 0.25 + 5 * 0.1, 0.3 + 3 * 0.1, 3 * 0.2
    black = {"minimal": seats + navigation, "table": seats + navigation + display, "full": seats + navigation + display}
    assert by_name["wire, black, by the metre"].quantity == pytest.approx(black)
    assert by_name["cable with 4 wires 0.14 mm2, by the metre"].quantity == pytest.approx(
        {"table": 2 * 0.6, "full": 2 * 0.6 + 0.3}
    )


@pytest.mark.parametrize("build", BUILDS)
def test_every_cable_reaches_through_the_case(build: str) -> None:
    assert list(faults(read_case(), read_wiring(), build)) == []


def test_a_cable_that_is_too_short_is_named_with_its_way() -> None:
    wiring = read_wiring()
    short = replace(wiring, cable={**wiring.cable, "buzzer": replace(wiring.cable["buzzer"], m=0.1)})
    assert list(faults(read_case(), short, "table")) == [
        "Buzzer: the cable is 100 mm long, its way needs 300 mm.",
    ]


def test_no_cable_of_the_gate_leaves_at_the_rear_and_each_that_could_be_pulled_is_tied() -> None:
    """By hand: three at the gate board, of the funnel's lane, of the wall, and of the colour sensor."""
    wiring = read_wiring()
    assert through_the_wall(wiring, "hat") == ["rail"], "a colour sensor at the HAT"
    for build in BUILDS:
        assert through_the_wall(wiring, build) == []
        own = CART["builds"][build]
        bought = next(row for row in FOUND if row.what.startswith("cable ties")).quantity[build]
        at_the_gate = own.get("queue", 0) + own.get("wall", 0) + wiring.shopping(build).get("colour", 0)
        assert bought == 2 * own["case"] + 2 * own.get("seat", 0) + ties(wiring, build) + at_the_gate


@pytest.mark.parametrize(
    ("opening", "fault"),
    [
        ((58.0, 62.0, 27.0, 35.0), "room for 0 cables, 1 go through it"),
        ((58.0, 70.0, 27.0, 35.0), "Colour sensor: its plug of 4 contacts does not pass"),
    ],
)
def test_an_opening_that_is_too_small_for_the_cable_is_refused(opening: tuple[float, ...], fault: str) -> None:
    case = read_case()
    wrong = replace(case, rail=replace(case.rail, opening=opening))  # type: ignore[arg-type]
    found = list(faults(wrong, read_wiring(), "hat"))
    assert any(fault in each for each in found), found
    with pytest.raises(BadSpec, match="the cables do not fit the case"):
        refuse_faults(wrong, read_wiring())


def test_more_cables_than_a_tie_holds_are_refused() -> None:
    wiring, own = read_wiring(), read_wiring().cable
    more = {name: replace(own[name], outside_m=0.1) for name in ("seats", "lamps", "navigation", "buzzer", "oled")}
    found = list(faults(read_case(), replace(wiring, cable={**own, **more}), "full"))
    assert any("The tie at the rear holds 4 cables" in each for each in found), found


@pytest.mark.parametrize("build", ["table", "full"])
def test_every_cable_at_the_gate_reaches_its_lane(build: str) -> None:
    assert list(reach.faults(read_numbers(), read_wiring(), build)) == []


def test_a_cable_at_the_gate_that_is_too_short_is_refused_with_its_way() -> None:
    wiring = read_wiring()
    lane = replace(wiring.cable["lane_6"], ready_m=0.2)
    with pytest.raises(BadSpec, match="full: Lane 6: the cable is 200 mm long, its way needs 400 mm"):
        reach.refuse_faults(read_numbers(), replace(wiring, cable={**wiring.cable, "lane_6": lane}))


def test_the_ways_are_those_of_the_case_and_of_the_gate() -> None:
    """By hand: J9 is 1 cm from the opening along the wall and 2 cm inside it; lane 6 is 129 mm from the middle."""
    wiring = read_wiring()
    ways, gate = needed_mm(read_case(), wiring, "hat"), reach.needed_mm(read_numbers(), wiring, "full")
    assert ways["oled4"] < ways["buzzer"] <= ways["rail"] == 300
    assert ways["leads"] > 1000
    assert not set(gate) & set(ways)
    assert gate["lane_3"] < gate["lane_2"] < gate["lane_1"] == gate["lane_6"]


def test_the_cable_of_the_colour_sensor_reaches_and_none_leads_to_the_box() -> None:
    """By hand: boards of 335 and 100 mm side by side, half a gate board, 14 mm under the stop, 9 mm up: 290 mm."""
    wiring = read_wiring()
    assert reach.needed_mm(read_numbers(), wiring, "full")["rail_head"] == 300
    assert needed_mm(read_case(), wiring, "full").keys().isdisjoint({"rail", "rail_head"})
    short = replace(wiring.cable["rail_head"], m=0.25)
    with pytest.raises(BadSpec, match="Colour sensor at the gate: the cable is 250 mm long, its way needs 300 mm"):
        reach.refuse_faults(read_numbers(), replace(wiring, cable={**wiring.cable, "rail_head": short}))


def test_the_parts_of_the_beam_boards_have_the_numbers_of_their_own_list() -> None:
    """[buy] of board.toml has them for the factory."""
    bought = {ref: row for row in FOUND for ref in row.refs if ref in {part.ref for part in beam.parts()}}
    for part in beam.parts():
        maker, number = source()["buy"]["XH" if part.ref.startswith("J") else part.value]
        assert (bought[part.ref].maker, bought[part.ref].number) == (maker, number), part.ref


def test_the_file_and_the_page_are_those_of_today(tmp_path: Path) -> None:
    """Otherwise: ./scripts/dev hardware cart"""
    assert write_csv(CART, FOUND, tmp_path / "cart.csv").read_bytes() == (OUT / "cart.csv").read_bytes()
    for path in write_orders(CART, FOUND, tmp_path):
        assert path.read_bytes() == (OUT / path.name).read_bytes(), path.name
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in OUT.iterdir()}
    page = README.read_text(encoding="utf-8")
    assert filled(page, tables(CART, FOUND)) == page
    above = ABOVE.read_text(encoding="utf-8")
    assert filled(above, tables_above(CART, FOUND, read_wiring()), OTHERS) == above
    with (OUT / "cart.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert len(table) == len(FOUND)
    assert {row["estimated on"] for row in table} == {CART["date"]}


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("prusa-slicer"), reason="prusa-slicer is not installed")
@pytest.mark.parametrize("model", ["case/clip", "gate/rail-16-catch", "gate/back-16"])
def test_a_slicer_needs_as_much_filament_and_time_as_the_cart_says(model: str, tmp_path: Path) -> None:
    """The smallest models: a slicer needs seconds of a processor for a large one."""
    folder, name = model.split("/")
    known, code = CART["print"]["models"][model], tmp_path / "model.gcode"
    settings = "--fill-density 15% --perimeters 3 --layer-height 0.2 --nozzle-diameter 0.4 --filament-density 1.24"
    source = README.parents[1] / folder / "out" / f"{name}.stl"
    command = [
        "prusa-slicer",
        "--export-gcode",
        *settings.split(),
        "--filament-diameter",
        "1.75",
        "-o",
        str(code),
        str(source),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    text = code.read_text()
    grams = float(re.search(r"filament used \[g\] = ([\d.]+)", text)[1])  # type: ignore[index]
    time = re.search(r"printing time \(normal mode\) = (?:(\d+)h )?(\d+)m (\d+)s", text)
    assert time
    assert grams == pytest.approx(known["grams"], rel=0.02, abs=0.02)
    assert int(time[1] or 0) * 60 + int(time[2]) + int(time[3]) / 60 == pytest.approx(known["minutes"], rel=0.05, abs=1)


def test_every_printed_model_is_there() -> None:
    for model in CART["print"]["models"]:
        folder, name = model.split("/")
        assert (README.parents[1] / folder / "out" / f"{name}.stl").exists()
