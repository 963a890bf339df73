"""What is drawn and written of the Battledodes wall, recomputed from wall.toml; and what makes it refuse."""

from __future__ import annotations

import math
import re
import tomllib
from functools import cache
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ezdxf
import pypdfium2
import pytest
from ezdxf.document import Drawing

from hardware.drawing.dxf import write_dxf
from hardware.drawing.origin import origin, origin_of
from hardware.drawing.pages import BAR_MM, pages_of
from hardware.page import filled
from hardware.wall.cuts import Part, Stock, laid_out
from hardware.wall.numbers import FILE, load
from hardware.wall.page import tables
from hardware.wall.render import sheets
from hardware.wall.sound import faults
from tests.kit.kept import kept

OUT = FILE.parent / "out"
RAW: dict[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8"))
WALL, SCREWS, BOARD, STOCK, PIEZO = (RAW[name] for name in ("wall", "screws", "board", "stock", "piezo"))
PLACES = [(x, side * SCREWS["stagger"]) for x, side in zip(SCREWS["along"], SCREWS["sides"], strict=True)]
Boxes = list[tuple[float, float, float, float]]


@cache
def drawn(name: str) -> Drawing:
    """A drawing as a CAD program reads it."""
    with TemporaryDirectory() as folder:
        write_dxf(sheets(load())[name], path := Path(folder) / f"{name}.dxf")
        return ezdxf.readfile(path)


def holes(document: Drawing, diameter: float) -> list[tuple[float, float]]:
    circles = document.modelspace().query('CIRCLE[layer=="HOLE"]')
    return sorted((c.dxf.center.x, c.dxf.center.y) for c in circles if c.dxf.radius == pytest.approx(diameter / 2))


def boxes(document: Drawing, layer: str) -> Boxes:
    """All closed rectangles on a layer: left, bottom, right, top."""
    found = []
    for line in document.modelspace().query(f'LWPOLYLINE[layer=="{layer}"]'):
        xs, ys = zip(*(point[:2] for point in line), strict=True)
        if line.closed:
            found.append((min(xs), min(ys), max(xs), max(ys)))
    return found


def changed(tmp_path: Path, was: str, becomes: str) -> list[str]:
    text = FILE.read_text(encoding="utf-8")
    assert len(re.findall(rf"^{re.escape(was)}", text, re.MULTILINE)) == 1, was
    file = tmp_path / "wall.toml"
    file.write_text(re.sub(rf"^{re.escape(was)}", becomes, text, flags=re.MULTILINE), encoding="utf-8")
    return faults(load(file))


def test_the_wall_is_the_games_26_by_4_by_3_cm_or_24_mm_deep() -> None:
    assert (WALL["length"], WALL["height"], WALL["depth"], WALL["depth_least"]) == (260, 40, 30, 24)
    assert {name: sum(plies) for name, plies in RAW["builds"].items()} == {"two_15": 30, "two_12": 24, "timber": 30}


def reasons(path: Path = FILE) -> dict[str, list[tuple[str, str, str]]]:
    """Return the rows of each table: name, value as written, and its reason."""
    tables: dict[str, list[tuple[str, str, str]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"\[(\w+)\]", line):
            rows = tables.setdefault(heading[1], [])
        elif row := re.match(r"(\w+) = (.*?)\s*(?:#\s*(.*))?$", line):
            rows.append((row[1], row[2], row[3] or ""))
    return tables


def test_nothing_is_wrong_with_the_numbers() -> None:
    assert faults(load()) == []


@pytest.mark.parametrize(
    ("was", "becomes", "says"),
    [
        ("stagger = 6", "stagger = 0", "two_12: at -105 -1.75 of wood beside the screw"),
        ("stagger = 6", "stagger = 9", "two_12: at -105 0.45 of wood"),
        ("stagger = 6", "stagger = 14", "two_15: at -105 -1.55 of wood"),
        ("along = [-105, -35, 35, 105]", "along = [-110, -35, 35, 110]", "screws: 20 from the end of the wall"),
        ("along = [-105, -35, 35, 105]", "along = [-105, -15, 15, 105]", "piezo: 4.2 between its pocket and"),
        ("along = [-105, -35, 35, 105]", "along = [-105, -100, 100, 105]", "screws: only 13.0 between -105 and -100"),
        ("sides = [1, -1, -1, 1]", "sides = [1, -1, 1, -1]", "screws: not the same from both ends"),
        ("diameter = 3.5", "diameter = 4.5", "two_12: screws of 4.5 are more than a third of a sheet of 12"),
        ("length = 40", "length = 50", "base of 12: 1.5 of wood above the tip, wanted 5"),
        ("length = 40", "length = 35", "base of 15: the screw holds 20.5, wanted 24.5"),
        ("pilot = 2.5", "pilot = 3.5", "pilot: 3.5 is not between"),
        ("pilot_depth = 30", "pilot_depth = 37", "pilot: 3 of wood above it"),
        ("pilot_depth = 30", "pilot_depth = 20", "pilot: 20 deep, the screw reaches 28.5"),
        ("countersink = 8", "countersink = 7", "countersink: 7 does not take a head of 7"),
        ("clearance = 4", "clearance = 3.5", "clearance: 3.5 holds the screw"),
        ("started = 15", "started = 20", "bit: guide and start are 32, its flutes 30"),
        ("free = 37", "free = 25", "bit: a hole of 30, but 25 stand out"),
        ("disc = 15", "disc = 16", "piezo: the disc fits its pocket"),
        ("pocket = 16", "pocket = 20", "piezo: 2 of wood beside its pocket"),
        ("lean = 0.5", "lean = 1", "limits: a throw strays 29.0 upwards"),
        ("bow = 0.5", "bow = 1", "limits: a throw strays 22.3 sideways"),
        ("short = 841", "short = 210", "board: the wall is larger"),
        ("fence = 20", "fence = 26", "gluing: a fence of 26 does not hold both sheets of two_12"),
        ("fence = 20", "fence = 15", "gluing: a fence of 15 does not hold both sheets of two_15"),
        ("stop = 56", "stop = 60", "gluing: the stop does not fit"),
        ("width = 60", "width = 50", "saddle: the plate is too narrow"),
        ("cheek = 30", "cheek = 45", "saddle: the cheeks are higher"),
        ("side = 100", "side = 40", "square: shorter"),
        ("sheet_width = 300", "sheet_width = 280", "cuts: saddle, cheek does not fit on plywood 600 x 280"),
        ("kerf = 3", "kerf = 8", "cuts: saddle, cheek does not fit"),
        ("strip_length = 300", "strip_length = 250", "cuts: wall does not fit on planed timber"),
        ("two_12 = [12, 12]", "two_12 = [12, 9]", "two_12: 21 deep; the game wants 24 to 30"),
    ],
)
def test_numbers_that_cannot_be_built_are_refused_with_their_reason(
    tmp_path: Path, was: str, becomes: str, says: str
) -> None:
    assert any(re.search(says, fault) for fault in changed(tmp_path, was, becomes)), changed(tmp_path, was, becomes)


def test_a_key_that_is_unknown_or_no_number_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"wall.toml: \[wall\] dept, depth: missing, or not known"):
        changed(tmp_path, "depth = 30", "dept = 30")
    with pytest.raises(ValueError, match=r"wall.toml: \[wall\] \[depth\] '30' is no float"):
        changed(tmp_path, "depth = 30", 'depth = "30"')


def test_every_number_has_a_reason_beside_it() -> None:
    rows = reasons()
    assert {name: [row[0] for row in table] for name, table in rows.items()} == {n: list(t) for n, t in RAW.items()}
    assert [(name, key) for name, table in rows.items() for key, _, why in table if len(why) < 8] == []


@pytest.mark.parametrize("name", ["drilling", "saddle"])
def test_pilot_holes_are_drawn_where_the_numbers_say_seen_from_below(name: str) -> None:
    assert holes(drawn(name), SCREWS["pilot"]) == sorted((x, -y) for x, y in PLACES)


def test_holes_of_the_board_are_drawn_seen_from_above_and_fit_those_of_the_wall_turned_over() -> None:
    above, below = holes(drawn("place"), SCREWS["clearance"]), holes(drawn("drilling"), SCREWS["pilot"])
    assert above == sorted(PLACES)
    for turned in ([(x, -y) for x, y in below], [(-x, -y) for x, y in below]):
        assert sorted(turned) == above


def test_drawn_holes_lie_in_the_wall_off_its_joint_off_each_other_and_off_the_pocket() -> None:
    document = drawn("drilling")
    pilots = holes(document, SCREWS["pilot"])
    (pocket,) = holes(document, PIEZO["pocket"])
    (outline,) = boxes(document, "CUT")
    assert outline == (-130, -15, 130, 15)
    thread = SCREWS["diameter"] / 2
    assert len(pilots) == 4
    for x, y in pilots:
        assert 130 - abs(x) >= 7 * SCREWS["diameter"]
        assert abs(y) - thread >= 3
        assert WALL["depth_least"] / 2 - abs(y) - thread >= 3
        assert math.dist((x, y), pocket) - PIEZO["pocket"] / 2 - thread > 10
    assert min(math.dist(a, b) for a, b in combinations(pilots, 2)) > 50
    assert sum(y > 0 for _, y in pilots) == sum(y < 0 for _, y in pilots) == 2
    assert pocket == (0, 0)
    assert WALL["depth_least"] / 2 - PIEZO["pocket"] / 2 >= 4


def test_the_wall_is_drawn_in_three_ways_of_the_right_area() -> None:
    cut = boxes(drawn("wall"), "CUT")
    areas = sorted((right - left) * (top - bottom) for left, bottom, right, top in cut)
    assert areas == sorted([260 * 30, 260 * 40, *[15 * 40] * 2, *[12 * 40] * 2, 30 * 40])


def test_the_section_shows_screw_and_hole_as_deep_as_they_go() -> None:
    document = drawn("fixing")
    tops = {max(point[1] for point in line) for line in document.modelspace().query('LWPOLYLINE[layer=="HOLE"]')}
    assert {SCREWS["pilot_depth"], PIEZO["depth"]} <= tops
    (screw,) = [line for line in document.modelspace().query('LWPOLYLINE[layer=="MARK"]') if len(line) == 7]
    ends = [point[1] for point in screw]
    assert max(ends) - min(ends) == SCREWS["length"]
    assert max(ends) < SCREWS["pilot_depth"] < WALL["height"] - 5


def test_the_wall_stands_in_the_middle_of_the_a0_board_and_its_marks_in_the_middle_of_the_edges() -> None:
    document = drawn("board")
    board, wall = sorted(boxes(document, "CUT"), key=lambda box: box[0])
    assert (board[2] - board[0], board[3] - board[1]) == (1189, 841)
    assert (wall[2] - wall[0], wall[3] - wall[1]) == (30, 260)
    for low, high in ((0, 2), (1, 3)):
        assert (board[low] + board[high]) / 2 == (wall[low] + wall[high]) / 2
    strokes = document.modelspace().query('LINE[layer=="MARK"]')
    ends = {((s.dxf.start.x, s.dxf.start.y), (s.dxf.end.x, s.dxf.end.y)) for s in strokes}
    starts = {start for start, _ in ends}
    assert starts == {(board[0], 0), (board[2], 0), (0, board[1]), (0, board[3])}
    for start, end in ends:
        assert math.dist(start, end) == BOARD["mark"]
        assert math.hypot(*end) < math.hypot(*start)
    inside = holes(document, SCREWS["clearance"])
    assert inside == sorted((y, -x) for x, y in PLACES)


def test_the_strip_for_the_board_has_the_walls_outline_and_the_leads_hole_under_the_pocket() -> None:
    document = drawn("place")
    assert boxes(document, "MARK")[0] == (-130, -15, 130, 15)
    assert holes(document, PIEZO["hole"]) == [(0, 0)]


def test_cuts_lie_on_their_sheets_a_kerf_apart_and_are_all_of_the_list() -> None:
    document = drawn("cuts")
    stocks, parts = boxes(document, "HIDDEN"), boxes(document, "CUT")
    held: dict[int, Boxes] = {}
    for part in parts:
        (place,) = [
            at
            for at, sheet in enumerate(stocks)
            if sheet[0] <= part[0] and sheet[1] <= part[1] and part[2] <= sheet[2] and part[3] <= sheet[3]
        ]
        held.setdefault(place, []).append(part)
    assert sorted(len(found) for found in held.values()) == [1, 2, 11]
    for found in held.values():
        for a, b in combinations(found, 2):
            aside = max(b[0] - a[2], a[0] - b[2], b[1] - a[3], a[1] - b[3])
            assert aside >= STOCK["kerf"] - 1e-9
    sizes = sorted((round(right - left), round(top - bottom)) for left, bottom, right, top in parts)
    table = re.findall(r"\| ([\d.]+) × ([\d.]+) \| (\d+) \|", page())
    assert sizes == sorted((int(a), int(b)) for a, b, many in table for _ in range(int(many)))


def test_the_square_gauge_keeps_the_sheets_own_corner() -> None:
    document = drawn("cuts")
    sheet = max(boxes(document, "HIDDEN"), key=lambda box: box[2])
    (square,) = [box for box in boxes(document, "CUT") if box[2] - box[0] == 100]
    assert square[:2] == sheet[:2]


def test_a_part_wider_than_its_row_opens_a_new_one() -> None:
    stock = Stock("sheet", 100, 100, 12)
    placed = laid_out(stock, [Part("a", 30, 20), Part("b", 30, 40), Part("c", 60, 40), Part("d", 60, 10)], 3)
    assert [(one.x, one.y) for one in placed] == [(0, 0), (0, 23), (33, 23), (0, 66)]


@pytest.mark.parametrize("name", ["drilling", "place"])
def test_templates_fit_on_one_sheet_of_a4_at_their_size(name: str) -> None:
    sheet = sheets(load())[name]
    assert sheet.scale == (1, 1)
    assert len(pages_of(sheet)) == 1


def test_the_template_prints_true_to_size() -> None:
    """The outline's long sides as they come out of the PDF: 260 mm."""
    dots = 10
    picture = pypdfium2.PdfDocument(OUT / "drilling.pdf")[0].render(scale=dots * 25.4 / 72, grayscale=True).to_pil()
    data, wide = picture.tobytes(), picture.width
    rows = (data[at : at + wide] for at in range(0, len(data), wide))
    runs = [len(run.group()) / dots for row in rows for run in re.finditer(rb"[\x00-\xa0]{2000,}", row)]
    assert any(abs(run - 260.5) <= 0.2 for run in runs)
    assert not any(261 < run < 276 for run in runs)


def test_the_kept_files_follow_from_the_numbers() -> None:
    """Otherwise: ./scripts/dev hardware wall"""
    there = kept()
    for name, sheet in sheets(load()).items():
        files = [path for path in there if path.parent == OUT and path.stem == name and path.suffix in (".pdf", ".png")]
        assert OUT / f"{name}.pdf" in files
        for path in files:
            assert origin_of(path) == origin(sheet.svg()), path.name


def page() -> str:
    return (FILE.parent / "README.md").read_text(encoding="utf-8")


def test_the_page_says_what_the_numbers_say() -> None:
    assert filled(page(), tables(load())) == page()
    for text in (
        f"{WALL['length']} × {WALL['height']} × {WALL['depth']} mm or {WALL['depth_least']} deep",
        f"are {SCREWS['stagger']} mm beside it",
        f"is {RAW['limits']['paper']} mm thick",
        f"Forstner bit {PIEZO['pocket']} mm",
        f"Then measure its bar: {BAR_MM:g} mm",
    ):
        assert text in page(), text


def test_the_page_names_every_drawing_with_its_scale() -> None:
    for name, sheet in sheets(load()).items():
        scale = f"{sheet.scale[0]}:{sheet.scale[1]}"
        assert re.search(rf"\| \[{sheet.number}\]\(out/{name}.pdf\) \| .* \| {scale} \|", page()), name
    for linked in re.findall(r"\]\((?!http|#)([^)]+)\)", page()):
        assert (FILE.parent / linked).exists(), linked


def test_a_table_nobody_makes_is_named() -> None:
    with pytest.raises(ValueError, match=r"README.md: table prices: there are margins, "):
        filled("<!-- prices -->\n<!-- /prices -->", tables(load()))


def test_the_page_says_that_nobody_has_built_it() -> None:
    assert "Nobody has built the wall yet" in page()
