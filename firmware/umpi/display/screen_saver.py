"""The screen saver: dims the panel and switches it off after a time without input."""

from __future__ import annotations

from typing import Literal

from umpi.frozen import frozen
from umpi.timing.units import MS, S

Light = Literal["bright", "dim", "off"]

BLIND_NS = 150 * MS  # nobody can react to a lit panel within this time
SHIFT_NS = 180_000 * MS
CIRCLE = ((0, 0), (1, 0), (1, 1), (0, 1))  # dots to the right and down


@frozen
class DisplayState:
    """The display settings of a picture: its light, and its shift in dots to the right and down."""

    light: Light = "bright"
    shift: tuple[int, int] = (0, 0)


class ScreenSaver:
    """Determine the display state from the time since the last input.

    Times are monotonic nanoseconds; 0 for `dim_after_s` or `off_after_s` means never. The picture is shifted only while
    it is dim, because it uses all 128 × 64 dots. A shift of one dot down cuts the lowest row of the button labels (the
    chip's own shift would move that row to the top). During play the pictures change, so only an idle picture burns in.
    """

    def __init__(self, dim_after_s: int = 0, off_after_s: int = 0, now_ns: int = 0) -> None:
        self._dim_ns = dim_after_s * S or None
        self._off_ns = off_after_s * S or None
        self._stirred_ns = now_ns
        self._blind_ns = (now_ns, now_ns)  # the last period in which nobody could read the panel, from and to

    def stir(self, at_ns: int) -> None:
        """Record activity at `at_ns`: a press, a cube or a device error."""
        if self._off_ns is not None and at_ns - self._stirred_ns >= self._off_ns:  # the panel is off
            self._blind_ns = self._stirred_ns + self._off_ns, at_ns + BLIND_NS
        self._stirred_ns = max(at_ns, self._stirred_ns)

    def blind(self, at_ns: int) -> bool:
        """Check whether the panel could not be read at `at_ns`: it was off, or had been lit for less than BLIND_NS.

        Call `stir` for a press first. A press at such a time only lights the panel; ignore it otherwise. A press on a
        dim panel counts.
        """
        off_ns, seen_ns = self._blind_ns
        return off_ns <= at_ns < seen_ns

    def look(self, now_ns: int) -> DisplayState:
        """Return the display state at `now_ns`."""
        rested_ns = now_ns - self._stirred_ns
        if self._off_ns is not None and rested_ns >= self._off_ns:
            return DisplayState("off")
        if self._dim_ns is not None and rested_ns >= self._dim_ns:
            return DisplayState("dim", CIRCLE[(rested_ns - self._dim_ns) // SHIFT_NS % len(CIRCLE)])
        return DisplayState()

    def due_ns(self, now_ns: int) -> int | None:
        """Return when the display state changes next without activity, in nanoseconds; None for never."""
        rested_ns, changes_ns = now_ns - self._stirred_ns, [self._dim_ns, self._off_ns]
        if self._dim_ns is not None and rested_ns >= self._dim_ns:
            changes_ns.append(self._dim_ns + ((rested_ns - self._dim_ns) // SHIFT_NS + 1) * SHIFT_NS)
        if self._off_ns is not None and rested_ns >= self._off_ns:
            return None
        return min((self._stirred_ns + at for at in changes_ns if at is not None and at > rested_ns), default=None)
