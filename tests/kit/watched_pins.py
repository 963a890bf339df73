"""A beam on the pins, and the events that it and its factory receive."""

from __future__ import annotations

from queue import SimpleQueue
from typing import Any

from gpiozero import DigitalInputDevice

from tests.kit.patience import got
from umpi.drivers.gpio_lines import Stamp
from umpi.drivers.pin_factory import GpiodFactory

PATH = "/dev/gpiochip0"


class Beam(DigitalInputDevice):  # type: ignore[misc]
    """An input that keeps the events of its pin, as the box's inputs do."""

    def __init__(self, pin: int, pins: GpiodFactory, **options: Any) -> None:
        self.events: SimpleQueue[tuple[int, int, int]] = SimpleQueue()
        super().__init__(pin, pull_up=True, pin_factory=pins, **options)
        self.pin.when_changed = self._keep

    def _keep(self, ticks: Stamp, state: int) -> None:
        self.events.put((self.pin.offset, state, ticks.ns))

    def next(self) -> tuple[int, int, int]:
        event: tuple[int, int, int] = got(self.events)
        return event
