"""Attacks in Battledodes: which dodes may attack, their targets, and the best attack."""

from __future__ import annotations

from itertools import product

from umpi.games.battledodes.dodes import HEXES, MULTIPLIERS, Side, numbers

Strikes = tuple[tuple[int, int], ...]  # attacker and target


def on_hex(side: Side, hex: int) -> tuple[int, ...]:
    """Return the dodes on a hexagon with this multiplier."""
    return tuple([number for number in numbers(side) if side[number - 1].hex == hex])


def attackers(mine: Side, theirs: Side, spent: tuple[int, ...]) -> tuple[int, ...]:
    """Return the dodes that have not attacked in this turn and have a target; dodes in the dead zone have none."""
    there = {dode.hex for dode in theirs}
    return tuple([n for n, dode in enumerate(mine, 1) if dode.hex and dode.hex in there and n not in spent])


def best_attack(
    mine: Side, theirs: Side, spent: tuple[int, ...] = (), multipliers: tuple[int, ...] = MULTIPLIERS
) -> tuple[Strikes, int]:
    """Return the strikes that take most points from the other seat, and how many points they take.

    It returns as few strikes as possible. The result is exact: every plan is tried, hexagon by hexagon.

    >>> from umpi.games.battledodes.dodes import OUT, Dode
    >>> six, ten, five = (Dode("board", face, 3) for face in (6, 10, 5))
    >>> best_attack((six, OUT, OUT, OUT), (ten, five, OUT, OUT))
    (((1, 1),), 18)
    """
    free = attackers(mine, theirs, spent)
    strikes, taken = list[tuple[int, int]](), 0
    for hex in HEXES[1:]:
        strikers = [number for number in on_hex(mine, hex) if number in free]
        ways = product((0, *on_hex(theirs, hex)), repeat=len(strikers))
        plans = [tuple((by, on) for by, on in zip(strikers, way, strict=True) if on) for way in ways]
        plan = max(plans, key=lambda plan: (_taken(plan, mine, theirs, multipliers), -len(plan)))
        strikes += plan
        taken += _taken(plan, mine, theirs, multipliers)
    return tuple(sorted(strikes)), taken


def _taken(strikes: Strikes, mine: Side, theirs: Side, multipliers: tuple[int, ...]) -> int:
    """Return the points that strikes take; a target loses at most its worth."""
    left = [dode.face for dode in theirs]
    for by, on in strikes:
        left[on - 1] = max(0, left[on - 1] - mine[by - 1].face)
    return sum((dode.face - face) * multipliers[dode.hex] for dode, face in zip(theirs, left, strict=True))
