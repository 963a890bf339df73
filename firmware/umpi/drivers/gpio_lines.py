"""GPIO inputs: stamped edges from the lines of a chip, with one request and one thread; reports lost edges."""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from threading import RLock, Thread, current_thread
from typing import Any

from umpi.frozen import frozen
from umpi.timing.units import S

BUFFER = 1024  # edges that the kernel buffers at most; beyond that it drops the oldest
SETTLE_NS = 50_000_000  # a missing edge counts as lost this long after a later one was read

LineSettings = tuple[str, str]  # the requested settings of an input: its pull and its edges


class Stamp(float):
    """Seconds, the unit of gpiozero's ticks, with the kernel's exact nanoseconds in `ns`.

    >>> Stamp(90_000_000_000_000_001).ns
    90000000000000001
    """

    __slots__ = ("ns",)
    ns: int

    def __new__(cls, ns: int) -> Stamp:
        """Create a stamp from nanoseconds."""
        stamp = super().__new__(cls, ns / S)
        stamp.ns = ns
        return stamp


def stamp_ns(ticks: float) -> int:
    """Return ticks in nanoseconds: exact for a `Stamp`, with float precision for another factory's ticks."""
    return ticks.ns if isinstance(ticks, Stamp) else round(ticks * S)


@frozen
class LostEdges:
    """Edges of inputs that were lost, or stamped late: `count` between two monotonic stamps in nanoseconds.

    With `overflow` the kernel's buffer overflowed, because handlers were slow. Without it there are two causes:

    - An input changed again before its first change was served, for example a bouncing contact. The kernel or the chip
      then merges both edges, or the second edge gets a late stamp.
    - An input was added or closed at that moment.

    Missing numbers and repeated levels show lost edges. Two edges lost together between two others may show neither.
    """

    count: int
    after_ns: int
    until_ns: int
    overflow: bool = False


class Inputs:
    """All inputs of a chip: one line request, one epoll, one thread that sleeps until an edge comes.

    `request(wanted, held)` makes a new line request if `held` is None; otherwise it changes the request `held`.
    `deliver(offset, at_ns, level)` and `trouble(...)` are called on the thread, without `lock`. If all inputs are lost,
    `trouble` gets an exception: the chip is disconnected, or the thread failed and has `stopped`.
    """

    def __init__(
        self,
        request: Callable[[Mapping[int, LineSettings], Any], Any],
        deliver: Callable[[int, int, bool], None],
        trouble: Callable[[LostEdges | Exception], None],
    ) -> None:
        self.lock = RLock()
        self._request, self._deliver, self._trouble = request, deliver, trouble
        self._wanted: dict[int, LineSettings] = {}  # the settings that the pins request
        self._had: dict[int, LineSettings] = {}  # the settings of the current line request
        self._held: Any = None
        self._levels: dict[int, bool] = {}  # the level of each line after the last edge read
        self._looked_ns = 0  # when levels were last read directly from the lines
        self._gaps = Gaps()
        self._bounces: dict[int, Bounce] = {}
        self._arrived: list[tuple[int, int, int, bool]] = []
        self._troubles: list[LostEdges | Exception] = []
        self._epoll = select.epoll()  # not select(): while it waits, it keeps a released request and its lines busy
        self._kick = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._epoll.register(self._kick, select.EPOLLIN)
        self._thread: Thread | None = None
        self.stopped = self._busy = False

    def holds(self, offset: int) -> bool:
        """Check whether a line is one of the inputs."""
        return offset in self._wanted

    def level(self, offset: int) -> bool | None:
        """Return a line's current level; None if it is no input."""
        with self.lock:
            return bool(self._held.get_value(offset)) if offset in self._had else None

    def configure(self, offset: int, settings: LineSettings | None) -> None:
        """Make a line an input with the `settings`, or close it if `settings` is None.

        If that fails, restore the former inputs and raise. If they cannot be restored, report to `trouble` as well.
        """
        with self.lock:
            former = self._wanted.get(offset)
            try:
                self._put(offset, settings)
            except Exception:
                try:
                    self._put(offset, former)
                except Exception as fault:  # the other inputs are lost as well
                    self._give_up(fault)
                    os.eventfd_write(self._kick, 1)
                raise
            if settings and settings[1] != "none" and self._thread is None:
                self._thread = Thread(target=self._run, name="umpi-pins", daemon=True)
                self._thread.start()

    def bounce(self, offset: int, bounce_s: float | None) -> None:
        """Withhold edges of a line within `bounce_s` seconds of an edge that passed; None passes all edges."""
        with self.lock:
            self._bounces.pop(offset, None)
            if bounce_s is not None:
                self._bounces[offset] = Bounce(round(bounce_s * S))

    def close(self) -> None:
        """Release all lines and end the thread."""
        with self.lock:
            if self.stopped:
                return
            self._wanted = {}
            self._apply()
            self.stopped = True
            os.eventfd_write(self._kick, 1)
        if self._thread is None:
            self._run()  # `stopped` is set: this only closes the epoll and the eventfd
        elif self._thread is not current_thread():
            self._thread.join()

    def _put(self, offset: int, settings: LineSettings | None) -> None:
        if settings is None:
            self._wanted.pop(offset, None)
        else:
            self._wanted[offset] = settings
        self._apply()

    def _apply(self) -> None:
        if self._busy:  # the garbage collector closed a device during this call; the loop below applies that too
            return
        self._busy = True
        try:
            while self._had != self._wanted:
                wanted = dict(self._wanted)
                if wanted.keys() == self._had.keys():
                    self._request(wanted, self._held)
                    fresh = [offset for offset, settings in wanted.items() if settings != self._had[offset]]
                    self._had = wanted
                    self._levels |= self._look(fresh)
                else:
                    self._renew(wanted)
        finally:
            self._busy = False

    def _renew(self, wanted: dict[int, LineSettings]) -> None:
        """Release all lines and request them again, because the kernel cannot add lines to a request.

        A level that changed in between shows a missed edge, which is reported as lost.
        """
        since_ns = time.monotonic_ns()
        while self._read():
            pass
        self._troubles += self._gaps.settled(None)
        had = self._had
        self._drop()
        if wanted:
            self._held = self._request(wanted, None)
            os.set_blocking(self._held.fd, False)
            self._epoll.register(self._held.fd, select.EPOLLIN)
            self._gaps, self._had = Gaps(), wanted
        levels = self._look(wanted)
        for offset, settings in wanted.items():
            if settings == had.get(offset) and settings[1] == "both" and levels[offset] != self._levels[offset]:
                self._troubles.append(LostEdges(1, since_ns, self._looked_ns))
        self._levels = levels
        os.eventfd_write(self._kick, 1)  # the thread delivers the edges and reports the losses

    def _drop(self) -> None:
        if self._held is not None:
            self._epoll.unregister(self._held.fd)
            self._held.release()
            self._held, self._had = None, {}

    def _give_up(self, fault: Exception) -> None:
        self._drop()
        self._wanted = {}
        self._troubles.append(fault)

    def _look(self, offsets: Iterable[int]) -> dict[int, bool]:
        levels = {offset: bool(self._held.get_value(offset)) for offset in offsets}
        self._looked_ns = time.monotonic_ns()
        return levels

    def _read(self) -> bool:
        """Read up to a buffer of edges that have arrived; return whether there may be more."""
        try:
            events = self._held.read_edge_events(BUFFER) if self._held is not None else []
        except BlockingIOError:
            return False
        except OSError as fault:  # the chip was unplugged
            self._give_up(fault)
            return False
        self._gaps.see(events, [self._repeats(event) for event in events])
        for event in events:
            level = event.event_type is event.Type.RISING_EDGE
            self._arrived.append((event.timestamp_ns, event.global_seqno, event.line_offset, level))
        return bool(events)

    def _repeats(self, event: Any) -> bool:
        """Check whether an edge repeats its line's level, which means that an edge before it is missing."""
        offset, level = event.line_offset, event.event_type is event.Type.RISING_EDGE
        former, self._levels[offset] = self._levels[offset], level
        # an edge before the last direct reading of the lines may be included in that reading
        return level == former and event.timestamp_ns > self._looked_ns and self._had[offset][1] == "both"

    def _run(self) -> None:
        while not self.stopped:
            try:
                self._turn()
            except Exception as fault:
                with self.lock:
                    self._give_up(fault)
                    self.stopped = True
                self._trouble(fault)
        self._epoll.close()
        os.close(self._kick)

    def _turn(self) -> None:
        """Sleep until edges or losses are due, then deliver them."""
        self._epoll.poll(self._patience_s())
        with self.lock:
            with contextlib.suppress(BlockingIOError):
                os.eventfd_read(self._kick)
            self._read()
            now_ns = time.monotonic_ns()
            edges = self._passed(now_ns)
            device_errors = [*self._troubles, *self._gaps.settled(now_ns)]
            self._troubles = []
        for trouble in device_errors:
            self._trouble(trouble)
        for at_ns, offset, level in edges:
            self._deliver(offset, at_ns, level)

    def _passed(self, now_ns: int) -> list[tuple[int, int, bool]]:
        edges = []
        arrived, self._arrived = sorted(self._arrived), []
        for at_ns, _, offset, level in arrived:
            bounce = self._bounces.get(offset)
            passed = bounce.edge(at_ns, level) if bounce else [(at_ns, level)]
            edges += [(stamp, offset, value) for stamp, value in passed]
        for offset, bounce in self._bounces.items():
            edges += [(stamp, offset, value) for stamp, value in bounce.due(now_ns)]
        return edges

    def _patience_s(self) -> float | None:
        """Return how many seconds to sleep; None (no limit) unless an edge is missing or withheld."""
        with self.lock:
            dues_ns = [gap.due_ns for gap in self._gaps.open]
            dues_ns += [bounce.until_ns for bounce in self._bounces.values() if bounce.held]
        return max(0, min(dues_ns) - time.monotonic_ns()) / S if dues_ns else None


@dataclass(slots=True)
class Gap:
    """Sequence numbers from `first` up to, but not including, `end`, of which `missing` have not arrived.

    `repeats` counts the repeated levels that this gap explains. `due_ns` is when the missing edges count as lost.
    """

    first: int
    end: int
    missing: int
    after_ns: int
    until_ns: int
    overflow: bool
    due_ns: int
    repeats: int = 0


class Gaps:
    """Detect lost edges of one request by missing numbers and repeated levels.

    Several cores write the sequence numbers, so they may arrive out of order; those of one line are in order. A request
    of one line numbers only the edges that were served, and the chip may merge two edges. In that case a repeated level
    is the only evidence. If a number is missing as well, both show the same lost edge.
    """

    def __init__(self) -> None:
        self.open: list[Gap] = []
        self._next, self._last_ns = 1, 0
        self._latest: dict[int, tuple[int, int]] = {}  # number and stamp of each line's last edge

    def see(self, events: Sequence[Any], repeated: Iterable[bool] = repeat(False)) -> None:
        """Process the events of one read; `repeated` marks those that repeat a level.

        If the read filled the buffer, its missing numbers count as an overflow.
        """
        full, due_ns = len(events) >= BUFFER, time.monotonic_ns() + SETTLE_NS
        for event, repeats in zip(events, repeated, strict=False):
            seqno, at_ns = event.global_seqno, event.timestamp_ns
            given_up = False
            if seqno < self._next:
                # the event is late, or a quick second change of a line reused the number of the first
                gap = next((gap for gap in reversed(self.open) if gap.first <= seqno and gap.missing), None)
                if gap:
                    gap.missing -= 1
                given_up = gap is None
            else:
                if seqno > self._next:
                    missing = seqno - self._next
                    self.open.append(Gap(self._next, seqno, missing, self._last_ns, at_ns, full, due_ns))
                self._next, self._last_ns = seqno + 1, at_ns
            if repeats and not given_up:
                self._repeat(event)
            self._latest[event.line_offset] = seqno, at_ns
        self.open = [gap for gap in self.open if gap.missing or gap.repeats]

    def settled(self, now_ns: int | None) -> list[LostEdges]:
        """Return and forget the losses that are due at `now_ns`; None returns all."""
        over = [gap for gap in self.open if now_ns is None or gap.due_ns <= now_ns]
        self.open = [gap for gap in self.open if gap not in over]
        return [LostEdges(max(gap.missing, gap.repeats), gap.after_ns, gap.until_ns, gap.overflow) for gap in over]

    def _repeat(self, event: Any) -> None:
        """Record the edge lost between two of one line; if a gap may contain its number, assign it to that gap."""
        former, after_ns = self._latest.get(event.line_offset, (0, 0))
        seqno = event.global_seqno
        if seqno == former:  # a repeated number: it was counted the first time
            return
        gaps = (gap for gap in reversed(self.open) if gap.missing and gap.first < seqno and gap.end > former + 1)
        if gap := next(gaps, None):
            gap.repeats += 1
        else:
            self.open.append(Gap(seqno, seqno, 0, after_ns, event.timestamp_ns, False, 0, repeats=1))


class Bounce:
    """Filter the edges of one line, as described at `GpiodPin`."""

    def __init__(self, bounce_ns: int) -> None:
        self.until_ns = 0
        self.held: tuple[int, bool] | None = None
        self._bounce_ns = bounce_ns
        self._level: bool | None = None

    def edge(self, at_ns: int, level: bool) -> list[tuple[int, bool]]:
        """Process an edge and return the edges that pass, as stamp in nanoseconds and level."""
        passed = self.due(at_ns)
        if at_ns < self.until_ns:
            self.held = (at_ns, level)
            return passed
        return [*passed, self._pass(at_ns, level)]

    def due(self, now_ns: int) -> list[tuple[int, bool]]:
        """Return the withheld edge if the bounce time is over and the level has changed."""
        if self.held is None or now_ns < self.until_ns:
            return []
        (at_ns, level), self.held = self.held, None
        return [self._pass(at_ns, level)] if level != self._level else []

    def _pass(self, at_ns: int, level: bool) -> tuple[int, bool]:
        self.until_ns, self._level = at_ns + self._bounce_ns, level
        return at_ns, level
