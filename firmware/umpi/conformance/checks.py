"""The list of checks: their names, and the positions that each of them examines."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import partial

from umpi.conformance import (
    board,
    calls,
    declaration,
    everywhere,
    hands,
    identities,
    keyed,
    legality,
    now,
    offers,
    purity,
    shape,
    table_setup,
    texts,
    unseen,
)
from umpi.conformance.averages import Averages
from umpi.conformance.flaws import Look
from umpi.conformance.lesson import has_lesson
from umpi.conformance.presses import Presses, answered
from umpi.conformance.speed import Speed
from umpi.frozen import frozen
from umpi.kernel.game import Game, gives
from umpi.kernel.match import Match

CHECKS = (
    "declaration", "purity", "legality", "offers", "end", "turns", "record", "undo", "amend", "texts", "screens",
    "presses", "audit", "view", "board", "calls", "now", "setup", "hands", "lesson", "worths", "speed",
)  # fmt: skip
OPTIONAL: Mapping[str, Callable[[type[Game]], bool]] = {  # checks of what an engine may leave out: whether it is there
    "audit": partial(gives, member=Game.audit), "view": partial(gives, member=Game.view),
    "board": partial(gives, member=Game.shown_board), "calls": partial(gives, member=Game.calls),
    "now": partial(gives, member=Game.now), "setup": partial(gives, member=Game.table_setup),
    "hands": partial(gives, member=Game.own_hand), "lesson": has_lesson, "worths": lambda game: game.worths is not None,
}  # fmt: skip
FOLLOWERS = frozenset(
    ("texts", "screens", "presses", "record", "undo", "amend", "speed")
)  # may fail because of another flaw


def every(match: Match) -> Hashable:
    """Return the same kind for all positions."""
    return ()


def _each(number: int) -> bool:
    return True


@frozen
class Check:
    """A check: its look, and the choice of the positions to examine.

    Positions of the same `kind` are counted from 1. The look examines those whose number `often` accepts.
    """

    name: str
    look: Look
    kind: Callable[[Match], Hashable] = every
    often: Callable[[int], bool] = _each


def on_the_way(presses: Presses, averages: Averages) -> tuple[Check, ...]:
    """Return the checks that run on positions while a game is played."""
    return (
        Check("declaration", shape.offered, offered, _some),
        Check("declaration", declaration.answered, offered, _some),
        Check("declaration", declaration.json_facts, offered, _some),
        Check("setup", table_setup.described, table_setup.table, _first),
        Check("purity", purity.still, often=_thinned),
        Check("purity", purity.pure, offered, _some),
        Check("purity", purity.apart, offered, _first),
        Check("legality", legality.lawful, offered, _few),
        Check("legality", legality.refused, offered, _few),
        Check("offers", offers.sound, often=_thinned),
        Check("offers", unseen.independent, offered, _some),
        Check("end", offers.going, offered, _some),
        Check("texts", texts.fitting, texts.shape, _first),
        Check("texts", texts.fitting, offered, _few),
        Check("screens", everywhere.shown_everywhere, often=_thinned),
        Check("presses", presses.look, answered, _few),
        Check("presses", keyed.played, offered, _few),
        Check("audit", offers.audited),
        Check("view", offers.viewed, often=_thinned),
        Check("board", board.boarded, often=_thinned),
        Check("calls", calls.called, often=_thinned),
        Check("now", now.instructed, often=_thinned),
        Check("hands", hands.unseen, offered, _some),
        Check("worths", averages.look, offered, _some),
    )


def at_the_end(speed: Speed) -> tuple[Check, ...]:
    """Return the checks that run on a complete game."""
    return (
        Check("record", identities.recorded),
        Check("undo", identities.undone),
        Check("amend", identities.amended),
        Check("speed", speed.look),
    )


def offered(match: Match) -> Hashable:
    """Return the number of players, the phase, and the verbs and fields of the offer."""
    asks = tuple((ask.verb, *(field.name for field in ask.fields)) for ask in match.asks)
    return len(match.players), match.now.phase, asks


def _first(number: int) -> bool:
    return number == 1


def _thinned(number: int) -> bool:
    return number <= 5_000 or number % 16 == 0


def _some(number: int) -> bool:
    return number <= 4 or number % 32 == 0


def _few(number: int) -> bool:
    return number <= 2 or number % 64 == 0
