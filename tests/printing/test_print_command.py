"""`umpi print`: what it writes and says, and errors that list what there is."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import umpi.printing
from umpi.cli import main
from umpi.kernel.printable import BLACK, Deck, Label, Mark, Outline, Piece, Pieces, Rows, Scores, Sheet

SCALE = "Print at 100 %, not fitted to the page. Then the ruler on each page is 100 mm long.\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_all_sheets_of_a_game_are_in_one_file(here: Path, capfd: Any) -> None:
    assert main(["print", "dodekka"]) == 0
    assert capfd.readouterr().out == f"dodekka.pdf: 9 pages (needs 1, deck 7, scores 1).\n{SCALE}"
    assert (here / "dodekka.pdf").read_bytes().startswith(b"%PDF")


def test_one_sheet_has_its_own_file(here: Path, capfd: Any) -> None:
    assert main(["print", "dodekka", "deck", "--paper", "letter"]) == 0
    assert capfd.readouterr().out.startswith("dodekka-deck.pdf: 8 pages (deck 8).\n")
    assert main(["print", "dodekka", "scores", "--language", "de", "--output", "bogen.pdf"]) == 0
    assert sorted(file.name for file in here.iterdir()) == ["bogen.pdf", "dodekka-deck.pdf"]


def test_a_file_is_replaced_only_on_request(here: Path, capfd: Any) -> None:
    (here / "quiz.pdf").write_text("mine")
    assert main(["print", "quiz"]) == 2
    assert "quiz.pdf exists already. Replace it with --replace, or name another" in capfd.readouterr().err
    assert (here / "quiz.pdf").read_text() == "mine"
    assert main(["print", "quiz", "--replace"]) == 0
    assert (here / "quiz.pdf").read_bytes().startswith(b"%PDF")


def test_a_game_without_sheets_says_so_and_has_a_score_sheet(capfd: Any) -> None:
    assert main(["print", "quiz"]) == 0
    out = capfd.readouterr().out
    assert out.startswith("Quiz buzzer has no sheets of its own, so this is a score sheet for any game.\n")
    assert "quiz.pdf: 1 page (scores 1).\n" in out


def test_the_list_names_each_sheet_and_needs_no_reportlab(capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "reportlab", None)
    assert main(["print", "--list"]) == 0
    rows = [line.split()[:2] for line in capfd.readouterr().out.splitlines()]
    assert {tuple(row) for row in rows} >= {("battledodes", "board"), ("dodeka", "track"), ("quiz", "scores")}
    assert main(["print", "--list", "dohdles"]) == 0
    rows = [line.split(maxsplit=4) for line in capfd.readouterr().out.splitlines()]
    assert ["dohdles", "chips", "18", "×", "Clue chips"] in rows
    assert [row[1] for row in rows] == [
        "needs", "board", "funnel", "chips", "tokens", "cubes", "placard", "solutions", "suggestions", "scores",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("", "Name a game, or list the sheets of all games: umpi print --list"),
        ("dodekca", 'No game "dodekca" is installed. Did you mean dodeka? There are: battledodes, dodeka, '),
        ("dodekka board", 'Dodekka cards has no sheet "board"; there are: needs, deck, scores.'),
        ("quiz --output /nowhere/x.pdf", "/nowhere/x.pdf: No such file or directory"),
    ],
)
def test_a_write_error_is_reported_as_a_sentence(words: str, says: str, capfd: Any, here: Path) -> None:
    assert main(["print", *words.split()]) == 2
    assert says in capfd.readouterr().err
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(("words", "says"), [("--paper a3", "a4, letter"), ("--language xx", "en, fr, hu, de")])
def test_an_unknown_paper_or_language_is_an_error_that_lists_the_others(words: str, says: str, capfd: Any) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["print", "quiz", *words.split()])
    assert stop.value.code == 2
    assert says in capfd.readouterr().err


def test_what_prints_is_installed_with_umpi() -> None:
    """So that `umpi print` works after any way to install it."""
    room = Path(umpi.printing.__file__ or "").parent
    lines = [line.split() for file in room.glob("*.py") for line in file.read_text().splitlines()]
    imported = {words[1].partition(".")[0] for words in lines if words[:1] in (["from"], ["import"])}
    ours = {"umpi", "__future__", *sys.stdlib_module_names}
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    installed = {re.split(r"[^A-Za-z0-9.-]", line)[0] for line in project["dependencies"]}
    assert {"reportlab", "segno"} <= imported - ours <= installed


def test_letters_that_no_font_has_are_an_error(monkeypatch: pytest.MonkeyPatch, capfd: Any, here: Path) -> None:
    monkeypatch.setattr("umpi.printing.fonts.DEJAVU", here)
    assert main(["print", "dohdles", "suggestions", "--language", "de"]) == 0
    assert main(["print", "dohdles", "suggestions", "--language", "hu", "--output", "hu.pdf"]) == 2
    assert "sudo apt install fonts-dejavu-core" in capfd.readouterr().err
    assert not (here / "hu.pdf").exists()


def drawing(name: str, *marks: Mark) -> Pieces:
    return Pieces(name, "Board", (Piece((50, 50), marks),))


@pytest.mark.parametrize("large", [(), ("--large",)])
@pytest.mark.parametrize(
    ("sheets", "why"),
    [
        ([drawing("board", Label((0, 9), "Rumpelstiltskin", 9, 2))], '"Rumpelstiltskin" needs'),
        ([drawing("board"), drawing("track"), drawing("board")], 'two sheets have the name "board".'),
        ([drawing("scores")], 'two sheets have the name "scores".'),
        ([Scores("scores", "Score sheet", ())], 'the sheet "scores" is empty.'),
        ([Scores("scores", "Score sheet", (Rows("", ()),))], 'the sheet "scores" is empty.'),
        ([Deck("deck", "Deck", ())], 'the sheet "deck" is empty.'),
        ([Pieces("board", "Board", ())], 'the sheet "board" is empty.'),
        ([drawing("board", Outline("M 1", "", BLACK))], 'the path "M 1" ends too early.'),
        ([drawing("board", Outline("M 0 0 C 1 1 2 2 3", "", BLACK))], 'the path "M 0 0 C 1 1 2 2 3" ends too early.'),
    ],
)
def test_a_fault_of_a_game_is_reported_with_its_text(
    sheets: Sequence[Sheet], why: str, large: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capfd: Any, here: Path
) -> None:
    faulty = ModuleType("umpi.games.dodekka.printables")
    faulty.__spec__ = ModuleSpec(faulty.__name__, None)
    faulty.printables = lambda language: (*sheets,)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, faulty.__name__, faulty)
    assert main(["print", "dodekka", *large]) == 1
    said = capfd.readouterr().err
    assert "The sheets of Dodekka cards contain a fault: " in said
    assert why in said
    assert list(here.iterdir()) == []
