"""Play from paper: each component of each rule sheet is printed, or is among the things to have ready."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from umpi.kernel.printable import Needs, Thing
from umpi.kernel.registry import find, games
from umpi.printing.found import printables_by_id, sheets_of
from umpi.printing.needs import count_of
from umpi.printing.paper import PAPERS
from umpi.printing.sheets import write_sheets

MM = 72 / 25.4

# What each rule sheet lists as a component, how many of it, and what it is here. "GAME-N" is a sentence's number.
COMPONENTS = {
    ("dodekka-1", 60): "dodekka/deck",
    ("battledodes-2", 8): "battledodes/needs/dodes",
    ("battledodes-5", 1): "battledodes/board",
    ("battledodes-6", 1): "battledodes/plan",
    ("battledodes-7", 1): "battledodes/needs/wall",
    ("battledodes-8", 1): "battledodes/needs/wall",
    ("battledodes-13", 1): "battledodes/board",
    ("dodeka-1", 1): "dodeka/needs/tray",
    ("dodeka-2", 3): "dodeka/needs/dice",
    ("dodeka-3", 3): "dodeka/needs/dice",
    ("dodeka-4", 80): "dodeka/chips",
    ("dodeka-5", 80): "dodeka/chips",
    ("dodeka-8", 1): "dodeka/needs/starter",
    ("dodeka-42", 1): "dodeka/grid",
    ("dudab-buba-4", 80): "dudab-buba/deck",  # 64 numbers, 8 dudabs, 8 shamans
    ("dudab-buba-5", 80): "dudab-buba/deck",
    ("dudab-buba-6", 80): "dudab-buba/deck",
    ("dudab-buba-7", 8): "dudab-buba/jungle",
    ("dudab-buba-8", 8): "dudab-buba/baby",
    ("dudab-buba-40", 1): "dudab-buba/scores",
    ("dohdles-9", 1): "dohdles/board",
    ("dohdles-10", 6): "dohdles/suggestions",
    ("dohdles-11", 5): "dohdles/funnel",
    ("dohdles-12", 5): "dohdles/funnel",
    ("dohdles-13", 16): "dohdles/solutions",
    ("dohdles-14, tokens", 6): "dohdles/tokens",
    ("dohdles-14, cubes", 6): "dohdles/cubes",
    ("dohdles-14, chips", 18): "dohdles/chips",
    ("dohdles-14, dough", 6): "dohdles/needs/dough",
    ("dohdles-15", 1): "dohdles/placard",
    ("dohdles-16", 6): "dohdles/needs/pens",
    ("dohdles-25", 6): "dohdles/suggestions",
    ("dohdles-26", 1): "dohdles/board",
    ("dohdles-63", 6): "dohdles/needs/bags",
    ("dohdles-74", 0): "dohdles/needs/dictionary",
    ("dohdles-79", 16): "dohdles/solutions",
}


def printed(folder: Path, id: str, name: str, paper: str = "a4") -> Any:
    sheets = [sheet for sheet in sheets_of(find(id), "en") if name in ("", sheet.name)]
    write_sheets(str(folder / "x.pdf"), find(id), sheets, paper, replace=True)
    return pypdfium2.PdfDocument(folder / "x.pdf")


def text_of(page: Any) -> str:
    return str(page.get_textpage().get_text_range()).replace("\r", "")


@pytest.mark.parametrize(
    ("component", "id"), COMPONENTS.items(), ids=lambda each: each[0] if type(each) is tuple else each
)
def test_each_component_of_the_rule_sheets_has_a_printable_in_its_number(component: tuple[str, int], id: str) -> None:
    found = printables_by_id(find(id.partition("/")[0]), "en")[id]
    assert (found.number if isinstance(found, Thing) else count_of(found)) == component[1]


def test_an_id_names_one_thing_of_one_game() -> None:
    for game in games():
        names = [sheet.name for sheet in sheets_of(game, "en")]
        things = [thing.name for sheet in sheets_of(game, "en") if isinstance(sheet, Needs) for thing in sheet.have]
        assert len(printables_by_id(game, "en")) == len(names) + len(things)
        assert all(re.fullmatch("[a-z]+", name) for name in (*names, *things))


@pytest.mark.slow
@pytest.mark.parametrize("id", ["battledodes", "dodeka", "dodekka", "dohdles", "dudab-buba"])
def test_the_first_page_lists_each_sheet_with_its_number_and_its_pages(id: str, tmp_path: Path) -> None:
    document = printed(tmp_path, id, "")
    rows = text_of(document[0]).replace("\n", " ")
    for sheet in sheets_of(find(id), "en"):
        if isinstance(sheet, Needs):
            for thing in sheet.have:
                assert thing.text.split(":")[0] in rows
            continue
        row = re.search(rf"{count_of(sheet)} × {re.escape(sheet.title)} pages? (\d+)(?: to (\d+))?", rows)
        assert row, sheet.name
        for number in {int(page) for page in row.groups() if page}:
            assert f"· {sheet.title}" in text_of(document[number - 1])


def sizes_on(page: Any) -> list[tuple[float, float]]:
    """The width and height in mm of each path on a page; PDFium adds the width of the line on every side."""
    found = []
    for each in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_PATH]):
        left, low, right, high = each.get_bounds()
        found.append(((right - left) / MM, (high - low) / MM))
    return found


def of_size(page: Any, wide: float, high: float, line: float, abs: float = 0.1) -> int:
    """How many paths on a page have this size in mm and lines of this width."""
    return len([size for size in sizes_on(page) if size == pytest.approx((wide + 2 * line, high + 2 * line), abs=abs)])


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    ("id", "page", "wide", "high", "line", "number"),
    [
        ("dodekka/deck", 0, 63, 88, 0.2, {"a4": 9, "letter": 8}),
        ("dudab-buba/jungle", 0, 63, 88, 0.2, 8),
        ("dodeka/chips", 0, 23.5, 23.5, 0.2, 80),
        ("dodeka/chips", 0, 21.9, 21.9, 0.5, 80),
        ("dohdles/chips", 0, 16, 16, 0.2, 18),
        ("dohdles/chips", 0, 13, 13, 0.25, 18),
        ("dohdles/tokens", 0, 20, 84, 0.2, 6),
        ("dohdles/cubes", 0, 16, 16, 0.25, 36),
        ("dohdles/placard", 0, 150, 104, 0.2, 1),
        ("dohdles/solutions", 0, 14, 19, 0.4, 40),
        ("dohdles/suggestions", 0, 16, 16, 0.3, 2),
        ("dohdles/funnel", 4, 46, 46, 0.35, 1),  # the hole in the cover
        ("dohdles/board", 1, 17, 17, 0.4, 12 * 9),  # the rim of the last circle of each space is drawn twice
        ("dohdles/board", 1, 50, 50, 0.6, 12),
        ("battledodes/board", 13, 30, 260, 0.6, 1),
        ("battledodes/board", 13, 24, 260, 0.4, 1),
        ("battledodes/board", 13, 1189, 841, 1.2, 1),
        ("battledodes/plan", 0, 168, 168 * 841 / 1189, 0.5, 1),
    ],
)
def test_what_is_cut_out_is_as_large_on_paper_as_it_says(
    id: str, page: int, wide: float, high: float, line: float, number: int | dict[str, int], paper: str, tmp_path: Path
) -> None:
    expected = number if isinstance(number, int) else number[paper]
    document = printed(tmp_path, *id.split("/"), paper)
    assert of_size(document[page], wide, high, line) == expected


@pytest.mark.slow
def test_the_border_of_the_dead_zone_is_round_the_hexagons_of_both_sides(tmp_path: Path) -> None:
    document = printed(tmp_path, "battledodes", "board")
    assert of_size(document[13], 5 * 60 * 3**0.5, 8 * 60, 3, abs=1) == 2
