"""A storm for Bold bids: an expansion with a card that sinks a trick, so that nobody takes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from bold_bids import BoldBids, Bonus, Tricks

from umpi.kernel import Ask, Field, Pick, override, replace


@dataclass(frozen=True)
class BoldStorm(BoldBids):
    """A position of Bold bids with the option `storm`."""

    options: ClassVar[tuple[Field, ...]] = (*BoldBids.options, Pick("storm", (False, True)))

    storm: bool = False
    sunk: int = 0  # tricks of this round that nobody takes

    @property
    def tricks(self) -> int:
        """Return the tricks that the players take in this round."""
        return self.round - self.sunk

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer the storm before the tricks are entered."""
        asks = super().asks()
        if self.storm and self.phase == "tricks" and not (self.taken or self.sunk):
            return (*asks, Ask("storm", "Storm", help="The storm sinks one trick.", weight=0.05, rare=True))
        return asks

    def do_storm(self, seat: None) -> Self:
        """Sink one trick of this round."""
        return replace(self, sunk=1)

    def do_tricks(self, seat: int, tricks: Tricks, bonus: Bonus = 0) -> Self:
        """Score the round of a seat; a new round begins without a storm."""
        position = super().do_tricks(seat, tricks, bonus)
        return position if position.taken else replace(position, sunk=0)
