"""An active buzzer, which knows on and off only: each event has its pattern."""

from __future__ import annotations

from itertools import accumulate
from typing import Any, Literal

from gpiozero import DigitalOutputDevice

MS = 1_000_000
Sound = Literal["accepted", "refused", "cube", "winner"]

PATTERNS_MS: dict[Sound, tuple[int, ...]] = {  # on, off, on …
    "accepted": (25,),
    "refused": (120, 60, 120),
    "cube": (60, 40, 25),
    "winner": (80, 60, 80, 60, 80, 60, 320),
}


class Speaker:
    """Plays a pattern; it has no thread: call `tick` when `due_ns` has come."""

    def __init__(self, pin: int, pin_factory: Any = None) -> None:
        self._buzzer = DigitalOutputDevice(pin, pin_factory=pin_factory)
        self._changes_ns: list[int] = []  # when it next goes on or off

    def play(self, sound: Sound, now_ns: int) -> None:
        """Begin a pattern; one under way is broken off."""
        self._buzzer.on()
        self._changes_ns = [now_ns + sum_ms * MS for sum_ms in accumulate(PATTERNS_MS[sound])]

    def tick(self, now_ns: int) -> None:
        """Go on or off where it is time."""
        while self._changes_ns and self._changes_ns[0] <= now_ns:
            del self._changes_ns[0]
            self._buzzer.toggle()

    @property
    def due_ns(self) -> int | None:
        """When `tick` next has something to do; None while silent."""
        return self._changes_ns[0] if self._changes_ns else None

    def close(self) -> None:
        """Give the pin back, silent."""
        self._buzzer.close()
