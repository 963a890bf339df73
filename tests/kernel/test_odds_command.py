"""`umpi odds`: what is printed for the position at the end of a record, and with which exit status."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from written import DEAL, HEADER, TAKE

from umpi.cli import main
from umpi.games.dodeka import Dodeka

Capture = pytest.CaptureFixture[bytes]


def record(folder: Path, *lines: dict[str, Any]) -> str:
    path = folder / "game.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def output_lines(capture: Capture) -> list[str]:
    return capture.readouterr().out.decode().splitlines()


def test_the_odds_are_those_at_the_end_of_the_record(tmp_path: Path, capfdbinary: Capture) -> None:
    """By hand: 6 lie beside a 4 after the take, no card busts; then 10 beside a 4, where a 3 busts."""
    lines = [HEADER, DEAL, TAKE]
    assert main(["odds", record(tmp_path, *lines)]) == 0
    assert output_lines(capfdbinary) == ["flip busts 0.0% 0 of 57"]
    turned = [*lines, {"do": "turn", "card": "ether-4"}]
    assert main(["odds", record(tmp_path, *turned)]) == 0
    assert output_lines(capfdbinary)[0] == "flip busts 26.8% 15 of 56"


def test_the_dice_to_keep_are_printed_one_row_per_line(tmp_path: Path, capfdbinary: Capture) -> None:
    """Undone actions do not count; the rows are those of the position."""
    thrown = {"do": "throw", "keep": [], "dice": [4, 12, 12]}
    dodeka = HEADER | {"game": "dodeka"}
    assert main(["odds", record(tmp_path, dodeka, thrown, {"do": "stop"}, {"undo": 1})]) == 0
    rows = Dodeka.setup(2).do_throw(0, (), (4, 12, 12)).odds()
    assert output_lines(capfdbinary) == [" ".join((row.label, *row.cells)) for row in rows]


def test_a_record_comes_from_standard_input_too(
    tmp_path: Path, capfdbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`-` is standard input."""
    with open(record(tmp_path, HEADER, DEAL), encoding="utf-8") as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert main(["odds", "-"]) == 0
    assert output_lines(capfdbinary) == ["flip busts 0.0% 0 of 57"]


def test_an_engine_whose_odds_fail_is_named(
    tmp_path: Path, capfdbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `umpi replay` does where an engine fails: one line, status 1, no traceback."""
    monkeypatch.setattr(Dodeka, "odds", lambda game: 1 // 0)
    assert main(["odds", record(tmp_path, HEADER | {"game": "dodeka"})]) == 1
    (line,) = output_lines(capfdbinary)
    assert json.loads(line)["error"].startswith("The rules of Dodéka cannot compute the odds: ZeroDivisionError")
