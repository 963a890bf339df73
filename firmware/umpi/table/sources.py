"""Who acts at a table: the buttons of the box, a phone, a card, a cube, a timer or the box itself."""

from __future__ import annotations

from typing import Literal

from umpi.frozen import frozen
from umpi.table.seats import COLOURS


@frozen
class Phone:
    """The phone of a button, 0 to 5 from the left, None for the referee's.

    >>> str(Phone(0)), str(Phone(None))
    ('phone:Red', 'phone:referee')
    """

    button: int | None

    def __str__(self) -> str:
        return "phone:referee" if self.button is None else f"phone:{COLOURS[self.button]}"


Source = Literal["panel", "scanner", "funnel", "rail", "table", "box"] | Phone  # the journal keeps its text
