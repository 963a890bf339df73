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

    def _pin_changed(self, ticks: Stamp, state: int) -> None:
        self.events.put((self.pin.offset, state, ticks.ns))

    def next(self) -> tuple[int, int, int]:
        event: tuple[int, int, int] = got(self.events)
        return event


def calls(pins: GpiodFactory, name: str) -> SimpleQueue[Any]:
    """Return a queue that receives the calls of a callback of the factory."""
    queue: SimpleQueue[Any] = SimpleQueue()
    setattr(pins, name, lambda *what: queue.put(what if len(what) > 1 else what[0]))
    return queue
