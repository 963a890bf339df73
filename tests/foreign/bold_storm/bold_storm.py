"""A storm for Bold bids: an expansion with a card that sinks a trick, so that nobody takes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from bold_bids import ROUNDS, BoldBids, Bonus, Tricks

from umpi.kernel import Ask, Field, Pick, override, replace


@dataclass(frozen=True)
class BoldStorm(BoldBids):
    """A position of Bold bids with the option `storm`."""

    options: ClassVar[tuple[Field, ...]] = (*BoldBids.options, Pick("storm", (False, True)))

    storm: bool = False
    sunk: int = 0  # tricks of this round that nobody takes

    @classmethod
    @override
    def setup(cls, seats: int, rounds: int = ROUNDS, partners: bool = False, storm: bool = False) -> Self:
        """Return the first position."""
        return cls(((),) * seats, rounds, (None,) * seats, partners, storm=storm)

    @classmethod
    @override
    def objection(cls, seats: int, rounds: int, partners: bool, storm: bool = False) -> str:
        """Return why these options do not suit this number of seats."""
        return BoldBids.objection(seats, rounds, partners)

    @property
    def tricks(self) -> int:
        """Return the tricks that the players take in this round."""
        return self.round - self.sunk

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer the storm before the tricks are entered."""
        asks = BoldBids.asks(self)
        if self.storm and self.phase == "tricks" and not (self.taken or self.sunk):
            return (*asks, Ask("storm", "Storm", help="The storm sinks one trick.", weight=0.05, rare=True))
        return asks

    def do_storm(self, seat: None) -> Self:
        """Sink one trick of this round."""
        return replace(self, sunk=1)

    def do_tricks(self, seat: int, tricks: Tricks, bonus: Bonus = 0) -> Self:
        """Score the round of a seat; a new round begins without a storm."""
        position = BoldBids.do_tricks(self, seat, tricks, bonus)
        return position if position.taken else replace(position, sunk=0)
