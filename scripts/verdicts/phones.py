"""Simulate a hall: phones with their own clocks and delays, honest or forged, and the box."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from umpi.timing.phone_clock import BELIEVED_NS, ImpossibleStamp, PhoneClock

US, MS, S = 1_000, 1_000_000, 1_000_000_000
STEPS_US = (10, 100, 1_000)
BEGIN_NS = 1_000 * S
BURST = 8  # as the page asks: some exchanges when it opens, and some more quickly when a race opens,
SOON_NS, OPENED_NS = 200 * MS, 60 * MS
RACE_NS, QUIET_NS = 500 * MS, 10 * S  # and then one in each of these times
FORGERIES = ("earlier", "shifted", "slow")


@dataclass(frozen=True, slots=True)
class Press:
    """A press of a race: when it really happened, when it arrived, and the interval that the box gives it.

    `forged` is whether the phone lied.
    """

    true_ns: int
    arrived_ns: int
    earliest_ns: int
    latest_ns: int
    forged: bool = False


class Way:
    """The network between a phone and the box: two different delays, jitter, and occasional stalls.

    The delays are 1 to 200 ms at best, most of them short. `home` is a Wi-Fi in which each way of each request takes 2
    to 30 ms.
    """

    def __init__(self, chance: Random, home: bool) -> None:
        self._chance, self._home = chance, home
        self._base_ms: list[float] = [2.0, 2.0] if home else [200 ** chance.random(), 200 ** chance.random()]
        self._jitter_ms = chance.choice((0.2, 2, 20))

    @property
    def round_trip_ns(self) -> int:
        """The shortest time there and back."""
        return round(sum(self._base_ms) * MS)

    def takes_ns(self, back: bool = False) -> int:
        """Draw the time of one way."""
        if self._home:
            return round(self._chance.uniform(2, 30) * MS)
        stall_ms = self._chance.uniform(50, 2_000) if self._chance.random() < 0.02 else 0
        return round((self._base_ms[back] + self._chance.expovariate(1 / self._jitter_ms) + stall_ms) * MS)


class Phone:
    """A phone in the hall. `now_ns` is true time; the phone itself reads only `reading`."""

    def __init__(self, chance: Random, forged: bool, home: bool) -> None:
        self._chance, self.way = chance, Way(chance, home)
        self._forgery = chance.choice(FORGERIES) if forged else ""
        self._step_us = chance.choice(STEPS_US)
        self._ppm, self._offset_ns = chance.uniform(-100, 100), chance.randrange(10_000 * S)
        self.clock = PhoneClock(self._step_us)
        self._forged_us = 0

    def reading(self, true_ns: int) -> int:
        """Return the phone's clock as its browser rounds it, including the forged offset."""
        steps = (self._offset_ns + true_ns * (1 + self._ppm / 1e6)) / (self._step_us * US)
        return (int(steps) + self._chance.randint(0, 1)) * self._step_us + self._forged_us

    def meet(self, opens_ns: int, until_ns: int) -> None:
        """Exchange times with the box until `until_ns`; a tab may sleep in between. The race opens at `opens_ns`."""
        at_ns, burst, opened = BEGIN_NS, BURST, False
        sleeps_ns = self._chance.uniform(BEGIN_NS, until_ns) if self._chance.random() < 0.1 else until_ns
        while at_ns < until_ns:
            if at_ns >= sleeps_ns:
                sleeps_ns, at_ns = until_ns, self._sleep(at_ns, until_ns)
                if at_ns >= until_ns:
                    return
            if self._forgery == "shifted" and self._chance.random() < 0.1:
                self._forged_us += self._chance.randint(-100_000, 100_000)
            sent_us = self.reading(at_ns)
            received_ns = at_ns + self._slowly(self.way.takes_ns())
            back_ns = received_ns + self._slowly(self.way.takes_ns(back=True))
            if back_ns >= until_ns:  # the box has the first half only
                if received_ns < until_ns:
                    self.clock.sent(sent_us, received_ns)
                return
            self.clock.sent(sent_us, received_ns)
            self.clock.back(self.reading(back_ns), received_ns)
            burst -= 1
            soon_ns = OPENED_NS if opened else SOON_NS
            next_ns = back_ns + (soon_ns if burst > 0 else RACE_NS if opened else QUIET_NS)
            if not opened and next_ns >= opens_ns:
                opened, burst, next_ns = True, BURST, max(back_ns, opens_ns + self.way.takes_ns(back=True))
            at_ns = next_ns

    def press(self, true_ns: int) -> Press | None:
        """Press at a time, and return what the box makes of it; None if it refuses the stamp."""
        arrived_ns = true_ns + self.way.takes_ns()
        stamp_us = self.reading(true_ns)
        if self._forgery:
            stamp_us -= self._chance.choice((0, round(self._chance.uniform(0, 300_000)), *self._dearest(arrived_ns)))
        try:
            interval = self.clock.press(stamp_us, arrived_ns)
        except ImpossibleStamp:
            return None
        earliest_ns = BEGIN_NS if interval.earliest_ns is None else interval.earliest_ns
        return Press(true_ns, arrived_ns, earliest_ns, interval.latest_ns, self._forgery != "")

    def _dearest(self, arrived_ns: int) -> tuple[int, ...]:
        """Return the forged offset that gains most, if the forger knows all that the box knows."""
        if not (bounds := self.clock.bounds(self.reading(arrived_ns))):
            return ()
        return ((bounds[1] - arrived_ns + BELIEVED_NS) // US - self._chance.randint(0, 3_000),)

    def _slowly(self, way_ns: int) -> int:
        return way_ns + (self._chance.randrange(200 * MS) if self._forgery == "slow" else 0)

    def _sleep(self, at_ns: int, until_ns: int) -> int:
        """Stop the phone's clock for a while; return when it wakes. Half of the pages notice and synchronise again."""
        slept_ns = self._chance.randrange(100 * MS, 20 * S)
        if at_ns + slept_ns >= until_ns:
            slept_ns = max(0, until_ns - at_ns - 1)
        self._offset_ns -= slept_ns
        if slept_ns < 100 * MS:  # too short for a sleep of a device
            self._offset_ns += slept_ns
        elif self._chance.random() < 0.5:
            self.clock = PhoneClock(self._step_us)
        return at_ns + slept_ns
