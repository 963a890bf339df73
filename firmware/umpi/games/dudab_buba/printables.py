"""What can be printed of Dudab Buba: the deck, the cards of each expansion, and a score sheet."""

from __future__ import annotations

from umpi.games.dudab_buba.cards import BABY, COPIES, DUDAB, JUNGLE, SHAMANS, attributes, colour_of, deck
from umpi.kernel import message
from umpi.kernel.printable import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    PURPLE,
    RED,
    YELLOW,
    Deck,
    Face,
    Needs,
    Rows,
    Scores,
    Sheet,
    Thing,
)

INKS = {"blue": BLUE, "red": RED, "yellow": YELLOW, "green": GREEN}
NAMES = {
    "hand": message("Hand"), "mammoth": message("Mammoth"), "club": message("Club"), "hide": message("Hide"),
    "shaman": message("Shaman"), DUDAB: message("Dudab"), JUNGLE: message("Jungle"), BABY: message("Baby"),
}  # fmt: skip
SYMBOLS = {
    "hand": "M 34 98 L 32 74 C 22 66 14 56 6 46 C 2 40 10 34 15 39 L 28 52 L 24 18 C 23 10 33 9 35 17 L 41 44 "
    "L 43 8 C 43 1 53 1 54 8 L 56 44 L 62 12 C 64 5 73 7 72 15 L 69 48 L 78 26 C 81 19 89 23 87 30 L 78 62 "
    "C 76 76 72 82 70 98 Z",
    "mammoth": "M 6 62 C 6 40 18 26 34 26 C 38 14 52 8 62 14 C 70 10 82 14 86 26 C 94 32 96 46 94 60 "
    "C 93 72 92 80 96 86 C 90 92 84 84 84 74 C 84 68 82 62 78 60 C 80 70 74 78 64 76 C 70 72 72 66 70 60 L 68 62 "
    "L 68 92 L 56 92 L 54 72 L 36 72 L 34 92 L 20 92 L 18 70 C 14 76 12 80 8 84 C 6 76 6 70 6 62 Z "
    "M 76 30 L 81 30 L 81 35 L 76 35 Z",
    "club": "M 12 96 C 6 94 4 90 8 84 L 48 40 C 50 22 62 6 78 4 C 92 2 99 12 96 26 C 93 42 78 52 62 54 L 18 95 "
    "C 16 97 14 97 12 96 Z M 66 30 L 72 24 L 78 30 L 72 36 Z M 80 16 L 85 11 L 90 16 L 85 21 Z",
    "hide": "M 20 6 L 34 18 C 44 22 56 22 66 18 L 80 6 L 92 20 L 80 34 C 76 46 76 56 80 66 L 94 80 L 82 94 L 66 82 "
    "C 56 80 54 84 50 96 C 46 84 44 80 34 82 L 18 94 L 6 80 L 20 66 C 24 56 24 46 20 34 L 8 20 Z",
    "shaman": "M 50 98 C 30 98 22 74 22 54 C 10 46 4 30 8 8 C 16 24 24 30 32 32 C 42 26 58 26 68 32 "
    "C 76 30 84 24 92 8 C 96 30 90 46 78 54 C 78 74 70 98 50 98 Z M 32 52 L 45 57 L 34 63 Z M 68 52 L 55 57 L 66 63 Z "
    "M 40 77 L 60 77 L 56 84 L 44 84 Z",
    DUDAB: "M 10 12 L 90 12 C 95 12 98 15 98 20 L 98 62 C 98 67 95 70 90 70 L 52 70 L 30 94 L 32 70 L 10 70 "
    "C 5 70 2 67 2 62 L 2 20 C 2 15 5 12 10 12 Z M 44 20 L 56 20 L 54 46 L 46 46 Z M 45 52 L 55 52 L 55 62 L 45 62 Z",
    JUNGLE: "M 8 92 C 4 50 30 8 94 6 C 92 70 50 96 16 86 L 10 98 L 4 96 Z "
    "M 20 80 C 34 60 50 42 72 28 C 54 46 38 64 24 84 Z",
    BABY: "M 90 54 C 90 76 72 94 50 94 C 28 94 10 76 10 54 C 10 32 28 14 46 14 C 44 6 52 2 58 6 C 54 8 54 12 56 14 "
    "C 74 17 90 34 90 54 Z M 32 46 L 40 46 L 40 55 L 32 55 Z M 60 46 L 68 46 L 68 55 L 60 55 Z "
    "M 34 66 C 40 80 60 80 66 66 C 60 72 40 72 34 66 Z",
}
ROUNDS = 6  # one per player at most


def printables(language: str) -> tuple[Sheet, ...]:
    """Return the sheets of the game."""
    rows = (message("Dudabs in hand × 5"), message("Shamans left × 5"), message("Numbers"), message("Babies"))
    rounds = tuple(Rows(message("Round {number}: sum", number=number), rows) for number in range(1, 1 + ROUNDS))
    cards = len(deck(jungle=True, baby=True))
    return (
        Needs("needs", message("What you need"), (
            Thing("sleeves", message("card sleeves with a playing card behind each print"), cards),
            Thing("pencil", message("a pencil for the score sheet"), 1),
        )),
        Deck("deck", message("Deck"), tuple(map(_face, deck(jungle=False, baby=False)))),
        Deck("jungle", message("Expansion: jungle"), tuple(map(_face, (JUNGLE,) * COPIES[JUNGLE]))),
        Deck("baby", message("Expansion: baby"), tuple(map(_face, (BABY,) * COPIES[BABY]))),
        Scores(
            "scores", message("Score sheet"), rounds, message("Total"),
            note=message("The fewest points win. Negated numbers and babies count as minus points."),
        ),
    )  # fmt: skip


def _face(card: str) -> Face:
    if card in attributes:
        colour, symbol, value = attributes[card]
        name = message("{name} {value}", name=NAMES[symbol], value=value)
        return Face(value, SYMBOLS[symbol], INKS[colour], name, colour)
    if card in SHAMANS:
        return Face("", SYMBOLS["shaman"], INKS[colour_of[card]], NAMES["shaman"], colour_of[card])
    return Face("", SYMBOLS[card], {DUDAB: BLACK, JUNGLE: PURPLE, BABY: GREY}[card], NAMES[card])
