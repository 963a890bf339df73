"""The table of rules and variations, tests/records/rules.csv: its records and options exist, and none is missing."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from umpi.kernel.options import defaults
from umpi.kernel.registry import find

RECORDS = Path(__file__).parents[1] / "records"
FIVE = ("battledodes", "dodeka", "dodekka", "dohdles", "dudab-buba")


class Line(NamedTuple):
    game: str
    rule: str
    records: list[str]
    options: list[str]
    ruling: str


def lines() -> list[Line]:
    with (RECORDS / "rules.csv").open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return [Line(game, rule, records.split(), options.split(), ruling) for game, rule, records, options, ruling in rows]


TABLE = lines()


def header(game: str, record: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(
        (RECORDS / game / f"{record}.jsonl").read_text(encoding="utf-8").split("\n")[0]
    )
    return found


def test_each_line_names_a_game_a_record_and_where_it_comes_from() -> None:
    assert {line.game for line in TABLE} == set(FIVE)
    for line in TABLE:
        assert line.records, line
        assert re.match("sheet|ruling|variation|experiment", line.ruling), line


@pytest.mark.parametrize("line", TABLE, ids=lambda line: f"{line.game}-{line.rule[:40]}")
def test_each_record_and_each_option_of_the_table_exists(line: Line) -> None:
    for record in line.records:
        assert (RECORDS / line.game / f"{record}.jsonl").is_file(), record
        assert header(line.game, record)["game"] == line.game
    assert set(line.options) <= set(defaults(find(line.game)))


@pytest.mark.parametrize("game", FIVE)
def test_every_option_of_a_game_is_in_the_table(game: str) -> None:
    named = {option for line in TABLE if line.game == game for option in line.options}
    assert named == set(defaults(find(game)))


@pytest.mark.parametrize("game", FIVE)
def test_every_experiment_has_a_record_with_another_number(game: str) -> None:
    lines = [line for line in TABLE if line.game == game and line.ruling.startswith("experiment")]
    played = {option for line in lines for record in line.records for option in header(game, record)["options"]}  # type: ignore[attr-defined]
    assert set(find(game).experiments) <= played & {option for line in lines for option in line.options}
