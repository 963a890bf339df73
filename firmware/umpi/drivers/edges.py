"""Input lines: stamped edges from gpiozero inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpiozero import InputDevice

from umpi.drivers.gpio_lines import stamp_ns
from umpi.timing.edge import Edge


class Line(InputDevice):  # type: ignore[misc]
    """Report the edges of one input. It is active while it pulls its pin to ground, or with `low=False` while high.

    `on_edge` is called with each `Edge` on the pins' thread: put it on a queue and return. The stamp comes from the pin
    factory (with gpiod and lgpio from the kernel's CLOCK_MONOTONIC). gpiozero's devices with events do not pass it on,
    but its pins do. No bounce time is set, because it would lose short presses and change stamps.

    Raises gpiozero's errors: PinInvalidPin, PinFixedPull, GPIOPinInUse.
    """

    def __init__(
        self, pin: int, name: str, on_edge: Callable[[Edge], None], pin_factory: Any = None, low: bool = True
    ) -> None:
        self.name = name
        self._on_edge, self._low = on_edge, low
        kind = {"pull_up": True} if low else {"pull_up": None, "active_state": True}
        super().__init__(pin, pin_factory=pin_factory, **kind)
        try:
            self.pin.bounce = None
            self.pin.edges = "both"
            self.pin.when_changed = self._changed
        except BaseException:
            self.close()
            raise

    def _changed(self, ticks: float, state: int) -> None:
        """Report an edge. The pin calls this with its stamp, and with 0 or 1 for the level from then on."""
        self._on_edge(Edge(self.name, bool(state) != self._low, stamp_ns(ticks)))
