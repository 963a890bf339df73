"""The active buzzer, which can only be on or off: plays one pattern per sound."""

from __future__ import annotations

from itertools import cycle
from typing import Any

from gpiozero import DigitalOutputDevice

from umpi.kernel.calls import Sound
from umpi.timing.tune import PATTERNS_MS, Tune


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
