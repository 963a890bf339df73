"""The lamps at the players' buttons: lit, blinking or dark."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from typing import Any

from gpiozero import LED

log = logging.getLogger(__name__)

BLINK_NS = 250_000_000  # duration of each on and each off phase


class Lamps:
    """Control one lamp per seat, counted from 0; `pins` maps seats to pins. `blinking` contains the blinking lamps.

    It has no thread: call `tick` at `due_ns`, in monotonic nanoseconds; None while no lamp blinks. If a pin cannot be
    opened, only its lamp is missing: `device_errors` contains the reason by seat.
    """

    def __init__(self, pins: Mapping[int, int], pin_factory: Any = None) -> None:
        self._lamps: dict[int, LED] = {}
        self._lit: frozenset[int] = frozenset()
        self.blinking: frozenset[int] = frozenset()
        self._began_ns = 0  # when blinking started, with the lamps lit
        self.due_ns: int | None = None
        self.device_errors: dict[int, str] = {}
        self._failed: set[int] = set()  # the lamps whose fault is in the log
        for index, pin in pins.items():
            try:
                self._lamps[index] = LED(pin, pin_factory=pin_factory)
            except Exception as fault:  # GPIOZeroError, or the own errors of lgpio
                log.warning("The lamp at GPIO%s cannot be had", pin, exc_info=True)
                self.device_errors[index] = f"{type(fault).__name__}: {fault}"

    def show(self, lit: Collection[int], blinking: Collection[int] = (), now_ns: int = 0) -> None:
        """Light the lamps in `lit`, let those in `blinking` blink, and switch off all others."""
        if self.blinking != frozenset(blinking):
            self.blinking, self._began_ns = frozenset(blinking), now_ns
        self._lit = frozenset(lit) - self.blinking
        self.tick(now_ns)

    def tick(self, now_ns: int) -> None:
        """Switch the lamps that are due at `now_ns`. If some fail, raises the fault of the first in the end."""
        halves = (now_ns - self._began_ns) // BLINK_NS
        self.due_ns = self._began_ns + (halves + 1) * BLINK_NS if self.blinking else None
        on = self._lit if halves % 2 else self._lit | self.blinking
        failed: Exception | None = None
        for index, lamp in self._lamps.items():
            try:
                if lamp.is_lit != (index in on):
                    lamp.toggle()
            except Exception as fault:  # OSError, or the own errors of lgpio
                if index not in self._failed:
                    self._failed.add(index)
                    log.warning("The lamp of seat %d fails", index, exc_info=True)
                failed = failed or fault
        if failed:
            raise failed

    def close(self) -> None:
        """Release the pins."""
        for lamp in self._lamps.values():
            lamp.close()
