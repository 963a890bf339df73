"""Dodéka's odds: they equal what counting every way the dice may fall gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product

import pytest

from umpi.games.dodeka import Dodeka
from umpi.games.dodeka.odds import Aim, best

FACES = range(1, 13)
PAIRTRAIZ = [Counter(faces) for faces in ((1, 1, 11), (2, 2, 9), (3, 3, 7), (4, 4, 5), (5, 5, 3), (6, 6, 1))]
AIMS: tuple[Aim, ...] = ("points", "pairtraiz")
Dice = tuple[int, ...]


@cache
def worth(aim: Aim, dice: Dice) -> int:
    """Return what three dice, ascending, bring, by the table of the page."""
    made = Counter(dice) in PAIRTRAIZ
    if aim == "pairtraiz" or made:
        return int(made and aim == "pairtraiz")
    if len(set(dice)) == 1:
        return 500
    if sum(dice) == 13:
        return 250
    if list(dice) == list(range(dice[0], dice[0] + 3)):
        return 100
    if len(set(dice)) == 2:
        return 40
    return 30 if sum(dice) > 29 else sum(dice) // 10 * 10


def keeps(dice: Dice) -> set[Dice]:
    return {keep for size in range(3) for keep in combinations(dice, size)}


def falls(keep: Dice) -> Iterator[Dice]:
    """Throw the dice that are not kept, in every way."""
    for thrown in product(FACES, repeat=3 - len(keep)):
        yield tuple(sorted(keep + thrown))


@cache
def on_average(aim: Aim, keep: Dice, throws: int) -> Fraction:
    outcomes = [at_best(aim, dice, throws - 1) for dice in falls(keep)]
    return Fraction(sum(outcomes), len(outcomes))


@cache
def at_best(aim: Aim, dice: Dice, throws: int) -> Fraction:
    """Stop, or keep what brings the most; each keep is computed over every way the others may fall."""
    stop = Fraction(worth(aim, dice))
    return max([stop, *(on_average(aim, keep, throws) for keep in keeps(dice))]) if throws else stop


def odds_texts(game: Dodeka) -> list[str]:
    return [" ".join((row.label, *row.cells)) for row in game.odds()]


def after_throw(*dice: int) -> Dodeka:
    return Dodeka.setup(2).do_throw(0, (), dice)


@pytest.mark.parametrize("throws", [1, 2])
@pytest.mark.parametrize("aim", AIMS)
def test_each_of_the_364_positions_is_exact(aim: Aim, throws: int) -> None:
    """Brute force: all throws of all dice not kept, for each way to keep, each gone on with at its best."""
    for dice in combinations_with_replacement(FACES, 3):
        keep, value = best(aim, dice, throws)
        assert value == at_best(aim, dice, throws), dice
        assert value == (worth(aim, dice) if keep is None else on_average(aim, keep, throws)), dice


@pytest.mark.parametrize("aim", AIMS)
def test_a_turn_as_a_whole_is_exact(aim: Aim) -> None:
    """Brute force over its three throws."""
    assert best(aim, (), 3) == ((), on_average(aim, (), 3))


def test_before_the_first_throw_there_is_nothing_to_keep() -> None:
    assert odds_texts(Dodeka.setup(2)) == ["points 85.8", "pairtraiz 10.2%"]


def test_the_dice_to_keep_are_listed_for_both_aims() -> None:
    """By hand: 940 / 12; 2 ways of 144 for 4-4-5; (500 + 11 × 75) / 12, as 3-3 and one throw bring 75."""
    assert odds_texts(after_throw(4, 12, 12).do_throw(0, (12, 12), (4,))) == [
        "points keep 12 12 78.3",
        "pairtraiz keep 4 1.4%",
    ]
    assert odds_texts(after_throw(3, 3, 7)) == ["points keep 3 3 110.4", "pairtraiz stop 100.0%"]
    assert odds_texts(after_throw(8, 10, 12))[1] == "pairtraiz roll all 4.8%"


def test_a_match_that_is_over_has_no_odds() -> None:
    game = Dodeka.setup(2, parts=1, target=10).do_throw(0, (), (4, 4, 4)).do_stop(0)
    game = game.do_throw(1, (), (1, 4, 8)).do_stop(1)
    assert (game.phase, game.odds()) == ("over", ())


def test_a_row_fits_the_small_screen() -> None:
    """128 dots hold 25 letters."""
    for dice in combinations_with_replacement(FACES, 3):
        once = after_throw(*dice)
        for game in (once, once.do_throw(0, (), dice)):
            assert max(map(len, odds_texts(game))) <= 25, odds_texts(game)
