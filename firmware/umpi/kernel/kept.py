"""A match as the journal lists it."""

from __future__ import annotations

from dataclasses import dataclass

ON, LEFT, CLOSED = "on", "left", "closed"  # the status of a match: on the table, left, finished


@dataclass(frozen=True, slots=True)
class Kept:
    """Describe a match in the journal: its header line, start time by the wall clock and number of lines.

    `how` is its status: "on" (on the table), "left" or "closed". `rules` is the revision of its rules at the start, or
    None if unknown.
    """

    id: int
    header: str
    began: str
    lines: int
    how: str
    uid: str
    rules: int | None

    @property
    def open(self) -> bool:
        """Return whether the players have not finished with the match."""
        return self.how != CLOSED
