"""Shortening of failing games: leave out acts as long as the flaw remains."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from functools import partial
from random import Random

from umpi.conformance.flaws import Flaw, Look, at_fault
from umpi.kernel.game import Act
from umpi.kernel.match import Match, Refused
from umpi.kernel.record import Header

log = logging.getLogger(__name__)

PATIENCE = 20_000  # the most acts to play for the shortening of one game
LOOK = 50  # the cost of a look, in acts


def found(look: Look, match: Match, seed: int) -> Flaw | None:
    """Return the first flaw that a look finds, None if there is none; a look that raises is a flaw too."""
    try:
        return next(look(match, partial(next, _drawn(seed))), None)
    except Exception as fault:  # the engine's own code runs
        log.debug("a look at %s fails", match.game.id, exc_info=True)
        return Flaw(f"The rules fail: {at_fault(fault, match.game)}.", crash=True)


def _drawn(seed: int) -> Iterator[float]:
    """Yield random numbers. Most looks need none, and to seed a generator costs more than they do."""
    chance = Random(seed).random
    while True:
        yield chance()


def shortest(header: Header, acts: Sequence[Act], flaw: Flaw, look: Look, seed: int) -> tuple[list[Act], Flaw]:
    """Return fewer acts that still show the flaw, and their flaw; large parts are left out first, then smaller ones."""
    best, played = list(acts), 0
    size = len(best)
    while size:
        at = 0
        while at < len(best) and played < PATIENCE:
            played += LOOK + len(best)
            match = _legal(header, best[:at] + best[at + size :])
            shorter = list(match.acts) if match else best
            wrong = found(look, match, seed) if match and len(shorter) < len(best) else None
            if wrong:
                best, flaw = shorter, wrong
            else:
                at += size
        size //= 2
    return best, flaw


def _legal(header: Header, acts: Sequence[Act]) -> Match | None:
    """Return a match with those of the acts that are still allowed, None if the engine fails."""
    try:
        match = header.match()
        for act in acts:
            try:
                match.play(act)
            except Refused:
                continue
    except Exception:
        return None
    return match
