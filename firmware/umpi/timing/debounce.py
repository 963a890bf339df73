"""Debouncing: presses from edges of buttons. The first edge counts, chatter is ignored, long presses are detected."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from umpi.frozen import frozen
from umpi.timing.edge import Edge
from umpi.timing.units import MS

HOLD_MS = 600  # a button that is down for so long is held, if the configuration says nothing else


@frozen
class Press:
    """A press of one button, stamped by its first edge.

    `long` is true if the button was pressed for `hold_ms`, `lasting` if it was still down `last_ms` later. `known_ns`
    is when a prompt loop knows of the press: for a button with a second meaning, that is when its release counts, or
    when it is held.
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
    since_ns: int = 0  # the stamp of the press: when the button went down first
    again_ns: int = 0  # when it went down last: later than `since_ns` if the same press continues after a release
    up_ns: int | None = None  # when it was released last
    reported: bool = True  # whether this press has been reported
    lasted: bool = False  # whether this press has been reported as lasting


class Buttons:
    """Detect presses from edges, with one state per button. Pure: time comes with the edges and by `tick`.

    A button in `holding` has a second meaning for a long press. Its short press is reported on release, its long
    press `hold_ms` after it went down. If it stays down for another `last_ms`, a lasting press is reported as well.
    Every other button is reported at its first edge. After an edge that counted, the line is ignored for
    `chatter_ms`, and then its level is checked again. A tap shorter than `chatter_ms` is therefore reported.
    A change of `holding` counts for presses that begin later.

    For a trembling hand, a button that goes down within `repeat_ms` after its release continues the same press, whose
    stamp stays. A release then counts `repeat_ms` later. 0 switches this off; another value exceeds `chatter_ms`.
    """

    def __init__(
        self,
        holding: Collection[str] = (),
        chatter_ms: int = 15,
        hold_ms: int = HOLD_MS,
        last_ms: int = 2400,
        repeat_ms: int = 0,
    ) -> None:
        self.holding = frozenset(holding)
        self._chatter_ns, self._hold_ns, self._last_ns = chatter_ms * MS, hold_ms * MS, last_ms * MS
        self._repeat_ns = repeat_ms * MS
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
            self._held_ns(state, lasting=state.reported)
            for name, state in self._states.items()
            if state.down and not state.lasted and name in self.holding
        ]
        waits += [
            up_ns + self._repeat_ns for state in self._states.values() if (up_ns := _waiting_ns(state)) is not None
        ]
        return min(waits, default=None)

    def _held_ns(self, state: _State, lasting: bool = False) -> int:
        """Return when a button that stays down is held, or lasting."""
        return max(state.since_ns + self._hold_ns + (self._last_ns if lasting else 0), state.again_ns)

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
        if (up_ns := _waiting_ns(state)) is not None and up_ns + self._repeat_ns <= now_ns:
            yield self._tap(name, state, up_ns, up_ns + self._repeat_ns)
        if name not in self.holding or not state.down:
            return
        if not state.reported and (known_ns := self._held_ns(state)) <= now_ns:
            state.reported = True
            yield Press(name, state.since_ns, long=True, known_ns=known_ns)
        if not state.lasted and (known_ns := self._held_ns(state, lasting=True)) <= now_ns:
            state.lasted = True
            yield Press(name, state.since_ns, long=True, lasting=True, known_ns=known_ns)

    def _changed(self, name: str, state: _State, at_ns: int, known_ns: int) -> Iterator[Press]:
        if state.level == state.down:
            return
        state.down, state.deaf_until_ns = state.level, at_ns + self._chatter_ns
        if not state.down:
            state.up_ns = at_ns
            if not self._repeat_ns and not state.reported:
                yield self._tap(name, state, at_ns, known_ns)
            return
        state.again_ns = at_ns
        if self._repeat_ns and state.up_ns is not None and at_ns < state.up_ns + self._repeat_ns:
            return  # the same press
        state.since_ns, state.reported, state.lasted = at_ns, name not in self.holding, False
        if state.reported:
            yield Press(name, at_ns)

    def _tap(self, name: str, state: _State, up_ns: int, known_ns: int) -> Press:
        """Return the press of a button with a second meaning whose release counts."""
        state.reported = True
        return Press(name, state.since_ns, long=up_ns - state.since_ns >= self._hold_ns, known_ns=known_ns)


def _waiting_ns(state: _State) -> int | None:
    """Return when the button of a press that waits to be reported was released; None if none waits."""
    return None if state.down or state.reported else state.up_ns
