"""The active buzzer, which can only be on or off: plays one pattern per sound."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle
from typing import Any

from gpiozero import DigitalOutputDevice

from umpi.kernel.calls import Sound
from umpi.timing.units import MS

PATTERNS_MS: dict[Sound, tuple[int, ...]] = {  # on, off, on …
    "accepted": (25,),
    "refused": (90, 60, 200),
    "cube": (30, 40, 30),
    "winner": (30, 30, 30, 30, 30, 30, 400),
    "time": (400, 150, 400),
    "good": (20, 25, 20, 25, 20),
    "bad": (20, 20, 20, 20, 20, 20, 300),
    "call": (50,),
}


class Speaker:
    """Play patterns. It has no thread: call `tick` at `due_ns`."""

    trouble = ""  # always "": an open pin does not fail

    def __init__(self, pin: int, pin_factory: Any = None) -> None:
        self._buzzer = DigitalOutputDevice(pin, pin_factory=pin_factory)
        self._tune = Tune()

    def play(self, sound: Sound, now_ns: int) -> None:
        """Start a pattern; it replaces the current one."""
        self._tune.begin(zip(cycle((1, 0)), PATTERNS_MS[sound]), now_ns)
        self.tick(now_ns)

    def tick(self, now_ns: int) -> None:
        """Switch the buzzer if a change is due at `now_ns`."""
        if (on := self._tune.due(now_ns)) is not None:
            self._buzzer.value = on

    @property
    def due_ns(self) -> int | None:
        """Return when to call `tick` next; None while silent."""
        return self._tune.due_ns

    def close(self) -> None:
        """Silence the buzzer and release the pin."""
        self._buzzer.close()


class Tune:
    """A sequence of pitches with durations, which returns the pitch that is due. Pitch 0 is silence and ends each tune.

    >>> tune = Tune()
    >>> tune.begin([(880, 50)], 0)
    >>> tune.due(0), tune.due_ns, tune.due(50 * MS), tune.due_ns
    (880, 50000000, 0, None)
    """

    def __init__(self) -> None:
        self._changes: list[tuple[int, int]] = []  # time in ns and new pitch in Hz

    def begin(self, steps: Iterable[tuple[int, int]], now_ns: int) -> None:
        """Start a tune of steps, each a pitch and its duration in milliseconds; it replaces the current one."""
        self._changes, at_ns = [], now_ns
        for pitch, long_ms in steps:
            self._changes.append((at_ns, pitch))
            at_ns += long_ms * MS
        self._changes.append((at_ns, 0))

    def due(self, now_ns: int) -> int | None:
        """Return the pitch that is due, the newest if several are late; None if no change is due."""
        pitch = None
        while self._changes and self._changes[0][0] <= now_ns:
            pitch = self._changes.pop(0)[1]
        return pitch

    @property
    def due_ns(self) -> int | None:
        """Return when the pitch changes next; None at the end."""
        return self._changes[0][0] if self._changes else None
