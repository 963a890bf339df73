"""Rulings: three places where a table may follow the rule sheet or the box's older, wider rules.

The default of each option is the wider rule, because records without the option were played by it. A new game at the
box begins with the rules of the sheet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from umpi.kernel import Pick

FirstRight = Literal["free", "cube"]
SecondEnd = Literal["gone", "solved"]
Announcement = Literal["one", "each"]


@dataclass(frozen=True, slots=True)
class Rulings:
    """The rulings of a game.

    - `first_right`: whether the first right is "free", or needs a "cube" of the player on turn.
    - `second_end`: whether a game without a riddle to pick ends if the others' riddles are "gone", or only if all of
      them are "solved". In the second case the turn passes, and the game ends if nobody can pick a riddle.
    - `announcement`: whether "one" riddle is guessed in an announcement, or the owner of "each" cube may name
      another one. Without a name it is the same riddle again.
    """

    first_right: FirstRight = "free"
    second_end: SecondEnd = "gone"
    announcement: Announcement = "one"


WIDE = Rulings()
OPTIONS = (
    Pick("first_right", ("free", "cube")),
    Pick("second_end", ("gone", "solved")),
    Pick("announcement", ("one", "each")),
)
SHEET = {"first_right": "cube", "second_end": "solved", "announcement": "each"}
