"""The clock of a phone: turn the time of a press on its clock into an interval on ours that contains the press.

The phone is not trusted. Whatever its readings say, its press counts at most BELIEVED_NS before it arrived.
"""

from __future__ import annotations

from collections import deque

from umpi.frozen import frozen
from umpi.timing.clock_sync import DRIFT_PPM

US = 1_000
KEPT = 32  # readings of each kind; a bound from an older one has widened too far to be of use
BELIEVED_NS = 5_000_000  # no press counts earlier than this before its arrival, whatever its stamp says


class ImpossibleStamp(ValueError):
    """Raised if a press cannot have happened at the time that its phone gives."""


@frozen
class Interval:
    """The time of a press on our clock, in nanoseconds: not before `earliest_ns`, not after `latest_ns`.

    `stamped_ns` is the latest time that the stamp allows, whether it is believed or not. `earliest_ns` and it are None
    if only the arrival of the press is known.
    """

    earliest_ns: int | None
    latest_ns: int
    stamped_ns: int | None = None


class PhoneClock:
    """Keep the relation between a phone's clock and ours, as bounds from exchanges.

    The phone reads its clock before it sends a request, and again after our reply has arrived. We read our clock when
    the request arrives, and when we reply. Nothing arrives before it was sent. So the first reading is not after our
    first one, and the second is not before our second one, however long each way took. Each bound widens by DRIFT_PPM
    with the time between it and a press; the narrowest pair counts.

    A reading differs by less than `step_us` from the true time of the phone's clock.
    """

    def __init__(self, step_us: int) -> None:
        self._slack_ns = 2 * step_us * US  # that of the press, and that of the reading of a bound
        self._sent: deque[tuple[int, int]] = deque(maxlen=KEPT)  # a reading, and a time of ours that is not before it
        self._back: deque[tuple[int, int]] = deque(maxlen=KEPT)  # a reading, and a time of ours that is not after it

    def sent(self, phone_us: int, received_ns: int) -> None:
        """Record that the phone read `phone_us` before it sent a request that arrived at `received_ns`."""
        self._sent.append((phone_us, received_ns))
        if self._contradicts(phone_us):  # the clock has jumped, for example over sleep: what was before counts no more
            self._sent = deque([(phone_us, received_ns)], KEPT)
            self._back.clear()

    def back(self, phone_us: int, replied_ns: int) -> None:
        """Record that the phone read `phone_us` after it received a reply that we sent at `replied_ns`."""
        self._back.append((phone_us, replied_ns))
        if self._contradicts(phone_us):
            self._back = deque([(phone_us, replied_ns)], KEPT)
            self._sent.clear()

    def bounds(self, phone_us: int) -> tuple[int, int] | None:
        """Return the earliest and the latest time of a reading on our clock; None before the first whole exchange."""
        if not (self._sent and self._back):
            return None
        earliest = max(at_ns + _passed(phone_us - reading, -1) for reading, at_ns in self._back)
        latest = min(at_ns + _passed(phone_us - reading, 1) for reading, at_ns in self._sent)
        return earliest - self._slack_ns, latest + self._slack_ns

    def press(self, phone_us: int, arrived_ns: int) -> Interval:
        """Return when a press happened that the phone stamped `phone_us` and that arrived at `arrived_ns`.

        The way of a press may take BELIEVED_NS longer than the quickest exchange. If the stamp claims a longer delay,
        the press may have happened at any time up to its arrival. Raises ImpossibleStamp if the stamp is after the
        arrival.
        """
        bounds = self.bounds(phone_us)
        if bounds is None or bounds[0] > bounds[1]:
            return Interval(None, arrived_ns)
        earliest, latest = bounds
        if earliest > arrived_ns:
            raise ImpossibleStamp(f"{earliest - arrived_ns} ns after its arrival")
        stamped = min(latest, arrived_ns)
        return Interval(earliest, stamped if arrived_ns - stamped <= BELIEVED_NS else arrived_ns, stamped)

    def _contradicts(self, phone_us: int) -> bool:
        bounds = self.bounds(phone_us)
        return bounds is not None and bounds[0] > bounds[1]


def _passed(phone_us: int, way: int) -> int:
    """Return how much of our time passes in a time of the phone's: at least if `way` is -1, at most if it is 1.

    >>> _passed(1_000_000, -1), _passed(1_000_000, 1), _passed(-1_000_000, 1)
    (999400000, 1000600000, -999400000)
    """
    return phone_us * US - way * (-abs(phone_us) * DRIFT_PPM // US)
