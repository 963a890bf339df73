"""What everybody may see of a position: enough for a drawing of the table, and nothing that a player hides."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from tests.kit.tables import GAMES, random_tables
from umpi.games.dodekka.rules import Dodekka
from umpi.kernel.game import Ask, Game, Result, View, override
from umpi.kernel.match import Match
from umpi.kernel.random_games import play
from umpi.kernel.registry import find
from umpi.kernel.rounds import Rounds


@dataclass(frozen=True, slots=True)
class Veiled(Game):
    """A game that hides its scores until the one act that ends it."""

    id: ClassVar = "veiled"
    title: ClassVar = "Veiled"
    umpi_api: ClassVar = 3
    seats: ClassVar = range(2, 3)

    done: bool = False

    @classmethod
    @override
    def setup(cls, seats: int) -> Veiled:
        return cls()

    @property
    def phase(self) -> str:
        return "over" if self.done else "play"

    @override
    def asks(self) -> tuple[Ask, ...]:
        return () if self.done else (Ask("end", "End"),)

    def do_end(self, seat: None) -> Veiled:
        return Veiled(done=True)

    @override
    def scores(self) -> tuple[int, ...]:
        return (3, 4)

    @override
    def result(self) -> Result | None:
        return Result((2, 1), "more") if self.done else None

    @override
    def facts(self) -> dict[str, Any]:
        return {"hands": ((3,), (4,))}

    @override
    def view(self) -> View:
        return View(hidden=True)


def test_a_game_that_hides_its_scores_shows_no_fact_until_it_ends() -> None:
    assert Veiled().shown_facts() == {}
    assert Veiled(done=True).shown_facts() == {"hands": ((3,), (4,))}


@pytest.mark.parametrize("track", ["all", "hands", "sums"])
def test_a_hand_of_dodekka_is_shown_only_when_the_game_is_over(track: str) -> None:
    match = Match(Dodekka, ("Ann", "Ben", "Cleo"), {"track": track})
    for _ in play(match, 5):
        facts = match.now.shown_facts()
        assert ("hands" in facts) == (match.now.result() is not None)
        assert ("suits" in facts) == (match.now.result() is not None)
        if facts and match.asks:
            assert facts["held"] == tuple(map(len, match.now.facts()["hands"]))
    assert match.now.shown_facts()["hands"] == match.now.facts()["hands"]


def test_hands_of_dodekka_that_the_players_chose_to_show_are_shown() -> None:
    match = Match(Dodekka, ("Ann", "Ben"), {"scores": "shown"})
    assert match.now.shown_facts()["hands"] == ((), ())


def test_of_hands_and_piles_of_dudab_buba_only_the_numbers_of_cards_are_shown() -> None:
    match = Match(find("dudab-buba"), ("Ann", "Ben", "Cleo"), {})
    for _, _ in zip(range(120), play(match, 5), strict=False):
        shown, facts = match.now.shown_facts(), match.now.facts()
        assert shown["piles"] == tuple(map(len, facts["piles"]))
        hidden = {key: value for key, value in shown.items() if key not in ("columns", "request")}
        assert not set(re.findall(r"[a-z]+-[a-z]+|dudab", json.dumps(hidden)))


def test_a_match_in_rounds_shows_what_its_round_shows() -> None:
    first = Veiled()
    assert Rounds(first, (first,), 2, (0, 0)).shown_facts() == {"played": 0, "round": {}}


@pytest.mark.parametrize("game", GAMES)
def test_what_is_shown_has_the_same_keys_in_every_position_in_play(game: str) -> None:
    """A board draws from these keys."""
    tables = list(random_tables(game, find(game).seats[-1]))[:-1]
    assert len({tuple(table["facts"]) for _, table in tables}) == 1
