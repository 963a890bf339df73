"""Quiet high: the box deals three cards to each phone; the highest card of a round takes a point.

Everybody plays one card a round, in turn or all at once, and gets a new one. Example of hands that the box deals, and
that only their owners see.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

from umpi.kernel import (
    Act,
    Ask,
    Call,
    Draw,
    Field,
    Game,
    Given,
    NamedSeat,
    Number,
    Pick,
    Result,
    View,
    Who,
    message,
    override,
    placed,
    replace,
)

DECK = tuple(range(1, 61))
HAND = 3  # cards of each player
MOST = 7  # rounds for which the deck has enough cards for six players

Card = Annotated[int, DECK]
Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class QuietHigh(Game):
    """A position of Quiet high.

    >>> game = QuietHigh.setup(2, rounds=1).do_deal(None, (7, 30, 5)).do_deal(None, (1, 2, 60))
    >>> game.own_hand(0)[0].format()
    'Your cards: 5, 7, 30'
    >>> game.do_play(0, 30).do_play(1, 60).scores()
    (0, 1)
    """

    id: ClassVar = "quiet-high"
    title: ClassVar = "Quiet high"
    umpi_api: ClassVar = 3
    kind: ClassVar = "cards"
    wins: ClassVar = "highest"
    seats: ClassVar = range(2, 7)
    options: ClassVar[tuple[Field, ...]] = (Number("rounds", 1, MOST), Pick("together", (False, True)))
    longest: ClassVar = 120

    points: tuple[int, ...]
    hands: tuple[Cards, ...]
    rounds: int
    together: bool = False  # whether all choose their cards at once, in secret
    dealt: Cards = ()  # all cards that have left the deck
    table: tuple[int | None, ...] = ()  # the card of each seat in this round
    round: int = 1

    @classmethod
    @override
    def setup(cls, seats: int, rounds: int = 5, together: bool = False) -> Self:
        """Return the first position."""
        return cls((0,) * seats, ((),) * seats, rounds, together, table=(None,) * seats)

    @property
    @override
    def phase(self) -> str:
        """Return what the game waits for."""
        return "over" if self.round > self.rounds else "deal" if self._next is not None else "play"

    @property
    def _next(self) -> int | None:
        """Return the seat that gets cards now."""
        if any(card is not None for card in self.table):
            return None
        return next((seat for seat, hand in enumerate(self.hands) if len(hand) < HAND), None)

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Let the box deal to one seat after the other; then ask for a card of each hand."""
        if self.phase == "over":
            return ()
        if (seat := self._next) is not None:
            left = tuple(card for card in DECK if card not in self.dealt)
            cards = Draw("cards", left, HAND - len(self.hands[seat]), source="box", to=seat)
            return (Ask("deal", message("Deal"), (cards,), after_ms=0),)
        open_seats = tuple(seat for seat, card in enumerate(self.table) if card is None)
        if self.together:
            field = Pick("seat", open_seats, source="buzz")
            return (Ask("choose", message("Choose a card"), (field,), help=PLAY, more=self._hand, secret=True),)
        seat = open_seats[0]
        text = message("{who}: play a card", who=Who(seat))
        return (Ask("play", text, (Pick("card", self.hands[seat], to=seat),), seat, PLAY),)

    def _hand(self, given: Given) -> tuple[Field, ...]:
        if "seat" not in given:
            return ()
        return (Pick("card", self.hands[given["seat"]], to=given["seat"]),)

    def do_deal(self, seat: None, cards: tuple[Card, ...]) -> Self:
        """Add cards to the hand of the next seat."""
        to = self._next
        assert to is not None
        hands = (*self.hands[:to], tuple(sorted((*self.hands[to], *cards))), *self.hands[to + 1 :])
        return replace(self, hands=hands, dealt=(*self.dealt, *cards))

    def do_play(self, seat: int, card: Card) -> Self:
        """Put a card on the table; after the last one, the highest takes a point."""
        return self._laid(seat, card)

    def do_choose(self, seat: NamedSeat, card: Card) -> Self:
        """Put the chosen card of a seat on the table."""
        return self._laid(seat, card)

    def _laid(self, seat: int, card: int) -> Self:
        left = tuple(each for each in self.hands[seat] if each != card)
        hands = (*self.hands[:seat], left, *self.hands[seat + 1 :])
        table = (*self.table[:seat], card, *self.table[seat + 1 :])
        if None in table:
            return replace(self, hands=hands, table=table)
        best = table.index(max(each for each in table if each is not None))
        points = tuple(each + (place == best) for place, each in enumerate(self.points))
        return replace(self, hands=hands, table=(None,) * len(table), points=points, round=self.round + 1)

    @override
    def scores(self) -> tuple[int, ...]:
        """Return the rounds that each seat has won."""
        return self.points

    @override
    def result(self) -> Result | None:
        """Return the ranking after the last round."""
        return Result(placed(self.points), message("most rounds")) if self.round > self.rounds else None

    @override
    def facts(self) -> dict[str, Any]:
        """Return the whole position, with the hands."""
        return {"round": self.round, "table": self.table, "hands": self.hands}

    @override
    def shown_facts(self) -> dict[str, Any]:
        """Return what lies on the table."""
        return {"round": self.round, "table": self.table}

    @override
    def own_hand(self, seat: int) -> tuple[str, ...] | None:
        """Return the cards of a seat."""
        return (message("Your cards: {cards}", cards=", ".join(map(str, self.hands[seat]))),)

    @override
    def view(self) -> View:
        """Return the round, and the cards on the table."""
        cells = tuple("-" if card is None else str(card) for card in self.table)
        return View(message("round {round}/{rounds}", round=min(self.round, self.rounds), rounds=self.rounds), cells)

    @override
    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Say who has taken a round."""
        if self.round == before.round:
            return ()
        seat = next(seat for seat, points in enumerate(self.points) if points > before.points[seat])
        return (Call("round", message("{who} takes the round", who=Who(seat)), {"seat": seat}),)

    @override
    def audit(self) -> str:
        """Check that no card is in play twice."""
        cards = [card for hand in self.hands for card in hand]
        return "a card is in two hands" if len({*cards}) < len(cards) else ""


PLAY = "The highest card of a round takes a point. Only you see your cards."
