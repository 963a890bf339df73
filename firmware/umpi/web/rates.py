"""Rate limits: a burst of requests at once, then a number per second."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

S = 1_000_000_000
KEPT = 1024  # clients tracked; beyond that, the least recent one is forgotten


class Rate:
    """Limit the rate of each client. Times are monotonic nanoseconds."""

    def __init__(self, burst: int, per_s: float) -> None:
        self._step_ns = round(S / per_s)
        self._room_ns = (burst - 1) * self._step_ns
        self._due_ns: OrderedDict[Hashable, int] = OrderedDict()  # when each client's requests so far are used up

    def wait_s(self, who: Hashable, now_ns: int) -> int:
        """Count one request. Return 0 if it is allowed, else the waiting time in seconds.

        A request that must wait is not counted.
        """
        due_ns = max(self._due_ns.pop(who, now_ns), now_ns)
        wait_ns = due_ns - now_ns - self._room_ns
        self._due_ns[who] = due_ns if wait_ns > 0 else due_ns + self._step_ns
        if len(self._due_ns) > KEPT:
            self._due_ns.popitem(last=False)
        return max(0, -(-wait_ns // S))
