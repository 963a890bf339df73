"""Which seats must act, as lamps."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from gpiozero import LED


class Lamps:
    """A lamp a seat, from the left.

    Raises what gpiozero raises where a pin cannot be had.
    """

    def __init__(self, pins: Sequence[int], pin_factory: Any = None) -> None:
        self._lamps = [LED(pin, pin_factory=pin_factory) for pin in pins]

    def show(self, lit: Collection[int]) -> None:
        """Light these lamps, counted from 0, and no other."""
        for index, lamp in enumerate(self._lamps):
            if lamp.is_lit != (index in lit):
                lamp.toggle()

    def close(self) -> None:
        """Give the pins back."""
        for lamp in self._lamps:
            lamp.close()
