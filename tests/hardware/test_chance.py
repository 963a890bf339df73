"""The chance that a build works at the first try: the page is of today, and a second program adds up the same."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from math import exp, log
from pathlib import Path
from random import Random

import pytest

from hardware.chance.numbers import load
from hardware.chance.render import PAGE, render, tables
from hardware.chance.sums import chance, count
from hardware.wiring.model import read_wiring

NUMBERS, WIRING = load(), read_wiring()
TEXT = PAGE.read_text(encoding="utf-8")
GIVEN = tomllib.loads(PAGE.with_name("chance.toml").read_text(encoding="utf-8"))
BUILDS = [row["name"] for row in GIVEN["row"]]


def printed(table: str) -> list[list[str]]:
    inside = TEXT.partition(f"<!-- {table} -->")[2].partition(f"<!-- /{table} -->")[0]
    return [line.strip("| ").split(" | ") for line in inside.strip().splitlines()[2:]]


def test_the_page_has_the_tables_of_today(tmp_path: Path) -> None:
    assert render(tmp_path) == [PAGE]
    assert PAGE.read_text(encoding="utf-8") == TEXT
    assert set(tables(NUMBERS)) == {"builds", "work", "design"}


@pytest.mark.parametrize("column", range(len(BUILDS)), ids=BUILDS)
def test_a_second_program_adds_up_what_is_printed(column: int) -> None:
    """Sums of logarithms, from the counts on the page and the figures of the file."""
    row = GIVEN["row"][column]
    wanted = []
    for rates, goods in ((1, 1), (2, 0), (0, 2)):  # usual, all at their worst, all at their best
        total = sum(log(GIVEN["design"][name]["good"][goods]) for name in row["design"])
        for kind, line in zip(GIVEN["work"].values(), printed("work"), strict=True):
            assert line[0] == kind["what"]
            total += int(line[1 + column]) * log(1 - kind["rate"][rates] * (1 - kind["caught"]))
        wanted.append(round(100 * exp(total)))
    line = next(each for each in printed("builds") if each[0] == row["name"])
    assert [int(number) for number in re.findall(r"\d+", line[1])] == wanted


def test_chances_agree_with_tries_by_dice() -> None:
    """10,000 boxes are built: each piece of work and each design fails by lot."""
    lot, row = Random(1), NUMBERS.row[0]
    work, tries = count(WIRING, row), 10_000
    good = 0
    for _ in range(tries):
        right = all(lot.random() < NUMBERS.design[name].good[1] for name in row.design)
        right = right and all(
            lot.random() >= NUMBERS.work[kind].rate[1] * (1 - NUMBERS.work[kind].caught)
            for kind, number in work.items()
            for _ in range(number)
        )
        good += right
    assert good / tries == pytest.approx(chance(NUMBERS, WIRING, row).tested[1], abs=0.02)


def test_a_build_has_the_work_of_its_circuits() -> None:
    counts = {row.name: count(WIRING, row) for row in NUMBERS.row}
    assert [each["beam"] for each in counts.values()] == [0, 0, 2, 0, 2 + 12]
    assert counts["minimal"]["crimp"] == counts["minimal"]["turn"] == 0
    assert counts["minimal"]["joint"] == 10 * 2 * 2, "ten buttons, ten resistors"
    assert counts["table with its gate"]["crimp"] == counts["table, the box alone"]["crimp"] + 6, "one lane"
    assert counts["full with gates, wall and colours"]["crimp"] == counts["full, the box alone"]["crimp"] + 6 + 2 + 4


def test_work_that_always_fails_and_is_not_found_leaves_no_chance() -> None:
    bad = replace(NUMBERS.work["joint"], rate=(1.0, 1.0, 1.0), caught=0.0)
    wrong = replace(NUMBERS, work={**NUMBERS.work, "joint": bad})
    assert chance(wrong, WIRING, NUMBERS.row[0]).tested == (0.0, 0.0, 0.0)
