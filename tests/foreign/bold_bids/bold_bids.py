"""Bold bids: before each round, everybody bids in secret how many tricks they will take. Exact bids score.

Round 1 has one card each, round 2 two, and so on. The players play the cards; the box takes the bids and the tricks.
Partners bid as one, how many tricks they will take together: either of them answers for both.
Example of secret answers, also by a team, of tricks that must add up, and of a bonus.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

from umpi.kernel import (
    Act,
    Ask,
    Call,
    Field,
    Game,
    NamedSeat,
    Number,
    Pick,
    Result,
    Row,
    Teams,
    View,
    Who,
    across,
    message,
    override,
    placed,
    replace,
    shared,
    team_of,
)

EXACT, MISS, NOTHING = 20, -10, 10  # points per trick of an exact bid, per trick off, and per card of a bid of 0
ROUNDS = 10

Tricks = Annotated[int, range(ROUNDS + 1)]
Bonus = Annotated[int, (10, 20, 30, 40)]


@dataclass(frozen=True, slots=True)
class BoldBids(Game):
    """A position of Bold bids.

    >>> game = BoldBids.setup(2, rounds=1).do_bid(0, 1).do_bid(1, 0).do_tricks(0, 1, bonus=30).do_tricks(1, 0)
    >>> game.scores()
    (50, 10)
    """

    id: ClassVar = "bold-bids"
    title: ClassVar = "Bold bids"
    umpi_api: ClassVar = 3
    kind: ClassVar = "cards"
    wins: ClassVar = "highest"
    seats: ClassVar = range(2, 7)
    options: ClassVar[tuple[Field, ...]] = (Number("rounds", 1, ROUNDS), Pick("partners", (False, True)))
    longest: ClassVar = 150

    points: tuple[tuple[int, ...], ...]  # of each seat, round by round; partners have theirs together, at the first
    rounds: int
    bids: tuple[int | None, ...]  # of this round; None: not yet
    partners: bool = False  # whether the players who face each other are a team
    taken: tuple[int, ...] = ()  # the tricks of the seats that have entered them
    bonuses: tuple[int, ...] = ()

    @classmethod
    @override
    def setup(cls, seats: int, rounds: int = ROUNDS, partners: bool = False) -> Self:
        """Return the first position."""
        return cls(((),) * seats, rounds, (None,) * seats, partners)

    @classmethod
    @override
    def objection(cls, seats: int, rounds: int, partners: bool) -> str:
        """Return why these options do not suit this number of seats."""
        return message("Partners need four or six players.") if partners and seats not in (4, 6) else ""

    @override
    def teams(self) -> Teams:
        """Return the partners, if they play in teams."""
        return across(len(self.bids), len(self.bids) // 2) if self.partners else ()

    @property
    def round(self) -> int:
        """Return the number of the round, which is the number of cards of each player."""
        return min(len(self.points[-1]) + 1, self.rounds)

    @property
    def tricks(self) -> int:
        """Return the tricks that the players take in this round."""
        return self.round

    @property
    @override
    def phase(self) -> str:
        """Return what the game waits for."""
        return "over" if self.result() else "bid" if None in self.bids else "tricks"

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer a secret bid to each seat, or to each team; then the tricks that all seats have taken."""
        if self.result():
            return ()
        if None in self.bids:
            open_seats = tuple(seat for seat, bid in enumerate(self.bids) if bid is None)
            fields = (Pick("seat", open_seats, source="buzz"), Number("bid", 0, self.round))
            text = message("Bid 0 to {cards}", cards=self.round)
            return (Ask("bid", text, fields, help=BID, secret=True, as_team=True),)
        seat = len(self.taken)
        left = self.tricks - sum(self.taken)
        tricks = Number("tricks", left if seat == len(self.bids) - 1 else 0, left)
        bonus = Pick("bonus", (10, 20, 30, 40), optional=True, likely=0.1, in_menu=True)
        return (Ask("tricks", message("{who}: tricks?", who=Who(seat)), (bonus, tricks), seat, TRICKS),)

    def do_bid(self, seat: NamedSeat, bid: Tricks) -> Self:
        """Note the bid of a seat, which is that of its partner too."""
        team = team_of(self.teams(), seat)
        return replace(self, bids=tuple(bid if each in team else own for each, own in enumerate(self.bids)))

    def do_tricks(self, seat: int, tricks: Tricks, bonus: Bonus = 0) -> Self:
        """Note the tricks of a seat; after the last seat, score the round and begin the next one."""
        now = replace(self, taken=(*self.taken, tricks), bonuses=(*self.bonuses, bonus))
        if seat < len(self.bids) - 1:
            return now
        points = tuple((*column, now._scored(seat)) for seat, column in enumerate(self.points))
        return replace(self, points=points, taken=(), bonuses=(), bids=(None,) * len(self.bids))

    @override
    def scores(self) -> tuple[int, ...]:
        """Return the total of each seat."""
        points = tuple(map(sum, self.points))
        return shared(self.teams(), points) if self.partners else points

    @override
    def result(self) -> Result | None:
        """Return the ranking after the last round."""
        if len(self.points[-1]) < self.rounds:
            return None
        return Result(placed(self.scores()), message("most points"))

    @override
    def facts(self) -> dict[str, Any]:
        """Return the round, the bids and the pad."""
        return {"round": self.round, "bids": self.bids, "points": self.points}

    @override
    def view(self) -> View:
        """Return the round, and the bids beside the scores once they are open."""
        head = message("round {round}/{rounds}", round=self.round, rounds=self.rounds)
        if None in self.bids or self.result():
            return View(head)
        return View(head, tuple(map(str, self.bids)), (Row(message("bids"), tuple(map(str, self.bids))),))

    @override
    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Say all bids once they are open."""
        if act.verb != "bid" or None in self.bids:
            return ()
        bids = ", ".join(map(str, self.bids))
        return (Call("bids", message("Bids: {bids}", bids=bids), {"bids": self.bids}),)

    @override
    def audit(self) -> str:
        """Check that nobody has taken a trick that is not there."""
        return "" if sum(self.taken) <= self.tricks else "more tricks than cards"

    def _scored(self, seat: int) -> int:
        """Return the points of a seat and its partner in a round; the bonus counts only for an exact bid."""
        team = team_of(self.teams(), seat)
        if seat != team[0]:
            return 0
        bid, tricks = self.bids[seat] or 0, sum(self.taken[each] for each in team)
        bonus = sum(self.bonuses[each] for each in team)
        if bid == 0:
            return NOTHING * self.round * (1 if tricks == 0 else -1)
        return EXACT * tricks + bonus if bid == tricks else MISS * abs(tricks - bid)


BID = "How many tricks will you take? Nobody sees your bid until all have bid."
TRICKS = "An exact bid scores 20 a trick, a bid of 0 scores 10 a card. For a bonus: Back, then the menu: all of it."
