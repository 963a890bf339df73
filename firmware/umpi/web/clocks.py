"""The clocks of phones: the exchanges of each, and the interval of a press that bears the time of its phone."""

from __future__ import annotations

from collections import OrderedDict

from umpi.timing.phone_clock import Interval, PhoneClock
from umpi.web.documents import COARSEST_US, LAST_US, LONGEST_RUN, Exchange, Stamp

KEPT = 256  # phones whose clocks are kept; beyond that, the least recent one is forgotten


class WrongReading(ValueError):
    """Raised for a reading that no clock shows."""


class _Run:
    """A phone's clock from one start of its page, or end of its sleep, to the next."""

    def __init__(self, name: str, step_us: int) -> None:
        self.name, self.clock = name, PhoneClock(step_us)
        self.id, self.replied_ns = 0, 0  # of the last exchange


class Clocks:
    """Keep the clock of each phone, by the hash of its secret. Times are monotonic nanoseconds."""

    def __init__(self) -> None:
        self._runs: OrderedDict[str, _Run] = OrderedDict()

    def received(self, phone: str, exchange: Exchange, received_ns: int) -> int:
        """Record an exchange. Return its number.

        `last` is the number of the exchange before, whose reply the phone received at `back_us`; 0 if there is none.
        Raises WrongReading.
        """
        name, step_us = exchange["run"], exchange["step_us"]
        _check(name, exchange["sent_us"], exchange["back_us"])
        if not 0 < step_us <= COARSEST_US:
            raise WrongReading(f'"step_us" must be 1 to {COARSEST_US}.')
        run = self._runs.pop(phone, None)
        if run is None or run.name != name:
            run = _Run(name, step_us)
        self._runs[phone] = run
        if len(self._runs) > KEPT:
            self._runs.popitem(last=False)
        if run.id and exchange["last"] == run.id:
            run.clock.back(exchange["back_us"], run.replied_ns)
        run.clock.sent(exchange["sent_us"], received_ns)
        run.id += 1
        run.replied_ns = received_ns
        return run.id

    def replied(self, phone: str, now_ns: int) -> None:
        """Note that the reply to the last exchange is sent now."""
        if run := self._runs.get(phone):
            run.replied_ns = now_ns

    def press(self, phone: str, stamp: Stamp, arrived_ns: int) -> Interval:
        """Return when a press happened that bears this stamp. Raises WrongReading or ImpossibleStamp."""
        name, at_us = stamp["run"], stamp["at_us"]
        _check(name, at_us)
        run = self._runs.get(phone)
        return run.clock.press(at_us, arrived_ns) if run and run.name == name else Interval(None, arrived_ns)


def _check(run: str, *readings: int) -> None:
    if not run or len(run) > LONGEST_RUN:
        raise WrongReading(f'"run" has 1 to {LONGEST_RUN} characters.')
    if any(not 0 <= reading < LAST_US for reading in readings):
        raise WrongReading("A time is a whole number of microseconds, 0 or more.")
