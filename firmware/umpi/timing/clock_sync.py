"""Clock synchronisation: the sensor head's microseconds on our monotonic clock, with a guaranteed bound."""

from __future__ import annotations

US = 1_000
DRIFT_PPM = 600  # 100 for the two crystals, 500 because Linux may slew the monotonic clock (adjtimex(2))
QUIET_US = 1_000_000


class ClockWrong(ValueError):
    """Raised if the readings contradict a clock that runs within DRIFT_PPM of ours."""


class HeadClock:
    """Convert readings of the head's clock to our time, with bounds from round trips.

    The head reads its clock after our request and before its answer arrives. Each round trip therefore gives an
    earliest and a latest time of that reading on our clock. A bound widens by DRIFT_PPM as it ages. The clock keeps
    the bound that is narrowest now, so a quick round trip is used until a newer one is narrower. Bounds are not
    averaged: a stall or jitter cannot invalidate them. Readings must arrive in order.
    """

    def __init__(self) -> None:
        self.round_trips = 0
        self._least = self._most = (0, 0)  # a reading, and its earliest and latest time on our clock
        self._first = (0, 0, 0)  # a reading of the first second, with its earliest and latest time on our clock
        self._offset_ns: int | None = None
        self._last_us = 0  # the last reading that `at` converted, without the quiet ones
        self._last_ns = 0

    def add_reading(self, head_us: int, received_ns: int, sent_ns: int | None = None) -> None:
        """Record a reading of the head's clock and narrow the bounds.

        `head_us` was read before `received_ns`, and after `sent_ns` if that is given. Calls before the first one with
        `sent_ns` are ignored. Raises ClockWrong if the readings contradict DRIFT_PPM.
        """
        if not self.round_trips:
            if sent_ns is None:
                return
            self._least, self._most = (head_us, sent_ns), (head_us, received_ns)
            self._first = (head_us, sent_ns, received_ns)
        if received_ns < _later(*self._most, head_us):
            self._most = head_us, received_ns
        if sent_ns is not None:
            self.round_trips += 1
            if sent_ns > _earlier(*self._least, head_us):
                self._least = head_us, sent_ns
            if head_us - self._first[0] < QUIET_US and received_ns - sent_ns < self._first[2] - self._first[1]:
                self._first = head_us, sent_ns, received_ns
        earliest, latest = self.bounds(head_us)
        if earliest > latest:
            raise ClockWrong(f"{earliest - latest} ns more than {DRIFT_PPM} ppm can explain")

    def bounds(self, head_us: int) -> tuple[int, int]:
        """Return the earliest and latest time of a reading on our clock, in nanoseconds.

        `head_us` must not be earlier than the last recorded reading.
        """
        # The head truncates its readings to whole microseconds, so each side may be off by one.
        return _earlier(*self._least, head_us) - US, _later(*self._most, head_us) + US

    def at(self, head_us: int, quiet: bool = False) -> tuple[int, int]:
        """Return a reading's time on our clock and its greatest possible error, both in nanoseconds.

        Readings within a second keep exactly the distance that the head measured. The offset is corrected only after
        a second (QUIET_US) without a call, apart from calls with `quiet`. The returned time never decreases.
        """
        earliest, latest = self.bounds(head_us)
        if self._offset_ns is None or head_us - self._last_us >= QUIET_US:
            self._offset_ns = max((earliest + latest) // 2, self._last_ns) - head_us * US
        if not quiet:
            self._last_us = head_us
        self._last_ns = head_us * US + self._offset_ns
        return self._last_ns, max(self._last_ns - earliest, latest - self._last_ns)

    def drift_ppm(self) -> tuple[float, float]:
        """Return by how many ppm the head's clock is slower than ours, and the greatest error of that in ppm."""
        reading = max(self._least[0], self._most[0])
        passed_ns = (reading - self._first[0]) * US
        if passed_ns <= 0:
            return 0.0, float(DRIFT_PPM)
        earliest, latest = self.bounds(reading)
        slow = (earliest - self._first[2] - passed_ns) / passed_ns * 1e6
        fast = (latest - self._first[1] - passed_ns) / passed_ns * 1e6
        return (slow + fast) / 2, (fast - slow) / 2


def _earlier(reading: int, at_ns: int, head_us: int) -> int:
    passed_us = head_us - reading
    return at_ns + passed_us * US - -(-passed_us * DRIFT_PPM // 1_000)


def _later(reading: int, at_ns: int, head_us: int) -> int:
    passed_us = head_us - reading
    return at_ns + passed_us * US + -(-passed_us * DRIFT_PPM // 1_000)
