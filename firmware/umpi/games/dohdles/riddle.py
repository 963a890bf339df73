"""Riddles: the state of a riddle on the board, its name for players, and the number of riddles per seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from umpi.kernel import Member, Message, message

LETTERS = 5  # letters of a solution word that a clue may ask for
MOST_RIDDLES = 12
SEATS = "ABCDEF"  # the letters of the seats in the names of riddles

Name = Annotated[str, tuple(f"{letter}{number}" for letter in SEATS for number in range(1, 5))]
Position = Annotated[int, range(1, LETTERS + 1)]
Letter = Annotated[str, range(1, 2)]


@dataclass(frozen=True, slots=True)
class Riddle:
    """The state of a riddle on the board; `chip` is the clue space of its chip, 0 for the start."""

    name: str
    owner: int
    chip: int = 0
    state: Literal["open", "solved", "expired"] = "open"
    letters: tuple[str | None, ...] = (None,) * LETTERS
    solver: int | None = None

    def facts(self) -> dict[str, Any]:
        """Return what the facts of the game contain of it."""
        return {"chip": self.chip, "state": self.state, "letters": self.letters, "solver": self.solver}


def named(name: str) -> Message:
    """Return a riddle's name for players: its sculptor and its number, such as "Blue 1" for B1.

    In a team, each member sculpts in turn: B1 of "Ann & Ben" is "Ann 1", B2 is "Ben 2".
    """
    return message("{who} {number}", who=sculptor_of(name), number=int(name[1:]))


def sculptor_of(name: str) -> Member:
    """Return who sculpted a riddle: of a team, one member."""
    return Member(SEATS.index(name[0]), int(name[1:]))


def riddles_each(seats: int, riddles: int | None, lone: int | None = None, lone_riddles: int = 2) -> tuple[int, ...]:
    """Return how many riddles each seat sculpts.

    It is `riddles` if it is set, otherwise the number in the rules. The seat at place `lone` of the order of play, from
    1, has no partner, and sculpts `lone_riddles`.
    """
    each = riddles or (3 if seats == 3 else 2)
    return tuple(lone_riddles if seat + 1 == lone else each for seat in range(seats))
