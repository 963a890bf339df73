"""Stickers for sleeves: the sheet is drawn as a printer would, and its codes are read as a scanner would."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import zxingcpp

from umpi.cards.decode import cards_of, codes_of
from umpi.cli import main
from umpi.games.dodekka import Dodekka
from umpi.games.dudab_buba import DudabBuba
from umpi.printing.labels import PAPERS, WORD_MM, LabelSheet, write_sheet

MM = 72 / 25.4
DPI = 300


def drawn(file: Path, dots_per_inch: int = DPI) -> list[Any]:
    """Draw each page."""
    return [page.render(scale=dots_per_inch / 72, grayscale=True).to_pil() for page in pypdfium2.PdfDocument(file)]


def read(pages: list[Any]) -> list[str]:
    """Read all codes."""
    return [found.text for page in pages for found in zxingcpp.read_barcodes(page)]


def words_on(file: Path) -> list[str]:
    """All words on the sheet, those on two lines put together: the mark is PDFium's for a line's last hyphen."""
    text = "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(file))
    return text.replace("\ufffe", "-").split()


@pytest.fixture(params=[Dodekka, DudabBuba], ids=["dodekka", "dudab-buba"], scope="module")
def sheet(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """A game, and the sheet of its cards."""
    game: Any = request.param
    file = tmp_path_factory.mktemp("sheet") / "sheet.pdf"
    write_sheet(str(file), game.title, codes_of(game), "a4", 16, replace=False)
    return game, file


@pytest.mark.slow
@pytest.mark.parametrize("dots_per_inch", [200, DPI])
def test_every_copy_of_every_card_is_read_off_the_sheet(sheet: tuple[Any, Path], dots_per_inch: int) -> None:
    """Off a poor printer's page, and an ordinary one's."""
    game, file = sheet
    assert sorted(read(drawn(file, dots_per_inch))) == sorted(code for code, _ in codes_of(game))


def test_the_word_of_each_card_is_printed_in_letters(sheet: tuple[Any, Path]) -> None:
    game, file = sheet
    found = Counter(words_on(file))
    assert {word: found[word] for word in cards_of(game)} == Counter(cards_of(game))


def test_a_code_is_as_large_as_the_sheet_says_and_its_rim_is_white(sheet: tuple[Any, Path]) -> None:
    """16 mm with four white dots at each side (ISO/IEC 18004, 9.1): no letter and no cut mark comes near."""
    _, file = sheet
    [page] = drawn(file)
    for found in zxingcpp.read_barcodes(page):
        (left, top), (right, bottom) = (
            (corner.x, corner.y) for corner in (found.position.top_left, found.position.bottom_right)
        )
        wide = (right - left) / DPI * 25.4
        assert any(abs(wide - 16 * dots / (dots + 8)) < 0.3 for dots in (21, 25, 29)), wide
        rim = round(3 * (right - left) / 29)
        outer = page.crop((left - rim, top - rim, right + rim, bottom + rim))
        outer.paste(255, (rim - 2, rim - 2, outer.width - rim + 3, outer.height - rim + 3))
        assert outer.getextrema() == (255, 255)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("size", [10, 16, 25, 50])
def test_all_stickers_lie_on_the_page_and_beside_each_other(paper: str, size: int) -> None:
    sheet = LabelSheet(PAPERS[paper], size)
    wide, high = sheet.paper
    left, top = sheet.corner(0, 0)
    right, bottom = sheet.corner(sheet.columns, sheet.rows)
    assert min(left, wide - right, bottom, high - top) > 11 * MM, "what no printer leaves out"
    assert sheet.corner(1, 1) == pytest.approx((left + size * MM, top - (size + WORD_MM) * MM))
    assert sheet.columns >= 3


def test_letters_the_font_lacks_lose_their_accent_and_the_code_does_not(tmp_path: Path) -> None:
    file = tmp_path / "sheet.pdf"
    write_sheet(str(file), "Őz", [("őz-kőszáli-ß", "őz-kőszáli-ß")], "a4", 16, replace=False)
    assert "oz-koszáli-ß" in words_on(file)
    assert read(drawn(file)) == ["őz-kőszáli-ß"]


def test_the_same_cards_make_the_same_file(tmp_path: Path) -> None:
    for name in ("one.pdf", "other.pdf"):
        write_sheet(str(tmp_path / name), "Dodekka", codes_of(Dodekka)[:3], "a4", 16, replace=False)
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "other.pdf").read_bytes()


def test_the_command_writes_it_and_says_how_to_print(tmp_path: Path, capfdbinary: Any) -> None:
    file = tmp_path / "dodekka.pdf"
    assert main(["cards", "dodekka", "--sheet", str(file), "--paper", "letter", "--size", "20"]) == 0
    assert capfdbinary.readouterr().out.decode() == f"{file}: 60 stickers on 1 page. Print at 100 %.\n"
    assert file.read_bytes().startswith(b"%PDF")


def test_a_file_is_replaced_only_on_request(tmp_path: Path, capfd: Any) -> None:
    file = tmp_path / "cards.pdf"
    file.write_text("mine")
    assert main(["cards", "dodekka", "--sheet", str(file)]) == 2
    assert f"{file} exists already. Replace it with --replace, or name another file." in capfd.readouterr().err
    assert file.read_text() == "mine"
    assert main(["cards", "dodekka", "--sheet", str(file), "--replace"]) == 0
    assert file.read_bytes().startswith(b"%PDF")


def test_without_a_sheet_the_codes_are_listed() -> None:
    done = subprocess.run([sys.executable, "-m", "umpi", "cards", "dudab-buba"], capture_output=True, check=True)
    lines = done.stdout.decode().splitlines()
    assert (len(lines), lines[0], lines[-1]) == (96, "umpi:dudab-buba:blue-hand-1", "umpi:dudab-buba:baby#8")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("quiz", "has no cards."),
        ("dodeka", "Dodéka dice has no cards."),
        ("dodekca", 'No game "dodekca" is installed. Did you mean dodeka? There are: '),
        ("dodekka --sheet x.pdf --size 5", "--size 5: 10 to 50 mm can be printed and scanned."),
        ("dodekka --sheet /nowhere/x.pdf", "/nowhere/x.pdf: No such file or directory"),
    ],
)
def test_a_write_error_is_reported_as_a_sentence(words: str, says: str, capfd: Any) -> None:
    assert main(["cards", *words.split()]) == 2
    assert says in capfd.readouterr().err
