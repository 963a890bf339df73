"""What can be printed of Dodéka: the track of a set with the combinations, the grid of a match, and a score sheet."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import gcd

from umpi.games.dodeka.combinations import PAIRTRAIZ, combination
from umpi.games.dodeka.rules import DICE, Dodeka
from umpi.kernel import message
from umpi.kernel.printable import GREY, PALE, Label, Mark, Outline, Piece, Pieces, Rows, Scores, Sheet, box

SIZE = (186.0, 234.0)
COLUMNS = 10
CELL = (18.0, 12.5)
LEFT, TOP = 3.0, 8.0
LINE = 7.0  # the distance of two combinations
WORTH = 183.0  # where the points of a combination end
SETS, ROUNDS = 12, 16
NAMES = {
    PAIRTRAIZ: message("Pairtraiz: 13 and a pair"), "brelan": message("Triple: three alike"),
    "thirteen": message("Thirteen: the sum is 13"), "suite": message("Run: three in a row"),
    "pair": message("Pair: two alike"),
}  # fmt: skip


def printables(language: str) -> tuple[Sheet, ...]:
    """Return the sheets of the game."""
    target = Dodeka.setup(2).target
    sets = tuple(message("Set {number}", number=number) for number in range(1, 1 + SETS))
    rounds = tuple(message("Round {number}", number=number) for number in range(1, 1 + ROUNDS))
    return (
        Pieces("track", message("Track of a set"), (Piece(SIZE, tuple(track(target))),)),
        Scores(
            "grid", message("Grid of the match"), (Rows("", sets),), message("Total"),
            note=message("After each set: the winner + the points of the last, the last the same −, the others 0."),
        ),
        Scores(
            "scores", message("Score sheet of a set"), (Rows("", rounds),),
            columns=(message("points"), message("total")),
            note=message("The set ends with the round in which a player reaches {target} points.", target=target),
        ),
    )  # fmt: skip


def cells(target: int) -> tuple[int, ...]:
    """Return the points that a player can have in a set before any play-off.

    >>> cells(700)[:3], cells(700)[-1]
    ((0, 10, 20), 1190)
    """
    points = [points for _, points in kinds()]
    step = gcd(*points)
    return tuple(range(0, target - step + max(points) + 1, step))


def kinds() -> dict[tuple[str, int], int]:
    """Return the name and the points of each combination with its lowest sum: the pairtraiz, then the most points."""
    found: dict[tuple[str, int], int] = {}
    for faces in combinations_with_replacement(range(1, 13), DICE):
        kind = combination(faces)
        found[kind] = min(sum(faces), found.get(kind, sum(faces)))
    return dict(sorted(found.items(), key=lambda kind: (kind[0][0] != PAIRTRAIZ, -kind[0][1])))


def track(target: int) -> list[Mark]:
    """Return the track, a row of cells per hundred points, and the combinations below it."""
    marks: list[Mark] = []
    for number, points in enumerate(cells(target)):
        x, y = LEFT + number % COLUMNS * CELL[0], TOP + number // COLUMNS * CELL[1]
        marks.append(Outline(box(x, y, *CELL), PALE if points >= target else "", GREY, 0.25))
        marks.append(Label((x + 1.5, y + 4.5), str(points), 10, CELL[0] - 3, bold=points % 100 == 0))
    end = message("Grey, {target} and more: the last round", target=target)
    marks.append(Label((LEFT, TOP - 2.5), message("Put a token on your points of this set."), 9, 90))
    marks.append(Label((LEFT + COLUMNS * CELL[0], TOP - 2.5), end, 9, 85, "right", bold=True))
    rows = -(-len(cells(target)) // COLUMNS)
    return [*marks, *_combinations(TOP + rows * CELL[1] + 10)]


def _combinations(top: float) -> list[Mark]:
    marks: list[Mark] = []
    for number, ((name, points), low) in enumerate(kinds().items()):
        y = top + number * LINE
        text = NAMES.get(name) or (message("Sum of {low} or more", low=low) if points else message("Any other sum"))
        worth = message("wins the set") if name == PAIRTRAIZ else str(points)
        marks.append(Label((LEFT, y), text, 10, 120))
        marks.append(Label((WORTH, y), worth, 10, 45, "right", bold=True))
        marks.append(Outline(f"M {LEFT} {y + 2} L {WORTH} {y + 2}", "", GREY, 0.15))
    return marks
