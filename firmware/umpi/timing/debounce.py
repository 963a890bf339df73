"""Edges of buttons to presses: the first edge counts, the chatter after it does not, a held key is told from a tap."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from umpi.timing.edge import Edge

MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Press:
    """A press of one button, stamped by its first edge; `long` where it was held, then `lasting` where it still is."""

    button: str
    at_ns: int
    long: bool = False
    lasting: bool = False


@dataclass(slots=True)
class _State:
    down: bool = False  # as it counts
    level: bool = False  # as the line stands
    level_ns: int = -1  # the stamp of the edge that says so
    deaf_until_ns: int | None = None  # chatter is passed over up to here
    since_ns: int = 0  # when it went down
    told: bool = False  # whether this press has been told already
    lasted: bool = False  # whether it has been told as a lasting one


class Buttons:
    """Tells presses from edges, one state a button; pure, time comes with the edges and by `tick`.

    A button of `holding` means something else when held: its short press is told when it is let go, its long one
    `hold_ms` after it went down, and once more `last_ms` after that, where it is held all the time. Every other button
    is told at its first edge. `chatter_ms` after an edge that counted the line is passed over, then looked at again: a
    tap shorter than that is not lost.
    """

    def __init__(
        self, holding: Collection[str] = (), chatter_ms: int = 15, hold_ms: int = 600, last_ms: int = 2400
    ) -> None:
        self._holding = frozenset(holding)
        self._chatter_ns, self._hold_ns, self._last_ns = chatter_ms * MS, hold_ms * MS, last_ms * MS
        self._states: dict[str, _State] = {}

    def edge(self, edge: Edge) -> list[Press]:
        """Take an edge, letting time pass up to its stamp; one that comes late counts for what it still tells."""
        told = self.tick(edge.at_ns)
        state = self._states.setdefault(edge.line, _State())
        if edge.at_ns < state.level_ns:
            return told + self._late(edge, state)
        state.level, state.level_ns = edge.active, edge.at_ns
        if state.deaf_until_ns is None:
            told += self._changed(edge.line, state, edge.at_ns)
        return told

    def tick(self, now_ns: int) -> list[Press]:
        """Let time pass; all edges stamped before `now_ns` should have been taken."""
        presses = [press for name in self._states for press in self._look_again(name, now_ns)]
        return sorted(presses, key=lambda press: press.at_ns)

    @property
    def due_ns(self) -> int | None:
        """When `tick` next has something to do; None where nothing waits."""
        waits = [state.deaf_until_ns for state in self._states.values() if state.deaf_until_ns is not None]
        waits += [
            state.since_ns + self._hold_ns + (self._last_ns if state.told else 0)
            for name, state in self._states.items()
            if state.down and not state.lasted and name in self._holding
        ]
        return min(waits, default=None)

    def _late(self, edge: Edge, state: _State) -> list[Press]:
        """An edge that a later one of its line has overtaken: the press of a tap whose end is known already."""
        if not edge.active or state.down or state.deaf_until_ns is not None:
            return []
        state.level = True
        told = list(self._changed(edge.line, state, edge.at_ns))
        state.level = False
        return told

    def _look_again(self, name: str, now_ns: int) -> Iterator[Press]:
        state = self._states[name]
        while state.deaf_until_ns is not None and state.deaf_until_ns <= now_ns:
            state.deaf_until_ns = None
            yield from self._changed(name, state, state.level_ns)
        if name in self._holding and state.down and not state.told and now_ns - state.since_ns >= self._hold_ns:
            state.told = True
            yield Press(name, state.since_ns, long=True)
        held_ns = now_ns - state.since_ns - self._hold_ns
        if name in self._holding and state.down and not state.lasted and held_ns >= self._last_ns:
            state.lasted = True
            yield Press(name, state.since_ns, long=True, lasting=True)

    def _changed(self, name: str, state: _State, at_ns: int) -> Iterator[Press]:
        if state.level == state.down:
            return
        state.down, state.deaf_until_ns = state.level, at_ns + self._chatter_ns
        if state.down:
            state.since_ns, state.told, state.lasted = at_ns, name not in self._holding, False
            if state.told:
                yield Press(name, at_ns)
        elif not state.told:
            state.told = True
            yield Press(name, state.since_ns, long=at_ns - state.since_ns >= self._hold_ns)
