"""Enumerate a game: every position that a scope reaches, every act that is offered there, and the near misses.

Positions are visited in the order of their distance from the start. So the record of a flaw has as few acts as any that
shows it. If a scope names a symmetry, one position stands for all that are alike. The symmetry is not trusted: of each
position that has others like it, one of them is compared, and then some more.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from itertools import permutations
from typing import NamedTuple

from umpi.conformance import legality, now, offers
from umpi.conformance.declaration import scoped
from umpi.conformance.examine import unlogged
from umpi.conformance.flaws import Flaw, Flawed, Look, at_fault, shown, written
from umpi.conformance.patience import MEMORY, Stuck, memory, watched
from umpi.conformance.perft import legal
from umpi.conformance.shortest import found
from umpi.conformance.still import offer, traced
from umpi.conformance.tables import players
from umpi.conformance.winners import Winners
from umpi.frozen import frozen
from umpi.kernel.blame import blame
from umpi.kernel.game import Act, Game
from umpi.kernel.match import Match
from umpi.kernel.nothing import nothing
from umpi.kernel.record import Header
from umpi.kernel.scope import Scope

LIMIT = 1_000_000  # positions of a scope, unless another limit is given; each needs a kilobyte or more
FULL = MEMORY * 3 // 4  # bytes that the positions may take; the rest is for a call of the engine
WEIGHED = 64  # new positions between two looks at the memory
OFTEN = 500  # positions between two progress reports
SAMPLED = 16  # of the positions that are merged, one of so many is compared, and the first that is merged with each
LOOKS: tuple[tuple[str, Look], ...] = (
    ("offers", offers.sound), ("view", offers.viewed), ("audit", offers.audited), ("now", now.instructed),
    ("legality", legality.refused),
)  # fmt: skip

log = logging.getLogger(__name__)


@frozen
class Enumerated:
    """What was enumerated: the numbers of positions, of acts and of ends, and the first flaw, None if there is none.

    `merged` is the number of other positions that are like one of these, `compared` how many of them were compared.
    `left` is the number of positions that were reached and not examined. `full` says that more would not have had room
    in the memory.
    """

    scope: Scope
    positions: int
    merged: int
    compared: int
    acts: int
    ends: int
    left: int
    flaw: Flawed | None
    full: bool = False

    @property
    def text(self) -> str:
        """The numbers, for people."""
        whole = f"incomplete, {self.left:,} positions left" if self.left else "complete, 0 faults"
        whole += "; the memory has no room for others, so give the game smaller `scopes`" if self.full else ""
        state = "1 fault" if self.flaw else whole
        scope = f"{self.scope.seats} seats" + (f", the first {self.scope.acts} acts" if self.scope.acts else "")
        others = f" for {self.merged:,} like them ({self.compared:,} compared)" if self.scope.merged else ""
        return f"{scope}: {self.positions:,} positions{others}, {self.acts:,} acts, {self.ends:,} ends, {state}"


def enumerate_scopes(
    game: type[Game], limit: int = LIMIT, progress: Callable[[str], object] = nothing
) -> Iterator[Enumerated]:
    """Enumerate each scope of a game, and yield what was found in it.

    A game without scopes is enumerated with the fewest seats and its usual options. An enumeration ends at the first
    flaw, and after `limit` positions.
    """
    for scope in game.scopes or (Scope(game.seats[0]),):
        yield Enumeration(game, scope, limit, progress).run()


class Full(Exception):
    """Raised if the positions of a scope have taken the memory that is there for them."""


class Likeness(NamedTuple):
    """What positions share that a scope merges.

    `seats` has the score and the place of each seat, and whether it must act, in no order. `leads` counts the acts by
    their verb and by what decides the position that they lead to.
    """

    seats: tuple[tuple[int, int, bool], ...]
    verbs: tuple[str, ...]
    leads: Counter[tuple[str, int]]

    def unlike(self, other: Likeness) -> str:
        """Return how a position differs from another one, "" if it is like it."""
        if self.verbs != other.verbs:
            return f"it asks {_listed(self.verbs)}, the other one {_listed(other.verbs)}"
        if self.seats != other.seats:
            return f"it has the seats (score, place, acts) {self.seats}, the other one {other.seats}"
        for verb in self.verbs:
            own, others = ([n for (each, _), n in one.leads.items() if each == verb] for one in (self, other))
            if sum(own) != sum(others):
                return f'it accepts {sum(own):,} times "{verb}", the other one {sum(others):,} times'
        unlike = next((verb for verb, _ in self.leads - other.leads), "")
        return f'its "{unlike}" leads to other positions' if unlike else ""


class Enumeration:
    """Enumerate one scope."""

    def __init__(self, game: type[Game], scope: Scope, limit: int, progress: Callable[[str], object]) -> None:
        self._game, self._scope, self._limit, self._progress = game, scope, limit, progress
        self._header = Header(game, players(scope.seats), dict(scope.options))
        self._numbers: dict[Hashable, int] = {}  # of the positions, in the order in which they are reached
        self._ways: list[tuple[int, Act | None]] = []  # for each, the one before it and the act that leads there
        self._traces: list[int] = []  # for each, the hash of what it is
        self._offers: dict[int, int] = {}  # by the hash of each position, also of those merged, that of what it offers
        self._likenesses: dict[int, Likeness] = {}  # of positions that others were compared with
        self._merged = self._compared = 0
        self._ends = Counter[tuple[int, ...]]()  # by the scores
        self._winners = Winners()
        self._examined = self._acts = 0
        self._taken = set[tuple[str, str]]()  # the values of the scope that an act took, with the names of their fields
        self._at: list[Act] = []  # the acts to the position that is examined now
        self._before = memory()

    def run(self) -> Enumerated:
        """Enumerate the scope until it is complete, at its limit or has a flaw."""
        full, flaw = False, None
        try:
            with watched(self._game), unlogged():
                flaw = self._first_flaw()
        except Full:
            full = True
        except Stuck as fault:
            flaw = self._flawed("legality", Flaw(f"{fault} [{blame(fault, self._game)}]."))
        left = len(self._ways) - self._examined
        return Enumerated(
            self._scope, self._examined, self._merged, self._compared, self._acts, self._ends.total(), left, flaw, full
        )

    def _first_flaw(self) -> Flawed | None:
        for flaw in scoped(self._game, self._scope):
            return self._flawed("declaration", flaw)
        start = self._header.match()
        for check, flaw in self._reach(0, None, start):
            return self._flawed(check, flaw)
        while self._examined < min(len(self._ways), self._limit):
            self._at = self._path(self._examined)
            match = self._replayed(self._examined)
            if hash(traced(match.now)) != self._traces[self._examined]:
                return self._flawed("purity", Flaw("The same acts lead to another position if they are played again."))
            for check, flaw in self._examine(match, self._examined):
                return self._flawed(check, flaw)
            self._examined += 1
            if self._examined % OFTEN == 0:
                self._progress(f"{self._examined:,} of {len(self._ways):,} positions so far")
        if self._examined < len(self._ways):
            return None
        self._at = []
        for flaw in self._untaken():
            return self._flawed("declaration", flaw)
        return self._contrary_winners() or (self._unlike_seats() if self._scope.alike else None)

    def _examine(self, match: Match, number: int) -> Iterator[tuple[str, Flaw]]:
        """Look at a position, play each act that it offers, and yield what is wrong."""
        for check, look in LOOKS:
            if flaw := found(look, match, number):
                yield check, flaw
        if not match.asks:
            self._ends[match.now.scores()] += 1
            self._winners.add(match)
        if len(self._at) == self._scope.acts:
            return
        before, acts = (traced(match.now), offer(match.asks)), self._acts
        for act in legal(match.asks, self._scope.values):
            self._acts += 1
            self._taken.update((name, repr(act.given[name])) for name in self._scope.values if name in act.given)
            try:
                match.play(act)
            except Exception as fault:  # the engine's own code runs
                log.debug("%s is not accepted", shown(act), exc_info=True)
                yield "legality", Flaw(f"{shown(act)} is offered, but not accepted: {at_fault(fault, self._game)}", act)
            else:
                yield from self._reach(number, act, match)
                match.undo()
        if match.asks and self._acts == acts and not self._scope.values:
            yield "end", Flaw("It asks, but no act answers.")
        if (traced(match.now), offer(match.asks)) != before:
            yield "undo", Flaw("Acts that were played from here and undone have changed the position or its offer.")

    def _untaken(self) -> Iterator[Flaw]:
        """Yield the values of the scope that no act took.

        If positions are merged, one of them may stand for others in which the other values can be taken.
        """
        for name, values in self._scope.values.items():
            vain = [value for value in values if (name, repr(value)) not in self._taken]
            if vain and (len(vain) == len(values) or not self._scope.merged):
                yield Flaw(f'No act takes these values of "{name}" in the scope: {", ".join(map(repr, vain))}.')

    def _reach(self, before: int, act: Act | None, match: Match) -> Iterator[tuple[str, Flaw]]:
        """Note a position that is reached, and yield how it differs from what it must be like."""
        trace, offered = traced(match.now), hash(offer(match.asks))
        number = self._numbers.setdefault(self._merge(match, trace), len(self._ways))
        known = self._offers.setdefault(hash(trace), offered)
        if number == len(self._ways):
            self._ways.append((before, act))
            self._traces.append(hash(trace))
            if number % WEIGHED == WEIGHED - 1 and memory() - self._before > FULL:
                raise Full
        elif known != offered:
            yield "purity", Flaw("Other acts lead to an equal position that offers something else.", act)
        elif self._scope.merged and hash(trace) != self._traces[number]:
            self._merged += 1
            if number not in self._likenesses or self._merged % SAMPLED == 0:
                yield from self._compare(number, act, match)

    def _merge(self, match: Match, trace: Hashable) -> Hashable:
        """Return what a position has in common with all that are merged with it."""
        return self._scope.merged(match.now) if self._scope.merged else trace

    def _compare(self, number: int, act: Act | None, match: Match) -> Iterator[tuple[str, Flaw]]:
        """Compare a position with the one that stands for it, and yield how they differ."""
        self._compared += 1
        if number not in self._likenesses:
            self._likenesses[number] = self._likeness(self._replayed(number))
        why = self._likeness(match).unlike(self._likenesses[number])
        if why:
            way = ", ".join(map(shown, self._path(number))) or "no act"
            yield "symmetry", Flaw(f"The scope merges this position with that after {way}, but {why}.", act)

    def _likeness(self, match: Match) -> Likeness:
        """Return what a position shares with all that are like it: its seats in some order, and where its acts lead."""
        now, result = match.now, match.result
        places = result.places if result else (0,) * len(match.players)
        seats = zip(now.scores(), places, (seat == match.seat for seat in range(len(places))), strict=True)
        leads = Counter[tuple[str, int]]()
        for act in legal(match.asks, self._scope.values):
            match.play(act)
            leads[act.verb, hash(self._merge(match, traced(match.now)))] += 1
            match.undo()
        return Likeness(tuple(sorted(seats)), tuple(sorted(ask.verb for ask in match.asks)), leads)

    def _replayed(self, number: int) -> Match:
        """Return a match that is played to a position."""
        match = self._header.match()
        for act in self._path(number):
            match.play(act)
        return match

    def _path(self, number: int) -> list[Act]:
        """Return the acts that lead from the start to a position."""
        acts: list[Act] = []
        before, act = self._ways[number]
        while act is not None:
            acts.append(act)
            before, act = self._ways[before]
        return acts[::-1]

    def _contrary_winners(self) -> Flawed | None:
        contrary = self._winners.flaw()
        if contrary is None:
            return None
        flaw, header, acts = contrary
        return Flawed("end", flaw.why, header, 0, b"".join(written(header, acts)))

    def _unlike_seats(self) -> Flawed | None:
        """Compare the ends with those of the seats in another order."""
        for scores, ends in self._ends.items():
            for other in permutations(scores):
                if self._ends[other] != ends:
                    why = (
                        f"The scope says that all seats are alike, but {ends:,} ends have the scores {scores}, and "
                        f"{self._ends[other]:,} the scores {other}."
                    )
                    return Flawed("end", why)
        return None

    def _flawed(self, check: str, flaw: Flaw) -> Flawed:
        acts = [*self._at, *([flaw.act] if flaw.act else [])]
        return Flawed(check, flaw.why, self._header, 0, b"".join(written(self._header, acts)))


def _listed(verbs: tuple[str, ...]) -> str:
    return ", ".join(verbs) or "nothing"
