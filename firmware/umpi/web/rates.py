"""How often somebody may do something: so many at once, and then so many per second."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

S = 1_000_000_000
KEPT = 1024  # how many are counted apart; of more, the one that came first is forgotten


class Rate:
    """Counts what each of many does; times are monotonic nanoseconds."""

    def __init__(self, burst: int, per_s: float) -> None:
        self._step_ns = round(S / per_s)
        self._room_ns = (burst - 1) * self._step_ns
        self._due_ns: OrderedDict[Hashable, int] = OrderedDict()  # when each will have paid for all it has done

    def wait_s(self, who: Hashable, now_ns: int) -> int:
        """Count one more; returns 0, or in how many seconds it is allowed, and then counts nothing."""
        due_ns = max(self._due_ns.pop(who, now_ns), now_ns)
        wait_ns = due_ns - now_ns - self._room_ns
        self._due_ns[who] = due_ns if wait_ns > 0 else due_ns + self._step_ns
        if len(self._due_ns) > KEPT:
            self._due_ns.popitem(last=False)
        return max(0, -(-wait_ns // S))
