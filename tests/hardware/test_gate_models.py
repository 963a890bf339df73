"""What is made from gate.toml and kept: models that are as computed, drawings and tables that are not out of date."""

from __future__ import annotations

from itertools import pairwise
from math import asin, atan, degrees, pi
from pathlib import Path

import pytest

from hardware.drawing.origin import origin, origin_of
from hardware.gate.drawings import sheets
from hardware.gate.geometry import Gate, Point
from hardware.gate.numbers import SOURCE, read_numbers
from hardware.gate.page import PAGE, tables
from hardware.gate.physics import speed
from hardware.page import filled
from tests.kit.kept import kept
from tests.kit.pictures import differing
from tests.kit.stl import Mesh, mesh_of, read_stl

pytest.importorskip("build123d", reason="no build123d here: pip install -e '.[cad]'")
from hardware.gate.models import models
from hardware.gate.scenes import pictures
from hardware.solids.shapes import Piece

pytestmark = pytest.mark.slow  # each needs build123d
NUMBERS = read_numbers()
OUT = SOURCE.parent / "out"
NAMES = list(models(NUMBERS))
BESIDE = 0.013  # so that a needle does not meet an edge
SIZES = [Gate(NUMBERS, size) for size in NUMBERS.cubes.sizes_mm]
each_size = pytest.mark.parametrize("gate", SIZES, ids=lambda gate: f"{gate.cube:g}")


def model(name: str) -> Mesh:
    return read_stl(OUT / f"{name}.stl")


@pytest.mark.parametrize("name", NAMES)
def test_a_model_is_watertight_small_and_fits_the_printer_as_it_lies(name: str) -> None:
    mesh = model(name)
    assert not mesh.open_edges
    assert mesh.volume > 0
    assert (OUT / f"{name}.stl").stat().st_size < 1_000_000
    assert mesh.low[2] == pytest.approx(0, abs=1e-4)
    for axis in (0, 1):
        assert mesh.high[axis] - mesh.low[axis] <= NUMBERS.print.bed_mm - 2 * NUMBERS.print.rim_mm
    assert mesh.high[2] <= 100


@each_size
def test_models_are_as_large_as_computed(gate: Gate) -> None:
    lane, rail = NUMBERS.lane, NUMBERS.rail
    apron = NUMBERS.mouth.height_mm - gate.high
    back = gate.mouth + 2 * NUMBERS.mouth.groove_mm[1] - 0.4
    for beams in (1, 2):
        expected = (gate.length, gate.width, lane.floor_mm + NUMBERS.mouth.height_mm)
        assert sides(f"lane-{gate.cube}-{beams}") == pytest.approx(expected, abs=0.01)
    assert sides(f"lid-{gate.cube}") == pytest.approx((gate.throat, 2 * gate.lid_half, apron), abs=0.01)
    for build in ("queue", "catch"):
        own = Gate(NUMBERS, gate.cube, build)
        stop = rail.floor_mm + rail.stop_height * gate.cube
        assert sides(f"rail-{gate.cube}-{build}") == pytest.approx((own.rail_length, rail.width_mm, stop), abs=0.01)
        wide, high = own.profile[-1][0] - own.profile[0][0], own.profile[-2][1]
        assert sides(f"stand-{gate.cube}-{build}") == pytest.approx((wide, high, NUMBERS.stand.width_mm), abs=0.01)
    assert sides(f"back-{gate.cube}")[0] == pytest.approx(back, abs=0.01)


@each_size
def test_models_hold_as_much_as_computed(gate: Gate) -> None:
    bored = pi * NUMBERS.screws.pilot_mm**2 / 4 * NUMBERS.screws.deep_mm
    for build in ("queue", "catch"):
        own = Gate(NUMBERS, gate.cube, build)
        solid = _area(own.profile) * NUMBERS.stand.width_mm - 8 * bored
        assert model(f"stand-{gate.cube}-{build}").volume == pytest.approx(solid, rel=0.01)
    lid = gate.throat * 2 * gate.lid_half * NUMBERS.lane.roof_mm
    lid += (NUMBERS.mouth.height_mm - gate.high - NUMBERS.lane.roof_mm) * 2 * gate.lid_half * NUMBERS.lane.wall_mm
    assert model(f"lid-{gate.cube}").volume == pytest.approx(lid, rel=0.03)
    assert model(f"lane-{gate.cube}-1").volume == pytest.approx(_lane_volume(gate), rel=0.05)
    assert model(f"lane-{gate.cube}-2").volume < model(f"lane-{gate.cube}-1").volume


@each_size
def test_light_passes_the_lane_s_model_at_its_beams_and_nowhere_else(gate: Gate) -> None:
    sensor, inner, half = NUMBERS.sensor, gate.lane / 2, gate.width / 2
    middle = NUMBERS.lane.floor_mm + gate.cube / 2
    baffle, slot = inner + sensor.baffle_mm, inner + sensor.baffle_mm + sensor.nose_deep_mm
    for beams in (1, 2):
        lane = model(f"lane-{gate.cube}-{beams}")
        for number, s in enumerate(gate.beams):
            through = lane.along(1, (s + BESIDE, middle + BESIDE))
            if number >= beams:
                assert through == pytest.approx((-half, -inner, inner, half))
                continue
            assert through == ()
            past = lane.along(1, (s + sensor.aperture_mm / 2 + 0.2, middle + BESIDE))
            assert past == pytest.approx((-baffle, -inner, inner, baffle))
            beside = lane.along(1, (s + sensor.nose_mm / 2 + 0.2, middle + BESIDE))
            assert beside == pytest.approx((-slot, -inner, inner, slot))
        between = lane.along(1, (sum(gate.beams) / 2 + BESIDE, middle + BESIDE))
        assert between == pytest.approx((-half, -inner, inner, half))


@each_size
def test_the_lane_s_model_is_as_wide_as_computed_all_the_way_down(gate: Gate) -> None:
    lane, floor = model(f"lane-{gate.cube}-2"), NUMBERS.lane.floor_mm
    for s in range(1, int(gate.throat), 6):
        walls = lane.along(1, (s + BESIDE, floor + 1 + BESIDE))
        assert sorted(sorted(walls, key=abs)[:2]) == pytest.approx([-gate.lane / 2, gate.lane / 2])
        assert lane.along(2, (s + BESIDE, gate.lane / 2 - 1)) == pytest.approx((0, floor)), "the floor has no step"
    for s, half in gate.sides[1:]:
        walls = lane.along(1, (s + BESIDE, floor + 20 + BESIDE))
        out = half + NUMBERS.lane.wall_mm
        assert walls == pytest.approx((-out, -half, half, out), abs=0.01), "as it bends"


@each_size
def test_the_piece_for_a_check_has_the_lane_s_width_stops_a_cube_and_is_as_steep_as_friction_may_be(gate: Gate) -> None:
    piece, floor, cubes = model(f"check-{gate.cube}"), NUMBERS.lane.floor_mm, NUMBERS.cubes
    for x, wide in ((2.5, gate.cube - cubes.smaller_mm), (8.0, gate.lane), (gate.check_notch - 3, gate.lane)):
        walls = piece.along(1, (x + BESIDE, floor + 1 + BESIDE))
        assert walls[1:3] == pytest.approx((-wide / 2, wide / 2))
    beam = piece.along(1, (gate.check_notch / 2 + BESIDE, floor + gate.cube / 2 + BESIDE))
    assert beam == (), "light passes"
    assert piece.along(2, (gate.check_notch + 0.5, BESIDE))[0] > 0.5, "a cube's edge finds its place"
    assert degrees(asin(gate.cube / gate.check_notch)) == pytest.approx(degrees(atan(cubes.passes)))


@each_size
def test_the_sensor_sees_through_the_queue_rail_s_model_and_not_through_the_catch(gate: Gate) -> None:
    floor, ceiling = NUMBERS.rail.floor_mm, NUMBERS.rail.floor_mm - NUMBERS.colour.ceiling_mm
    queue, catch = model(f"rail-{gate.cube}-queue"), model(f"rail-{gate.cube}-catch")
    inside, outside = gate.window / 2 - 0.2, gate.window / 2 + 0.2
    assert queue.along(2, (gate.window_at + inside, inside)) == ()
    assert queue.along(2, (gate.window_at - inside, -inside)) == ()
    assert queue.along(2, (gate.window_at + outside, BESIDE)) == pytest.approx((ceiling, floor))
    assert catch.along(2, (gate.window_at + BESIDE, 4 + BESIDE)) == pytest.approx((0, floor))


@pytest.mark.parametrize("name", NAMES)
def test_a_kept_model_is_the_solid_of_today(name: str) -> None:
    """Otherwise: ./scripts/dev hardware gate"""
    solid, kept = models(NUMBERS)[name](), model(name)
    fresh = mesh_of(Piece(name, (0, 0, 0), solid))
    assert kept.volume == pytest.approx(fresh.volume, rel=1e-4)
    assert (kept.low, kept.high) == (pytest.approx(fresh.low, abs=1e-3), pytest.approx(fresh.high, abs=1e-3))
    assert kept.bodies == len(solid.solids()) == 1


def test_the_kept_pictures_are_those_of_today(tmp_path: Path) -> None:
    for path in pictures(NUMBERS, tmp_path, ("one",)):
        assert differing(path, OUT / path.name) < 0.001, path.name


def test_the_drawings_are_drawn_from_these_numbers() -> None:
    there = kept()
    for sheet, name in sheets(NUMBERS):
        files = [path for path in there if path.parent == OUT and path.stem == name and path.suffix in (".pdf", ".png")]
        assert OUT / f"{name}.pdf" in files
        for path in files:
            assert origin_of(path) == origin(sheet.svg()), f"{path.name}: ./scripts/dev hardware gate"


def test_the_page_s_tables_are_today_s() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert filled(page, tables(NUMBERS)) == page


def test_the_page_s_words_agree_with_the_numbers() -> None:
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    small, large = SIZES
    lane, colour, (slow, fast) = NUMBERS.lane, NUMBERS.colour, NUMBERS.code.speed_mm_s
    near, middle, wide = NUMBERS.mouth.sides
    short = speed(0, 50, lane.slope_deg, NUMBERS.cubes.friction[1])
    for words in (
        f"is {NUMBERS.cubes.play_mm:g} mm wider than the cube",
        f"{near[0]:g}° up to {near[1]:g} cubes wide, then {middle[0]:g}° up to {middle[1]:g} cubes, then {wide[0]:g}°",
        f"{NUMBERS.lane.high_cubes:g} cubes high",
        f"**{lane.slope_deg:g}°, and {lane.run_up_mm:g} mm from throat to beam.**",
        f"than {slow / 1000:g} m/s",
        f"twice 16 mm at {fast / 1000:g} last {32 / fast * 1000:g}",
        f"**{NUMBERS.code.beam_gap_mm:g} mm from beam to beam**",
        f"**Apertures of {NUMBERS.sensor.aperture_mm:g} mm, {NUMBERS.sensor.baffle_mm:g} mm deep.**",
        f"{lane.tail_mm:g} mm from the end",
        f"chip to cube is {colour.ceiling_mm + colour.tape_mm - colour.chip_mm:g} mm",
        f"up to {large.mouth // 1 - 1:g} mm wide fits the mouth ({small.mouth // 1 - 1:g} mm for cubes of 12 mm)",
        f"about {large.lip / 10:.0f} cm at the lip",
        f"cubes arrive with at least {short / 1000:.2f} m/s",
    ):
        assert words in page


def sides(name: str) -> tuple[float, ...]:
    mesh = model(name)
    return tuple(high - low for low, high in zip(mesh.low, mesh.high, strict=True))


def _area(points: tuple[Point, ...]) -> float:
    around = zip(points, points[1:] + points[:1], strict=True)
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in around)) / 2


def _lane_volume(gate: Gate) -> float:
    """Floor, walls, mouth, block and bosses, without what one beam's bores and the screws take away."""
    lane, mouth, sensor = NUMBERS.lane, NUMBERS.mouth, NUMBERS.sensor
    outer = gate.lane + 2 * lane.wall_mm
    widens = gate.shoulder - gate.throat
    wall = 2 * lane.wall_mm
    floor = gate.throat * outer + mouth.length_mm * (gate.mouth + wall)
    floor += sum((end - start) * (a + b + wall) for (start, a), (end, b) in pairwise(gate.sides))
    walls = 2 * lane.wall_mm * gate.throat * gate.high
    walls += 2 * lane.wall_mm * (widens + mouth.length_mm) * mouth.height_mm
    rest = (gate.block[1] - gate.block[0]) * (gate.width - outer) * (lane.floor_mm + gate.high)
    rest += (gate.boss[1] - gate.boss[0]) * 2 * (gate.lid_half - outer / 2) * (lane.floor_mm + gate.high)
    slot = sensor.slot_mm * sensor.slot_deep_mm * (gate.high - gate.cube / 2 + sensor.below_mm)
    bores = 2 * (slot + pi * sensor.nose_mm**2 / 4 * sensor.nose_deep_mm)
    return floor * lane.floor_mm + walls + rest - bores
