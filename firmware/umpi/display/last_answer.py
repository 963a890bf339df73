"""The last answer by buttons: Back, pressed right after it, undoes it and returns to its last question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from umpi.display.menu import MenuEntry
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.table.commands import TakeBack


class LastAnswer:
    """Keep what the last press has answered, so that this press can be corrected. Any other press clears it."""

    def __init__(self) -> None:
        self._before = 0  # the number of acts before the answer
        self._acts: Sequence[Act] = ()
        self._taps: tuple[object, ...] = ()
        self._undoing = False

    def keep(self, match: Match, acts: Sequence[Act], taps: tuple[object, ...]) -> None:
        """Keep an answer that is about to be played, and the taps that entered it."""
        self._before, self._acts, self._taps, self._undoing = len(match.acts), acts, taps, False

    def pressed(self, match: Match | None, back: bool) -> TakeBack | None:
        """Return the command that undoes the answer; None, and clear it, if this press is not `back`.

        None also if another act has been played since.
        """
        acts, self._acts = self._acts, ()
        played = match.acts[self._before :] if match else []
        ours = len(played) <= len(acts) and all(
            (one.verb, one.given) == (other.verb, other.given) for one, other in zip(played, acts, strict=False)
        )
        self._undoing = back and ours and bool(played)
        return TakeBack(len(played)) if self._undoing else None

    def reenter(self, match: Match, entry: MenuEntry[Any]) -> None:
        """Enter the answer again without its last press, if it has just been undone."""
        if self._undoing and len(match.acts) == self._before:
            for tap in self._taps[:-1]:
                entry.tap(tap)
        self._undoing = False
