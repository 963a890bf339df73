"""An active buzzer, which knows on and off only: each event has its pattern."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle
from typing import Any, Literal

from gpiozero import DigitalOutputDevice

MS = 1_000_000
Sound = Literal["accepted", "refused", "cube", "winner", "time"]

PATTERNS_MS: dict[Sound, tuple[int, ...]] = {  # on, off, on …
    "accepted": (25,),
    "refused": (90, 60, 200),
    "cube": (30, 40, 30),
    "winner": (30, 30, 30, 30, 30, 30, 400),
    "time": (400, 150, 400),
}


class Speaker:
    """Plays a pattern; it has no thread: call `tick` when `due_ns` has come."""

    trouble = ""  # a pin once had does not refuse

    def __init__(self, pin: int, pin_factory: Any = None) -> None:
        self._buzzer = DigitalOutputDevice(pin, pin_factory=pin_factory)
        self._tune = Tune()

    def play(self, sound: Sound, now_ns: int) -> None:
        """Begin a pattern; one under way is broken off."""
        self._tune.begin(zip(cycle((1, 0)), PATTERNS_MS[sound]), now_ns)
        self.tick(now_ns)

    def tick(self, now_ns: int) -> None:
        """Go on or off where it is time."""
        if (on := self._tune.due(now_ns)) is not None:
            self._buzzer.value = on

    @property
    def due_ns(self) -> int | None:
        """When `tick` next has something to do; None while silent."""
        return self._tune.due_ns

    def close(self) -> None:
        """Give the pin back, silent."""
        self._buzzer.close()


class Tune:
    """Steps of a pitch and how long, to the pitch that is due; pitch 0 is silence, and every tune ends in it.

    >>> tune = Tune()
    >>> tune.begin([(880, 50)], 0)
    >>> tune.due(0), tune.due_ns, tune.due(50 * MS), tune.due_ns
    (880, 50000000, 0, None)
    """

    def __init__(self) -> None:
        self._changes: list[tuple[int, int]] = []  # when, and to which pitch

    def begin(self, steps: Iterable[tuple[int, int]], now_ns: int) -> None:
        """Begin with the first step, a pitch and its milliseconds; a tune under way is broken off."""
        self._changes, at_ns = [], now_ns
        for pitch, long_ms in steps:
            self._changes.append((at_ns, pitch))
            at_ns += long_ms * MS
        self._changes.append((at_ns, 0))

    def due(self, now_ns: int) -> int | None:
        """Give the pitch to go to, the newest where several are late; None where it is not time yet."""
        pitch = None
        while self._changes and self._changes[0][0] <= now_ns:
            pitch = self._changes.pop(0)[1]
        return pitch

    @property
    def due_ns(self) -> int | None:
        """When the pitch next changes; None at the end."""
        return self._changes[0][0] if self._changes else None
