"""Rulings: three places where a table may follow the rule sheet or wider rules; the default is the sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from umpi.kernel import Pick

FirstRight = Literal["cube", "free"]
SecondEnd = Literal["solved", "gone"]
Announcement = Literal["each", "one"]


@dataclass(frozen=True, slots=True)
class Rulings:
    """The rulings of a game.

    - `first_right`: whether the first right needs a "cube" of the player on turn, or is "free".
    - `second_end`: whether a game without a riddle to pick ends only if the others' riddles are all "solved", or also
      if they are "gone". In the first case the turn passes, and the game ends if nobody can pick a riddle.
    - `announcement`: whether the owner of "each" cube may name another riddle in an announcement, or only "one" is
      guessed. Without a name it is the same riddle again.
    """

    first_right: FirstRight = "cube"
    second_end: SecondEnd = "solved"
    announcement: Announcement = "each"


SHEET = Rulings()
OPTIONS = (
    Pick("first_right", ("cube", "free")),
    Pick("second_end", ("solved", "gone")),
    Pick("announcement", ("each", "one")),
)
FORMERLY = {"first_right": "free", "second_end": "gone", "announcement": "one"}  # how revision 1 judged
