"""All orders of some events that differ: those are left out that only exchange events which commute."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import permutations
from typing import Any

ATOMS = (str, bytes, int, float, range, Enum, type(None), type)


def allowed(events: Sequence[str], before: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Yield all orders of events in which each has those of `before` before it."""
    for order in permutations(events):
        places = {event: place for place, event in enumerate(order)}
        if all(places[first] < places[event] for event, others in before.items() for first in others):
            yield order


@dataclass
class Reduced:
    """Find one order of each set of orders that differ by events that commute.

    This is a depth-first search with sleep sets (P. Godefroid, 1996). `state` runs a sequence of events on the real
    code, and returns all that the future depends on. Two events commute after a sequence if both of their orders lead
    to the same state: so nothing is assumed of them. `compared` is how many pairs were tried, `commuted` how many did.
    """

    events: Sequence[str]
    before: Mapping[str, Sequence[str]]
    state: Callable[[tuple[str, ...]], Hashable]
    compared: int = 0
    commuted: int = 0
    _states: dict[tuple[str, ...], Hashable] = field(default_factory=dict)
    _known: dict[tuple[Hashable, str, str], bool] = field(default_factory=dict)

    def orders(self, begun: tuple[str, ...] = (), asleep: frozenset[str] = frozenset()) -> Iterator[tuple[str, ...]]:
        """Yield the orders; the events `asleep` were tried from here, or commute with all that came since."""
        if len(begun) == len(self.events):
            yield begun
        ready = [each for each in self.events if each not in begun and {*self.before.get(each, ())} <= {*begun}]
        for event in ready:
            if event not in asleep:
                still = frozenset(other for other in asleep if self._commute(begun, event, other))
                yield from self.orders((*begun, event), still)
                asleep |= {event}

    def _commute(self, begun: tuple[str, ...], one: str, other: str) -> bool:
        """Run two events in both orders, and return whether that makes no difference."""
        key = self._state(begun), min(one, other), max(one, other)
        if key not in self._known:
            self.compared += 1
            same = self._state((*begun, one, other)) == self._state((*begun, other, one))
            self._known[key] = same
            self.commuted += same
        return self._known[key]

    def _state(self, begun: tuple[str, ...]) -> Hashable:
        if begun not in self._states:
            self._states[begun] = self.state(begun)
        return self._states[begun]


def frozen(value: Any, met: dict[int, int] | None = None) -> Hashable:
    """Return all that an object consists of, as a value that can be compared; code counts by its name only."""
    met = {} if met is None else met
    if isinstance(value, ATOMS):
        return value
    if id(value) in met:
        return "again", met[id(value)]
    if isinstance(value, (tuple, list, deque)):
        return type(value).__name__, tuple(frozen(each, met) for each in value)
    if isinstance(value, (set, frozenset)):
        return type(value).__name__, tuple(sorted(repr(frozen(each, {})) for each in value))
    met[id(value)] = len(met)
    if isinstance(value, Mapping):
        pairs = sorted(value.items(), key=lambda pair: repr(pair[0]))
        return "mapping", tuple((repr(key), frozen(each, met)) for key, each in pairs)
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    names = sorted({*getattr(value, "__dict__", ()), *(name for name in slots if hasattr(value, name))})
    if callable(value) or not names:
        return getattr(value, "__qualname__", type(value).__name__)
    return type(value).__name__, tuple((name, frozen(getattr(value, name), met)) for name in names)
