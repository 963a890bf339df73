"""The queue rail: detects whose cube is at the stop by the colour sensor under it."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from math import dist
from statistics import median

from umpi.drivers.colours import NOTHING, ColourProfile, shade_of
from umpi.drivers.tcs34725 import PERIOD_S, WAKE_S, BusAway, I2cBus, NoChip, Reading, Tcs34725
from umpi.kernel.messages import fault_text, message
from umpi.kernel.nothing import nothing
from umpi.timing.events import QueueDetection, State

log = logging.getLogger(__name__)

PAUSES_S = (0.2, 0.5, 1.0, 2.0, 5.0)  # between attempts to reach a chip that does not answer
GAIN = 4
RECENT = 5  # readings that are judged together, a quarter of a second
SETTLED = 4  # readings of RECENT that must be alike
ALIKE = 0.04  # greatest distance of a like reading from the median, as a distance of shades
SILENT = 20  # periods without a reading before the chip is set up again


class Rail:
    """Watch the stop and report each change there.

    `open_bus` opens the I²C bus and may raise OSError. Without a `profile` every cube is "unsure"; `settled` contains
    the readings that a calibration needs. `start` runs it on its own thread, which calls `on_seen` and `on_trouble`:
    put the argument on a queue and return. `trouble` is the current device error, "" if the sensor works. While the
    device that the bus is at is away, `on_trouble` is called with "": that device has a report of its own.
    """

    def __init__(
        self,
        open_bus: Callable[[], I2cBus],
        profile: ColourProfile | None,
        on_seen: Callable[[QueueDetection], object],
        clock: Callable[[], int],
        lock: AbstractContextManager[object] | None = None,
        gain: int = GAIN,
        on_trouble: Callable[[str], object] = nothing,
    ) -> None:
        self._open, self._profile, self._clock = open_bus, profile, clock
        self._on_seen, self._on_trouble = on_seen, on_trouble
        self._lock = lock or nullcontext()
        self._gain = profile.gain if profile else gain
        self._chip: Tcs34725 | None = None
        self._next: Callable[[], float] = self._wake
        self._recent: deque[Reading] = deque(maxlen=RECENT)
        self._failures = self._silent = 0
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="rail", daemon=True)
        self.trouble = ""
        self.seen = QueueDetection("moving", None, "nothing has been read yet", clock())

    def start(self) -> None:
        """Start watching."""
        self._thread.start()

    def close(self) -> None:
        """Stop watching and close the bus; a transfer that still hangs after 2 s is abandoned."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(2)
        if not self._thread.is_alive():
            self._let_go()

    @property
    def settled(self) -> tuple[Reading, ...]:
        """Return the latest readings if they are alike, otherwise ()."""
        recent = tuple(self._recent)
        return recent if _middle(recent) else ()

    def step(self) -> float:
        """Do the next step and return how many seconds to wait after it. It takes 1 to 2 ms on a working bus."""
        try:
            return self._next()
        except Exception as fault:  # on any driver error, try the chip again; the game continues
            log.log(logging.DEBUG if self.trouble else logging.WARNING, "%s", _in_words(fault), exc_info=True)
            self._let_go()
            self._recent.clear()
            self._next = self._wake
            self._set_trouble(_in_words(fault), report=not isinstance(fault, BusAway))
            self._see("out", None, message("{why} Press your button.", why=self.trouble))
            self._failures += 1
            return PAUSES_S[min(self._failures, len(PAUSES_S)) - 1]

    def _run(self) -> None:
        while not self._closing.is_set():
            self._closing.wait(self.step())

    def _wake(self) -> float:
        self._chip = Tcs34725(self._open(), self._gain, self._lock)
        self._chip.wake()
        self._silent = 0
        self._next = self._begin
        return 2 * WAKE_S

    def _begin(self) -> float:
        assert self._chip
        self._chip.begin()
        self._next = self._read
        return PERIOD_S

    def _read(self) -> float:
        assert self._chip
        reading = self._chip.read()
        if reading is None:
            self._silent += 1
            if self._silent == SILENT:
                raise NoChip(message("The colour sensor cannot be used: no readings."))
            return PERIOD_S
        self._silent = self._failures = 0
        self._set_trouble("")
        self._recent.append(reading)
        self._look()
        return PERIOD_S

    def _look(self) -> None:
        middle = _middle(tuple(self._recent))
        if middle is None:
            self._see("moving", None, "something is moving there")
        elif self._profile is None:
            self._see("unsure", None, UNMEASURED)
        elif (match := self._profile.identify(middle)).name == NOTHING:
            self._see("empty", None, "nothing lies there")
        elif match.name:
            self._see("cube", match.name, "")
        else:
            self._see("unsure", None, message("Whose cube is this? {why} Press your button.", why=match.reason))

    def _see(self, state: State, colour: str | None, reason: str) -> None:
        if (state, colour) != (self.seen.state, self.seen.colour):
            self.seen = QueueDetection(state, colour, reason, self._clock())
            self._on_seen(self.seen)

    def _set_trouble(self, trouble: str, report: bool = True) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            if not trouble:
                log.info("The colour sensor answers again")
            self._on_trouble(trouble if report else "")

    def _let_go(self) -> None:
        chip, self._chip = self._chip, None
        if chip is not None:
            try:
                chip.bus.close()
            except Exception:  # the bus has failed already
                log.debug("The bus of the colour sensor was gone when it was closed", exc_info=True)


UNMEASURED = message("Colours not measured yet: run umpi doctor. Press your button.")


def _middle(recent: tuple[Reading, ...]) -> Reading | None:
    """Return the median of the readings if all but one are alike, otherwise None.

    One of the five readings may be a flash or a shadow.
    """
    if len(recent) < RECENT:
        return None
    middle = Reading(*(round(median(counts)) for counts in zip(*recent, strict=True)))
    shade = shade_of(middle)
    alike = sum(dist(shade_of(reading), shade) <= ALIKE for reading in recent)
    return middle if alike >= SETTLED else None


def _in_words(fault: Exception) -> str:
    if isinstance(fault, NoChip):
        return fault_text(fault)
    if isinstance(fault, OSError):
        return message("The colour sensor does not answer: {fault}.", fault=fault.strerror or fault)
    return message("Colour sensor error: {fault}.", fault=fault_text(fault))
