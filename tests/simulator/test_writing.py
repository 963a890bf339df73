"""A scenario that is written from a record plays on a virtual box, to the same acts and to the same end."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.foreign_table import FERRY, install_ferry
from tests.kit.sampling import examples
from umpi.box.config import Config
from umpi.cli import main
from umpi.kernel import registry
from umpi.kernel.drawn import completed
from umpi.kernel.fields import Dice, Number, Pick, Some
from umpi.kernel.game import Act, Ask, Value
from umpi.kernel.match import Match
from umpi.kernel.random_games import play_out
from umpi.kernel.record import Header, dump, replay
from umpi.kernel.registry import find, games
from umpi.simulator.script import ScriptFault, play_script
from umpi.simulator.virtual import with_lanes
from umpi.simulator.writing import CannotWrite, _seeds, write_scenario
from umpi.table.lot import Lot

RECORDS = Path(__file__).parents[1] / "records"


def written(match: Match, folder: Path) -> str:
    """Write the scenario of a match, play it, and return it."""
    config = with_lanes(Config(journal=folder / "games.db"), 1)
    text = write_scenario(match, "game.jsonl", config)
    (folder / "game.txt").write_text(text)
    play_script(folder / "game.txt", config)
    return text


def quiz() -> Match:
    match = Match(find("quiz"), ("Ann", "Ben"), {"questions": 1})
    for act in (Act("open"), Act("buzz", {"seat": 1}), Act("judge", {"right": True})):
        match.play(act)
    return match


def test_a_scenario_has_the_players_by_colour_the_options_and_who_wins(tmp_path: Path) -> None:
    lines = written(quiz(), tmp_path).splitlines()
    assert lines[:4] == [
        "# From power-on to the end of game.jsonl.", "option questions=1", 'expect "Which game?"', "game quiz",
    ]  # fmt: skip
    assert "expect 'Blue wins!'" in lines
    assert lines[-1] == 'expect "0" "1"'


def test_a_scenario_fails_where_the_box_no_longer_does_what_the_record_contains(tmp_path: Path) -> None:
    text = written(quiz(), tmp_path)
    (tmp_path / "other.txt").write_text(text.replace("press blue\n", "press red\n", 1))
    with pytest.raises(ScriptFault, match=r"expected: blue|Blue wins"):
        play_script(tmp_path / "other.txt", Config(journal=tmp_path / "other.db"))


def test_the_command_writes_a_scenario_that_umpi_sim_plays(tmp_path: Path, capsys: Any) -> None:
    match = quiz()
    lines = [Header(match.game, match.players, match.options).line(), *(act.line() for act in match.acts)]
    (tmp_path / "game.jsonl").write_text("".join(f"{dump(line)}\n" for line in lines))
    assert main(["scenario", str(tmp_path / "game.jsonl")]) == 0
    (tmp_path / "game.txt").write_text(capsys.readouterr().out)
    assert main(["sim", "--script", str(tmp_path / "game.txt")]) == 0
    assert main(["scenario", str(tmp_path / "none.jsonl")]) == 2
    (tmp_path / "game.jsonl").write_text("".join(f"{dump(line)}\n" for line in (lines[0], {"do": "sing"})))
    assert main(["scenario", str(tmp_path / "game.jsonl")]) == 1
    assert "line 2" in capsys.readouterr().err


@pytest.mark.slow
def test_a_game_without_options_is_set_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its setup has one screen fewer: the box then shows how to set the table up."""
    install_ferry(tmp_path)
    module, line = tmp_path / FERRY.name, '(Number("travellers", 1, 30), Number("flood", 1, 20))'
    text = module.read_text(encoding="utf-8")
    assert line in text
    module.write_text(text.replace(line, "()"), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "night_ferry", raising=False)
    registry.look_again()
    try:
        match = play_out(find("night-ferry"), ("Ann", "Ben"), seed=1)
        assert not match.game.options
        assert "option" not in written(match, tmp_path)
    finally:
        monkeypatch.undo()
        registry.look_again()


@pytest.mark.slow
def test_an_act_that_no_button_enters_is_named(tmp_path: Path) -> None:
    match = play_out(find("battledodes"), ("Ann", "Ben"), {}, seed=2)
    with pytest.raises(CannotWrite, match=r"^act \d+"):
        written(match, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("game", [game.id for game in games() if game.id != "dohdles"])
def test_the_first_acts_of_a_random_game_are_written_and_play(game: str, tmp_path: Path) -> None:
    players = ("Ann", "Ben", "Cleo")[: 3 if 3 in find(game).seats else 2]
    whole = play_out(find(game), players, {}, seed=1)
    match = Match(find(game), players, {})
    for act in whole.acts[:49]:
        match.play(act)
    written(match, tmp_path)


@pytest.mark.slow
def test_a_written_game_of_dohdles_plays_with_its_board(tmp_path: Path) -> None:
    *_, last = replay(RECORDS.joinpath("dohdles/last-call-with-a-board.jsonl").read_bytes().splitlines(), find)
    assert last.record
    written(last.record.match, tmp_path)


DRAWN = (  # too many ways for small seeds
    Number("number", 5, 900, source="box"),
    Pick("card", ("ace", "king", "queen", "king"), source="box"), Dice("dice", 6, 6, source="box"),
    Some("cards", ("a", "b", "b", "c", "d"), 1, 4, source="box"),
)  # fmt: skip


@settings(max_examples=examples(100))
@given(st.integers(0, 2**32))
def test_a_seed_has_written_out_what_small_ones_draw_too_rarely(seed: int) -> None:
    more = {1: DRAWN, 0: ()}  # what follows from the seat
    ask = Ask("draw", "Draw", (Pick("seat", (0, 1), source="will"),), more=lambda known: more[known["seat"]])
    chosen: dict[str, Value] = {"seat": 1}
    drawn = completed(ask, chosen, Lot(seed))
    (written_out,) = _seeds(ask, chosen, {name: value for name, value in drawn.items() if name != "seat"})
    assert completed(ask, chosen, Lot(written_out)) == drawn
