"""Input lines: stamped edges from gpiozero inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpiozero import DigitalInputDevice

from umpi.drivers.gpio_lines import stamp_ns
from umpi.timing.edge import Edge


class Line(DigitalInputDevice):  # type: ignore[misc]
    """Report the edges of one input. It is active while it pulls its pin to ground, or with `low=False` while high.

    `on_edge` is called with each `Edge` on the pins' thread: put it on a queue and return. The stamp comes from the pin
    factory (with gpiod and lgpio from the kernel's CLOCK_MONOTONIC). gpiozero does not pass it to `when_activated`, so
    this class overrides `_pin_changed`. No bounce time is set, because it would lose short presses and change stamps.

    Raises gpiozero's errors: PinInvalidPin, PinFixedPull, GPIOPinInUse.
    """

    def __init__(
        self, pin: int, name: str, on_edge: Callable[[Edge], None], pin_factory: Any = None, low: bool = True
    ) -> None:
        self.name = name
        self.on_edge = on_edge
        kind = {"pull_up": True} if low else {"pull_up": None, "active_state": True}
        super().__init__(pin, bounce_time=None, pin_factory=pin_factory, **kind)

    def _pin_changed(self, ticks: float, state: int) -> None:
        self.on_edge(Edge(self.name, bool(self._state_to_value(state)), stamp_ns(ticks)))
