"""A stand-in for the module RPi.GPIO: it refuses what RPi.GPIO 0.7.1 refuses, and keeps every call with its answer.

The tests compare its refusals with those that were recorded of RPi.GPIO itself.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

CHANNELS = range(54)
NO_BOUNCE = -666  # RPi.GPIO's own value for "no bounce time"
NO_MODE = "Please set pin numbering mode using GPIO.setmode(GPIO.BOARD) or GPIO.setmode(GPIO.BCM)"
NOT_INPUT = "You must setup() the GPIO channel as an input first"
NOTHING = (
    "No channels have been set up yet - nothing to clean up!  "
    "Try cleaning up at the end of your program instead!"
)  # fmt: skip


class FakeRpiGpio:
    """The module: its functions are methods. `move` changes the level of an input, as a button does.

    `calls` has each call as a recording has it: time in µs by `clock`, name, arguments, named arguments, result.
    """

    UNKNOWN, BOARD, BCM = -1, 10, 11
    OUT, IN, LOW, HIGH = 0, 1, 0, 1
    PUD_OFF, PUD_DOWN, PUD_UP = 20, 21, 22
    RISING, FALLING, BOTH = 31, 32, 33
    SERIAL, SPI, I2C, HARD_PWM = 40, 41, 42, 43

    def __init__(self) -> None:
        self.calls: list[list[Any]] = []
        self.clock: Callable[[], int] = lambda: 0
        self._mode: int | None = None
        self._warns: Any = True
        self._directions: dict[int, int] = {}
        self._levels: dict[int, int] = {}
        self._detects: dict[int, tuple[int, Callable[[int], object] | None]] = {}

    def move(self, channel: int, level: int) -> None:
        """Change the level of an input, and call its callback."""
        self._levels[channel] = level
        edge, callback = self._detects[channel]
        if callback and edge in (self.BOTH, self.RISING if level else self.FALLING):
            self.calls.append([self.clock(), "callback", [channel], {}, None])
            callback(channel)

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        return self._kept(name, found) if name in FUNCTIONS else found

    def _kept(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            noted = {key: type(value).__name__ if callable(value) else value for key, value in named.items()}
            result = function(*arguments, **named)
            self.calls.append([self.clock(), name, list(arguments), noted, result])
            return result

        return call

    def setmode(self, mode: int) -> None:
        """Choose how channels are numbered. Raises ValueError."""
        if self._mode is not None and mode != self._mode:
            raise ValueError("A different mode has already been set!")
        if mode not in (self.BOARD, self.BCM):
            raise ValueError("An invalid mode was passed to setmode()")
        self._mode = mode

    def getmode(self) -> int | None:
        """Return how channels are numbered, or None."""
        return self._mode

    def setwarnings(self, on: Any) -> None:
        """Switch warnings on or off."""
        self._warns = on

    def setup(self, channel: int, direction: int, pull_up_down: int = PUD_OFF, initial: int = -1) -> None:
        """Make a channel an input or an output. Raises ValueError, RuntimeError."""
        if not isinstance(channel, int):
            raise ValueError("Channel must be an integer or list/tuple of integers")
        if direction not in (self.OUT, self.IN):
            raise ValueError("An invalid direction was passed to setup()")
        if direction == self.OUT and pull_up_down != self.PUD_OFF:
            raise ValueError("pull_up_down parameter is not valid for outputs")
        if direction == self.IN and initial != -1:
            raise ValueError("initial parameter is not valid for inputs")
        if pull_up_down not in (self.PUD_OFF, self.PUD_DOWN, self.PUD_UP):
            raise ValueError("Invalid value for pull_up_down - should be either PUD_OFF, PUD_UP or PUD_DOWN")
        self._check(channel)
        if channel in (2, 3) and pull_up_down != self.PUD_OFF:
            self._warn("A physical pull up resistor is fitted on this channel!")
        self._directions[channel] = direction
        if direction == self.OUT and initial != -1:
            self._levels[channel] = int(bool(initial))
        if pull_up_down != self.PUD_OFF:
            self._levels[channel] = int(pull_up_down == self.PUD_UP)

    def input(self, channel: int) -> int:
        """Return the level of an input or output. Raises RuntimeError."""
        self._check(channel)
        if channel not in self._directions:
            raise RuntimeError("You must setup() the GPIO channel first")
        return self._levels.get(channel, 0)

    def output(self, channel: int, value: Any) -> None:
        """Set an output. Raises RuntimeError."""
        if not isinstance(value, int):
            raise ValueError("Value must be an integer/boolean or a list/tuple of integers/booleans")
        self._check(channel)
        if self._directions.get(channel) != self.OUT:
            raise RuntimeError("The GPIO channel has not been set up as an OUTPUT")
        self._levels[channel] = int(bool(value))

    def gpio_function(self, channel: int) -> int:
        """Return whether a channel is an input or an output."""
        self._check(channel)
        return self._directions.get(channel, self.IN)

    def add_event_detect(
        self, channel: int, edge: int, callback: Callable[[int], object] | None = None, bouncetime: int = NO_BOUNCE
    ) -> None:
        """Call a function at each edge of an input. Raises TypeError, ValueError, RuntimeError."""
        if callback is not None and not callable(callback):
            raise TypeError("Parameter must be callable")
        self._check(channel)
        if self._directions.get(channel) != self.IN:
            raise RuntimeError(NOT_INPUT)
        if edge not in (self.RISING, self.FALLING, self.BOTH):
            raise ValueError("The edge must be set to RISING, FALLING or BOTH")
        if bouncetime <= 0 and bouncetime != NO_BOUNCE:
            raise ValueError("Bouncetime must be greater than 0")
        if channel in self._detects:
            raise RuntimeError("Conflicting edge detection already enabled for this GPIO channel")
        self._detects[channel] = edge, callback

    def remove_event_detect(self, channel: int) -> None:
        """Call nothing at the edges of a channel any more."""
        self._check(channel)
        self._detects.pop(channel, None)

    def cleanup(self, channel: int | None = None) -> None:
        """Release a channel, or all and the numbering."""
        if channel is not None:
            self._check(channel)
        chosen = list(self._directions) if channel is None else [channel]
        released = [self._directions.pop(each) for each in chosen if each in self._directions]
        for each in chosen:
            self._detects.pop(each, None)
        if channel is None:
            self._mode = None
        if not released:
            self._warn(NOTHING)

    def _check(self, channel: int) -> None:
        if self._mode is None:
            raise RuntimeError(NO_MODE)
        if channel not in CHANNELS:
            raise ValueError("The channel sent is invalid on a Raspberry Pi")

    def _warn(self, text: str) -> None:
        if self._warns:
            warnings.warn(RuntimeWarning(text), stacklevel=3)


FUNCTIONS = frozenset(name for name, value in vars(FakeRpiGpio).items() if callable(value) and not name.startswith("_"))
FUNCTIONS -= {"move"}
