"""What can be printed of Dohdles!: solution sheets, suggestion boards and a score sheet.

The folder `suggestions` has one file per language: questions, an empty line, then the terms of each board in a line.
"""

from __future__ import annotations

from importlib.resources import files

from umpi.games.dohdles.riddle import LETTERS, MOST_RIDDLES
from umpi.kernel import message
from umpi.kernel.printable import BLACK, GREY, Label, Mark, Outline, Piece, Pieces, Rows, Scores, Sheet, box

ENGLISH = "en"
FOLDER = files("umpi.games.dohdles") / "suggestions"
SLIP = (93.0, 60.0)
BOX = 14.0  # a place for a letter
BOARD = (186.0, 120.0)
SPARE = 4  # solution sheets that somebody spoils
GUESSES = 20


def printables(language: str) -> tuple[Sheet, ...]:
    """Return the sheets of the game; the suggestions are in English if there are none in the language."""
    questions, boards = suggestions(language)
    guesses = Rows("", tuple(message("Guess {number}", number=number) for number in range(1, 1 + GUESSES)))
    return (
        Pieces("solutions", message("Solution sheets"), (_slip(),) * (MOST_RIDDLES + SPARE)),
        Pieces("suggestions", message("Suggestion boards"), tuple(_board(questions, terms) for terms in boards)),
        Scores(
            "scores", message("Score sheet"), (guesses,), columns=(message("steps"), message("token at")),
            note=message("Steps: + by the green arrows or as the creator's reward, − by the red arrows."),
        ),
    )  # fmt: skip


def suggestions(language: str) -> tuple[list[str], list[list[str]]]:
    """Return the questions and the terms of each board."""
    own = FOLDER / f"{language}.txt"
    text = (own if own.is_file() else FOLDER / f"{ENGLISH}.txt").read_text(encoding="utf-8")
    questions, boards = text.strip().split("\n\n")
    return questions.splitlines(), [line.split(", ") for line in boards.splitlines()]


def _slip() -> Piece:
    """Return a solution sheet: the lower half, with the letters, stays visible beside the board."""
    wide = SLIP[0]
    left = (wide - LETTERS * BOX) / 2
    marks: list[Mark] = [
        Label((5, 8), message("Riddle:"), 9),
        Outline(f"M 24 8.5 L {wide - 5} 8.5", "", GREY, 0.25),
        Label((5, 15), message("Write the word on the back."), 8, wide - 10),
        Label((5, 20), message("Hide this half under the board."), 8, wide - 10),
        Outline(f"M 0 24 L {wide} 24", "", GREY, 0.25, dashed=True),
    ]
    for place in range(LETTERS):
        x = left + place * BOX
        marks.append(Outline(box(x, 33, BOX, 19), "", BLACK, 0.4))
        marks.append(Label((x + BOX / 2, 31), str(place + 1), 10, align="centre", bold=True))
    return Piece(SLIP, tuple(marks))


def _board(questions: list[str], terms: list[str]) -> Piece:
    """Return a suggestion board: fold it, so that only its player sees the terms."""
    wide, high = BOARD
    half = wide / 2
    line = (high - 30) / len(questions)
    marks: list[Mark] = [
        Outline(f"M {half} 0 L {half} {high}", "", GREY, 0.25, dashed=True),
        Label((6, 11), message("Questions"), 13, half - 12, bold=True),
        Label((half + 6, 11), message("Terms to sculpt"), 13, half - 12, bold=True),
        Label((6, high - 6), message("Do not ask for the word, a letter or the length."), 7.5, half - 12),
        Label((half + 6, high - 6), message("Fold back along the dashed line."), 7.5, half - 12),
    ]
    for number, question in enumerate(questions):
        marks.append(Label((6, 20 + number * line), question, 10, half - 12))
    for number, term in enumerate(terms):
        marks.append(Label((half + 6, 20 + number * line), term, 11, half - 12))
    return Piece(BOARD, tuple(marks))
