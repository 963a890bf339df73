"""The lines of an engine that neither random games nor records run."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from planted import Bag

from tests.kit.game_tables import written
from umpi.conformance import command, patience, unrun
from umpi.kernel.game import Game
from umpi.kernel.random_games import play_out

SELDOM = '''
from planted import Bag


class Seldom(Bag):
    """A bag with a line that no game runs, and a refusal, which is left out."""

    def scores(self):
        """Return the points."""
        if self.phase == "never":
            return (0,) * 2
        if self.phase == "wrong":
            raise ValueError
        return super().scores()

    def standing(self):
        return self.unknown  # a function of which nothing has run is left out
'''


RARE = """
from planted import Bag


class Rare(Bag):
    def do_draw(self, seat, stone, loud=None):
        if len(self.bag) == 2:
            FAULT
        return super().do_draw(seat, stone, loud)
"""


@pytest.fixture
def seldom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Game]]:
    (tmp_path / "seldom.py").write_text(SELDOM)
    monkeypatch.syspath_prepend(tmp_path)
    yield import_module("seldom").Seldom
    del sys.modules["seldom"]


def test_a_line_that_no_game_runs_is_named(seldom: type[Game]) -> None:
    assert unrun.unrun(seldom, 0) == "seldom.py:11"
    assert unrun.unrun(Bag, 0) == ""


def test_a_record_runs_lines_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unrun, "ACTS", 0)
    without = unrun.unrun(Bag, 0)
    assert without.startswith("bag.py:")
    for seed in range(3):
        record = written(play_out(Bag, ("Ann", "Ben"), {}, seed))
        (tmp_path / f"{seed}.jsonl").write_bytes(b"".join(record))
    assert len(unrun.unrun(Bag, 0, tmp_path).split()) < len(without.split())


def test_the_command_says_what_to_do(
    seldom: type[Game], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "examine", lambda game, games, seed, progress: ())
    assert command.run("seldom:Seldom", 1) == 0
    assert capsys.readouterr().out == f"    not run      seldom.py:11: {command.UNRUN}\n"


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("raise ZeroDivisionError('rare')", 'Bag rules failed on "draw": ZeroDivisionError: rare'),
        ("while True: pass", "do_draw() did not return within 0.4 s of processor time"),
    ],
    ids=["broken", "stuck"],
)
def test_a_fault_that_the_examination_has_not_met_is_a_flaw_with_its_record(
    fault: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rare.py").write_text(RARE.replace("FAULT", fault))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "rare", raising=False)
    monkeypatch.setattr(command, "examine", lambda game, games, seed, progress: ())
    monkeypatch.setattr(patience, "CALL_S", 0.4)
    assert command.run("rare:Rare", 1) == 1
    flaw, _, *record = capsys.readouterr().out.splitlines()
    assert flaw.startswith(f"FAILED legality: A further random game stops: {why} [the game's code: ")
    assert "rare.py, line 8" in flaw
    assert ('"game": "bag"' in record[0], '"draw"' in record[-1]) == (True, True), record
