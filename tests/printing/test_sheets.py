"""Sheets of the games: every value of the engine is on paper, inside the margins, in four languages."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from math import dist
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from umpi.games.battledodes.dodes import HEXES
from umpi.games.battledodes.printables import HIGH, SIDE, WALL, WIDE, hexagons
from umpi.games.dodeka.combinations import combination
from umpi.games.dodeka.printables import CHIPS, cells
from umpi.games.dodekka.cards import DECK
from umpi.games.dohdles.printables import suggestions
from umpi.games.dudab_buba.cards import deck
from umpi.i18n.translate import LANGUAGES, set_language, tr
from umpi.kernel.printable import Deck, Face, Label, Mark, Outline, Paragraph, Piece, Pieces, Rows, Scores, Sheet
from umpi.kernel.registry import find
from umpi.printing.found import own_sheets, sheets_of
from umpi.printing.paper import PAPERS
from umpi.printing.sheets import write_sheets

ROOT = Path(__file__).parents[2]
GAMES = ("battledodes", "dodeka", "dodekka", "dohdles", "dudab-buba", "quiz")


def printed(folder: Path, id: str, *names: str, paper: str = "a4", language: str = "en") -> Any:
    """Write these sheets of a game, or all, and open the document."""
    set_language(language)
    sheets = [sheet for sheet in sheets_of(find(id), language) if not names or sheet.name in names]
    file = folder / f"{id}.pdf"
    pages = write_sheets(str(file), find(id), sheets, paper, replace=True)
    document = pypdfium2.PdfDocument(file)
    assert len(document) == sum(pages)
    return document


def text_of(document: Any) -> str:
    return "\n".join(page.get_textpage().get_text_range().replace("\r", "") for page in document)


def body_of(document: Any) -> str:
    """The text without the foot of the pages, which begins with the ruler."""
    return re.sub(r"^0 50 mm 100 mm .*\n.*$", "", text_of(document), flags=re.M)


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("id", GAMES)
def test_each_page_is_the_paper_and_its_margin_is_white(id: str, paper: str, tmp_path: Path) -> None:
    size = {round(side) for side in PAPERS[paper]}
    for page in printed(tmp_path, id, paper=paper):
        assert {round(side) for side in page.get_size()} == size
        picture = page.render(scale=100 / 72, grayscale=True).to_pil()
        rim = round(9.7 / 25.4 * 100)  # 10 mm, less the blur of the picture
        inner = (rim, rim, picture.width - rim, picture.height - rim)
        assert picture.crop(inner).getextrema()[0] < 128, "something is drawn"
        picture.paste(255, inner)
        assert picture.getextrema() == (255, 255)


def test_the_deck_of_dodekka_has_each_card_as_often_as_the_engine(tmp_path: Path) -> None:
    text = body_of(printed(tmp_path, "dodekka", "deck"))
    found = re.findall(r"^(Fire|Water|Air|Earth|Ether) (\d)$", text, re.M)
    assert Counter(f"{name.lower()}-{value}" for name, value in found) == Counter(DECK)


def test_the_decks_of_dudab_buba_have_each_card_as_often_as_the_engine(tmp_path: Path) -> None:
    text = body_of(printed(tmp_path, "dudab-buba", "deck", "jungle", "baby"))
    numbers = re.findall(r"(Hand|Mammoth|Club|Hide) (\d)\s(\w+)", text)
    found = Counter(f"{colour}-{symbol.lower()}-{value}" for symbol, value, colour in numbers)
    found += Counter(f"shaman-{colour}" for colour in re.findall(r"Shaman\s(\w+)", text))
    found += Counter(word.lower() for word in re.findall(r"Dudab|Jungle|Baby", text))
    assert found == Counter(deck(jungle=True, baby=True))


def test_the_track_of_dodeka_has_a_cell_for_all_points_of_a_set(tmp_path: Path) -> None:
    """A set continues below 700, so no player has more than 690 and the best throw."""
    worth = {combination(tuple(sorted(faces)))[1] for faces in product(range(1, 13), repeat=3)}  # type: ignore[arg-type]
    reached = {0}
    while more := {had + points for had in reached if had < 700 for points in worth} - reached:
        reached |= more
    cells, _, below = body_of(printed(tmp_path, "dodeka", "track")).partition("Put a token")
    assert [int(number) for number in cells.split()] == sorted(reached)
    assert Counter(map(int, re.findall(r" (\d+)$", below, re.M))) == Counter(worth)


def test_there_are_enough_chips_of_dodeka_for_six_players_with_any_points(tmp_path: Path) -> None:
    """Each player changes whenever they can, so they have few chips of a kind. Those of 500 announce the end at 700."""
    text = body_of(printed(tmp_path, "dodeka", "chips"))
    assert text.count("700 is near") == CHIPS[500] == 12
    assert Counter(map(int, re.findall(r"\d+", text.replace("700 is near", "")))) == Counter(CHIPS)
    most = Counter[int]()
    for points in cells(700):
        for chip in sorted(CHIPS, reverse=True):
            count, points = divmod(points, chip)
            most[chip] = max(most[chip], count)
    assert all(6 * most[chip] <= CHIPS[chip] for chip in CHIPS)


@pytest.mark.slow
def test_the_board_of_battledodes_has_each_multiplier_on_both_sides(tmp_path: Path) -> None:
    overview = printed(tmp_path, "battledodes", "board")[0].get_textpage().get_text_range()
    found = Counter(int(digit) for digit in re.findall(r"^(\d)\r?$", overview, re.M))
    one = Counter(multiplier for _, multiplier in hexagons((0, 0), 1)) + Counter({0: 6})
    assert set(one) == set(HEXES)
    assert found == one + one


def test_the_two_sides_are_equal_and_no_hexagon_touches_another_or_the_wall() -> None:
    right = hexagons((0, 0), 1)
    assert {(round(-x), round(-y), value) for (x, y), value in right} == {
        (round(x), round(y), value) for (x, y), value in hexagons((0, 0), -1)
    }
    places = [at for at, _ in right]
    for number, at in enumerate(places):
        assert all(dist(at, other) > 0.999 * SIDE * 3**0.5 for other in places[:number])
        assert abs(at[0]) + SIDE < (WIDE - WALL[0]) / 4
        assert abs(at[1]) + SIDE < HIGH / 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_suggestions_have_twelve_questions_and_six_boards_of_other_words(language: str, tmp_path: Path) -> None:
    questions, boards = suggestions(language)
    assert (len(questions), [len(terms) for terms in boards]) == (12, [12] * 6)
    terms = [term for board in boards for term in board]
    assert len(set(terms)) == len(terms)
    assert all(term.isalpha() for term in terms)
    assert all(question.endswith("\u00a0?" if language == "fr" else "?") for question in questions)
    text = text_of(printed(tmp_path, "dohdles", "suggestions", language=language))
    for term in terms:
        assert len(re.findall(rf"^{term}$", text, re.M)) == 1, "also with ő and ű, which one font lacks"


def test_an_unknown_language_has_suggestions_in_english() -> None:
    assert suggestions("xx") == suggestions("en")


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_texts_fit_in_each_language(language: str, paper: str, tmp_path: Path) -> None:
    """A text that does not fit is an error; the title at the foot is there in the language."""
    for id in GAMES:
        text = text_of(printed(tmp_path, id, paper=paper, language=language))
        for sheet in sheets_of(find(id), language):
            assert tr(sheet.title).replace("\u00a0", " ") in text.replace("\ufffe", "-").replace("\u00a0", " ")


def test_the_ruler_is_100_mm_long(tmp_path: Path) -> None:
    [page] = printed(tmp_path, "quiz")
    dots = 600 / 25.4
    picture = page.render(scale=600 / 72, grayscale=True).to_pil()
    row = picture.height - round(11.5 * dots)
    dark = [x for x in range(round(115 * dots)) if picture.getpixel((x, row)) < 128]
    assert len(dark) / dots == pytest.approx(100, abs=0.3)
    assert dark[-1] - dark[0] == len(dark) - 1


@pytest.mark.slow
def test_the_same_command_writes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        printed(tmp_path / name, "dudab-buba", language="hu")
    assert (tmp_path / "one/dudab-buba.pdf").read_bytes() == (tmp_path / "other/dudab-buba.pdf").read_bytes()


def write(folder: Path, *sheets: Sheet) -> None:
    write_sheets(str(folder / "x.pdf"), find("quiz"), sheets, "a4", replace=True)


@pytest.mark.parametrize(
    ("mark", "why"),
    [
        (Label((0, 10), "Rumpelstiltskin", 10, 5), r'"Rumpelstiltskin" needs \d+ mm and has 5 mm\.'),
        (Paragraph((0, 0), "Rumpelstiltskin spins", 10, 2, 10), '"Rumpelstiltskin spins" needs more than 10 × 2 mm.'),
    ],
)  # fmt: skip
def test_a_text_without_room_is_an_error_that_names_it(mark: Mark, why: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=why):
        write(tmp_path, Pieces("x", "x", (Piece((60, 40), (mark,)),)))
    assert not (tmp_path / "x.pdf").exists()


def test_a_path_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match='"Q" in a path: expected M, L, C or Z'):
        write(tmp_path, Deck("x", "x", (Face("1", "M 0 0 Q 1 1", "#000000", "x"),)))


def test_pieces_of_different_sizes_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="all pieces of a sheet need the same size"):
        write(tmp_path, Pieces("x", "x", (Piece((60, 40), ()), Piece((60, 41), (Outline("M 0 0 L 1 1"),)))))


def test_a_game_without_sheets_has_a_plain_score_sheet() -> None:
    quiz = find("quiz")
    assert own_sheets(quiz, "en") == ()
    [sheet] = sheets_of(quiz, "en")
    assert isinstance(sheet, Scores)
    assert sheet.groups == (Rows("", tuple(map(str, range(1, 21)))),)


def test_a_game_that_lists_no_needs_has_a_first_page_of_its_sheets(monkeypatch: pytest.MonkeyPatch) -> None:
    own = (Deck("deck", "Deck", (Face("1", "M 0 0 L 1 1", "#000000", "x"),)),)
    monkeypatch.setattr("umpi.printing.found.own_sheets", lambda game, language: own)
    assert [sheet.name for sheet in sheets_of(find("quiz"), "en")] == ["needs", "deck", "scores"]


def test_the_example_of_the_guide_can_be_printed(tmp_path: Path) -> None:
    guide = (ROOT / "firmware/umpi/games/README.md").read_text(encoding="utf-8")
    part = guide.partition("## Print and play")[2].partition("\n## ")[0]
    names: dict[str, Any] = {}
    exec("\n".join(line[4:] for line in part.splitlines() if line.startswith("    ") or not line), names)
    write(tmp_path, *names["printables"]("en"))
    text = body_of(pypdfium2.PdfDocument(tmp_path / "x.pdf"))
    assert [text.count(f"Blue {value}\n") for value in range(1, 11)] == [1] * 10
