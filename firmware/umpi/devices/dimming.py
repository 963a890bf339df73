"""How long nobody has touched the box to how the panel rests: bright, then dim, then off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Light = Literal["bright", "dim", "off"]

MS = 1_000_000
SHIFT_NS = 180_000 * MS
CIRCLE = ((0, 0), (1, 0), (1, 1), (0, 1))  # dots to the right and down


@dataclass(frozen=True, slots=True)
class Look:
    """How a picture stands on the panel: its light, and by how many dots it is moved to the right and down."""

    light: Light = "bright"
    shift: tuple[int, int] = (0, 0)


class Rest:
    """Tells how the panel is to look; times are monotonic nanoseconds, `None` for an `..._after_ms` is never.

    The picture is moved only while it is dim, when nobody reads it: it uses all 128 × 64 dots, and a dot further down
    the labels of the keys would lose their lowest row (the chip's own shift would put that row on top instead). In
    play the pictures change by themselves; what burns in is the one that was left standing.
    """

    def __init__(self, dim_after_ms: int | None, off_after_ms: int | None, now_ns: int) -> None:
        self._dim_ns = None if dim_after_ms is None else dim_after_ms * MS
        self._off_ns = None if off_after_ms is None else off_after_ms * MS
        self._stirred_ns = now_ns

    def stir(self, now_ns: int) -> bool:
        """Hear that something has happened, a press or a cube; returns whether the panel was off.

        A press that found the panel off has only woken it and is to count for nothing more: nobody could see what it
        meant. One that found it dim counts.
        """
        was_off = self.look(now_ns).light == "off"
        self._stirred_ns = max(now_ns, self._stirred_ns)
        return was_off

    def look(self, now_ns: int) -> Look:
        """Tell how the panel is to look now."""
        rested_ns = now_ns - self._stirred_ns
        if self._off_ns is not None and rested_ns >= self._off_ns:
            return Look("off")
        if self._dim_ns is not None and rested_ns >= self._dim_ns:
            return Look("dim", CIRCLE[(rested_ns - self._dim_ns) // SHIFT_NS % len(CIRCLE)])
        return Look()

    def due_ns(self, now_ns: int) -> int | None:
        """Tell when the look changes next if nothing happens; None: never."""
        rested_ns, changes_ns = now_ns - self._stirred_ns, [self._dim_ns, self._off_ns]
        if self._dim_ns is not None and rested_ns >= self._dim_ns:
            changes_ns.append(self._dim_ns + ((rested_ns - self._dim_ns) // SHIFT_NS + 1) * SHIFT_NS)
        if self._off_ns is not None and rested_ns >= self._off_ns:
            return None
        return min((self._stirred_ns + at for at in changes_ns if at is not None and at > rested_ns), default=None)
