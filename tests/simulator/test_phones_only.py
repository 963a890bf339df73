"""The terminal of a table of phones only: a code for the referee, once, and a code for the players."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image

from umpi.box.config import Config
from umpi.journal import Journal
from umpi.simulator.page import Page

ADDRESS = "http://192.168.178.200:8137/"
HALVES = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}  # which halves of a letter are lit
WIDTH = 80  # letters of a terminal


def scanned(text: str) -> list[str]:
    """Read the QR codes off a terminal, as a camera does."""
    lines = [line for line in text.splitlines() if {*line} <= {*HALVES}]
    width = max(map(len, lines))
    assert width <= WIDTH
    image = Image.new("L", (width, 2 * len(lines)))
    for row, line in enumerate(lines):
        for column, letter in enumerate(line):
            for half, lit in enumerate(HALVES[letter]):
                image.putpixel((column, 2 * row + half), 255 * lit)
    large = image.resize((8 * image.width, 8 * image.height), Image.Resampling.NEAREST)
    found = sorted(zxingcpp.read_barcodes(large), key=lambda code: code.position.top_left.x)
    return [code.text for code in found]


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    page = Page(Config(journal=tmp_path / "games.db"), ADDRESS)
    yield page
    page.box.close()


def test_the_first_code_is_the_referees_and_the_second_the_players(page: Page) -> None:
    text = page.codes_for_phones()
    assert text.splitlines()[0].startswith("The referee scans this code first.")
    referee, players = scanned(text)
    assert players == f"{ADDRESS}#pair"
    _, session = page.web_app.codes.redeem(referee.removeprefix(f"{ADDRESS}#pair="), "192.168.178.30", "phone", 0)
    assert session.button is None


def test_with_a_referees_phone_only_the_players_code_is_shown(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "games.db")
    journal.pair(hash="hash", who="referee", name="Android")
    journal.close()
    page = Page(Config(journal=tmp_path / "games.db"), ADDRESS)
    try:
        assert scanned(page.codes_for_phones()) == [f"{ADDRESS}#pair"]
    finally:
        page.box.close()
