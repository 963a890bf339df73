"""The page of findings: each has a row, and each test and row of the first box that it names is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
HARDWARE = ROOT / "hardware"
ROWS = re.findall(r"^\| H(\d+) \|(.*)\|$", (HARDWARE / "findings.md").read_text(encoding="utf-8"), re.M)


def test_each_finding_has_a_row_with_what_changed_and_what_holds_it() -> None:
    assert [int(number) for number, _ in ROWS] == list(range(1, 33))
    for _, row in ROWS:
        _, changed, held = (cell.strip() for cell in row.split("|"))
        assert changed
        assert "`test_" in held or "first box, row" in held


def test_each_test_that_a_row_names_is_there() -> None:
    folders = (ROOT / "tests" / "hardware", ROOT / "tests" / "doctor")
    written = " ".join(path.read_text(encoding="utf-8") for folder in folders for path in folder.glob("test_*.py"))
    there = set(re.findall(r"^def (test_\w+)", written, re.M))
    assert {name for _, row in ROWS for name in re.findall(r"`(test_\w+)`", row)} <= there


def test_each_row_of_the_first_box_is_there() -> None:
    page = (HARDWARE / "first-article.md").read_text(encoding="utf-8")
    there = {int(number) for number in re.findall(r"^\| (\d+) \|", page, re.M)}
    assert {int(number) for _, row in ROWS for number in re.findall(r"first box, row (\d+)", row)} <= there
