"""The check of the board, on the bag with a board of its own."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from made_bags import NAMES, draw, reasons
from planted.bag import Bag

from umpi.conformance import check_game
from umpi.conformance.board import boarded
from umpi.conformance.flaws import Flawed
from umpi.kernel import Act, Ask, Call, Match, Number, Pick, message
from umpi.kernel.board import Board, Card, Line, Pile, Token

Draws = Callable[[Any], Board | None]
odd = count()


def bag(draws: Draws, told: Callable[..., tuple[Call, ...]] = Bag.calls) -> type[Any]:
    """Make a bag that draws a board, with calls of its own."""

    class Made(Bag):
        """A bag with a board."""

        shown_board = draws
        calls = told

    return Made


def stones(bag: Bag) -> Board:
    """Draw the stones in the bag, and the hands."""
    hands = tuple(Pile(f"hand-{seat}", len(hand)) for seat, hand in enumerate(bag.hands))
    return Board((Line(tuple(Card(f"stone-{stone}", stone) for stone in bag.bag)), Line(hands)))


def naming(*pieces: object) -> Callable[..., tuple[Call, ...]]:
    return lambda self, before, act: (Call("drawn", message("A stone."), {"pieces": pieces}),)


@pytest.mark.slow
def test_a_board_passes_every_check() -> None:
    findings = {finding.check: finding for finding in check_game(bag(stones), games=1).findings}
    assert not findings["board"].absent
    assert findings["board"].figures.endswith("positions checked")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draws", "why"),
    [
        (lambda bag: Board((Line((Card("a"), Card("a"))),)), 'two pieces of a Board have the key "a"'),
        (lambda bag: Board((Line((Token("a", bag.turn + 1),)),)), '"a" has the seat 2; the last seat is 1'),
        (lambda bag: (Card("a"),), "shown_board() returns a tuple, not a Board"),
        (lambda bag: Board((Line((Card(f"card-{next(odd)}"),)),)), "shown_board() returns different boards"),
        (lambda bag: Board((Line((Card("last", bag.bag[7]),)),)), "IndexError"),
    ],
)
def test_the_examination_says_where_a_board_is_wrong_with_the_record(draws: Draws, why: str) -> None:
    with pytest.raises(Flawed) as fault:
        check_game(bag(draws), games=1)
    assert fault.value.check == "board"
    assert why in fault.value.why
    assert "different" in why or f"{__file__}, line" in fault.value.why
    assert b'"do"' in fault.value.record or b"players" in fault.value.record


@pytest.mark.parametrize(
    ("calls", "why"),
    [
        (naming("stone-2"), ""),  # it lay there before the act
        (naming("hand-0", "hand-1"), ""),
        (naming("stone-99"), "names the piece 'stone-99', which is not on the board"),
        (lambda self, before, act: (Call("drawn", "A stone.", {"pieces": "hand-0"}),), "expected a tuple of keys"),
    ],
)
def test_a_call_names_pieces_that_are_there(calls: Any, why: str) -> None:
    match = Match(bag(stones, calls), NAMES)
    match.play(draw(2))
    found = reasons(boarded, match)
    assert why in found
    assert bool(why) == bool(found)


class Bids(Bag):
    """A bag whose seats first bid in secret: `passed` has the bids."""

    __slots__ = ()

    def asks(self) -> tuple[Ask, ...]:
        waiting = tuple(range(len(self.passed), len(self.hands)))
        seat = Pick("seat", waiting, source="buzz")
        bid = Ask("bid", "Bid", (seat,), more=lambda given: (Number("coins", 0, 9),), secret=True)
        return (bid,) if waiting else Bag.asks(self)

    def do_bid(self, seat: int, coins: int) -> Any:
        return self.__class__(self.hands, self.stones, self.bag, self.turn, (*self.passed, coins))


class BidsTwice(Bids):
    """A bag whose seats bid in secret again as soon as all have bid; the board shows the bids of finished rounds."""

    __slots__ = ()

    def asks(self) -> tuple[Ask, ...]:
        seats = len(self.hands)
        if len(self.passed) == 2 * seats:
            return Bag.asks(self)
        waiting = tuple(range(len(self.passed) % seats, seats))
        seat = Pick("seat", waiting, source="buzz")
        return (Ask("bid", "Bid", (seat,), more=lambda given: (Number("coins", 0, 9),), secret=True),)

    def shown_board(self) -> Board:
        done = self.passed[: len(self.passed) // len(self.hands) * len(self.hands)]
        return Board((Line((Card("a"), *(Card(f"bid-{n}", str(bid)) for n, bid in enumerate(done)))),))


def test_a_board_may_show_all_bids_as_soon_as_the_last_one_counts() -> None:
    game: Any = BidsTwice
    match = Match(game, NAMES)
    for _ in match.players:
        assert "reveals" not in reasons(boarded, match)
        match.play(Act("bid", {"seat": len(match.now.passed) % len(NAMES), "coins": 3}))


@pytest.mark.parametrize(
    ("draws", "revealed"),
    [
        (lambda self: Board((Line(tuple(Pile(f"bid-{seat}", 1) for seat in range(len(self.passed) + 1))),)), False),
        (lambda self: Board((Line((Card("a"), *(Card(f"bid-{n}", bid) for n, bid in enumerate(self.passed)))),)), True),
    ],
)
def test_a_board_may_not_reveal_a_bid_before_all_have_bid(draws: Draws, revealed: bool) -> None:
    game: Any = type("Made", (Bids,), {"__doc__": "Bids.", "__slots__": (), "shown_board": draws})
    assert ("Its board reveals a secret" in reasons(boarded, Match(game, NAMES))) == revealed
