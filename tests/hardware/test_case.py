"""The case: its panels make a box, everything fits in, keys stand under the panel's labels, files are as drawn."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from math import dist
from pathlib import Path

import ezdxf
import pytest

from hardware.case import laser, panels
from hardware.case.drawings import sheets
from hardware.case.numbers import Case, Oled, read_case
from hardware.case.parts import Part, parts
from hardware.case.paths import paths
from hardware.case.render import README, figures
from hardware.case.shapes import Hole, Opening, Panel, closed, fingers, inside
from hardware.drawing.origin import origin, origin_of
from hardware.page import filled
from hardware.wiring.model import read_wiring
from tests.kit.case_checks import blocked, bridges, clashes, gap, thin
from umpi.box.config import COLOURS, NAVIGATION
from umpi.display.sheet import PITCH, WIDTH
from umpi.table.seats import SHAPES

CASE = read_case()
OUT = README.parent / "out"


@pytest.fixture(params=list(CASE.oleds))
def oled(request: pytest.FixtureRequest) -> Oled:
    return CASE.oleds[str(request.param)]


def owners(found: dict[str, Panel], x: float, y: float, z: float) -> list[str]:
    """The panels that have material at a point of the box."""
    (width, depth, height), sheet = CASE.box.outer, CASE.box.sheet
    lies = {
        "base": (z < sheet, (x, y)), "front": (z > height - sheet, (x, y)),
        "near": (y < sheet, (x, z)), "rear": (y > depth - sheet, (x, z)),
        "left": (x < sheet, (y, z)), "right": (x > width - sheet, (y, z)),
    }  # fmt: skip
    return [name for name, (there, at) in lies.items() if there and found[name].has(at)]


@pytest.mark.slow
def test_at_every_edge_of_the_box_each_bit_belongs_to_one_panel() -> None:
    """Fingers that overlapped could not be put together, gaps would show: all twelve edges, corners and all."""
    found = panels.panels(CASE, CASE.oleds["2.42"])
    half, wrong = CASE.box.sheet / 2, []
    for axis in range(3):
        for first in (half, CASE.box.outer[(axis + 1) % 3] - half):
            for second in (half, CASE.box.outer[(axis + 2) % 3] - half):
                for step in range(int(CASE.box.outer[axis] * 2)):
                    at = [0.0, 0.0, 0.0]
                    at[axis], at[(axis + 1) % 3], at[(axis + 2) % 3] = step / 2 + 0.2, first, second
                    if len(owners(found, *at)) != 1:
                        wrong.append((at, owners(found, *at)))
    assert wrong == []


def test_the_panels_make_the_outer_size_and_leave_a_stand_off_between() -> None:
    found = panels.panels(CASE, CASE.oleds["2.42"])
    width, depth, height = CASE.box.outer
    for panel in found.values():
        xs, ys = zip(*panel.outline, strict=True)
        assert (min(xs), min(ys), max(xs), max(ys)) == pytest.approx((0, 0, *panel.size))
    assert found["front"].size == found["base"].size == (width, depth)
    assert found["near"].size == found["rear"].size == (width, height)
    assert found["left"].size == found["right"].size == (depth, height)
    assert height - 2 * CASE.box.sheet == CASE.box.stand_off[1]


def test_an_edge_begins_and_ends_alike() -> None:
    """An odd number of fingers, as near the wished width as can be."""
    assert [fingers(length, 12) for length in (154, 104, 50, 12)] == [13, 9, 5, 1]


def test_a_finger_is_at_least_three_sheets_wide() -> None:
    for panel in panels.panels(CASE, CASE.oleds["2.42"]).values():
        sides = [dist(a, b) for a, b in pairwise(closed(panel.outline))]
        assert min(side for side in sides if side > CASE.box.sheet + 0.01) >= 3 * CASE.box.sheet
        assert min(sides) >= CASE.box.sheet - 0.01


@pytest.mark.slow
def test_holes_meet_neither_each_other_nor_an_edge(oled: Oled) -> None:
    found = (*panels.panels(CASE, oled).values(), *panels.clips(CASE))
    assert thin(CASE, found) == []
    for panel in found:
        assert all(inside(point, panel.outline) for cut in panel.cuts for point in cut.contour())


@pytest.mark.slow
def test_a_web_that_is_too_thin_is_named() -> None:
    """The rear opening as it was, 2.5 above the fingers, and a lead's hole beside the next one."""
    pi = replace(CASE.pi, plugs_rear=replace(CASE.pi.plugs_rear, high=(5.5, 18.0)))
    low = replace(CASE, pi=pi, leads=replace(CASE.leads, pitch=7.5))
    named = thin(low, panels.panels(low, CASE.oleds["2.42"]).values())
    assert "rear: 2.50 from the hole at 30.2, 5.5 to the edge, wanted 4" in named
    assert any(web.startswith("rear: 1.5") for web in named)


def test_no_printed_bridge_is_longer_than_a_printer_can() -> None:
    found = panels.panels(CASE, CASE.oleds["2.42"])
    longest = bridges(CASE, found)
    assert set(longest) == {"rear", "left", "right"}
    assert max(longest.values()) <= CASE.print.bridge
    whole = replace(CASE, print=replace(CASE.print, bridge=1000.0))
    assert max(bridges(whole, found).values()) > 50, "without ribs"


@pytest.mark.slow
def test_engraving_lies_on_material_clear_of_holes_and_caps(oled: Oled) -> None:
    """Half a millimetre off every hole, and under no key's cap."""
    front = panels.front(CASE, oled)
    edges = [closed(cut.contour()) for cut in front.cuts] + [closed(front.outline)]
    caps = [
        closed(Hole(key, CASE.keys.cap).contour())
        for key in (*panels.seat_keys(CASE), *panels.navigation_keys(CASE).values())
    ]
    for stroke in front.strokes:
        assert all(front.has(point) for point in stroke)
        assert gap([stroke], edges, 0.5) >= 0.5, stroke[0]
        assert gap([stroke], caps, 0.3) >= 0.3, stroke[0]


def test_a_line_leads_from_each_label_to_its_lamp_and_key(oled: Oled) -> None:
    """`firmware/umpi/display/sheet.py`: a label every 21 of 128 dots; keys and lamps from the left as the seats are."""
    left = CASE.window.centre[0] - oled.active[0] / 2
    lines = panels.lines(CASE, oled)
    assert len(lines) == len(COLOURS) == len(SHAPES)
    for index, (line, lamp, key) in enumerate(zip(lines, panels.lamps(CASE), panels.seat_keys(CASE), strict=True)):
        first, last = (left + dots / WIDTH * oled.active[0] for dots in (index * PITCH, (index + 1) * PITCH - 1))
        assert first < line[0][0] < last
        assert panels.window(CASE, oled).low - 3 <= line[0][1] < panels.window(CASE, oled).low
        assert line[-1][0] == pytest.approx(lamp[0]) == pytest.approx(key[0])
        assert key[1] < lamp[1] < line[-1][1] < line[0][1]
    for one, other in combinations(lines, 2):
        assert gap([one], [other]) >= CASE.lines.least_gap


def test_keys_have_room_for_their_nuts_and_could_not_stand_at_the_labels_pitch(oled: Oled) -> None:
    """Why there are lines: 9 mm and less from label to label."""
    keys = panels.seat_keys(CASE)
    assert {round(other[0] - one[0], 6) for one, other in pairwise(keys)} == {CASE.keys.pitch}
    every = [*keys, *panels.navigation_keys(CASE).values()]
    assert min(dist(one, other) for one, other in combinations(every, 2)) >= CASE.keys.nut + 2
    assert PITCH / WIDTH * oled.active[0] < CASE.keys.body


def test_navigation_stands_up_over_down_and_ok_over_back() -> None:
    keys = panels.navigation_keys(CASE)
    assert tuple(keys) == NAVIGATION
    assert keys["up"][0] == keys["down"][0] < CASE.window.centre[0] < keys["ok"][0] == keys["back"][0]
    assert keys["up"][1] == keys["ok"][1] > keys["down"][1] == keys["back"][1]


def test_the_window_shows_all_of_the_picture_and_nothing_beside_the_glass(oled: Oled) -> None:
    """Half a millimetre round the active area for a module that lies askew."""
    window = panels.window(CASE, oled)
    for seen, active, glass in zip(
        (window.right - window.left, window.top - window.low), oled.active, oled.glass, strict=True
    ):
        assert active + 1 <= seen <= glass - 2
    assert ((window.left + window.right) / 2, (window.low + window.top) / 2) == pytest.approx(CASE.window.centre)


def test_clips_reach_over_the_module_s_corners_and_spacers_stand_clear(oled: Oled) -> None:
    """At both ends of the tolerance of the board's width."""
    long, wide = CASE.clip.size
    middle = CASE.window.centre[0]
    for x, _ in panels.clip_screws(CASE, oled):
        aside = abs(x - middle)
        assert aside - wide / 2 >= oled.board[0] / 2 + oled.tolerance
        assert aside - (long - CASE.clip.from_end) <= oled.board[0] / 2 - oled.tolerance - 3


@pytest.mark.parametrize("carrier", [False, True], ids=["wires", "carrier"])
@pytest.mark.parametrize("board", list(CASE.pi.boards))
def test_everything_fits_in_and_every_plug_reaches_its_socket(oled: Oled, board: str, carrier: bool) -> None:
    found = parts(CASE, oled, CASE.pi.boards[board], carrier)
    assert clashes(CASE, found) == []
    assert blocked(CASE, CASE.pi.boards[board], found) == []


def test_each_socket_of_the_four_boards_has_its_path() -> None:
    """Raspberry Pi's drawings: USB and network at the right edge, power at the lower one."""
    kinds = {name: [kind for kind, _ in board.sockets] for name, board in CASE.pi.boards.items()}
    assert set(kinds) == {"zero 2", "3", "4", "5"}
    for name, ports in kinds.items():
        assert sorted(ports) == sorted({"zero 2": ["micro-USB"] * 2}.get(name, [ports[0], "USB-A", "USB-A", "network"]))
        assert len(paths(CASE, CASE.pi.boards[name])) == len(ports)


def planted(name: str) -> tuple[Case, str, bool, str]:
    """A case with one fault, the board, whether it has the HAT, and the plug that it stops."""
    pi = CASE.pi
    return {
        "corner": (replace(CASE, pi=replace(pi, gap=(13.0, 1.5))), "4", False, "plug of USB-A 9: stand-off"),
        "wall": (
            replace(CASE, pi=replace(pi, plugs_left=replace(pi.plugs_left, along=(0.5, 40.0)))),
            "3", False, "plug of USB-A 47: the left wall",
        ),
        "post": (
            replace(CASE, carrier=replace(CASE.carrier, posts=((3.5, 3.5), (61.5, 3.5)))),
            "zero 2", True, "plug of micro-USB 54: post (61.5, 3.5)",
        ),
        "low": (
            replace(CASE, pi=replace(pi, stand_off=5.0)), "5", False, "plug of USB-C 11.2: the rear wall",
        ),
    }[name]  # fmt: skip


@pytest.mark.parametrize("name", ["corner", "wall", "post", "low"])
def test_a_blocked_plug_is_named(name: str) -> None:
    """The first is the case as it was: its rear left stand-off stood in the way of a Pi 4's USB plug."""
    case, board, carrier, expected = planted(name)
    found = parts(case, case.oleds["2.42"], case.pi.boards[board], carrier)
    named = blocked(case, case.pi.boards[board], found)
    assert any(one.startswith(expected) for one in named), named


@pytest.mark.parametrize("board", list(CASE.pi.boards))
def test_the_memory_card_comes_out_towards_the_right(board: str) -> None:
    """A card is 15 mm long, and two fingers hold it."""
    found = parts(CASE, CASE.oleds["2.42"], CASE.pi.boards[board], carrier=True)
    pi = next(part for part in found if part.name == "Pi")
    (_, near, foot), (right, rear, top) = pi.low, pi.high
    room = Part("card", (right, near, foot - 2), (right + 45, rear, top))
    assert [part.name for part in found if part.meets(room)] == []


def test_warm_air_leaves_above_the_hat() -> None:
    left = panels.panels(CASE, CASE.oleds["2.42"])["left"]
    above = max(part.high[2] for part in parts(CASE, CASE.oleds["2.42"], CASE.pi.boards["4"], True)
                if part.name == "carrier")  # fmt: skip
    high = [cut for cut in left.cuts if isinstance(cut, Opening) and cut.low > above]
    assert len(high) == CASE.vents.slots


def test_the_pictures_show_the_board_that_the_cart_sells() -> None:
    from hardware.case.cables import PI

    assert PI == "zero 2"
    assert "Zero 2" in read_wiring().part["pi"].what


def test_the_base_holds_all_boards() -> None:
    """Raspberry Pi's mechanical drawings: 58 × 49 and 58 × 23, and all headers at one place."""
    found = panels.panels(CASE, CASE.oleds["2.42"])
    holes = [cut.centre for cut in found["base"].cuts if isinstance(cut, Hole) and cut.diameter == CASE.pi.hole]
    assert len(holes) == 6
    xs, ys = (sorted({round(hole[axis], 6) for hole in holes}) for axis in (0, 1))
    assert xs[1] - xs[0] == pytest.approx(58)
    assert (ys[1] - ys[0], ys[2] - ys[0]) == pytest.approx((23, 49))
    headers = {panels.on_board(CASE, board, *board.header) for board in CASE.pi.boards.values()}
    assert len(headers) == 1


def test_the_beam_leaves_every_panel_as_large_as_drawn(oled: Oled) -> None:
    """The beam takes half a kerf on both sides of its way."""
    for piece, _ in laser.pieces(CASE, oled):
        *cuts, outline = laser.beam(piece, CASE.box.kerf)
        assert isinstance(outline, list)
        for point, (x, y) in zip(outline, piece.outline, strict=True):
            assert (abs(point[0] - x), abs(point[1] - y)) == pytest.approx((CASE.box.kerf / 2,) * 2)
        assert _area(outline) > _area(piece.outline)
        for way, cut in zip(cuts, piece.cuts, strict=True):
            if isinstance(cut, Hole):
                assert isinstance(way, Hole)
                assert way.diameter + CASE.box.kerf == pytest.approx(cut.diameter)
            else:
                assert isinstance(way, list)
                assert way[2][0] - way[0][0] + CASE.box.kerf == pytest.approx(cut.right - cut.left)


@pytest.mark.parametrize("name", list(CASE.oleds))
def test_the_laser_s_file_has_every_panel_in_millimetres(name: str) -> None:
    doc = ezdxf.readfile(OUT / f"laser-{name}.dxf")
    assert doc.units == ezdxf.units.MM
    laid = laser.pieces(CASE, CASE.oleds[name])
    cuts = [cut for piece, _ in laid for cut in piece.cuts]
    space = doc.modelspace()
    assert len(space.query("CIRCLE")) == sum(isinstance(cut, Hole) for cut in cuts)
    assert len(space.query('LWPOLYLINE[layer=="CUT"]')) == len(laid) + sum(isinstance(cut, Opening) for cut in cuts)
    assert len(space.query('LWPOLYLINE[layer=="ENGRAVE"]')) == sum(len(piece.strokes) for piece, _ in laid)
    boxes = [(x, y, x + piece.size[0], y + piece.size[1]) for piece, (x, y) in laid]
    for one, other in combinations(boxes, 2):
        assert one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]


def test_files_are_those_of_the_numbers(tmp_path: Path) -> None:
    """After a change of case.toml: ./scripts/dev hardware case"""
    for name, sheet in sheets(CASE).items():
        assert origin_of(OUT / f"{name}.png") == origin(sheet.svg()), name
    for name, oled in CASE.oleds.items():
        fresh = laser.write_laser(CASE, oled, tmp_path / f"laser-{name}.dxf")
        assert fresh.read_text() == (OUT / fresh.name).read_text(), fresh.name
    page = README.read_text()
    assert filled(page, {"figures": figures(CASE)}) == page


@pytest.mark.parametrize(
    "text",
    [
        f"buttons are {CASE.keys.pitch:g} mm apart",
        f"nuts are {CASE.keys.nut:.0f} mm across",
        f"{PITCH} of the {WIDTH} dots wide",
        f"M3 × {CASE.box.stand_off[1]:g}",
        f"M2.5 × {CASE.pi.stand_off:g}",
        f"at most {CASE.keys.depth:g} mm deep",
        f"longer than {CASE.print.bridge:g} mm",
        f"sides must be {CASE.clip.size[1]:.1f}",
        *(f'{name}" ' for name in CASE.oleds),
    ],
)
def test_the_page_says_what_the_numbers_say(text: str) -> None:
    assert text in " ".join(README.read_text().split())


def _area(outline: tuple[tuple[float, float], ...] | list[tuple[float, float]]) -> float:
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise(closed(outline))) / 2
