"""The page for the first box: each figure that it asks to measure stands in the file that it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HARDWARE = Path(__file__).parents[2] / "hardware"
ROWS = re.findall(r"^\| (\d+) \|(.*)\|$", (HARDWARE / "first-article.md").read_text(encoding="utf-8"), re.M)


def test_the_rows_are_numbered_and_have_room_for_each_figure() -> None:
    assert [int(number) for number, _ in ROWS] == list(range(1, len(ROWS) + 1))
    assert all(row.rstrip().endswith("______") for _, row in ROWS)


@pytest.mark.parametrize("row", [row for _, row in ROWS], ids=[number for number, _ in ROWS])
def test_a_figure_stands_in_the_file_that_the_row_names(row: str) -> None:
    (path, words), *_ = re.findall(r"\[[\w./-]+\]\(([\w./-]+)\)(?: `([^`]+)`)?", row)
    lines = [line.strip() for line in (HARDWARE / path).read_text(encoding="utf-8").splitlines()]
    assert not words or any(line.startswith(words) for line in lines), words


def test_every_figure_that_the_wiring_calls_a_guess_is_asked_for() -> None:
    page = " ".join(row for _, row in ROWS)
    for line in (HARDWARE / "wiring" / "wiring.toml").read_text(encoding="utf-8").splitlines():
        if "guess" in line:
            assert f"`{line.split('#')[0].strip()}`" in page, line
