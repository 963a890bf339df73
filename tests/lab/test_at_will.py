"""Acts that nobody asks for, as the cube of Dohdles!: a strategy decides them for its own seat."""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

import pytest

from umpi.games.dohdles.board import PROPOSAL
from umpi.games.dohdles.strategy import ArrowReader
from umpi.kernel import Strategy
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.registry import find
from umpi.lab import strategies as lab_strategies
from umpi.lab.games import Experiment, Failed, Played, play_game
from umpi.lab.search import Search
from umpi.lab.world import Outlook, World

SEATS = ("P1", "P2", "P3")
UNBARRED = [frozenset[str]()] * 3


class Always(Strategy):
    """Toss the cube whenever it may, and note all acts until then."""

    seen: ClassVar[list[Act]] = []
    tosses: ClassVar = True

    def __init__(self, chance: object) -> None:
        pass

    def act(self, match: Match, seat: int, outlook: Outlook) -> None:
        self.seen.extend(match.acts)

    def volunteers(self, match: Match, seat: int, outlook: Outlook, act: Act) -> bool:
        assert act == Act("cube", {"seat": seat})
        return self.tosses


class Never(Always):
    seen: ClassVar[list[Act]] = []
    tosses: ClassVar = False


class Fails(Always):
    def volunteers(self, match: Match, seat: int, outlook: Outlook, act: Act) -> bool:
        raise LookupError("no idea")


class Plays(Always):
    def volunteers(self, match: Match, seat: int, outlook: Outlook, act: Act) -> bool:
        match.play(act)
        return True


@pytest.fixture
def with_strategies(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"random": lab_strategies.RandomStrategy, "always": Always, "never": Never, "fails": Fails, "plays": Plays}
    monkeypatch.setattr(lab_strategies, "strategies", lambda: known)


@pytest.mark.usefixtures("with_strategies")
def test_a_strategy_decides_whether_its_cube_is_tossed() -> None:
    for name in ("always", "never"):
        assert isinstance(play_game(Experiment("dohdles", {}, ("random", name, "random"), 1), 0), Played)
    own = Act("cube", {"seat": 1})
    assert own in Always.seen
    assert Never.seen
    assert own not in Never.seen
    assert Act("cube", {"seat": 0}) in Never.seen  # the others toss at random


@pytest.mark.usefixtures("with_strategies")
@pytest.mark.parametrize(("name", "why"), [("fails", "LookupError: no idea"), ("plays", "it changed the match")])
def test_a_strategy_that_fails_at_an_act_of_its_own_accord_is_named(name: str, why: str) -> None:
    failed = play_game(Experiment("dohdles", {}, ("random", "random", name), 1), 0)
    assert isinstance(failed, Failed)
    assert f"strategy {name}, seat 2, after" in failed.why
    assert why in failed.why


def one_riddle_on_its_first_clue(board: Any) -> Match:
    match = Match(find("dohdles"), SEATS, {"board": board} if board else {})
    match.play(Act("clue", {"riddle": "B1"} if board else {"riddle": "B1", "kind": "letter"}))
    return match


def test_a_seat_that_bars_its_cube_does_not_toss_it() -> None:
    barred = [frozenset({"cube"}), *UNBARRED[1:]]
    world = World(one_riddle_on_its_first_clue(None), Random(2).random, None, barred)
    cubes = {act.given["seat"] for act in (world.draw() for _ in range(200)) if act.verb == "cube"}
    assert cubes == {2, None}  # seat 1 sculpted the riddle
    assert world.at_will() == (Act("cube", {"seat": 0}), Act("cube", {"seat": 2}))


@pytest.mark.parametrize(("arrows", "tosses"), [((0, 9), True), ((9, 0), False)])
def test_a_search_tosses_where_the_arrows_pay(arrows: tuple[int, int], tosses: bool) -> None:
    match = one_riddle_on_its_first_clue({**PROPOSAL, "track": (arrows,) * 60, "start": 20, "rewards": (0,) * 8})
    chance = Random(4).random
    outlook = Outlook(World(match, chance, None, UNBARRED), 0, chance)
    assert Search(chance, 20).volunteers(match, 0, outlook, Act("cube", {"seat": 0})) is tosses


def test_the_reader_of_arrows_tosses_where_they_pay_and_pays_the_last_player() -> None:
    reader, cube = ArrowReader(None), Act("cube", {"seat": 0})
    for arrows, tosses in (((2, 2), True), ((3, 2), False)):
        match = one_riddle_on_its_first_clue({**PROPOSAL, "track": (arrows,) * 60})
        assert reader.volunteers(match, 0, None, cube) is tosses
    behind = Match(find("dohdles"), SEATS, {"board": PROPOSAL, "first_right": "free"})
    for act in (
        Act("clue", {"riddle": "B1"}), Act("cube", {"seat": 2}), Act("hear", {"riddle": "B1"}),
        Act("claim", {"take": False}), Act("guess", {"right": False}),
    ):  # fmt: skip
        assert behind.now.phase != "claim" or reader.act(behind, 0, None) == Act("claim", {"take": True})
        behind.play(act)
    behind.play(Act("asked", {"kind": "questions"}))
    assert behind.now.scores() == (3, 3, 2)
    assert reader.act(behind, 1, None) == Act("clue", {"riddle": "C1"})
    assert ArrowReader(None).act(one_riddle_on_its_first_clue(None), 0, None) is None
