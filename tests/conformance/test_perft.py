"""Counting legal lines: numbers that a second method gives, of dice, cards, optional answers and games that end."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from math import comb
from operator import attrgetter
from typing import Any

import pytest
from planted.bag import Bag
from planted.hands import Hands

from umpi.conformance.perft import answers, divide, legal, perft, values
from umpi.games.dodeka import Dodeka
from umpi.games.dodekka import Dodekka
from umpi.games.dodekka.rules import DECK
from umpi.games.dohdles import Dohdles
from umpi.games.quiz import Quiz
from umpi.kernel import Act, Ask, Forms, Game, Match, Number, Pick, Refused, Some, Text
from umpi.kernel.random_games import play_out


def test_three_twelve_sided_dice_fall_in_1728_ways() -> None:
    match = Match(Dodeka, ("Ann", "Ben"))
    count = perft(match, 1)
    assert (count.lines, count.over, count.verbs) == (12**3, 0, {"throw": 12**3})
    assert match.acts == []


def test_a_hand_of_the_box_counts_once_whatever_its_order() -> None:
    """Second method: combinations. At the last depth, and before it, where each hand is dealt."""
    match = Match(Hands, ("Ann", "Ben"))
    assert perft(match, 1).lines == comb(12, 2)
    assert perft(match, 2).lines == comb(12, 2) * comb(10, 2)
    assert len({frozenset(act.given["cards"]) for act in legal(match.asks)}) == comb(12, 2)


def test_dodekka_deals_and_turns_what_the_deck_has() -> None:
    """Second method: rows of card kinds, as often as the 60 cards have them."""
    deck = Counter(DECK)

    def rows(size: int) -> int:
        return sum(not Counter(row) - deck for row in product(deck, repeat=size))

    deal = rows(3)
    few = Match(Dodekka, ("Ann", "Ben"), {"line": 1})
    assert perft(Match(Dodekka, ("Ann", "Ben")), 1).verbs == {"deal": deal}
    assert perft(few, 2).verbs == {"take": rows(1), "turn": rows(2)}
    assert sum(lines for _, lines in divide(few, 2)) == rows(1) + rows(2)


def test_lines_that_the_game_ends_are_counted_apart() -> None:
    """Second method: three ways to draw each stone that is left, and one pass a seat."""

    def lines(stones: int, depth: int, turn: int = 0, passed: frozenset[int] = frozenset()) -> tuple[int, int]:
        if not depth:
            return 1, 0
        if not stones:
            return 0, 1
        after = [lines(stones - 1, depth - 1, 1 - turn, passed)] * stones * 3
        if turn not in passed:
            after.append(lines(stones, depth - 1, 1 - turn, passed | {turn}))
        whole, over = map(sum, zip(*after, strict=True))
        return whole, over

    match = Match(Bag, ("Red", "Blue"), {"stones": 3})
    for depth in range(1, 7):
        count = perft(match, depth)
        assert (count.lines, count.over) == lines(3, depth), depth
    assert perft(match, 4).over == 9 * 6 * 3
    assert perft(match, 6).lines == 0


@pytest.mark.parametrize(("field", "count"), [
    (Number("x", 5, 9), 5), (Number("x", 5, 9, null=True), 6), (Pick("x", (1, True, 1, "1")), 3),
    (Some("x", (1, 2, 3), 0, 3), 1 + 3 + 6 + 6), (Some("x", (1, 2), 3, 3, again=True), 8), (Text("x", 1, 9), 1),
    (Forms("x", (Pick("a", (1, 2)), Number("b", 0, 2)), 0, 2), 1 + 6 + 2 * 9),
])  # fmt: skip
def test_each_value_of_a_field_comes_once(field: Any, count: int) -> None:
    found = [repr(value) for value in values(field)]
    assert len(found) == len(set(found)) == count


@pytest.mark.parametrize(
    "ask",
    [
        Ask("a", "A", (Some("x", (1, 1, 2, 3, 3, 3), 0, 4), Pick("y", (1, 2), optional=True))),
        Ask("a", "A", (Some("x", (1, 2), 0, 3, again=True), Number("y", 1, 3, null=True))),
        Ask("a", "A", (Some("x", (1, 2, 3), 1, 3, until=lambda value: value == 3),)),
        Ask("a", "A", (Pick("x", (1, 2, 3), objection=lambda value: "" if value > 1 else "No."),)),
        Ask("a", "A", (Some("x", (1, 2, 3), 2, 2, objection=lambda value: "" if value > 1 else "No."),)),
        Ask("a", "A", (Pick("x", (1, 2, 3)),), more=lambda given: (Number("y", 0, given["x"]),)),
        Ask("a", "A", (Pick("x", ()),)),
        Ask("a", "A"),
    ],
)
def test_answers_are_counted_as_they_are_enumerated(ask: Ask) -> None:
    assert answers(ask) == sum(1 for _ in legal((ask,)))


@pytest.mark.slow
@pytest.mark.parametrize("game", [Dodeka, Dodekka, Dohdles, Quiz], ids=attrgetter("id"))
def test_the_last_moves_are_counted_as_if_they_were_played(game: type[Game]) -> None:
    """Second method: each act that the offer lists is played."""
    match = Match(game, tuple(f"P{seat}" for seat in range(game.seats[0])))
    for act in play_out(game, match.players, {}, seed=3).acts[:12]:
        if sum(map(answers, match.asks)) < 3000:
            assert perft(match, 1).lines == sum(1 for each in legal(match.asks) if perft_played(match, each))
        match.play(act)


def perft_played(match: Match, act: Act) -> bool:
    try:
        match.after(act)
    except Refused:
        return False
    return True


def test_a_list_that_ends_with_a_mark_ends_there() -> None:
    field = Some("x", (1, 2, 3), 1, 3, until=lambda value: value == 3)
    wanted = {row[: row.index(3) + 1] for row in permutations((1, 2, 3))}
    assert set(values(field)) == wanted
