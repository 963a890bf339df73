"""What the referee needs of the journal and of the pairing of phones. The service performs these calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from umpi.kernel.kept import Kept, KeptLine, Uid


class JournalPort(Protocol):
    """The journal of a box, as far as the referee calls it. A match is addressed by its uid."""

    def begin(self, header: Mapping[str, Any], rules: int | None = None, lines: Sequence[KeptLine] = ()) -> Uid:
        """Begin a match with this revision of its rules, put it on the table and return its uid.

        `lines` are its first lines. The journal writes all of them or none.
        """
        ...

    def append(
        self,
        match: Uid,
        lines: Sequence[Mapping[str, Any]],
        who: str,
        marks: Sequence[int | None] = (),
        outcome: Mapping[str, Any] | None = None,
    ) -> None:
        """Add lines to a match, all or none.

        `who` is the source of the lines: "panel", "funnel" or "box". `marks` contains the mark of the position after
        each line. `outcome` contains {"places", "scores"} if these lines end the match, also "together" if a team won.
        """
        ...

    def rename(self, match: Uid, players: Sequence[str]) -> None:
        """Note the new names of a match's players."""
        ...

    def take_up(self, match: Uid, lines: int) -> None:
        """Put an earlier match on the table again, with the given number of lines."""
        ...

    def leave(self, match: Uid) -> None:
        """Note that the players have left a match that they can resume."""
        ...

    def close_match(self, match: Uid) -> None:
        """Note that the players have finished with a match."""
        ...

    def note(self, match: Uid, what: str, value: object) -> None:
        """Note a value for a match outside its record, for example "doubt" or "turn_s"."""
        ...

    def noted(self, match: Uid, what: str) -> object:
        """Return the value last noted for a match, or None if there is no value."""
        ...

    def keep_trace(self, match: Uid, lines: Sequence[str]) -> None:
        """Write the raw edges of an announcement, in the format that `umpi judge` reads."""
        ...

    def hold(self) -> None:
        """Collect all rows from now on until `release` writes them, all or none."""
        ...

    def release(self) -> None:
        """Write the collected rows."""
        ...

    def save(self) -> bool:
        """Write the waiting rows. Return True if everything is on disk."""
        ...

    def checkpoint(self) -> None:
        """Move the write-ahead log into the database file and sync it to disk."""
        ...

    def listed(self, most: int) -> Sequence[Kept]:
        """List the match on the table, the newest open matches and the newest others on disk, newest last.

        At most `most` open ones are listed, and as many others.
        """
        ...

    def match(self, number: int) -> Kept | None:
        """Return a match on disk, or None if there is none of this number."""
        ...

    def on_table(self) -> Uid | None:
        """Return the match on the table according to the file, or None."""
        ...

    def written(self, match: Uid) -> Sequence[KeptLine]:
        """List the lines of a match on disk without its header, each with its author and mark."""
        ...

    def speak(self, language: str) -> None:
        """Note the new language of the box."""
        ...

    def pair(self, *, hash: str, who: str, name: str) -> None:
        """Note that a phone may act for `who`, and its name.

        `who` is "referee" or the colour of a button, for example "red". `hash` is the hash of the phone's secret.
        """
        ...

    def revoke(self, hash: str) -> None:
        """Note that a phone may no longer act."""
        ...


class PairingPort(Protocol):
    """The codes that pair phones, and the phones that may act. Times are monotonic nanoseconds."""

    def page(self) -> str:
        """Return the address of the page for phones, or "" if phones cannot reach it."""
        ...

    def make_code(self, button: int | None, now_ns: int) -> tuple[str, int]:
        """Make a code to pair a phone of a button, None for the referee's; return the code and when it expires.

        The previous code becomes invalid.
        """
        ...

    def void_code(self) -> None:
        """Invalidate the code."""
        ...

    def admit(self, hash: str) -> bool:
        """Let a phone that waits act; return False if it no longer waits."""
        ...

    def dismiss(self, hash: str | None) -> None:
        """Forget a phone that waits, or all of them."""
        ...

    def unpair(self, number: int) -> str:
        """Unpair a phone; return the hash of its secret, "" if there is no such phone."""
        ...
