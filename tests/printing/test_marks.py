"""What is drawn on each sheet is what somebody has looked at: marks.txt has a print of the marks of each sheet."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

from umpi.kernel.registry import games
from umpi.printing.found import sheets_of
from umpi.printing.seats import ON, seat_marks
from umpi.table.seats import COLOURS

SEEN = Path(__file__).with_name("marks.txt")
NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")


def print_of(marks: object) -> str:
    """Return a print of marks to a hundredth of a millimetre; what is smaller may differ between machines."""
    rounded = NUMBER.sub(lambda number: f"{round(float(number[0]), 2) + 0.0:.2f}", repr(marks))
    return sha256(rounded.encode()).hexdigest()[:16]


def test_each_sheet_is_drawn_as_somebody_has_seen_it() -> None:
    """After a change on purpose: look at what `umpi print GAME` draws, then copy the new lines into marks.txt."""
    now = {f"{game.id}/{sheet.name}": print_of(sheet) for game in games() for sheet in sheets_of(game, "en")}
    now |= {f"seats/{colour}": print_of(seat_marks(seat, (20.0, 30.0), 8.0)) for seat, colour in enumerate(COLOURS)}
    assert [f"{name} {mark}" for name, mark in sorted(now.items())] == SEEN.read_text(encoding="utf-8").splitlines()


def test_ink_on_a_seat_is_black_where_the_seat_is_bright() -> None:
    assert [colour for colour in COLOURS if ON[colour] != ON["Red"]] == ["Yellow", "Green", "White"]
