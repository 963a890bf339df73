"""Debouncing: presses from edges of buttons. The first edge counts, chatter is ignored, long presses are detected."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from umpi.timing.edge import Edge
from umpi.timing.units import MS


@dataclass(frozen=True, slots=True)
class Press:
    """A press of one button, stamped by its first edge.

    `long` is true if the button was pressed for `hold_ms`, `lasting` if it was still down `last_ms` later. `known_ns`
    is when a prompt loop knows of the press: for a button with a second meaning, that is when it is released or held.
    """

    button: str
    at_ns: int
    long: bool = False
    lasting: bool = False
    known_ns: int = field(default=0, compare=False)


@dataclass(slots=True)
class _State:
    down: bool = False  # the debounced level
    level: bool = False  # the level after the last edge
    level_ns: int = -1  # the stamp of that edge
    deaf_until_ns: int | None = None  # chatter is ignored until then
    since_ns: int = 0  # when the button went down
    reported: bool = False  # whether this press has been reported
    lasted: bool = False  # whether this press has been reported as lasting


class Buttons:
    """Detect presses from edges, with one state per button. Pure: time comes with the edges and by `tick`.

    A button in `holding` has a second meaning for a long press. Its short press is reported on release, its long
    press `hold_ms` after it went down. If it stays down for another `last_ms`, a lasting press is reported as well.
    Every other button is reported at its first edge. After an edge that counted, the line is ignored for
    `chatter_ms`, and then its level is checked again. A tap shorter than `chatter_ms` is therefore reported.
    A change of `holding` counts for presses that begin later.
    """

    def __init__(
        self, holding: Collection[str] = (), chatter_ms: int = 15, hold_ms: int = 600, last_ms: int = 2400
    ) -> None:
        self.holding = frozenset(holding)
        self._chatter_ns, self._hold_ns, self._last_ns = chatter_ms * MS, hold_ms * MS, last_ms * MS
        self._states: dict[str, _State] = {}

    def edge(self, edge: Edge) -> list[Press]:
        """Process an edge, advance the time to its stamp, and return the presses.

        A late edge, with a stamp before the line's last one, can still report a press that was missed.
        """
        presses = self.tick(edge.at_ns)
        state = self._states.setdefault(edge.line, _State())
        if edge.at_ns < state.level_ns:
            return presses + self._late(edge, state)
        state.level, state.level_ns = edge.active, edge.at_ns
        if state.deaf_until_ns is None:
            presses += self._changed(edge.line, state, edge.at_ns, edge.at_ns)
        return presses

    def tick(self, now_ns: int) -> list[Press]:
        """Advance the time to `now_ns` and return the presses that became due, by stamp.

        Pass all edges stamped before `now_ns` to `edge` first.
        """
        presses = [press for name in self._states for press in self._look_again(name, now_ns)]
        return sorted(presses, key=lambda press: press.at_ns)

    @property
    def due_ns(self) -> int | None:
        """Return when to call `tick` next; None if no button waits."""
        waits = [state.deaf_until_ns for state in self._states.values() if state.deaf_until_ns is not None]
        waits += [
            state.since_ns + self._hold_ns + (self._last_ns if state.reported else 0)
            for name, state in self._states.items()
            if state.down and not state.lasted and name in self.holding
        ]
        return min(waits, default=None)

    def _late(self, edge: Edge, state: _State) -> list[Press]:
        """Return the press of an edge that arrived after a later edge of its line, if that press was missed."""
        if not edge.active or state.down or state.deaf_until_ns is not None:
            return []
        state.level = True
        presses = list(self._changed(edge.line, state, edge.at_ns, edge.at_ns))
        state.level = False
        return presses

    def _look_again(self, name: str, now_ns: int) -> Iterator[Press]:
        state = self._states[name]
        while state.deaf_until_ns is not None and state.deaf_until_ns <= now_ns:
            known_ns, state.deaf_until_ns = state.deaf_until_ns, None
            yield from self._changed(name, state, state.level_ns, known_ns)
        if name in self.holding and state.down and not state.reported and now_ns - state.since_ns >= self._hold_ns:
            state.reported = True
            yield Press(name, state.since_ns, long=True, known_ns=state.since_ns + self._hold_ns)
        held_ns = now_ns - state.since_ns - self._hold_ns
        if name in self.holding and state.down and not state.lasted and held_ns >= self._last_ns:
            state.lasted = True
            known_ns = state.since_ns + self._hold_ns + self._last_ns
            yield Press(name, state.since_ns, long=True, lasting=True, known_ns=known_ns)

    def _changed(self, name: str, state: _State, at_ns: int, known_ns: int) -> Iterator[Press]:
        if state.level == state.down:
            return
        state.down, state.deaf_until_ns = state.level, at_ns + self._chatter_ns
        if state.down:
            state.since_ns, state.reported, state.lasted = at_ns, name not in self.holding, False
            if state.reported:
                yield Press(name, at_ns)
        elif not state.reported:
            state.reported = True
            yield Press(name, state.since_ns, long=at_ns - state.since_ns >= self._hold_ns, known_ns=known_ns)
