"""The emitter test: the emitters go off for a moment, and a receiver that still sees light is blind for cubes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from umpi.referee.events import DeviceStatus
from umpi.timing.edge import Edge
from umpi.timing.events import Lost

MS = 1_000_000
SETTLE_NS = 3 * MS  # the receivers of common modules follow their emitter within 2 ms
LONGEST_NS = 9 * MS  # a fast cube darkens a beam for 10 ms, so it outlasts a shorter test
QUIET_NS = 400 * MS  # after the last edge of a beam, an announcement is over
EACH_NS = 5000 * MS  # between two tests while no cube falls


class Beam(Protocol):
    """The input of a beam. It is active while the beam is dark."""

    name: str

    @property
    def is_active(self) -> bool: ...  # noqa: D102


class Emitters(Protocol):
    """The output that switches all emitters."""

    def on(self) -> None: ...  # noqa: D102
    def off(self) -> None: ...  # noqa: D102


async def _rest(ns: int) -> None:
    await asyncio.sleep(ns / 1e9)


class EmitterTest:
    """Test the beams after each announcement, and every EACH_NS between two of them.

    Pass each edge to `own`, and drop those that the test itself made. `run` returns what to report. If a cube may have
    passed during a test, it reports a lost edge, which makes the next verdict doubtful.
    """

    def __init__(
        self,
        emitters: Emitters,
        beams: Sequence[Beam],
        clock: Callable[[], int],
        rest: Callable[[int], Awaitable[None]] = _rest,
    ) -> None:
        self._emitters, self._beams, self._clock, self._rest = emitters, beams, clock, rest
        self._names = {beam.name for beam in beams}
        self._test_ns = 0, -1  # from when to when the last test went
        self._edge_ns: int | None = None  # the last edge of a cube, if no test came after it
        self._lit = ""  # the receivers that see light, as reported

    def own(self, edge: Edge) -> bool:
        """Return whether the last test made this edge."""
        if edge.line not in self._names:
            return False
        first, last = self._test_ns
        if first <= edge.at_ns <= last:
            return True
        self._edge_ns = max(edge.at_ns, self._edge_ns or 0)
        return False

    @property
    def due_ns(self) -> int:
        """Return when the next test is due, if no cube falls before."""
        if self._edge_ns is not None:
            return self._edge_ns + QUIET_NS
        return self._test_ns[1] + EACH_NS

    async def run(self) -> list[DeviceStatus | Lost]:
        """Test the beams, unless one of them is dark; return what is new."""
        began_ns = self._clock()
        self._test_ns, self._edge_ns = (began_ns, began_ns), None
        if any(beam.is_active for beam in self._beams):
            return []  # a cube is in it, or it is blocked, which its edges show
        try:
            self._emitters.off()
            await self._rest(SETTLE_NS)
            lit = ", ".join(beam.name for beam in self._beams if not beam.is_active)
        finally:
            self._emitters.on()
        await self._rest(SETTLE_NS)
        self._test_ns = began_ns, self._clock()
        news: list[DeviceStatus | Lost] = []
        hidden = self._test_ns[1] - began_ns > LONGEST_NS or any(beam.is_active for beam in self._beams)
        if hidden:
            news.append(Lost(1))
        if lit != self._lit:
            news.append(DeviceStatus("light", lit))
        self._lit = lit
        return news
