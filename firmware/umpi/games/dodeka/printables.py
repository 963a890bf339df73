"""What can be printed of Dodéka: chips, the track of a set with the combinations, a grid, score sheets."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import gcd

from umpi.games.dodeka.combinations import PAIRTRAIZ, combination
from umpi.games.dodeka.rules import DICE, Dodeka
from umpi.kernel import message
from umpi.kernel.printable import (
    BLACK,
    GREY,
    PALE,
    WHITE,
    Label,
    Mark,
    Needs,
    Outline,
    Piece,
    Pieces,
    Rows,
    Scores,
    Sheet,
    Thing,
    box,
    circle,
)

SIZE = (186.0, 234.0)
COLUMNS = 10
CELL = (18.0, 12.5)
LEFT, TOP = 3.0, 8.0
LINE = 7.0  # the distance of two combinations
WORTH = 183.0  # where the points of a combination end
SETS, ROUNDS = 12, 16
CHIP = 23.5
WARNING = 500  # points of the chip that announces the end of a set
CHIPS = {10: 28, 50: 10, 100: 30, WARNING: 12}  # for six players who change whenever they can, and some to change
NAMES = {
    PAIRTRAIZ: message("Pairtraiz: 13 with a pair"), "brelan": message("Triple: three alike"),
    "thirteen": message("Thirteen: the sum is 13"), "suite": message("Run: three in a row"),
    "pair": message("Pair: two alike"),
}  # fmt: skip


def printables(language: str) -> tuple[Sheet, ...]:
    """Return the sheets of the game."""
    target = Dodeka.setup(2).target
    sets = tuple(message("Set {number}", number=number) for number in range(1, 1 + SETS))
    rounds = tuple(message("Round {number}", number=number) for number in range(1, 1 + ROUNDS))
    chips = tuple(_chip(points, target) for points, count in CHIPS.items() for _ in range(count))
    return (
        Needs("needs", message("What you need"), (
            Thing("dice", message("twelve-sided dice: opposite sides add up to 13, and 6 and 9 are underlined"), DICE),
            Thing("tray", message("a tray or a lid to roll in"), 1),
            Thing("token", message(
                "a token for each player, to mark points on the track if you have no chips"
            ), Dodeka.seats[-1]),
            Thing("starter", message("a coin that marks who started the set"), 1),
        )),
        Pieces("chips", message("Chips"), chips),
        Pieces("track", message("Track of a set"), (Piece(SIZE, tuple(track(target))),)),
        Scores(
            "grid", message("Grid of the match"), (Rows("", sets),), message("Total"),
            note=message("After each set, the last player pays their points to the winner. The others score 0."),
        ),
        Scores(
            "scores", message("Score sheet for one set"), (Rows("", rounds),),
            columns=(message("points"), message("total")),
            note=message("The set ends with the round in which a player reaches {target} points.", target=target),
        ),
    )  # fmt: skip


def _chip(points: int, target: int) -> Piece:
    """Return a chip; that of 500 is dark and says that the end of the set is near."""
    middle, dark = CHIP / 2, points == WARNING
    ink = WHITE if dark else BLACK
    marks: list[Mark] = [Outline(circle(middle - 0.8), BLACK if dark else "", BLACK, 0.5, (middle, middle))]
    for ring in range(0 if dark else list(CHIPS).index(points)):
        marks.append(Outline(circle(middle - 2 - 0.9 * ring), "", GREY, 0.3, (middle, middle)))
    marks.append(Label((middle, middle + 2.2), str(points), 17, CHIP - 10, "centre", bold=True, ink=ink))
    if dark:
        marks.append(Label((middle, middle - 4.4), "!", 12, 0, "centre", bold=True, ink=ink))
        text = message("{target} is near", target=target)
        marks.append(Label((middle, middle + 5.6), text, 6, CHIP - 10, "centre", ink=ink))
    return Piece((CHIP, CHIP), tuple(marks))


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
    end = message("Grey means {target} or more: the last round", target=target)
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
