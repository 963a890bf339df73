"""gpiozero inputs to stamped edges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpiozero import DigitalInputDevice

from umpi.drivers.gpio_lines import stamp_ns
from umpi.timing.edge import Edge


class Line(DigitalInputDevice):  # type: ignore[misc]
    """One input, as edges: active while it pulls its pin to ground, or with `low` off, while it does not.

    `on_edge` is called with each `Edge`, on the pins' thread: put it on a queue and return. The stamp is the pin
    factory's own, taken where the edge was seen (with gpiod and lgpio the kernel's CLOCK_MONOTONIC); gpiozero keeps it
    from `when_activated`, hence the override. No bounce time is set: it would swallow short presses and move stamps.

    Raises what gpiozero raises: PinInvalidPin, PinFixedPull, GPIOPinInUse.
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
