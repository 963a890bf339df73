"""`umpi rules`: the text in the terminal, the PDF, and errors that name what is wrong."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from umpi.cli import main
from umpi.kernel.registry import find
from umpi.rulebook.book import parse
from umpi.rulebook.shelf import read_books


def test_the_rules_are_printed_in_lines_that_fit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "dodeka"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("DODÉKA (DICE)\n\nGoal\n----\n")
    assert "Pair: two alike" in text
    assert "  » Ben wins set 1, Cleo pays 80" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["rules", "nope"], 'No game "nope" is installed'),
        (["rules", "quiz"], "Quiz buzzer has no rules to print."),
        (["rules", "dodeka", "--pdf", "/nowhere/rules.pdf"], "/nowhere/rules.pdf: No such file or directory"),
    ],
)
def test_a_printing_error_is_reported(arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert why in capsys.readouterr().err


def test_an_unknown_language_is_an_error_that_lists_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["rules", "dodeka", "--language", "xx"])
    assert stop.value.code == 2
    assert "en, fr, hu, de" in capsys.readouterr().err


@pytest.mark.parametrize(("paper", "size"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_the_pdf_contains_every_section_on_paper(
    paper: str, size: tuple[int, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rules.pdf"
    assert main(["rules", "dodeka", "--pdf", str(file), "--paper", paper]) == 0
    document = pypdfium2.PdfDocument(file)
    assert capsys.readouterr().out == f"{file}: {len(document)} pages.\n"
    assert tuple(round(side) for side in document[0].get_size()) == size
    text = "\n".join(page.get_textpage().get_text_range() for page in document)
    for words in ("Goal", "Options", "Pairtraiz: 13 with a pair", "Example: The last round of a set"):
        assert words in text


def test_a_file_is_replaced_only_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rules.pdf"
    file.write_text("mine")
    assert main(["rules", "dodeka", "--pdf", str(file)]) == 2
    assert f"{file} exists already. Replace it with --replace, or name another file." in capsys.readouterr().err
    assert file.read_text() == "mine"
    assert main(["rules", "dodeka", "--pdf", str(file), "--replace"]) == 0
    assert file.read_bytes().startswith(b"%PDF")


def test_rules_that_do_not_fit_leave_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rules.pdf"
    file.write_text("mine")
    long = f"# T\n\n## S\n\n| Word | Text |\n|---|---|\n| one | {'much ' * 3000} |\n"
    monkeypatch.setattr("umpi.rulebook.shelf.read_books", lambda game: [parse(long, "en", {})])
    assert main(["rules", "dodeka", "--pdf", str(file), "--replace"]) == 1
    assert "The rules of Dodéka dice contain a fault: something is higher than a column" in capsys.readouterr().err
    assert file.read_text() == "mine"


def test_a_table_of_long_words_has_the_width_of_its_column(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, words = tmp_path / "rules.pdf", ["", *("Donaudampfschiff" + letter for letter in "abcde")]
    row = f"| {' | '.join(words)} |"
    monkeypatch.setattr(
        "umpi.rulebook.shelf.read_books",
        lambda game: [parse(f"# T\n\n## S\n\n{row}\n{'|---' * 6}|\n{row}\n", "en", {})],
    )
    assert main(["rules", "dodeka", "--pdf", str(file)]) == 0
    page = pypdfium2.PdfDocument(file)[0]
    text = page.get_textpage()
    boxes = [text.get_charbox(at) for at in range(text.count_chars())]
    assert max(right for _, bottom, right, top in boxes if 60 < bottom < 740) < page.get_width() / 2


def test_letters_that_no_font_has_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("umpi.printing.fonts.DEJAVU", tmp_path)
    assert main(["rules", "dodeka", "--language", "fr", "--pdf", str(tmp_path / "fr.pdf")]) == 0
    assert main(["rules", "dodeka", "--language", "hu", "--pdf", str(tmp_path / "hu.pdf")]) == 2
    assert "sudo apt install fonts-dejavu-core" in capsys.readouterr().err
    assert not (tmp_path / "hu.pdf").exists()


def test_a_missing_language_is_printed_in_english_with_a_notice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    english = [book for book in read_books(find("dodeka")) if book.language == "en"]
    monkeypatch.setattr("umpi.rulebook.shelf.read_books", lambda game: english)
    assert main(["rules", "dodeka", "--language", "hu"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("The rules of Dodéka dice are not available in Magyar.\nDODÉKA (DICE)\n")


RULES = """
[rules.long]
game = "dodekka"
options = { limit = 15 }

[rules.longer]
base = "long"
options = { line = 5 }

[rules.loud]
game = "dudab-buba"
options = { request = "may", baby_points = [-1, -3, -6, -11, -19, -32, -51, -90] }
"""


@pytest.fixture
def sets(tmp_path: Path) -> list[str]:
    (tmp_path / "umpi.toml").write_text(RULES)
    return ["--config", str(tmp_path / "umpi.toml")]


def test_an_option_or_a_rule_set_changes_the_text(sets: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, limit, line in (
        ([], 12, 3), (["--option", "limit=15"], 15, 3), (["--rules", "longer", *sets], 15, 5),
        (["--rules", "longer", *sets, "--option", "limit=20"], 20, 5),
    ):  # fmt: skip
        assert main(["rules", "dodekka", *arguments]) == 0
        text = " ".join(capsys.readouterr().out.split())
        assert f"Over {limit}: you bust." in text
        assert f"in a line beside the deck: {line} in all." in text


def test_two_rule_sets_are_compared(sets: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--diff", "dodekka", "longer", *sets]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "Dodekka cards: by the sheet, longer", "limit: 12 (by the sheet), 15 (longer)",
        "line: 3 (by the sheet), 5 (longer)",
    ]  # fmt: skip
    assert [line for line in lines[3:] if line and not line.startswith(" ")] == ["Goal", "Set-up", "A turn"]
    assert "  longer: 15 or less: nothing happens." in lines


def test_a_comparison_shows_what_differs_and_nothing_else(sets: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--diff", "loud", "dudab-buba", *sets]) == 0
    printed = capsys.readouterr().out
    assert "request: may (loud), must (by the sheet)" in printed
    assert "baby_points 8: -90 (loud), -81 (by the sheet)" in printed
    assert "baby_points 7" not in printed
    assert "Each dudab in your hand" not in printed
    assert main(["rules", "--diff", "long", "long", *sets]) == 0
    assert capsys.readouterr().out == "Dodekka cards: long, long\nAll options are the same.\n"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--diff", "lond", "dodekka"], 'There is no rule set "lond". There are: long, longer, loud.'),
        (["--diff", "long", "loud"], "long is for Dodekka cards, loud for Dudab Buba cards."),
        (["dodeka", "--rules", "long"], "The rule set long is for Dodekka cards, not for Dodéka dice."),
        (["dodekka", "--option", "limits=3"], 'no option "limits"'),
        (["dodekka", "--diff", "long", "longer"], "Give either a game, or --diff with two rule sets."),
        ([], "Give either a game, or --diff with two rule sets."),
    ],
)
def test_a_wrong_name_is_an_error_that_says_which_there_are(
    sets: list[str], arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", *arguments, *sets]) == 2
    assert why in capsys.readouterr().err
