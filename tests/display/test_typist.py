"""The presses of an answer: every act of a random game by buttons, the keys for it, and the choices of the menu."""

from __future__ import annotations

from typing import Any

import pytest

from umpi.display.entering import STEPS
from umpi.display.panel import Panel
from umpi.display.typist import CannotType, presses, presses_in_menu
from umpi.kernel import Act, Ask, Match, Number
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.table.commands import Do
from umpi.table.hint import Hint
from umpi.table.seating import Seating
from umpi.table.state import Table, TableState

NAMES = ("Katy", "Kévin", "Christelle", "Őzike")


def cost(match: Match, act: Act) -> int:
    """Count the presses of an act, in the menu where it is not under the keys."""
    try:
        return len(presses(match.asks, match.players, [act], quick=False))
    except CannotType:
        return len(presses_in_menu(match, [act]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options", "most"),
    [
        ("battledodes", {}, 20), ("dodeka", {}, 8), ("dodekka", {}, 6), ("dudab-buba", {"track": "counts"}, 14),
        ("dudab-buba", {}, 35), ("scorepad", {}, 12), ("scorepad", {"rounds": 3}, 16),
    ],
)  # fmt: skip
def test_every_act_of_a_random_game_can_be_entered(game: str, options: dict[str, Any], most: int) -> None:
    """Every game is playable with buttons alone; rare acts from the menu."""
    engine = find(game)
    written = play_out(engine, NAMES[: min(4, engine.seats[-1])], options, seed=3)
    match = Match(engine, written.players, options)
    for act in written.acts[:70]:
        assert cost(match, act) <= most, act
        match.play(act)


@pytest.mark.parametrize("far", [*range(-60, 61), 777, -4321])
def test_a_number_is_turned_the_short_way(far: int) -> None:
    """Six steps; the wheel is at 0."""
    ask = Ask("score", "Score", (Number("points", -9999, 9999),))
    keys = presses([ask], NAMES, [Act("score", {"points": far})])
    assert keys[-1] == "ok"
    assert sum(STEPS[key] for key in keys[:-1]) == far  # type: ignore[call-overload]
    assert len(keys) <= 9 or abs(far) > 60


def test_an_act_that_cannot_be_entered_is_reported() -> None:
    """An act that is neither under the keys nor in the menu."""
    match = Match(find("dodeka"), NAMES)
    with pytest.raises(CannotType):
        presses_in_menu(match, [Act("throw", {"keep": (), "dice": (1, 2, 3)})])
    with pytest.raises(CannotType):
        presses(match.asks, NAMES, [Act("stop")])


def test_a_search_in_the_menu_corrects_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A correction asks for every past act again: to search it took minutes in a long game."""
    monkeypatch.setattr("umpi.display.menus.correct", None)
    match = Match(find("scorepad"), NAMES)
    match.play(Act("score", {"seat": 0, "points": 7}))
    assert presses_in_menu(match, [Act("finish")])


@pytest.mark.parametrize("game", ["quiz", "scorepad"])
@pytest.mark.parametrize(
    "beside", [TableState(), TableState(phones=(), unsaved="No room", hint=Hint())], ids=["bare", "full"]
)
def test_the_end_of_the_game_is_on_the_first_page_of_the_menu(game: str, beside: TableState) -> None:
    """The moves of the game come first, whatever else a box has entries for."""
    match, act = Match(find(game), NAMES), Act("finish")
    if game == "quiz":
        match.play(Act("open"))
        match.play(Act("close"))
    panel = Panel([match.game], Table(beside))
    panel.show(match, Seating(match.game, NAMES, (0, 1, 2, 3)))
    hold, key = presses_in_menu(match, [act])
    assert panel.press(hold, long=True) is None
    assert panel.press(key) == Do((act,))
