"""Braille: files that an embosser takes, which liblouis reads back as the texts of the sheets."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from umpi.cli import main
from umpi.i18n.translate import LANGUAGES, set_language, tr
from umpi.kernel.printable import Deck, Face, Label, Needs, Piece, Pieces, Rows, Scores, Thing
from umpi.kernel.registry import find
from umpi.printing.braille import ASCII, CELLS, LINES, PROGRAM, TABLES, text_of, to_braille, write_braille
from umpi.printing.found import is_drawing, sheets_of

SEEN = Path(__file__).with_name("braille.txt")
GAMES = ("battledodes", "dodeka", "dodekka", "dohdles", "dudab-buba", "quiz")
needs_liblouis = pytest.mark.skipif(
    not shutil.which("lou_translate"), reason="liblouis is not here; get it with: apt install liblouis-bin"
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read_back(lines: list[str], language: str) -> list[str]:
    """Let liblouis read braille ASCII."""
    run = [PROGRAM, "--backward", f"en-us-brf.dis,{TABLES[language]}"]
    asked = "".join(line.replace("\\", "\\\\") + "\n" for line in lines)
    out = subprocess.run(run, input=asked, capture_output=True, check=True, encoding="utf-8").stdout
    return out.removesuffix("\n").split("\n")


def cards_of(id: str, language: str) -> list[str]:
    decks = [sheet for sheet in sheets_of(find(id), language) if isinstance(sheet, Deck)]
    return sorted({line for deck in decks for part in text_of(deck, [], 2) for line in part if line})


@needs_liblouis
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", GAMES)
def test_a_file_fits_an_embosser(id: str, language: str, here: Path, capfd: Any) -> None:
    assert main(["print", id, "--braille", "--language", language]) == 0
    whole = (here / f"{id}.brf").read_bytes().decode("ascii")
    *pages, rest = whole.split("\f")
    assert rest == ""
    assert f"{id}.brf: {len(pages)} page" in capfd.readouterr().out
    for page in pages:
        *lines, end = page.split("\r\n")
        assert end == ""
        assert 2 <= len(lines) <= LINES == 25
        assert max(map(len, lines)) <= CELLS == 40
        assert all(cell in ASCII for line in lines for cell in line)
        assert lines[1], "the text begins below the number of the page"


@needs_liblouis
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", ["dodekka", "dudab-buba"])
def test_each_label_of_a_deck_reads_as_its_card(id: str, language: str) -> None:
    set_language(language)
    cards = cards_of(id, language)
    assert len(cards) > 20
    read = read_back(to_braille(cards, language), language)
    assert [line.casefold() for line in read] == [card.casefold() for card in cards]
    if language != "de":  # German braille writes no capitals
        assert read == cards


@needs_liblouis
def test_the_signs_are_those_of_each_language() -> None:
    """By the rules of UEB, the French code of 2006 and the German one, which has no sign of capitals."""
    assert to_braille(["Fire 3"], "en") == [",FIRE #C"]
    assert to_braille(["Feu 3", "été"], "fr") == [".FEU ,%", "=T="]
    assert to_braille(["Größe 3"], "de") == ["GR[!E #C"]


@needs_liblouis
def test_a_letter_without_a_sign_is_refused(here: Path) -> None:
    deck = Deck("x", "x", (Face("1", "M 0 0 L 1 1", "#000000", "Snow ☃"),))
    for language in LANGUAGES:
        set_language(language)
        with pytest.raises(ValueError, match=r"☃.*has no braille sign in the table"):
            write_braille("x.brf", find("quiz"), [deck], replace=True)
    assert list(here.iterdir()) == []


@needs_liblouis
def test_ordinary_marks_have_signs_in_each_language() -> None:
    for language in LANGUAGES:
        lines = to_braille(["1 × (2 + 3) = 5: yes, no; why? ‘now’ – “so” … 50 % & !"], language)
        assert lines
        assert lines[0].isascii()


@needs_liblouis
def test_a_long_text_is_continued_further_in(here: Path) -> None:
    deck = Deck("x", "x", (Face("1", "M 0 0 L 1 1", "#000000", "word " * 20 + "w" * 50 + " \\ end"),))
    write_braille("x.brf", find("quiz"), [deck], replace=True)
    _, first, *later = (here / "x.brf").read_text().rstrip("\f\n").splitlines()
    assert first.startswith("WORD WORD")
    assert later
    assert all(line.startswith("  ") for line in later)
    assert "".join(map(str.strip, later)).count("W" * 2) > 20


def test_all_copies_of_a_card_have_a_label() -> None:
    [deck] = [sheet for sheet in sheets_of(find("dodekka"), "en") if isinstance(sheet, Deck)]
    [lines] = text_of(deck, [], 4)
    assert [line for line in lines if line] == [tr(face.name) for face in deck.cards]


def test_a_drawing_has_no_text() -> None:
    drawing = Pieces("x", "Board", (Piece((60, 40), (Label((5, 10), "A", 9),)),))
    assert is_drawing(drawing)
    with pytest.raises(ValueError, match='"Board" is a drawing'):
        text_of(drawing, [], 2)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("dohdles --large --braille", "Choose large print or braille: --large or --braille."),
        ("dohdles board suggestions --braille", "Not in braille, because these are drawings: board."),
        ("dodekka board --large", 'Dodekka cards has no sheet "board"; there are: needs, deck, scores.'),
    ],
)
def test_a_refusal_says_why_and_writes_nothing(words: str, says: str, capfd: Any, here: Path) -> None:
    assert main(["print", *words.split()]) == 2
    assert says in capfd.readouterr().err
    assert list(here.iterdir()) == []


def test_without_liblouis_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capfd: Any, here: Path
) -> None:
    monkeypatch.setattr("umpi.printing.braille.PROGRAM", "no-such-program")
    assert main(["print", "dodekka", "deck", "--braille"]) == 2
    assert "Braille needs liblouis: sudo apt install liblouis-bin" in capfd.readouterr().err
    assert list(here.iterdir()) == []


@needs_liblouis
def test_without_the_table_of_a_language_the_command_names_it(
    monkeypatch: pytest.MonkeyPatch, capfd: Any, here: Path
) -> None:
    monkeypatch.setitem(TABLES, "fr", "no-such-table.utb")
    assert main(["print", "dodekka", "deck", "--braille", "--language", "fr"]) == 2
    assert "liblouis could not translate with the table no-such-table.utb: " in capfd.readouterr().err
    assert list(here.iterdir()) == []


def test_large_print_names_the_drawings_that_keep_their_size(capfd: Any, here: Path) -> None:
    assert main(["print", "dohdles", "chips", "suggestions", "--large"]) == 0
    out = capfd.readouterr().out
    assert "dohdles-chips-suggestions-large.pdf: 8 pages (chips 1, suggestions 7).\n" in out
    assert "Drawings keep their size and their letters: chips.\n" in out
    assert main(["print", "dodekka", "--large"]) == 0
    assert capfd.readouterr().out.endswith("Print at 100 %, not fitted to the page.\n")
    assert sorted(file.name for file in here.iterdir()) == ["dodekka-large.pdf", "dohdles-chips-suggestions-large.pdf"]


SYMBOL = "M 0 0 L 1 1"
PARTS = {  # each kind of sheet, with and without what it may have
    "cards": (
        Deck("deck", "Deck", (
            Face("1", SYMBOL, "#000000", "Ann", "of Hearts"), Face("2", SYMBOL, "#000000", "Bea"),
            Face("3", SYMBOL, "#000000", "forty cells in the first line of a half-and-half card"),
            *(Face("4", SYMBOL, "#000000", f"card {number}") for number in range(20)),
        )),
    ),
    "forty": (Deck("deck", "Deck", (Face("1", SYMBOL, "#000000", "a" * 40), Face("2", SYMBOL, "#000000", "b" * 41))),),
    "full": (Pieces("x", "X", (Piece((9, 9), ()),), words=(Rows("Head", tuple(f"row {at}" for at in range(23))),)),),
    "one more": (Pieces("x", "X", (Piece((9, 9), ()),), words=(Rows("", tuple(f"row {at}" for at in range(25))),)),),
    "all": (
        Needs("needs", "What you need", (Thing("dice", "Dice", 3), Thing("pens", "Pens"))),
        Deck("deck", "Deck", (Face("1", SYMBOL, "#000000", "Ann"),) * 2),
        Pieces("boards", "Boards", (Piece((9, 9), ()),) * 2, words=(Rows("One", ("a", "b")), Rows("Two", ("c",)))),
        Scores("scores", "Scores", (Rows("Match", ("one", "two")), Rows("", ("rest",))), "All", ("each", "sum"), "By"),
        Scores("plain", "Plain", (Rows("", ("one",)),)),
    ),
    "needs alone": (Needs("needs", "What you need"), Scores("scores", "Scores", (Rows("", ("one",)),))),
}  # fmt: skip


def test_the_pages_are_as_somebody_has_read_them(monkeypatch: pytest.MonkeyPatch, here: Path) -> None:
    """In capitals instead of cells, which a program of two lines makes; UMPI_APPROVE=1 writes braille.txt anew."""
    (here / "translate").write_text("#!/bin/sh\nsed 's/\\\\\\\\/\\\\/g' | tr a-z A-Z\n")
    (here / "translate").chmod(0o755)
    monkeypatch.setattr("umpi.printing.braille.PROGRAM", str(here / "translate"))
    six: Any = type("Six", (find("quiz"),), {"seats": range(2, 7)})
    now = []
    for name, sheets in PARTS.items():
        counts = write_braille("x.brf", six, sheets, replace=True)
        pages = (here / "x.brf").read_bytes().decode("ascii").split("\f")
        now += [f"{name}: {counts}", *"".join(f"{page}--\r\n" for page in pages).split("\r\n")]
    if os.environ.get("UMPI_APPROVE"):
        SEEN.write_text("\n".join(now), encoding="ascii")
    assert now == SEEN.read_text(encoding="ascii").split("\n")
