"""The review on paper: what it says in four languages, that its chart is true, and what refuses to be printed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from tests.kit.noting_canvas import note_pages, print_of_notes
from umpi.cli import main
from umpi.i18n.translate import LANGUAGES, set_language
from umpi.kernel.random_games import play_out
from umpi.kernel.record import Header, dump
from umpi.kernel.registry import find
from umpi.printing.paper import PAPERS

# What players must find on the sheet of the first player of seed 7: the figures are those that test_review knows
WORDS = {
    "en": ("Luck and skill", "P1 wins!", "turn points (exact)", "4889.2", "-11.3", "3537.9", "move 68: 10 10 10"),
    "de": ("Glück und Können", "P1 gewinnt!", "Punkte der Züge (genau)", "4889,2", "-11,3", "3537,9", "Kosten: 466,7"),
    "fr": ("Chance et talent", "P1 gagne", "points des tours (exact)", "4889,2", "-11,3", "3537,9", "Mieux : arrêter"),
    "hu": ("Szerencse és tudás", "P1 nyert!", "dobások pontjai (pontos)", "4889,2", "-11,3", "3537,9", "Ára: 466,7"),
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    set_language("en")


def record(game: str, players: tuple[str, ...] = ("P1", "P2"), seed: int = 7, acts: int | None = None) -> str:
    match = play_out(find(game), players, seed=seed)
    lines = [Header(match.game, match.players, match.options).line(), *(act.line() for act in match.acts[:acts])]
    Path("game.jsonl").write_text("".join(f"{dump(line)}\n" for line in lines), encoding="utf-8")
    return "game.jsonl"


def printed(file: str, *words: str) -> Any:
    assert main(["review", file, "--pdf", "review.pdf", "--workers", "1", *words]) == 0
    return pypdfium2.PdfDocument("review.pdf")


def text_of(document: Any) -> str:
    return "\n".join(page.get_textpage().get_text_range().replace("\r", "") for page in document)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sheet_has_the_figures_and_the_dearest_choice_in_each_language(language: str) -> None:
    text = text_of(printed(record("dodeka"), "--language", language)).replace("\N{NO-BREAK SPACE}", " ")
    assert [word for word in WORDS[language] if word not in text] == []


@pytest.mark.parametrize(("game", "words", "seen"), [
    ("dodeka", ("--language", "fr"), "2 efbfcdad2a116c2a"), ("quiz", ("--paper", "letter"), "1 7349b87fabfae6d4"),
    ("dudab-buba", (), "1 96194afb1d97985f"),
])  # fmt: skip
def test_a_sheet_is_as_somebody_has_seen_it(
    game: str, words: tuple[str, ...], seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a change on purpose: look at the PDF, then copy the new print of what is drawn."""
    note_pages(monkeypatch)
    file = record(game, ("P1", "P2", "P3"))
    assert main(["review", file, "--pdf", "review.pdf", "--workers", "1", *words]) == 0
    assert print_of_notes(Path("review.pdf")) == seen


@pytest.mark.parametrize("paper", PAPERS)
def test_each_page_is_the_paper_and_its_margin_is_white(paper: str) -> None:
    document = printed(record("dodeka", ("Ann", "Ben", "Cem", "Dora", "Eve")), "--paper", paper)
    text = text_of(document)
    assert [text.count(f"{name}\n") for name in ("Ann", "Dora", "Eve")] == [1, 1, 1], "a chart for each player"
    for page in document:
        assert {round(side) for side in page.get_size()} == {round(side) for side in PAPERS[paper]}
        picture = page.render(scale=100 / 72, grayscale=True).to_pil()
        rim = round(9.7 / 25.4 * 100)  # 10 mm, less the blur of the picture
        picture.paste(255, (rim, rim, picture.width - rim, picture.height - rim))
        assert picture.getextrema() == (255, 255)


@pytest.mark.slow
def test_the_curve_of_what_was_given_away_ends_at_its_figure_on_the_scale() -> None:
    """The last red dot of the first chart, measured between the numbers of its scale."""
    page = printed(record("dodeka"))[0]

    def middle(number: str) -> float:
        text = page.get_textpage()
        found = text.search(number, match_whole_word=True)
        while (at := found.get_next()) and text.get_charbox(at[0])[0] > 70:  # the table is further right
            pass
        _, bottom, _, top = text.get_charbox(at[0])
        return float(bottom + top) / 2

    top, zero = middle("4889"), middle("0")
    scale = 4.0
    picture = page.render(scale=scale).to_pil().convert("RGB")
    high = picture.height
    red = [
        (x, high / scale - y / scale)
        for y in range(round(high - top * scale) - 8, round(high - zero * scale) + 8)
        for x in range(round(80 * scale), round(330 * scale))
        if (pixel := picture.getpixel((x, y)))[0] > 150 and pixel[1] < 90 and pixel[2] < 110
    ]
    right = max(x for x, _ in red)
    ys = [y for x, y in red if x > right - 2]
    share = (sum(ys) / len(ys) - zero) / (top - zero)
    assert abs(share - 3537.9 / 4889.2) < 0.02


@pytest.mark.slow
def test_a_sampled_sheet_says_about_and_why_its_chart_has_no_luck() -> None:
    text = text_of(printed(record("battledodes", seed=3), "--worlds", "2"))
    assert "(about, ± half of a 95 % interval)" in text
    assert "In this game, luck is known only for the whole match." in text
    assert "Given away Mistake" in text.replace("\n", " "), "the legend names what is drawn"


def test_a_match_that_is_not_over_says_so_and_has_no_winner() -> None:
    text = text_of(printed(record("dodeka", acts=40)))
    assert "The match is not over." in text
    assert "wins" not in text


def test_what_has_no_split_has_its_scores_and_a_reason() -> None:
    assert "The box does not see the hands" in text_of(printed(record("dudab-buba")))
    assert "Presses" in text_of(printed(record("quiz"), "--replace"))


@pytest.mark.slow
def test_a_file_is_replaced_only_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    Path("review.pdf").write_text("mine")
    words = ["review", record("dodeka"), "--pdf", "review.pdf", "--workers", "1"]
    assert main(words) == 2
    assert "review.pdf exists already. Replace it with --replace" in capsys.readouterr().err
    assert Path("review.pdf").read_text() == "mine"
    assert main([*words, "--replace"]) == 0
    assert capsys.readouterr().out == "review.pdf: 1 page.\n"
    assert main([*words, "--json"]) == 2
    assert "--json or --pdf" in capsys.readouterr().err


def test_letters_that_no_font_has_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", record("quiz", ("漢", "Ben")), "--pdf", "review.pdf", "--workers", "1"]) == 2
    assert "No font has all letters of the text. Missing: 漢." in capsys.readouterr().err
    assert not Path("review.pdf").exists()
