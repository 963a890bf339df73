"""A house rule for the rolls of a turn of Dodéka: the box says the number, and a review knows that the rules differ."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, ClassVar

import pytest

from umpi.conformance.averages import Averages
from umpi.games.dodeka import Dodeka
from umpi.games.dodeka.chances import chances
from umpi.games.dodeka.combinations import combination
from umpi.games.dodeka.worths import TurnPoints
from umpi.kernel import Act, Field, Match, Number, override
from umpi.kernel.options import worths_of
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.review import sampled
from umpi.review.match_review import review

NAMES = ("Ann", "Ben")


@dataclass(frozen=True)
class Hurried(Dodeka):
    """Dodéka with an option for the rolls of a turn."""

    options: ClassVar[tuple[Field, ...]] = (*Dodeka.options, Number("rolls", 1, 4))

    rolls: int = 3

    @property
    @override
    def throws(self) -> int:
        return self.rolls


@dataclass(frozen=True)
class Counted(Hurried):
    """The same, of an author who knows that the averages of Dodéka depend on the rolls that are left."""

    worths: ClassVar = TurnPoints


def hurried(game: Any, rolls: int, target: int = 100) -> Match:
    return play_out(game, NAMES, {"rolls": rolls, "target": target, "parts": 1}, seed=7)


@pytest.mark.parametrize("rolls", [1, 2, 4])
def test_the_sentence_and_the_question_have_the_number_of_the_house_rule(rolls: int) -> None:
    game: Any = Hurried
    match = Match(game, NAMES, {"rolls": rolls})
    for number in range(1, rolls + 1):
        assert match.next_step
        said = f"{rolls} rolls max" if number == 1 else f"roll again ({number} of {rolls})"
        assert said in match.next_step.text
        assert match.asks[0].text == f"Roll {number} of {rolls}"
        match.play(Act("throw", {"keep": (), "dice": (1, 2, 4)}))
    assert match.seat == 1


@pytest.mark.slow
def test_a_review_of_other_rules_does_not_take_the_averages_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampled, "find", lambda name: Hurried)  # as if it were installed
    found = {
        rolls: review(match := hurried(Hurried, rolls), range(2, len(match.acts) + 2), worlds=4) for rolls in (3, 2)
    }
    assert {rolls: each.method for rolls, each in found.items()} == {3: "exact", 2: "sampled"}
    assert worths_of(find("dodeka"), {"target": 100}) is TurnPoints


@pytest.mark.parametrize("rolls", [1, 2, 4])
def test_averages_that_hold_for_the_house_rule_are_named_again(rolls: int) -> None:
    """The dice are rolled, and what the turns give is compared with what the averages say."""
    match, averages, chance = hurried(Counted, rolls), Averages(), Random(rolls).random
    assert review(match, range(2, len(match.acts) + 2)).method == "exact"
    replayed = Match(match.game, NAMES, match.options)
    for act in match.acts:
        assert not [*averages.look(replayed, chance)]
        replayed.play(act)
    assert averages.draws
    assert averages.flaw() is None


def test_the_chance_to_win_counts_the_rolls_of_the_house_rule() -> None:
    """With one roll each, all throws of both players are tried: what they decide bounds the chance of the first one."""
    game: Any = Counted
    first: Any = Match(game, NAMES, {"rolls": 1, "target": 40, "parts": 1}).now
    throws = list(product(range(1, 13), repeat=3))
    kinds = Counter(combination(dice, first.scale) for dice in throws)
    shown = {combination(dice, first.scale): dice for dice in throws}
    won = lost = 0
    for mine, theirs in product(kinds, repeat=2):
        end = first.do_throw(0, (), shown[mine]).do_throw(1, (), shown[theirs]).result()
        won += kinds[mine] * kinds[theirs] * (end is not None and end.winners == (0,))
        lost += kinds[mine] * kinds[theirs] * (end is not None and end.winners == (1,))
    chance, all = chances(first)[()], len(throws) ** 2
    assert 0 < Fraction(won, all) <= chance.least < chance.most <= 1 - Fraction(lost, all)
