"""How long nobody has touched the box to how the panel rests: bright, then dim, then off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Light = Literal["bright", "dim", "off"]

MS = 1_000_000
S = 1000 * MS
BLIND_NS = 150 * MS  # sooner than this no hand answers what an eye has seen
SHIFT_NS = 180_000 * MS
CIRCLE = ((0, 0), (1, 0), (1, 1), (0, 1))  # dots to the right and down


@dataclass(frozen=True, slots=True)
class DisplayState:
    """How a picture stands on the panel: its light, and by how many dots it is moved to the right and down."""

    light: Light = "bright"
    shift: tuple[int, int] = (0, 0)


class ScreenSaver:
    """Tells how the panel is to look; times are monotonic nanoseconds, 0 for an `..._after_s` is never.

    The picture is moved only while it is dim, when nobody reads it: it uses all 128 × 64 dots, and a dot further down
    the labels of the keys would lose their lowest row (the chip's own shift would put that row on top instead). In
    play the pictures change by themselves; what burns in is the one that was left standing.
    """

    def __init__(self, dim_after_s: int = 0, off_after_s: int = 0, now_ns: int = 0) -> None:
        self._dim_ns = dim_after_s * S or None
        self._off_ns = off_after_s * S or None
        self._stirred_ns = now_ns
        self._blind_ns = (now_ns, now_ns)  # from when to when nobody could see the panel the last time it was off

    def stir(self, at_ns: int) -> None:
        """Hear that something has happened: a press, a cube, a trouble."""
        if self._off_ns is not None and self.look(at_ns).light == "off":
            self._blind_ns = self._stirred_ns + self._off_ns, at_ns + BLIND_NS
        self._stirred_ns = max(at_ns, self._stirred_ns)

    def blind(self, at_ns: int) -> bool:
        """Tell whether whoever pressed then could not see the panel: it was off, or had only just been lit.

        Such a press, which is to be stirred by first, has lit the panel and is to count for nothing more. One that
        found it dim counts.
        """
        off_ns, seen_ns = self._blind_ns
        return off_ns <= at_ns < seen_ns

    def look(self, now_ns: int) -> DisplayState:
        """Tell how the panel is to look now."""
        rested_ns = now_ns - self._stirred_ns
        if self._off_ns is not None and rested_ns >= self._off_ns:
            return DisplayState("off")
        if self._dim_ns is not None and rested_ns >= self._dim_ns:
            return DisplayState("dim", CIRCLE[(rested_ns - self._dim_ns) // SHIFT_NS % len(CIRCLE)])
        return DisplayState()

    def due_ns(self, now_ns: int) -> int | None:
        """Tell when the look changes next if nothing happens; None: never."""
        rested_ns, changes_ns = now_ns - self._stirred_ns, [self._dim_ns, self._off_ns]
        if self._dim_ns is not None and rested_ns >= self._dim_ns:
            changes_ns.append(self._dim_ns + ((rested_ns - self._dim_ns) // SHIFT_NS + 1) * SHIFT_NS)
        if self._off_ns is not None and rested_ns >= self._off_ns:
            return None
        return min((self._stirred_ns + at for at in changes_ns if at is not None and at > rested_ns), default=None)
