"""Riddles: the state of a riddle on the board, and the number of riddles per seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from umpi.kernel import Field, Given, Number, Text

LETTERS = 5  # letters of a solution word that a clue may ask for
MOST_RIDDLES = 12

Name = Annotated[str, tuple(f"{letter}{number}" for letter in "ABCDEF" for number in range(1, 5))]
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


def riddles_each(seats: int, riddles: int | None) -> int:
    """Return how many riddles each seat sculpts: `riddles` if it is set, otherwise the number in the rules."""
    return riddles or (3 if seats == 3 else 2)


def letter_fields(given: Given) -> tuple[Field, ...]:
    """Return the fields for a letter and its position if the clue is a letter, otherwise none."""
    if given["kind"] != "letter":
        return ()
    return (Number("position", 1, LETTERS), Text("letter", 1, 1, null=True))
