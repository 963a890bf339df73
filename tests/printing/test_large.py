"""Large print: no letter is under 18 points, none is cut or covered, and nothing of a sheet is missing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import hypot
from pathlib import Path
from typing import Any, NamedTuple

import pypdfium2
import pytest
from pypdfium2 import raw

from umpi.games.dodekka.cards import DECK
from umpi.i18n.translate import LANGUAGES, set_language
from umpi.kernel.printable import BLACK, Deck, Face, Label, Piece, Pieces, Rows, Scores, Sheet
from umpi.kernel.registry import find
from umpi.printing.found import is_drawing, sheets_of
from umpi.printing.large import Block, _laid
from umpi.printing.paper import MARGIN, PAPERS
from umpi.printing.sheets import write_sheets

GAMES = ("battledodes", "dodeka", "dodekka", "dohdles", "dudab-buba", "quiz")
MM = 72 / 25.4
BLUR = 0.3  # points
BEARING = 1.0  # points; a J begins left of its place
LARGE_SHAPE = 45 * MM  # frames of cards and tables are around texts


class Shape(NamedTuple):
    """A text or a drawing on a page, in points from its lower left corner; `size` is that of letters, 0 of drawings."""

    left: float
    bottom: float
    right: float
    top: float
    size: float = 0

    def touches(self, other: Shape) -> bool:
        """Return whether two shapes have more than a blur in common."""
        across = min(self.right, other.right) - max(self.left, other.left)
        return across > BLUR and min(self.top, other.top) - max(self.bottom, other.bottom) > BLUR


def shapes_of(page: Any, kind: int) -> Iterator[Shape]:
    for part in page.get_objects(filter=(kind,)):
        size = 0.0
        if kind == raw.FPDF_PAGEOBJ_TEXT:
            font = raw.c_float()
            assert raw.FPDFTextObj_GetFontSize(part.raw, font)
            matrix = part.get_matrix()
            size = font.value * hypot(matrix.c, matrix.d)
        yield Shape(*part.get_bounds(), size)


def large(folder: Path, id: str, *sheets: Sheet, paper: str = "a4", language: str = "en") -> Any:
    set_language(language)
    file = folder / f"{id}.pdf"
    write_sheets(str(file), find(id), sheets, paper, replace=True, large=True)
    return pypdfium2.PdfDocument(file)


def worded(id: str, language: str) -> list[Sheet]:
    set_language(language)
    return [sheet for sheet in sheets_of(find(id), language) if not is_drawing(sheet)]


def text_of(document: Any) -> str:
    return "\n".join(page.get_textpage().get_text_range().replace("\r", "") for page in document)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", GAMES)
def test_every_letter_is_large_and_nothing_covers_it(id: str, language: str, paper: str, tmp_path: Path) -> None:
    for page in large(tmp_path, id, *worded(id, language), paper=paper, language=language):
        texts = list(shapes_of(page, raw.FPDF_PAGEOBJ_TEXT))
        drawn = list(shapes_of(page, raw.FPDF_PAGEOBJ_PATH))
        small = [shape for shape in drawn if min(shape.right - shape.left, shape.top - shape.bottom) < LARGE_SHAPE]
        wide, high = page.get_size()
        assert texts
        for text in texts:
            assert text.size >= 17.99
            assert text.left >= MARGIN * MM - BEARING
            assert text.right <= wide - MARGIN * MM + BEARING
            assert MARGIN * MM - BLUR <= text.bottom < text.top <= high - MARGIN * MM + BLUR
            assert not [(text, shape) for shape in small if text.touches(shape)]
        assert not [pair for pair in combinations(texts, 2) if pair[0].touches(pair[1])]


def test_the_deck_has_each_card_in_words_and_its_symbol_is_as_dark_as_its_text(tmp_path: Path) -> None:
    [deck] = [sheet for sheet in worded("dodekka", "en") if isinstance(sheet, Deck)]
    document = large(tmp_path, "dodekka", deck)
    found = re.findall(r"(Fire|Water|Air|Earth|Ether) (\d)", text_of(document))
    assert Counter(f"{name.lower()}-{value}" for name, value in found) == Counter(DECK)
    dark = Counter[tuple[int, ...]]()
    for page in document:
        dark.update(colour_of(part) for part in page.get_objects(filter=(raw.FPDF_PAGEOBJ_PATH,)))
    assert dark[tuple(bytes.fromhex(BLACK[1:]))] >= len(DECK)


def colour_of(part: Any) -> tuple[int, ...]:
    colour = [raw.c_uint() for _ in range(4)]
    assert raw.FPDFPageObj_GetFillColor(part.raw, *colour)
    return tuple(value.value for value in colour[:3])


@pytest.mark.parametrize("id", GAMES)
def test_a_score_sheet_has_each_row_for_each_seat(id: str, tmp_path: Path) -> None:
    for sheet in worded(id, "en"):
        if isinstance(sheet, Scores):
            text = text_of(large(tmp_path, id, sheet))
            colours = ["Red", "Blue", "Yellow", "Green", "White", "Black"]
            seats = find(id).seats[-1]
            pages = [page.split("Page ")[0] for page in re.split(r"Page \d+ of \d+\.", text)]
            rows = [row for group in sheet.groups for row in group.rows]
            for colour in colours[:seats]:
                own = "\n".join(page for page in pages if colour in page)
                assert all(len(re.findall(rf"^{re.escape(row)}$", own, re.M)) == rows.count(row) for row in rows)


@pytest.mark.slow
def test_the_needs_name_the_pages_after_their_own(tmp_path: Path) -> None:
    """They have two pages themselves. Drawings keep their pages."""
    document = large(tmp_path, "dohdles", *sheets_of(find("dohdles"), "en"))
    needs = text_of([document[0], document[1]])
    assert "pages 3 to 9, join the tiles" in needs
    last = re.findall(r"pages \d+ to (\d+)", needs)[-1]
    assert int(last) == len(document)


def test_a_heading_is_repeated_where_its_rows_continue(tmp_path: Path) -> None:
    rows = Rows("Match", tuple(f"row {number}" for number in range(40)))
    document = large(tmp_path, "quiz", Scores("scores", "Scores", (rows,)))
    assert len(document) > 2
    assert all("Match" in page.get_textpage().get_text_range() for page in document)


def test_a_word_wider_than_a_card_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r'"Rumpelstiltskinny" needs 65 mm and has 45 mm\.'):
        large(tmp_path, "quiz", Deck("x", "x", (Face("1", "M 0 0 L 1 1", "#000000", "Rumpelstiltskinny"),)))


def test_a_drawing_keeps_its_letters(tmp_path: Path) -> None:
    piece = Piece((60, 40), (Label((5, 10), "small", 9),))
    [page] = large(tmp_path, "quiz", Pieces("x", "x", (piece,)))
    assert min(text.size for text in shapes_of(page, raw.FPDF_PAGEOBJ_TEXT)) < 10


def test_a_part_that_is_higher_than_a_page_is_an_error() -> None:
    def laid(high: float) -> list[float]:
        return [page.bottom for page in _laid([[Block(high, lambda y: ())]], 50, 10, 20)]

    assert laid(40) == [50]
    with pytest.raises(ValueError, match=r"^A part of a large page needs 41 mm and has 40 mm\.$"):
        laid(41)
