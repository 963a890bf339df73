"""The printed pages: each is one page, has the labels of the screens, and the box reads the example of the form."""

from __future__ import annotations

import json
import re
import string
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from reportlab.pdfbase import pdfmetrics

from hardware.print import guide
from hardware.print.form import COLUMNS, COMMANDS, EXAMPLE, ROWS, SIGNS
from hardware.print.labels import CARD, names
from hardware.print.paper import MARGIN, PLAIN
from hardware.print.render import render
from umpi.cli import main
from umpi.display.marks import mark
from umpi.games.dohdles.board import KINDS
from umpi.games.dohdles.form import KINDS as WRITTEN
from umpi.i18n import translate
from umpi.i18n.translate import ENGLISH, current_language, languages, set_language, tr
from umpi.table.seats import SHAPES

OUT = Path(guide.__file__).parent / "out"
TEMPLATE = Path(translate.__file__).parent / "catalogues" / "umpi.pot"
DPI = 150
EDGE_MM = 10.0  # what household printers may leave white


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """All pages, newly drawn."""
    return {path.stem: path for path in render(tmp_path_factory.mktemp("print")) if path.suffix == ".pdf"}


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    assert current_language() == ENGLISH, "drawing must not change the language"


def words_of(file: Path) -> str:
    [page] = pypdfium2.PdfDocument(file)
    return " ".join(page.get_textpage().get_text_range().split())


def printed(file: Path) -> bytes:
    [page] = pypdfium2.PdfDocument(file)
    return bytes(page.render(scale=1, grayscale=True).to_pil().tobytes())


def texts(language: str) -> dict[str, Any]:
    return tomllib.loads((guide.TEXTS / f"{language}.toml").read_text(encoding="utf-8"))


def test_the_kept_sheets_are_those_of_today(drawn: dict[str, Path]) -> None:
    """After a change: ./scripts/dev hardware print"""
    assert sorted(drawn) == sorted(path.stem for path in OUT.glob("*.pdf"))
    for name, file in drawn.items():
        assert words_of(file) == words_of(OUT / file.name), name
        assert printed(file) == printed(OUT / file.name), name


def test_the_same_page_is_the_same_file(drawn: dict[str, Path], tmp_path: Path) -> None:
    """No dates, no numbers drawn by chance."""
    for name, file in {path.stem: path for path in render(tmp_path) if path.suffix == ".pdf"}.items():
        assert file.read_bytes() == drawn[name].read_bytes()


def test_every_page_is_one_a4_with_white_edges(drawn: dict[str, Path]) -> None:
    for name, file in drawn.items():
        [page] = pypdfium2.PdfDocument(file)
        assert page.get_size() == pytest.approx((595.28, 841.89), abs=0.1)
        picture = page.render(scale=DPI / 72, grayscale=True).to_pil()
        edge = round(EDGE_MM / 25.4 * DPI)
        picture.paste(255, (edge, edge, picture.width - edge, picture.height - edge))
        assert picture.getextrema() == (255, 255), name


@pytest.mark.parametrize("language", languages())
def test_the_guide_has_the_labels_of_the_screen(drawn: dict[str, Path], language: str) -> None:
    found = words_of(drawn[f"guide-{language}"])
    set_language(language)
    labels = [str(tr(text)).replace("\u00a0", " ") for text in guide.LABELS.values()]  # as words are read off a page
    set_language(ENGLISH)
    for word in labels:
        assert word in found, word
    assert "{" not in found


@pytest.mark.parametrize("text", [*guide.LABELS.values(), guide.LIMITS_TITLE])
def test_every_label_of_the_guide_is_a_text_of_the_box(text: str) -> None:
    """After a text of the box has changed: bring guide.LABELS up to date, then run ./scripts/dev hardware print."""
    assert f'\nmsgid "{text}"\n' in TEMPLATE.read_text(encoding="utf-8")


def test_the_french_guide_says_tu() -> None:
    text = json.dumps(texts("fr"), ensure_ascii=False)
    assert re.findall(r"(?i)\b(?:vous|votre|vos|(?!chez|assez)\w+ez)\b", text) == []


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_whole_guide_in_letters_that_are_there(language: str) -> None:
    """The same parts, texts and words of the screen as in English; six things on the front, numbered."""
    own, english = texts(language), texts(ENGLISH)
    assert len(own["keys"]) == len(english["keys"]) == 6
    shapes = [[_fields(text) for text in part["text"]] for part in own["part"]]
    assert shapes == [[_fields(text) for text in part["text"]] for part in english["part"]]
    assert set().union(*(fields for part in shapes for fields in part)) == set(guide.LABELS)
    guide.draw_guide(Path("/dev/null"), language)
    known = pdfmetrics.getFont(PLAIN).face.charToGlyph
    assert [letter for letter in json.dumps(own, ensure_ascii=False) if ord(letter) not in known] == []


def test_a_guide_too_long_for_its_page_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "en.toml").write_text((guide.TEXTS / "en.toml").read_text().replace("Hold Back", "Hold Back " * 200))
    monkeypatch.setattr(guide, "TEXTS", tmp_path)
    with pytest.raises(ValueError, match=r"en\.toml: column 2 is \d+ mm longer than the page"):
        guide.draw_guide(tmp_path / "guide.pdf", "en")
    assert current_language() == ENGLISH


@pytest.mark.parametrize("seat", range(len(SHAPES)))
def test_a_seat_s_label_bears_its_mark_as_the_screen_draws_it_and_its_name(seat: int, drawn: dict[str, Path]) -> None:
    """Put into 13 × 13 dots it is most like that mark of the panel, and nearly the same."""
    [page] = pypdfium2.PdfDocument(drawn["seat-labels"])
    picture = page.render(scale=DPI / 72, grayscale=True).to_pil()
    mm = DPI / 25.4
    left = (210 - 2 * CARD[0]) / 2 + seat % 2 * CARD[0] + 21
    top = MARGIN + 4 + seat // 2 * CARD[1] + CARD[1] / 2
    ground = picture.getpixel((round((left - 16) * mm), round(top * mm)))
    box = tuple(round(edge * mm) for edge in (left - 12, top - 12, left + 12, top + 12))
    small = picture.crop(box).point(lambda dot: 255 * (abs(dot - ground) > 60)).resize((13, 13), 4)
    like = [
        sum((small.getpixel(at) > 127) == mark(button, 13).dot(*at) for at in _dots(13))
        for button in range(len(SHAPES))
    ]
    assert like.index(max(like)) == seat
    assert max(like) >= 0.85 * 13 * 13
    assert all(name in words_of(drawn["seat-labels"]) for name in names(seat))
    assert len(set(names(seat))) >= 3


def test_the_form_s_example_is_what_the_box_reads(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """The command as it is printed."""
    program, command, file, *_ = COMMANDS[0].split()
    (tmp_path / file).write_text(EXAMPLE, encoding="utf-8")
    assert program == "umpi"
    assert main([command, str(tmp_path / file)]) == 0
    profile = json.loads(capfdbinary.readouterr().out)
    assert profile["track"] == [[0, 3], [1, 3], [1, 2], [2, 2]]
    assert profile["rewards"] == [0, 3, 3, 2, 2, 1, 1, 0]


def test_the_form_asks_for_all_that_a_profile_has(drawn: dict[str, Path]) -> None:
    found = words_of(drawn["dohdles-board"])
    assert [WRITTEN[sign.lower()] for sign in SIGNS] == list(KINDS)
    assert all(line in found for line in EXAMPLE.splitlines())
    assert all(command in found for command in COMMANDS)
    assert {f"{space}" for space in range(ROWS * COLUMNS)} <= set(found.split())


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def _dots(side: int) -> list[tuple[int, int]]:
    return [(x, y) for x in range(side) for y in range(side)]
