"""The lines of an engine that neither random games nor records run."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from planted import Bag

from tests.kit.game_tables import written
from umpi.conformance import command, unrun
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
