"""gpiozero's mock pins with an injected clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin, PinState

from umpi.kernel.nothing import nothing


class VirtualPin(MockPin):  # type: ignore[misc]
    """A mock pin that stamps its edges with the factory's clock, and reports output changes to the factory."""

    _state: bool
    _last_change: float

    def _change_state(self, value: bool) -> bool:
        if self._state == value:
            return False
        now_s = self.factory.ticks()
        self._state = value
        self.states.append(PinState(now_s - self._last_change, value))
        del self.states[:-2]  # gpiozero keeps all states, but a box runs for weeks
        self._last_change = now_s
        if self.function == "output":
            self.factory.on_output()
        return True


class VirtualPins(MockFactory):  # type: ignore[misc]
    """Create mock pins with the time of `clock()` in monotonic ns. `on_output` is called when an output changes.

    While `planned_ns` is set, edges get that time stamp. A delayed thread therefore does not change it.
    """

    def __init__(self, clock: Callable[[], int], on_output: Callable[[], object] = nothing) -> None:
        self.clock = clock
        self.on_output = on_output
        self.planned_ns: int | None = None
        super().__init__(pin_class=VirtualPin)

    def ticks(self) -> Any:
        """Return the clock in seconds, as gpiozero expects."""
        return (self.clock() if self.planned_ns is None else self.planned_ns) / 1e9
