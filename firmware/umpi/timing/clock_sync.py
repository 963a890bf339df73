"""The sensor head's microseconds to our monotonic nanoseconds, with a bound that holds."""

from __future__ import annotations

US = 1_000
DRIFT_PPM = 600  # two crystals, 100 together, and 500 by which Linux slews the monotonic clock (adjtimex(2))
QUIET_US = 1_000_000


class ClockWrong(ValueError):
    """What was heard of a clock cannot be true of one that runs within DRIFT_PPM of ours."""


class HeadClock:
    """What round trips tell of the head's clock.

    The head reads its clock between the moment it was asked and the moment its answer came: each round trip bounds our
    time of that reading from either side. As a bound ages it widens by DRIFT_PPM; the one kept is the one that is
    narrowest now, so a quick round trip serves until its age has spoilt it. Nothing is averaged, no stall or jitter
    can break a bound. Readings come in order.
    """

    def __init__(self) -> None:
        self.round_trips = 0
        self._least = self._most = (0, 0)  # a reading, and our time of it: it was no earlier, no later
        self._first = (0, 0, 0)  # a reading of long ago, and our time of it from and to
        self._offset_ns: int | None = None
        self._last_us = 0  # the last reading that `at` was asked for
        self._last_ns = 0

    def heard(self, head_us: int, received_ns: int, sent_ns: int | None = None) -> None:
        """Learn that `head_us` was read before `received_ns`, and with `sent_ns` not before that.

        Raises ClockWrong.
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
        """Tell from when to when a reading, no earlier than the last one heard, was taken."""
        # a reading is cut down to whole microseconds, at either end of the way
        return _earlier(*self._least, head_us) - US, _later(*self._most, head_us) + US

    def at(self, head_us: int, quiet: bool = False) -> tuple[int, int]:
        """Tell our time of a reading, and by how many nanoseconds it may be off at most.

        Readings within a second of each other are exactly as far apart as the head says: the mapping is put right
        only after a second in which nothing was asked but with `quiet`. It never goes back.
        """
        earliest, latest = self.bounds(head_us)
        if self._offset_ns is None or head_us - self._last_us >= QUIET_US:
            self._offset_ns = max((earliest + latest) // 2, self._last_ns) - head_us * US
        if not quiet:
            self._last_us = head_us
        self._last_ns = head_us * US + self._offset_ns
        return self._last_ns, max(self._last_ns - earliest, latest - self._last_ns)

    def drift_ppm(self) -> tuple[float, float]:
        """Tell by how much the head's clock runs slower than ours, and how far off that may be."""
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
