"""What is on each page is what somebody has looked at: pages.txt has a print of each document."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from reportlab.lib.units import mm

from tests.kit.noting_canvas import note_pages, print_of_notes
from tests.kit.pdf_pages import print_of
from umpi.cli import main
from umpi.kernel.printable import (
    BLUE,
    RED,
    Deck,
    Face,
    Label,
    Needs,
    Outline,
    Paragraph,
    Piece,
    Pieces,
    Point,
    Rows,
    Scores,
    SeatMark,
    Thing,
    box,
)
from umpi.kernel.registry import find, games
from umpi.printing.labels import write_sheet
from umpi.printing.pen import LEADING
from umpi.printing.sheets import write_sheets
from umpi.rulebook.shelf import Shelf

SEEN = Path(__file__).with_name("pages.txt")
SHELF = Shelf(games())
BOARDS = {"dohdles": ("board", "funnel"), "battledodes": ("board",)}  # of many tiles with many marks
SMALL = {"dohdles": ("chips", "placard", "solutions", "suggestions", "scores"), "battledodes": ("plan", "scores")}
NOTED = {  # what `umpi print` draws
    f"{game.id} {kind}": ["print", game.id, *SMALL.get(game.id, ()), *words.split(), "--output"]
    for game in games()
    for kind, words in {"sheets": "", "large": "--large --paper letter"}.items()
} | {
    "dodekka letter": ["print", "dodekka", "--paper", "letter", "--output"],
    "dodekka large hu": ["print", "dodekka", "--large", "--language", "hu", "--output"],
    "dodeka fr": ["print", "dodeka", "scores", "track", "--language", "fr", "--output"],
    "dudab-buba large de": ["print", "dudab-buba", "scores", "--large", "--language", "de", "--output"],
}  # fmt: skip
WHOLE = {f"{id} whole": ["print", id, "--output"] for id in BOARDS}
DRAWN = {  # as PDFium reads what reportlab has written
    f"{game.id} rules {language}": ["rules", game.id, "--language", language, "--pdf"]
    for game in SHELF.games()
    for language in SHELF.languages(game.id)
} | {
    "dodekka rules letter": ["rules", "dodekka", "--paper", "letter", "--pdf"],
    "dodekka pages": ["print", "dodekka", "--output"],
}  # fmt: skip


def compare(name: str, now: str, file: Path) -> None:
    """Hold a print to what somebody has seen; with UMPI_APPROVE=1, keep it."""
    seen = dict(line.rsplit(": ", 1) for line in SEEN.read_text(encoding="utf-8").splitlines())
    if os.environ.get("UMPI_APPROVE"):
        seen = {each: {**seen, name: now}[each] for each in NAMES if each in {*seen, name}}
        SEEN.write_text("".join(f"{each}: {what}\n" for each, what in seen.items()), encoding="utf-8")
    assert now == seen[name], f"what it draws now: {file}"
    assert [*seen] == NAMES or os.environ.get("UMPI_APPROVE")


@pytest.mark.parametrize("name", DRAWN)
def test_a_document_is_as_somebody_has_seen_it(name: str, tmp_path: Path) -> None:
    """After a change on purpose: look at the PDF, then UMPI_APPROVE=1 writes its line of pages.txt."""
    file = tmp_path / "seen.pdf"
    assert main([*DRAWN[name], str(file)]) == 0
    compare(name, print_of(file), file)


def draws_as_before(name: str, words: list[str], file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare all that a command draws, and the rooms of its texts, with what somebody has seen."""
    note_pages(monkeypatch)
    assert main([*words, str(file)]) == 0
    compare(name, print_of_notes(file), file)


@pytest.mark.parametrize("name", NOTED)
def test_what_is_drawn_is_as_somebody_has_seen_it(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draws_as_before(name, NOTED[name], tmp_path / "drawn.txt", monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("name", WHOLE)
def test_a_game_with_a_large_board_is_drawn_as_somebody_has_seen_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draws_as_before(name, WHOLE[name], tmp_path / "drawn.txt", monkeypatch)


def piece(size: Point, text: str = "Ann") -> Piece:
    """A piece with each kind of mark."""
    triangle = "M 0 0 L 1 0 C 1 1 0 1 0 0 Z"
    return Piece(size, (
        Outline(box(2, 2, size[0] - 4, size[1] - 4), "", RED, 0.4, dashed=True),
        Outline(triangle, BLUE, at=(5, 4), scale=3),
        *(Label((size[0] / 2, 8 + 4 * at), text, 8, 9, align) for at, align in enumerate(("left", "centre", "right"))),
        Label((4, 20), "bold", 7, bold=True, ink=RED, turn=90),
        Paragraph((3, 22), f"{text} has as many words as the room has place, and then a few more.", 20, 12, 8, turn=5),
        *(SeatMark(seat, (3 + 4 * seat, size[1] - 8), 3.5) for seat in range(6)),
    ))  # fmt: skip


SYMBOL = "M 20 20 L 80 20 L 50 80 Z"
EXACT = Paragraph((3, 3), "one line", 50, LEADING * 9 / mm, 9)
ROWS = Rows("Match", tuple(f"row {number}" for number in range(17)))
SHEETS = {  # each kind of sheet, each with and without what it may have
    "needs": (
        Needs("needs", "What you need", (Thing("dice", "Dice", 3), Thing("pens", "Pens"))),
        Pieces("one", "One piece", (piece((60, 40)),)),
        Pieces("tiles", "Two tiles", (piece((60, 290)),)),
        Pieces("many", "Pieces", (piece((30, 40)),) * 30, words=(Rows("", ("a",)), Rows("Head", ("b", "c " * 60)))),
        Pieces("folded", "Folded", (piece((30, 40)),) * 2, "fold twice"),
        Deck("deck", "Deck", (Face("7", SYMBOL, RED, "Ann", "Bea"),)),
        Scores("scores", "Scores", (Rows("", ("one", "two")),)),
    ),
    "needs alone": (Needs("needs", "What you need"), Scores("scores", "Scores", (Rows("Rest", ("one",)),))),
    "tiles": (Pieces("tiles", "Tiles", (piece((400, 300)), piece((400, 300), "Bea"))),),
    "wide": (Pieces("wide", "Wide", (piece((270, 100)),)),),
    "a page": (Pieces("page", "Page", (piece((190 - 0.4, 265 - 0.4 - 0.01)),)),),
    "exact": (Pieces("exact", "A text as high as its room", (Piece((60, 40), (EXACT,)),)),),
    "cards": (Deck("deck", "Deck", (Face("", SYMBOL, BLUE, "Ann"), Face("12", SYMBOL, RED, "Bea Bea Bea", "Cleo"))),),
    "scores": (
        Scores("a", "A", (ROWS, Rows("", ("alone",)), ROWS, ROWS), "Total", ("each", "sum"), "A note of a few words."),
        Scores("b", "B", (Rows("", ("a name that is longer",)), ROWS), "Total"),
    ),
}  # fmt: skip
KINDS = [f"{name} {'large' if large else 'sheets'} {paper}" for name in SHEETS for large in (False, True)
         for paper in ("a4", "letter") if paper == "a4" or name in ("tiles", "scores")]  # fmt: skip
MANY: Any = type("Many", (find("quiz"),), {"seats": range(2, 9)})  # more seats than the box has colours
WORDS = ("fire-2", "baby", "a-very-long-card", "őz", "averyveryverylongword", "I")
STICKERS = {"stickers a4": ("a4", 50), "stickers letter": ("letter", 16)}
NAMES = [*NOTED, *WHOLE, *DRAWN, *KINDS, *STICKERS]


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_of_sheet_is_drawn_as_somebody_has_seen_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what no game has: two columns, no heading, more seats than colours, two boards on one sheet."""
    kind, size, paper = name.rsplit(" ", 2)
    note_pages(monkeypatch)
    file = tmp_path / "drawn.txt"
    pages = write_sheets(str(file), MANY, SHEETS[kind], paper, replace=False, large=size == "large")
    compare(name, f"{print_of_notes(file)} {pages}", file)


@pytest.mark.parametrize("name", STICKERS)
def test_stickers_are_drawn_as_somebody_has_seen_them(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On one page, and where a second one begins."""
    note_pages(monkeypatch)
    file = tmp_path / "drawn.txt"
    codes = [(f"c:{word}", word) for word in WORDS * (3 if name == "stickers a4" else 1)]
    pages = write_sheet(str(file), "Cards", codes, *STICKERS[name], replace=False)
    compare(name, f"{print_of_notes(file)} {pages}", file)
