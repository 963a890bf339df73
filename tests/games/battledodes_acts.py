"""Acts of Battledodes in few letters, and matches after them."""

from __future__ import annotations

from typing import Any

import pytest
from battledodes_reference import PLAYERS

from umpi.games.battledodes import Battledodes
from umpi.kernel import Act, Ask, Match, Refused

AGAIN = Act("answer", {"choice": "reroll"})


DONE = Act("done")


def land(dode: int, face: int, hex: int, **shifted: Any) -> Act:
    return Act("land", {"dode": dode, "face": face, "hex": hex, **shifted})


def miss(dode: int, why: str = "out") -> Act:
    return Act("miss", {"dode": dode, "why": why})


def waive(dode: int) -> Act:
    return Act("waive", {"dode": dode})


def crash(dode: int, *hit: int) -> Act:
    return Act("crash", {"dode": dode, "hit": hit})


def clash(dode: int, *hit: int) -> Act:
    return Act("clash", {"dode": dode, "hit": hit})


def keep(*dodes: int) -> Act:
    return Act("keep", {"dodes": dodes})


def attack(by: int, on: int) -> Act:
    return Act("attack", {"with": by, "on": on})


def lay(*rolls: tuple[int, int]) -> list[Act]:
    return [land(number, face, hex) for number, (face, hex) in enumerate(rolls, 1)]


ANN = lay((8, 3), (5, 2), (12, 1), (4, 0))  # the sheet's 46; then Ben rolls


STRIKE = [*lay((10, 3), (9, 3), (2, 1), (8, 5)), *lay((6, 3), (4, 3), (2, 1), (7, 0))]  # then Ben attacks


def after(*acts: Act, faces: tuple[int, int] = (9, 4), **options: int) -> Match:
    match = Match(Battledodes, PLAYERS, options)
    for act in [Act("roll-off", {"faces": faces}), *acts]:
        match.play(act)
    return match


def why_not(match: Match, act: Act) -> str:
    with pytest.raises(Refused) as refused:
        match.play(act)
    return str(refused.value)


def ask_of(match: Match, verb: str) -> Ask:
    return next(ask for ask in match.asks if ask.verb == verb)
