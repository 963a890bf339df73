"""Blind market: the box turns up a lot, everybody bids in secret, and the highest bid that is alone takes it.

Example of an act that the box does at once, of secret answers whose range depends on the seat, and of a tie-break.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

from umpi.kernel import (
    Act,
    Ask,
    Call,
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
)  # fmt: skip

LOTS = tuple(range(1, 11))  # the worth of each lot
Lot = Annotated[int, LOTS]
Coins = Annotated[int, range(31)]
BID = "Nobody sees your bid. The highest bid that nobody else made pays and takes the lot. Equal bids take nothing."


@dataclass(frozen=True, slots=True)
class BlindMarket(Game):
    """A position of Blind market.

    >>> game = BlindMarket.setup(2, coins=10).do_lot(None, 7).do_bid(0, 3).do_bid(1, 2)
    >>> game.scores(), game.coins
    ((7, 0), (7, 10))
    """

    id: ClassVar = "blind-market"
    title: ClassVar = "Blind market"
    umpi_api: ClassVar = 3
    kind: ClassVar = "bids"
    wins: ClassVar = "highest"
    seats: ClassVar = range(2, 7)
    options: ClassVar[tuple[Field, ...]] = (Number("coins", 5, 30), Number("lots", 1, len(LOTS)))
    longest: ClassVar = 100

    coins: tuple[int, ...]
    lots: int  # how many lots are sold in all
    points: tuple[int, ...]
    sold: tuple[int, ...] = ()
    lot: int | None = None
    bids: tuple[int | None, ...] = ()

    @classmethod
    @override
    def setup(cls, seats: int, coins: int = 15, lots: int = 6) -> Self:
        """Return the first position."""
        return cls((coins,) * seats, lots, (0,) * seats)

    @property
    @override
    def phase(self) -> str:
        """Return what the game waits for."""
        return "over" if self.result() else "lot" if self.lot is None else "bid"

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer the next lot, which the box draws; then a secret bid of each seat."""
        if self.result():
            return ()
        if self.lot is None:
            left = tuple(lot for lot in LOTS if lot not in self.sold)
            return (Ask("lot", "The next lot", (Pick("lot", left, source="box"),), after_ms=0),)
        waiting = tuple(seat for seat, bid in enumerate(self.bids) if bid is None)
        seat = Pick("seat", waiting, source="buzz")
        return (Ask("bid", message("Lot of {lot}: bid", lot=self.lot), (seat,), help=BID, more=self._bid, secret=True),)

    def _bid(self, given: Given) -> tuple[Field, ...]:
        return (Number("coins", 0, self.coins[given["seat"]], text="How many coins?"),)

    def do_lot(self, seat: None, lot: Lot) -> Self:
        """Turn up a lot."""
        return replace(self, lot=lot, bids=(None,) * len(self.coins))

    def do_bid(self, seat: NamedSeat, coins: Coins) -> Self:
        """Note a bid; the last one sells the lot."""
        bids = (*self.bids[:seat], coins, *self.bids[seat + 1 :])
        game = replace(self, bids=bids)
        return game if None in bids else game._sell()

    def _sell(self) -> Self:
        assert self.lot is not None
        alone = [bid for bid, number in Counter(self.bids).items() if number == 1 and bid]
        sold, points, coins = (*self.sold, self.lot), list(self.points), list(self.coins)
        if alone:
            buyer = self.bids.index(max(alone))
            points[buyer] += self.lot
            coins[buyer] -= max(alone)
        return replace(self, sold=sold, points=tuple(points), coins=tuple(coins), lot=None)

    @override
    def scores(self) -> tuple[int, ...]:
        """Return the worth of what each seat has bought."""
        return self.points

    @override
    def result(self) -> Result | None:
        """Return the ranking after the last lot; coins decide a tie."""
        if len(self.sold) < self.lots:
            return None
        return Result(
            placed(tuple(zip(self.points, self.coins, strict=True))), message("worth of the lots, then coins")
        )

    @override
    def facts(self) -> dict[str, Any]:
        """Return the coins and the lots."""
        return {"coins": self.coins, "sold": self.sold, "lot": self.lot}

    @override
    def view(self) -> View:
        """Return the lot, and the coins beside the scores."""
        sold = min(len(self.sold) + 1, self.lots)
        return View(message("lot {lot}/{lots}", lot=sold, lots=self.lots), tuple(map(str, self.coins)))

    @override
    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Say who has bought a lot."""
        if act.verb != "bid" or self.lot is not None:
            return ()
        bids = ", ".join(map(str, self.bids))
        won = [seat for seat, (own, old) in enumerate(zip(self.points, before.points, strict=True)) if own > old]
        if not won:
            return (Call("unsold", message("Bids {bids}: nobody takes it", bids=bids)),)
        return (Call("sold", message("Bids {bids}: {who} takes it", bids=bids, who=Who(won[0])), {"seat": won[0]}),)

    @override
    def audit(self) -> str:
        """Check that nobody owes coins."""
        return "coins below 0" if min(self.coins) < 0 else ""
