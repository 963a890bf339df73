"""Dudab Buba: a round's score is the lowest that the left-over dudabs and the jungles can make."""

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.dudab_piles import BABIES, by_trying, by_walking, cards, piles
from umpi.games.dudab_buba import DudabBuba
from umpi.games.dudab_buba.scoring import score, score_counts


def test_the_best_use_of_dudabs_is_found_in_every_pile_of_up_to_six_number_cards() -> None:
    """Page, scoring: the total is the lowest possible. ./scripts/dev play-outs tries all of up to twelve."""
    for numbers in piles(6):
        for jungles in range(6):
            for dudabs in range(min(8, sum(numbers)) + 1):
                best = by_trying(cards(numbers), dudabs, 0, jungles)
                assert score_counts(0, dudabs, 0, jungles, 0, numbers) == best, (numbers, dudabs, jungles)


@given(
    st.tuples(*[st.integers(0, 16)] * 4), st.integers(0, 8), st.integers(0, 8), st.integers(0, 8), st.integers(0, 8),
    st.integers(0, 8),
)  # fmt: skip
def test_large_piles_score_as_a_second_method_has_it(
    numbers: tuple[int, ...], hand: int, dudabs: int, shamans: int, jungles: int, babies: int
) -> None:
    """The second method walks the values and never lists a choice."""
    expected = 5 * hand - BABIES[babies] + by_walking(numbers, dudabs, shamans, jungles)
    assert score_counts(hand, dudabs, shamans, jungles, babies, numbers) == expected


@given(
    st.tuples(*[st.integers(0, 16)] * 4), st.tuples(*[st.integers(0, 8)] * 5), st.integers(0, 20), st.integers(0, 20),
    st.tuples(*[st.integers(-200, 200)] * 8),
)  # fmt: skip
def test_piles_with_other_points_score_as_a_second_method_has_it(
    numbers: tuple[int, ...], counts: tuple[int, ...], dudab: int, shaman: int, table: tuple[int, ...]
) -> None:
    """The experiments `dudab_points`, `shaman_points` and `baby_points`."""
    hand, dudabs, shamans, jungles, babies = counts
    options = {"track": "counts", "jungle": True, "baby": True}
    options |= {"dudab_points": dudab, "shaman_points": shaman, "baby_points": table}
    played = DudabBuba.setup(2, **options).do_counts(1, hand, dudabs, shamans, jungles, babies, numbers)
    expected = dudab * hand + [0, *table][babies] + by_walking(numbers, dudabs, shamans, jungles, shaman)
    assert played.tally.points[1] == expected


@pytest.mark.parametrize(
    ("hand", "pile", "points"),
    [
        ("dudab dudab", "", 10),  # five a dudab in hand
        ("red-club-3", "blue-hide-4", 7),  # the hand joins the pile
        ("", "dudab shaman-red", 0),  # a dudab cancels a shaman
        ("dudab", "shaman-red", 10),  # but not one in hand
        ("", "shaman-red shaman-red dudab", 5),
        ("", "dudab red-club-1 red-club-4", -3),  # negates the four
        ("", "dudab dudab red-club-4", -4),  # dudabs beyond the numbers
        ("", "jungle red-club-1 blue-club-1 red-hand-2", 2),  # all of the lowest value
        ("", "jungle jungle red-club-1 red-hand-2 shaman-red", 5),  # as many jungles as values
        ("", "jungle jungle jungle red-club-1 red-hand-2 shaman-red", 0),  # one more
        ("", "jungle shaman-red shaman-blue", 0),  # no number at all
        ("", "dudab jungle red-club-1 red-club-2 blue-club-2", -1),  # negate the one, the jungle takes the twos
        ("", "baby baby baby", -6),
        ("", "", 0),
    ],
)
def test_each_line_of_the_scoring(hand: str, pile: str, points: int) -> None:
    """Page, scoring a round, 1 to 5, and its rulings."""
    assert score(hand.split(), pile.split()) == points


def test_babies_are_worth_more_the_more_there_are() -> None:
    """Page, scoring, 4."""
    worth = [score((), ("baby",) * number) for number in range(9)]
    assert worth == [0, -1, -3, -6, -11, -19, -32, -51, -81] == [-points for points in cast(list[int], BABIES)]
