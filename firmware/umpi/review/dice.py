"""The faces that dice have shown in the matches of a journal, and whether fair dice show such faces."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import NormalDist

from umpi.frozen import frozen
from umpi.kernel.fields import Some
from umpi.kernel.match import Match
from umpi.kernel.record import Find
from umpi.lab.evenings import records_of
from umpi.lab.intervals import Z95
from umpi.lab.measures import even

BIAS = 0.1  # how much too often a face falls: the bias for which the number of throws is printed
FOUND = 0.8  # how often such a bias is then found

Faces = dict[int, dict[str, Counter[int]]]  # by sides and player, how often each face was shown


@frozen
class Shown:
    """The faces of one player's dice, or of all (name None): how often each was shown, from face 1."""

    name: str | None
    faces: tuple[int, ...]

    @property
    def throws(self) -> int:
        """Return the number of thrown dice."""
        return sum(self.faces)

    @property
    def p(self) -> float | None:
        """Return how likely fair dice differ as much or more (chi-square); None below five throws per face.

        >>> round(Shown("Ann", (60, 40)).p or 0, 4), Shown("Ben", (3, 2)).p
        (0.0455, None)
        """
        return even(self.faces)


@frozen
class DiceShown:
    """The faces of all dice with so many sides: of everybody, then of each player."""

    sides: int
    rows: tuple[Shown, ...]

    @property
    def throws_to_see(self) -> int:
        """Return how many throws it takes to see a face that falls 10 % too often.

        A test of this face at 5 % then finds it four times in five. By the normal distribution.

        >>> DiceShown(12, ()).throws_to_see, DiceShown(6, ()).throws_to_see
        (8634, 3925)
        """
        p = 1 / self.sides
        return math.ceil((Z95 + NormalDist().inv_cdf(FOUND)) ** 2 * p * (1 - p) / (BIAS * p) ** 2)


def read_dice(path: Path, find: Find, game: str | None = None) -> tuple[list[DiceShown], list[str]]:
    """Return the dice of all matches of a journal, or of one game, and why some matches are not counted.

    Raises what `records_of` raises.
    """
    faces: Faces = defaultdict(lambda: defaultdict(Counter))
    unread = []
    for kept in records_of(path, find, game):
        if isinstance(kept, str):
            unread.append(kept)
            continue
        for name, sides, shown in thrown(kept.match):
            faces[sides][name].update(shown)
    return [_counted(sides, faces[sides]) for sides in sorted(faces)], unread


def thrown(match: Match) -> Iterator[tuple[str, int, Sequence[int]]]:
    """Yield the throws on the table: who threw, the sides of the dice, and the faces."""
    for index, act in enumerate(match.acts):
        ask = match.asked(index)
        seat = act.given.get("seat", ask.seat)
        if not isinstance(seat, int):
            continue
        for field in ask.walk(dict(act.given)):
            shown = act.given.get(field.name)
            if field.source != "table" or not isinstance(field, Some) or not isinstance(shown, tuple):
                continue
            if field.again and field.pool == range(1, len(field.pool) + 1):
                yield match.players[seat], len(field.pool), [face for face in shown if isinstance(face, int)]


def _counted(sides: int, players: dict[str, Counter[int]]) -> DiceShown:
    rows = [Shown(name, _row(sides, players[name])) for name in sorted(players)]
    everybody = sum(players.values(), Counter[int]())
    return DiceShown(sides, (Shown(None, _row(sides, everybody)), *rows))


def _row(sides: int, faces: Counter[int]) -> tuple[int, ...]:
    return tuple(faces[face] for face in range(1, sides + 1))
