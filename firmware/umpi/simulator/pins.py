"""gpiozero's mock pins on a clock that is handed in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin, PinState


class VirtualPin(MockPin):  # type: ignore[misc]
    """A mock pin that stamps by its factory's clock, and tells the factory when an output changes."""

    _state: bool
    _last_change: float

    def _change_state(self, value: bool) -> bool:
        if self._state == value:
            return False
        now_s = self.factory.ticks()
        self._state = value
        self.states.append(PinState(now_s - self._last_change, value))
        del self.states[:-2]  # gpiozero keeps them all, a box runs for weeks
        self._last_change = now_s
        if self.function == "output":
            self.factory.on_output()
        return True


class VirtualPins(MockFactory):  # type: ignore[misc]
    """Mock pins whose time is `clock()`, in monotonic nanoseconds; `on_output` hears of changed outputs.

    While `planned_ns` is set, edges are stamped with it: a thread that came late does not move them.
    """

    def __init__(self, clock: Callable[[], int], on_output: Callable[[], object] = int) -> None:
        self.clock = clock
        self.on_output = on_output
        self.planned_ns: int | None = None
        super().__init__(pin_class=VirtualPin)

    def ticks(self) -> Any:
        """Seconds of the clock, as gpiozero counts them."""
        return (self.clock() if self.planned_ns is None else self.planned_ns) / 1e9
