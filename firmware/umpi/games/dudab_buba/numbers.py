"""The numbers of the rules of Dudab Buba that a table may change for play-testing; the defaults are the rule sheet."""

from __future__ import annotations

from typing import NamedTuple

from umpi.kernel import Each, Field, Number

BABIES = (-1, -3, -6, -11, -19, -32, -51, -81)  # the points of 1 to 8 babies together


class Numbers(NamedTuple):
    """The chosen numbers.

    - `hand_least`, `hand_most`: the fewest and the most cards in a hand after a turn; who takes a column sheds to the
      fewest.
    - `column_length`: the cards of a full column; the next card takes them.
    - `dudab_points`, `shaman_points`: what a dudab in hand, and a shaman without a dudab to cancel it, cost.
    - `baby_points`: the points of 1 to 8 babies together.
    """

    hand_least: int = 2
    hand_most: int = 5
    column_length: int = 5
    dudab_points: int = 5
    shaman_points: int = 5
    baby_points: tuple[int, ...] = BABIES


SHEET = Numbers()
DEALT = 3  # cards to a hand; no hand is dealt more than the most, or fewer than the fewest
EXPERIMENTS: tuple[Field, ...] = (
    Number("hand_least", 1, DEALT),
    Number("hand_most", DEALT, 8),
    Number("column_length", 2, 10),
    Number("dudab_points", 0, 20),
    Number("shaman_points", 0, 20),
    Each("baby_points", tuple(Number(str(babies), -200, 200) for babies in range(1, 9))),
)
