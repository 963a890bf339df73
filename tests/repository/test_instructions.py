"""A budget in instructions: 3 % more than in the table is refused, and each line of the table has its reason."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from scripts.bench import instructions
from scripts.bench.full_journal import make_journal
from scripts.bench.instructions import SHORT, TABLE, Line, faults, read_table, renewed, written
from tests.kit.journals import dodeka_header
from umpi.journal import Journal

LINES = {"press": Line(1000, "drawn as dots"), "act": Line(200, "the first count")}
HINT = 'If that must be so: ./scripts/dev bench instructions --reason "why". It changes these lines.'


@pytest.mark.parametrize(
    ("counts", "found"),
    [
        ({"press": 1030, "act": 200}, []),
        ({"press": 10, "act": 200}, []),
        ({"press": 1031, "act": 200}, ["press: 1,031 instructions, 3.1% more than in the table.", HINT]),
        ({"press": 1000}, ["The table has a part that is not counted: act.", HINT]),
        ({"press": 1000, "act": 1, "new": 1}, ["The table has no line for this part: new.", HINT]),
    ],
)
def test_more_than_three_percent_is_refused(counts: dict[str, int], found: list[str]) -> None:
    assert faults(counts, LINES) == found


def test_a_reason_belongs_to_the_lines_that_it_changes() -> None:
    """A small rise changes no line, so that many small ones add up to one that is refused."""
    counts = {"press": 1020, "act": 300, "new": 7}
    reason = "it says whose turn it is"
    assert renewed(counts, LINES, reason) == {"press": LINES["press"], "act": Line(300, reason), "new": Line(7, reason)}


def test_the_table_is_written_as_it_is_read_and_gives_reasons() -> None:
    text = TABLE.read_text(encoding="utf-8")
    table = read_table(text)
    assert written(table) == text
    assert [part for part, line in table.lines.items() if len(line.reason) < 5] == []


def test_a_part_that_callgrind_ends_twice_counts_once(tmp_path: Path) -> None:
    """It does if it changes to another thread at that moment, which happens on a busy machine."""
    for number, total in enumerate((2_000_000, 61_000, 21, 70_000), 9):
        (tmp_path / f"counts.{number}").write_text(f"desc: Trigger: --dump-before\ntotals: {total}\n")
    assert instructions._totals(tmp_path / "counts") == [2_000_000, 61_000, 70_000]


def test_on_another_machine_nothing_is_compared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = dict(read_table(TABLE.read_text(encoding="utf-8")).machine)
    monkeypatch.setattr(instructions, "machine", lambda: {**there, "Python": "9.9"})
    monkeypatch.setattr(instructions.shutil, "which", lambda name: name)
    instructions.instructions(check=True)
    said = f"Instructions: nothing is compared. Python is 9.9 here, and {there['Python']} in the table.\n"
    assert capsys.readouterr().out == said


@pytest.mark.slow
def test_each_line_of_the_table_is_a_part_that_can_be_done(tmp_path: Path) -> None:
    """Without callgrind: that takes 40 times as long."""
    make_journal(tmp_path / "full.db", 5_001, *SHORT)
    with closing(Journal(tmp_path / "played.db")) as journal:
        journal.begin(dodeka_header())
    command = [sys.executable, "-m", "scripts.bench.counted", str(tmp_path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    parts = [part for part, _ in (line.split("\t") for line in done.splitlines()) if part]
    assert parts == list(read_table(TABLE.read_text(encoding="utf-8")).lines)
