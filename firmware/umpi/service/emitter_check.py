"""The emitter test: the emitters go off for a moment, and a receiver that still sees light is blind for cubes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from umpi.frozen import frozen
from umpi.referee.events import DeviceStatus
from umpi.timing.edge import Edge
from umpi.timing.events import Lost
from umpi.timing.occlusion import Settings, limits
from umpi.timing.units import MS

if TYPE_CHECKING:  # a box without a sensor head needs none of its modules
    from umpi.drivers.head_protocol import Blink

SETTLE_NS = 3 * MS  # the receivers of common modules follow their emitter within 2 ms
LONGEST_NS = 9 * MS  # a test that lasts longer has gone wrong, whatever the size of the cubes
QUIET_NS = 400 * MS  # after the last edge of a beam, an announcement is over
EACH_NS = 5000 * MS  # between two tests while no cube falls


def longest_ns(settings: Settings) -> int:
    """Return how long a test may last without a doubt: shorter than a fast cube takes to pass the beams of its lane.

    >>> longest_ns(Settings(cube_mm=16)), longest_ns(Settings(cube_mm=12))
    (9000000, 7714286)
    """
    bounds = limits(settings)
    passed_ns = bounds.least[1] + (bounds.travel[0] if settings.beams == 2 else 0)
    return min(LONGEST_NS, passed_ns * 9 // 10)  # a cube may be a little faster than in the settings


class Beam(Protocol):
    """The input of a beam. It is active while the beam is dark."""

    name: str

    @property
    def is_active(self) -> bool: ...  # noqa: D102


class Emitters(Protocol):
    """The output that switches all emitters."""

    def on(self) -> None: ...  # noqa: D102
    def off(self) -> None: ...  # noqa: D102


@frozen
class EmitterResult:
    """A test: the receivers that saw light, from when to when beams were dark by it, and if it may hide a cube."""

    lit: tuple[str, ...]
    first_ns: int
    last_ns: int
    hidden: bool


class Switch(Protocol):
    """What switches the emitters and sees the beams `names`."""

    names: Sequence[str]

    def dark(self) -> bool:
        """Return whether a beam is dark."""

    async def test(self) -> EmitterResult | None:
        """Switch the emitters off and on; None if that was not possible.

        Raises TimeoutError if they may have been switched, or may still be, and nobody knows when.
        """


async def _rest(ns: int) -> None:
    await asyncio.sleep(ns / 1e9)


class PinSwitch:
    """One output of the Pi that switches all emitters, and inputs that see the beams."""

    def __init__(
        self,
        emitters: Emitters,
        beams: Sequence[Beam],
        clock: Callable[[], int],
        settings: Settings,
        rest: Callable[[int], Awaitable[None]] = _rest,
    ) -> None:
        self.names: Sequence[str] = [beam.name for beam in beams]
        self._emitters, self._beams, self._clock, self._rest = emitters, beams, clock, rest
        self._longest_ns = longest_ns(settings)

    def dark(self) -> bool:
        """Return whether a beam is dark."""
        return any(beam.is_active for beam in self._beams)

    async def test(self) -> EmitterResult:
        """Switch the emitters off and on."""
        began_ns = self._clock()
        try:
            self._emitters.off()
            await self._rest(SETTLE_NS)
            lit = tuple(beam.name for beam in self._beams if not beam.is_active)
        finally:
            self._emitters.on()
        await self._rest(SETTLE_NS)
        ended_ns = self._clock()
        return EmitterResult(lit, began_ns, ended_ns, ended_ns - began_ns > self._longest_ns or self.dark())


class HeadSwitch:
    """A sensor head that switches the emitters. Its stamps show what each receiver did.

    `dark` returns its dark beams, and `blink` switches its emitters. A cube that falls before or after the moment of
    darkness is seen as ever. If no receiver has ever gone dark in a test, the emitters are not wired to the head, and
    nothing is reported.
    """

    def __init__(
        self,
        names: Sequence[str],
        settings: Settings,
        dark: Callable[[], Collection[str]],
        blink: Callable[[], Awaitable[Blink | None]],
    ) -> None:
        self.names: Sequence[str] = names
        self._dark, self._blink = dark, blink
        self._longest_ns = longest_ns(settings)
        self._switched = False

    def dark(self) -> bool:
        """Return whether a beam is dark."""
        return bool(self._dark())

    async def test(self) -> EmitterResult | None:
        """Switch the emitters off and on, each beam at its own stamps."""
        blink = await self._blink()
        if blink is None:
            return None
        own = {name: pair for name, seen in blink.edges.items() if (pair := _own(seen, self._longest_ns))}
        self._switched = self._switched or bool(own)
        lit = tuple(name for name in self.names if self._switched and name not in blink.edges)
        stamps = [at_ns for pair in own.values() for at_ns in pair]
        first_ns, last_ns = min(stamps, default=0), max(stamps, default=-1)
        others = [at_ns for name, seen in blink.edges.items() for _, at_ns in seen if at_ns not in own.get(name, ())]
        whole = own.keys() == blink.edges.keys() and last_ns - first_ns <= self._longest_ns
        mixed = any(first_ns <= at_ns <= last_ns for at_ns in others)
        return EmitterResult(lit, first_ns, last_ns, self._switched and (mixed or not whole))


def _own(seen: Sequence[tuple[bool, int]], longest_ns: int) -> tuple[int, int] | None:
    """Return when a beam went dark and light by the test; None unless exactly one darkness is too short for a cube.

    >>> _own([(True, 5_000_000), (False, 8_000_000), (True, 20_000_000), (False, 35_000_000)], 9_000_000)
    (5000000, 8000000)
    >>> _own([(True, 5_000_000), (False, 20_000_000)], 9_000_000)
    """
    short = [
        (dark_ns, light_ns)
        for (dark, dark_ns), (still_dark, light_ns) in pairwise(seen)
        if dark and not still_dark and light_ns - dark_ns <= longest_ns
    ]
    return short[0] if len(short) == 1 else None


class EmitterCheck:
    """Test the beams after each announcement, and every EACH_NS between two of them.

    Pass each edge to `own`, and drop those that the test itself made. `run` returns what to report. If a cube may have
    passed during a test, it reports a lost edge, which makes the next verdict doubtful.
    """

    def __init__(self, switch: Switch, clock: Callable[[], int]) -> None:
        self._switch, self._clock = switch, clock
        self._names = set(switch.names)
        self._run_ns = -1  # when the last test ended
        self._test_ns = 0, -1  # from when to when its edges are
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
        return self._run_ns + EACH_NS

    async def run(self) -> list[DeviceStatus | Lost]:
        """Test the beams, unless one of them is dark; return what is new."""
        self._run_ns, self._edge_ns = self._clock(), None
        if self._switch.dark():
            return []  # a cube is in it, or it is blocked, which its edges show
        began_ns = self._run_ns
        try:
            tested = await self._switch.test()
        except TimeoutError:  # each edge since then may be of the test, or of a cube that it hides
            self._run_ns = self._clock()
            self._test_ns = began_ns, self._run_ns
            return [Lost(1)]
        self._run_ns = self._clock()
        if tested is None:
            return []
        self._test_ns = tested.first_ns, tested.last_ns
        news: list[DeviceStatus | Lost] = [Lost(1)] if tested.hidden else []
        lit = ", ".join(tested.lit)
        if lit != self._lit:
            news.append(DeviceStatus("light", lit))
        self._lit = lit
        return news
