"""One riddle on the board: its chip, its letters, how it ended, and how many a table sculpts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from umpi.kernel import Field, Given, Number, Text

LETTERS = 5  # of a solution word that may be asked for
MOST_RIDDLES = 12

Name = Annotated[str, tuple(f"{letter}{number}" for letter in "ABCDEF" for number in range(1, 5))]
Position = Annotated[int, range(1, LETTERS + 1)]
Letter = Annotated[str, range(1, 2)]


@dataclass(frozen=True, slots=True)
class Riddle:
    """One riddle on the board; `chip` is its clue space, 0 the start."""

    name: str
    owner: int
    chip: int = 0
    state: Literal["open", "solved", "expired"] = "open"
    letters: tuple[str | None, ...] = (None,) * LETTERS
    solver: int | None = None


def riddles_each(seats: int, riddles: int | None) -> int:
    """Tell how many riddles each seat sculpts, unless the table has agreed on a number."""
    return riddles or (3 if seats == 3 else 2)


def letter_fields(given: Given) -> tuple[Field, ...]:
    """Ask for a letter's position and the letter, where the clue is one."""
    if given["kind"] != "letter":
        return ()
    return (Number("position", 1, LETTERS), Text("letter", 1, 1, null=True))
