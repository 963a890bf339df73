"""Misspelled members of an engine: `umpi check` names each, with the name that is meant."""

from __future__ import annotations

from typing import Any

import pytest

from umpi.conformance import command
from umpi.conformance.names import known
from umpi.games.dodekka import Dodekka
from umpi.kernel import Game
from umpi.kernel.registry import games

MISSPELLED = {
    "veiw": "view", "cals": "calls", "audti": "audit", "win": "wins", "peices": "pieces",
    "experimets": "experiments", "kidn": "kind", "ods": "odds", "tabel_setup": "table_setup", "dealler": "dealer",
    "standin": "standing", "objetion": "objection", "opton_help": "option_help", "show_board": "shown_board",
}  # fmt: skip


@pytest.mark.parametrize(("wrong", "right"), MISSPELLED.items())
def test_a_misspelled_member_is_a_flaw_that_names_the_right_one(wrong: str, right: str) -> None:
    game: Any = type("Odd", (Dodekka,), {wrong: getattr(Dodekka, right)})
    assert [flaw.why for flaw in known(game)] == [f"`{wrong}`: did you mean `{right}`?"]


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_shipped_games_have_no_name_in_vain(game: type[Game]) -> None:
    assert [flaw.why for flaw in known(game)] == []


@pytest.mark.slow
def test_a_member_that_the_engine_leaves_out_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.run("planted.sixes:Sixes", games=1) == 0
    lines = [line.split(maxsplit=2) for line in capsys.readouterr().out.splitlines()]
    absent = {check for mark, check, figures in lines if mark == "-" and figures == "not there"}
    assert absent == {"audit", "view", "board", "calls", "now", "setup", "hands", "lesson", "worths"}
