"""The dodes that may strike, those they may strike, and the attack that takes most."""

from __future__ import annotations

from itertools import product

from umpi.games.battledodes.dodes import HEXES, NUMBERS, Side

Strikes = tuple[tuple[int, int], ...]  # attacker and target


def on_hex(side: Side, hex: int) -> tuple[int, ...]:
    """List the dodes on a hexagon of this multiplier."""
    return tuple([number for number in NUMBERS if side[number - 1].hex == hex])


def attackers(mine: Side, theirs: Side, spent: tuple[int, ...]) -> tuple[int, ...]:
    """List the dodes that have not struck yet and find one to strike; the dead zone is out of it."""
    there = {dode.hex for dode in theirs}
    return tuple(
        [n for n, dode in zip(NUMBERS, mine, strict=True) if dode.hex and dode.hex in there and n not in spent]
    )


def best_attack(mine: Side, theirs: Side, spent: tuple[int, ...] = ()) -> tuple[Strikes, int]:
    """Find the strikes that take most of what the other seat would score, as few as will do, and what they take.

    Exact: every way to strike is tried, hexagon by hexagon.

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
        plan = max(plans, key=lambda plan: (_taken(plan, mine, theirs), -len(plan)))
        strikes += plan
        taken += _taken(plan, mine, theirs)
    return tuple(sorted(strikes)), taken


def _taken(strikes: Strikes, mine: Side, theirs: Side) -> int:
    """Count the points that strikes take; a target loses no more than it is worth."""
    left = [dode.face for dode in theirs]
    for by, on in strikes:
        left[on - 1] = max(0, left[on - 1] - mine[by - 1].face)
    return sum((dode.face - face) * dode.hex for dode, face in zip(theirs, left, strict=True))
