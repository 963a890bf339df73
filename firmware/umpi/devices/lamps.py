"""Which seats must act, as lamps."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from gpiozero import LED


class Lamps:
    """A lamp a seat, counted from 0; `pins` is where each is wired.

    A pin that cannot be had costs its lamp only: `troubles` says why, by its number.
    """

    def __init__(self, pins: Mapping[int, int], pin_factory: Any = None) -> None:
        self._lamps: dict[int, LED] = {}
        self.troubles: dict[int, str] = {}
        for index, pin in pins.items():
            try:
                self._lamps[index] = LED(pin, pin_factory=pin_factory)
            except Exception as fault:  # GPIOZeroError; lgpio has errors of its own
                self.troubles[index] = f"{type(fault).__name__}: {fault}"

    def show(self, lit: Collection[int]) -> None:
        """Light these lamps, counted from 0, and no other."""
        for index, lamp in self._lamps.items():
            if lamp.is_lit != (index in lit):
                lamp.toggle()

    def close(self) -> None:
        """Give the pins back."""
        for lamp in self._lamps.values():
            lamp.close()
