"""Rounds: who plays at which table. Players who have met least often, and have won about as often, play together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from umpi.frozen import frozen
from umpi.timing.lines import COLOURS


@frozen
class Pairing:
    """The players of a table for the next match, in the order of their buttons."""

    box: str
    players: tuple[str, ...]

    def offer(self, game: str) -> dict[str, object]:
        """Return the match that the box shall offer, as its API takes it."""
        seats = zip(COLOURS, self.players, strict=False)
        return {"game": game, "players": [{"button": button, "name": name} for button, name in seats]}


def met(tables: Sequence[Sequence[str]]) -> dict[frozenset[str], int]:
    """Count how often each two players have met."""
    found: dict[frozenset[str], int] = {}
    for players in tables:
        for pair in combinations(players, 2):
            found[frozenset(pair)] = found.get(frozenset(pair), 0) + 1
    return found


def next_round(
    players: Sequence[str],
    boxes: Sequence[str],
    size: int,
    tables: Sequence[Sequence[str]],
    won: Mapping[str, int],
) -> list[Pairing]:
    """Return the tables of the next round, with `size` players each; the others rest. `tables` are those before.

    The best player without a table gets those whom they have met least. Among these, players come first who have won
    about equally often. Those who have rested before are seated first, because they have played the fewest matches.
    """
    before, matches = met(tables), Counter(name for table in tables for name in table)
    wins = {name: won.get(name, 0) for name in players}
    seated = min(len(players) // size, len(boxes)) * size
    resting = sorted(players, key=lambda name: (matches[name], -wins[name], name))[seated:]
    left = sorted({*players} - {*resting}, key=lambda name: (-wins[name], name))
    found = []
    for box in boxes[: seated // size]:
        table = [left.pop(0)]
        while len(table) < size:
            best = min(left, key=lambda name: (_met(name, table, before), abs(wins[name] - wins[table[0]]), name))
            left.remove(best)
            table.append(best)
        found.append(Pairing(box, tuple(table)))
    return found


def _met(name: str, table: Sequence[str], before: Mapping[frozenset[str], int]) -> int:
    return sum(before.get(frozenset((name, other)), 0) for other in table)
