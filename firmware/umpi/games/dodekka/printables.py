"""What can be printed of Dodekka: the deck and a score sheet."""

from __future__ import annotations

from umpi.games.dodekka.cards import DECK, ELEMENTS, value_of
from umpi.kernel import message
from umpi.kernel.printable import BLUE, GREEN, PURPLE, RED, YELLOW, Deck, Face, Needs, Rows, Scores, Sheet, Thing

INKS = dict(zip(ELEMENTS, (RED, BLUE, PURPLE, GREEN, YELLOW), strict=True))
NAMES = {
    "fire": message("Fire"), "water": message("Water"), "air": message("Air"), "earth": message("Earth"),
    "ether": message("Ether"),
}  # fmt: skip
SYMBOLS = {
    "fire": "M 50 4 C 56 24 84 38 84 66 C 84 86 68 97 50 97 C 32 97 16 86 16 66 C 16 50 26 42 30 30 "
    "C 36 38 40 42 42 44 C 50 34 52 20 50 4 Z M 50 60 C 58 68 64 74 64 82 C 64 90 58 94 50 94 "
    "C 42 94 36 90 36 82 C 36 74 44 70 50 60 Z",
    "water": "M 50 5 C 62 28 82 46 82 66 C 82 84 68 96 50 96 C 32 96 18 84 18 66 C 18 46 38 28 50 5 Z "
    "M 30 62 C 30 78 40 87 52 88 C 42 82 37 74 37 62 Z",
    "air": "M 8 30 L 52 30 C 64 30 64 12 54 12 C 48 12 45 16 45 20 L 37 20 C 37 10 44 4 54 4 C 74 4 74 38 52 38 "
    "L 8 38 Z M 8 47 L 80 47 C 88 47 90 36 82 35 C 78 35 76 38 76 41 L 68 41 C 68 32 75 27 83 27 "
    "C 102 29 100 55 80 55 L 8 55 Z M 8 64 L 62 64 C 88 64 86 96 64 96 C 54 96 47 90 47 81 L 55 81 "
    "C 55 85 58 88 64 88 C 76 88 74 72 62 72 L 8 72 Z",
    "earth": "M 3 92 L 38 20 L 54 52 L 66 34 L 97 92 Z M 38 33 L 47 53 L 40 48 L 34 55 L 28 53 Z",
    "ether": "M 50 2 C 54 34 66 46 98 50 C 66 54 54 66 50 98 C 46 66 34 54 2 50 C 34 46 46 34 50 2 Z "
    "M 50 40 L 60 50 L 50 60 L 40 50 Z",
}
GAMES = 3  # on one score sheet


def printables(language: str) -> tuple[Sheet, ...]:
    """Return the sheets of the game."""
    kinds = tuple(NAMES[element] for element in ELEMENTS)
    rows = (*kinds, message("Best sum"), message("All other cards"), message("Points"))
    games = tuple(Rows(message("Match {number}", number=number), rows) for number in range(1, 1 + GAMES))
    return (
        Needs("needs", message("What you need"), (
            Thing("sleeves", message("card sleeves with a playing card behind each print"), len(DECK)),
        )),
        Deck("deck", message("Deck"), tuple(map(_face, DECK))),
        Scores(
            "scores", message("Score sheet"), games, columns=(message("sum"), message("cards")),
            note=message("Points: the sum of the best element, less 1 for each card of the others."),
        ),
    )  # fmt: skip


def _face(card: str) -> Face:
    element, value = card.split("-")[0], value_of[card]
    return Face(
        str(value), SYMBOLS[element], INKS[element], message("{name} {value}", name=NAMES[element], value=value)
    )
