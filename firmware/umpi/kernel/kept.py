"""A match as the journal lists it, and what identifies it there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from typing import NewType

from umpi.frozen import frozen

ON, LEFT, CLOSED = "on", "left", "closed"  # the status of a match: on the table, left, finished
RACE = "race"  # name of a note of a match: a race, which replaces an earlier one after the same acts

Uid = NewType("Uid", str)  # what identifies a match on every box, from its start: 32 hexadecimal digits
KeptLine = tuple[str, str, int | None]  # a line of a match: its text, who wrote it, the mark of the position after it


@frozen
class Kept:
    """Describe a match in the journal: its number there, header line, start time by the wall clock and count of lines.

    `how` is its status: "on" (on the table), "left" or "closed". `rules` is the revision of its rules at the start, or
    None if unknown. `renamed` counts how often its players got other names. `outcome` and `ended` are as JSON how the
    match ended and when, by the wall clock; None if it is not over, or if the journal does not contain it.
    """

    id: int
    header: str
    began: str
    lines: int
    how: str
    uid: Uid
    rules: int | None
    renamed: int = 0
    outcome: str | None = None
    ended: str | None = None

    @property
    def record_header(self) -> str:
        """Return the header for a replay: it names the revision of the rules, also if the one on disk does not."""
        try:
            header = json.loads(self.header)
        except ValueError:  # who reads it says so
            return self.header
        if not self.rules or not isinstance(header, dict) or "revision" in header:
            return self.header
        return json.dumps({**header, "revision": self.rules}, ensure_ascii=False)

    @property
    def open(self) -> bool:
        """Return whether the players have not finished with the match."""
        return self.how != CLOSED

    @property
    def hidden(self) -> bool:
        """Return whether what the box drew for single seats is still hidden: the match is neither over nor closed."""
        return self.open and self.outcome is None

    @property
    def revision(self) -> int:
        """Return how often the match was written: its lines, and how often its players were renamed. It never falls."""
        return self.lines + self.renamed


@frozen
class MatchNews:
    """What has become of matches in the journal: the numbers that they got, and the copies in which they continue.

    A number is for players, in lists. It is below 0 while the match is not on disk. A match continues in a copy if
    another box has continued it too.
    """

    numbers: Mapping[Uid, int] = field(default_factory=dict)
    copies: Mapping[Uid, Uid] = field(default_factory=dict)
