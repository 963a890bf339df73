"""Which seats must act, as lamps; those that stand out blink."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from typing import Any

from gpiozero import LED

log = logging.getLogger(__name__)

BLINK_NS = 250_000_000  # as long on, and as long off


class Lamps:
    """A lamp a seat, counted from 0; `pins` is where each is wired. `blinking` are those that blink.

    It has no thread: call `tick` when `due_ns`, in monotonic nanoseconds, has come; None while nothing blinks. A pin
    that cannot be had costs its lamp only: `device_errors` says why, by its number.
    """

    def __init__(self, pins: Mapping[int, int], pin_factory: Any = None) -> None:
        self._lamps: dict[int, LED] = {}
        self._lit: frozenset[int] = frozenset()
        self.blinking: frozenset[int] = frozenset()
        self._began_ns = 0  # when they began to blink, lit at first
        self.due_ns: int | None = None
        self.device_errors: dict[int, str] = {}
        for index, pin in pins.items():
            try:
                self._lamps[index] = LED(pin, pin_factory=pin_factory)
            except Exception as fault:  # GPIOZeroError; lgpio has errors of its own
                log.warning("The lamp at GPIO%s cannot be had", pin, exc_info=True)
                self.device_errors[index] = f"{type(fault).__name__}: {fault}"

    def show(self, lit: Collection[int], blinking: Collection[int] = (), now_ns: int = 0) -> None:
        """Light these lamps, counted from 0, have these blink whether lit or not, and darken all others."""
        if self.blinking != frozenset(blinking):
            self.blinking, self._began_ns = frozenset(blinking), now_ns
        self._lit = frozenset(lit) - self.blinking
        self.tick(now_ns)

    def tick(self, now_ns: int) -> None:
        """Go on or off where it is time."""
        halves = (now_ns - self._began_ns) // BLINK_NS
        self.due_ns = self._began_ns + (halves + 1) * BLINK_NS if self.blinking else None
        on = self._lit if halves % 2 else self._lit | self.blinking
        for index, lamp in self._lamps.items():
            if lamp.is_lit != (index in on):
                lamp.toggle()

    def close(self) -> None:
        """Give the pins back."""
        for lamp in self._lamps.values():
            lamp.close()
