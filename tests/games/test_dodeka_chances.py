"""The chance to win a match of Dodéka in its last turn: every throw is counted here, by a program of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import lcm
from typing import Any

import pytest

from umpi.games.dodeka import Dodeka
from umpi.games.dodeka.chances import chances
from umpi.kernel import ToWin, replace
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.registry import find
from umpi.review.match_review import review
from umpi.review.puzzles import puzzles_of
from umpi.review.split import Share

Leaf = Callable[[bool, int], tuple[Fraction, Fraction]]  # what 13 with a pair, or points, are worth at least and most
WON, LOST, SHARED = (Fraction(1),) * 2, (Fraction(0),) * 2, (Fraction(1, 2),) * 2
OPEN = Fraction(0), Fraction(1)
TINY = Fraction(1, 10**9)  # by so much at most, chances of the player who rolls first are rounded
NEAR = Fraction(1, 2000)  # by so much at most, the play-offs that are not computed widen a chance
RUN, PAIR, TEN = (3, 4, 5), (2, 2, 5), (1, 4, 6)  # 100, 40 and 10 points


def scored(dice: tuple[int, ...]) -> tuple[bool, int]:
    """Return whether dice are 13 with a pair, and their points, as the sheet has them."""
    faces, total = sorted(dice), sum(dice)
    pair = len(set(faces)) < 3
    if pair and total == 13:
        return True, 0
    points = [0, 10, 20, 30][total // 10]
    points = max(points, 40) if pair else points
    points = 100 if faces[0] + 2 == faces[1] + 1 == faces[2] else points
    points = 250 if total == 13 else points
    return False, 500 if faces[0] == faces[2] else points


@cache
def thrown(kept: tuple[int, ...]) -> Counter[tuple[int, ...]]:
    """Count the equally likely rolls of the other dice by what they make with those that were kept."""
    return Counter(tuple(sorted(kept + other)) for other in product(range(1, 13), repeat=3 - len(kept)))


def counted(dice: tuple[int, ...], throws: int, leaf: Leaf) -> dict[Any, tuple[Fraction, Fraction]]:
    """Return for each choice what it gives at least and most, if each later choice is the best for that.

    Whole numbers count in parts of 1, as fractions would take ten times as long: 1728 times as many for each throw.
    """
    ends = {made: leaf(*made) for made in set(map(scored, thrown(())))}
    parts = lcm(*(side.denominator for end in ends.values() for side in end))

    @cache
    def worth(dice: tuple[int, ...], throws: int, side: int) -> int:
        return max(each[side] for each in choices(dice, throws).values())

    def choices(dice: tuple[int, ...], throws: int) -> dict[Any, list[int]]:
        found: dict[Any, list[int]] = {None: [int(side * parts * 1728**throws) for side in ends[scored(dice)]]}
        for size in range(3) if throws else ():
            for kept in combinations(dice, size):
                rolls = thrown(kept).items()
                found[kept] = [
                    12**size * sum(times * worth(each, throws - 1, side) for each, times in rolls) for side in (0, 1)
                ]
        return found

    whole, found = parts * 1728**throws, choices(dice, throws)
    return {choice: (Fraction(least, whole), Fraction(most, whole)) for choice, (least, most) in found.items()}


def fit(found: dict[Any, ToWin], truth: dict[Any, tuple[Fraction, Fraction]]) -> bool:
    """Check that chances have the choices of the truth, enclose it, and are hardly wider."""
    return found.keys() == truth.keys() and all(
        least - NEAR <= found[choice].least <= least + TINY and most - TINY <= found[choice].most <= most + NEAR
        for choice, (least, most) in truth.items()
    )


def after(game: Dodeka, *turns: tuple[int, ...]) -> Dodeka:
    """Play turns of one throw each."""
    for dice in turns:
        game = game.do_throw(game.turn, (), dice).do_stop(game.turn)
    return game


@cache
def tied() -> tuple[Fraction, Fraction]:
    """Return the chances of the second of two players if a play-off begins, as the game has them."""
    game = after(ONE, RUN, RUN)
    assert game.part.place == "first"
    first = chances(game)[()]
    return 1 - first.most, 1 - first.least


def against(points: int, own: int = 0) -> Leaf:
    """Two players and one set: more points win it, equal points lead to a play-off."""

    def leaf(pairtraiz: bool, made: int) -> tuple[Fraction, Fraction]:
        if pairtraiz or own + made > points:
            return WON
        return tied() if own + made == points else LOST

    return leaf


def among_three(pairtraiz: bool, made: int) -> tuple[Fraction, Fraction]:
    """The others have 100 and 40 points: with 40, a play-off for the last place follows."""
    if pairtraiz or made > 100:
        return WON
    return OPEN if made in (100, 40) else LOST


def after_a_won_set(pairtraiz: bool, made: int) -> tuple[Fraction, Fraction]:
    """The seat has won a set with a stake of 40; the other one has 100 points now. Whoever loses pays the own points.

    So less than 40 points win the match, and 40 share it: both have one set and 0 points.
    """
    if pairtraiz or made > 100 or made < 40:
        return WON
    return SHARED if made == 40 else tied()


ONE = Dodeka.setup(2, target=100, parts=1)
THREE = Dodeka.setup(3, target=100, parts=1)
TWO = Dodeka.setup(2, target=40, parts=2)
CASES: list[tuple[Dodeka, Leaf]] = [
    (after(ONE, RUN), against(100)),
    (after(ONE, PAIR, PAIR, RUN), against(140, 40)),
    (after(THREE, RUN, PAIR), among_three),
    (after(TWO, RUN, PAIR, RUN), after_a_won_set),
]


@pytest.mark.parametrize(("game", "leaf"), CASES)
@pytest.mark.parametrize("dice", [(2, 4, 9), (1, 2, 10), (5, 5, 11)])
def test_with_one_roll_left_the_chances_are_those_of_all_rolls(game: Dodeka, leaf: Leaf, dice: tuple[int, ...]) -> None:
    last = game.do_throw(game.turn, (), dice).do_throw(game.turn, (), dice)
    assert fit(chances(last), counted(dice, 1, leaf))


@pytest.mark.slow
def test_with_two_rolls_left_too() -> None:
    last = after(ONE, RUN).do_throw(1, (), (2, 4, 9))
    assert fit(chances(last), counted((2, 4, 9), 2, against(100)))


@pytest.mark.slow
def test_the_review_of_a_last_turn_goes_by_the_match() -> None:
    """The stop with 10 points gives away points and wins the match; to roll for points loses it more often."""
    match = Match(find("dodeka"), ("Ann", "Ben"), {"target": 40, "parts": 2})
    for dice in (RUN, PAIR, RUN):
        match.play(Act("throw", {"keep": (), "dice": dice}))
        match.play(Act("stop"))
    match.play(Act("throw", {"keep": (), "dice": TEN}))
    other = match.copy()
    match.play(Act("stop"))
    assert match.result
    assert match.result.winners == (0,)
    lines = range(2, len(match.acts) + 2)
    ann = review(match, lines).players[0]
    assert isinstance(ann, Share)
    assert ann.given_away.value > 0
    assert lines[-1] not in [each.line for each in ann.mistakes], "it costs points, and is right"
    other.play(Act("throw", {"keep": (), "dice": PAIR}))
    other.play(Act("stop"))
    ann = review(other, range(2, len(other.acts) + 2)).players[0]
    assert isinstance(ann, Share)
    roll, stop = ann.lost
    most = counted(TEN, 2, after_a_won_set)[()][1]
    assert roll.best.name == "stop"
    assert 1 - most - NEAR < Fraction(roll.loss.value) / 100 <= 1 - most
    assert stop.best.name != "stop", "with 40 points, to roll again is better than to share"
    assert {each.line for each in ann.lost}.isdisjoint(each.line for each in ann.mistakes), (
        "one piece of advice per move"
    )
    assert [each.move for each in puzzles_of(other, range(len(other.acts)), 1)] == [3], "none from the last turn"


@pytest.mark.slow
def test_of_two_players_the_first_knows_how_the_other_one_answers() -> None:
    """Each roll of the other's turn is counted. Who rolls first has 40 points, the other one 10; 100 end the set."""

    @cache
    def leaf(pairtraiz: bool, made: int) -> tuple[Fraction, Fraction]:
        def reply(their_pairtraiz: bool, theirs: int) -> tuple[Fraction, Fraction]:
            if their_pairtraiz:
                return WON
            if max(40 + made, 10 + theirs) < 100:
                return OPEN
            if 40 + made == 10 + theirs:
                return tied()
            return WON if 10 + theirs > 40 + made else LOST

        if pairtraiz:
            return WON
        least, most = counted(TEN, 3, reply)[()]
        return 1 - most, 1 - least

    pair = (5, 5, 11)
    found = chances(after(ONE, PAIR, TEN).do_throw(0, (), pair).do_throw(0, (), pair))
    truth = {None: leaf(*scored(pair))}
    each = [leaf(*scored(tuple(sorted((5, 5, face))))) for face in range(1, 13)]
    truth[5, 5] = sum(least for least, _ in each) / 12, sum(most for _, most in each) / 12
    assert fit({choice: found[choice] for choice in truth}, truth)


def test_the_first_of_a_play_off_of_two_has_chances_too() -> None:
    tied = after(ONE, RUN, RUN)
    assert tied.part.place == "first"
    stop, *_ = chances(tied.do_throw(0, (), PAIR)).values()
    reply = chances(after(tied, PAIR).do_throw(1, (), TEN))
    assert 0 < stop.least < stop.most < stop.least + Fraction(1, 1000), "only the sixth tie in a row is not computed"
    assert reply[None].most == 0, "with fewer points, to stop loses the set"


@pytest.mark.slow
def test_the_chance_of_a_play_off_fits_all_rolls_of_its_first_turn() -> None:
    """The answers to it are the game's own, which other tests count."""
    tied = after(ONE, RUN, RUN)
    made = {0: (1, 2, 4), 10: TEN, 20: (3, 8, 12), 30: (8, 11, 12), 40: PAIR, 100: RUN, 250: (1, 4, 8), 500: (5, 5, 5)}
    assert all(scored(dice) == (False, points) for points, dice in made.items())

    def leaf(pairtraiz: bool, points: int) -> tuple[Fraction, Fraction]:
        least, most = chances(after(tied, made[points]))[()]
        return WON if pairtraiz else (1 - most, 1 - least)

    start = chances(tied)[()]
    assert fit({(): start}, {(): counted(TEN, 3, cache(leaf))[()]})
    assert start.most - start.least < Fraction(4, 10_000)


def test_a_play_off_that_does_not_decide_the_match_is_not_taken_for_one() -> None:
    """Ann has won 2000 points in the first set, so the second one is worth less, whoever wins it."""
    game = after(Dodeka.setup(2, target=100, parts=2), RUN, RUN)
    ahead = replace(game, grid=((2000, -2000),), won=(1, 0), part=replace(game.part, number=2))
    assert chances(game) == {}, "a set follows"
    least, most = chances(ahead)[()]
    assert (least < 1, most) == (True, 1)


def test_a_turn_that_cannot_be_the_last_says_nothing() -> None:
    assert chances(THREE.do_throw(0, (), RUN)) == {}, "two others play after it, each for themselves"
    assert chances(after(Dodeka.setup(2, parts=1), RUN).do_throw(1, (), RUN)) == {}, "700 points are far"
    assert chances(after(Dodeka.setup(2, target=100, parts=2), RUN).do_throw(1, (), RUN)) == {}, "a set follows"
    assert chances(after(Dodeka.setup(2, target=100, parts=1, minutes=9), RUN).do_throw(1, (), RUN)) == {}
