"""What can be printed of Dohdles!: everything but the dough, the pens and, for a good funnel, wooden cubes.

The folder `suggestions` has one file per language: questions, an empty line, then the terms of each board in a line.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

from umpi.games.dohdles.board import PROPOSAL
from umpi.games.dohdles.drawn_board import drawn
from umpi.games.dohdles.funnel import nets
from umpi.games.dohdles.riddle import LETTERS, MOST_RIDDLES, SEATS
from umpi.kernel import message
from umpi.kernel.fields import Value
from umpi.kernel.printable import (
    BLACK,
    GREY,
    PALE,
    Label,
    Mark,
    Needs,
    Outline,
    Piece,
    Pieces,
    Rows,
    Scores,
    SeatMark,
    Sheet,
    Thing,
    box,
    polygon,
)

ENGLISH = "en"
FOLDER = files("umpi.games.dohdles") / "suggestions"
SLIP = (93.0, 60.0)
BOX = 14.0  # a place for a letter
BOARD = (186.0, 120.0)
CHIP = 16.0  # a chip of 15 mm with its rim
CHIPS_EACH = 3
TOKEN = (20.0, 84.0)
CUBE = 16.0
FLAP = 5.0
PLACARD = (150.0, 104.0)
SPARE = 4  # solution sheets that somebody spoils
GUESSES = 20


def printables(language: str) -> tuple[Sheet, ...]:
    """Return the sheets of the game; the suggestions are in English if there are none in the language."""
    questions, boards = suggestions(language)
    guesses = Rows("", tuple(message("Guess {number}", number=number) for number in range(1, 1 + GUESSES)))
    seats = range(len(SEATS))
    return (
        Needs("needs", message("What you need"), (
            Thing("dough", message("modelling dough, one colour for each player"), len(SEATS)),
            Thing("bags", message("bags or jars that keep the dough soft"), len(SEATS)),
            Thing("pens", message("a pen for each player"), len(SEATS)),
            Thing("cubes", message("wooden cubes of 16 mm in the players’ colours: better than paper"), len(SEATS)),
            Thing("dictionary", message("a dictionary, once you choose your own terms")),
            Thing("card", message("card of 160 to 250 g/m² for the funnel, tokens and placard; scissors, glue")),
        )),
        board_sheet(PROPOSAL),
        Pieces("funnel", message("Parts of the guess funnel"), nets(), message("cut, fold, glue")),
        Pieces("chips", message("Clue chips"), tuple(_chip(seat) for seat in seats for _ in range(CHIPS_EACH))),
        Pieces("tokens", message("Playing tokens"), tuple(map(_token, seats)), message("cut, fold, glue")),
        Pieces("cubes", message("Guess cubes"), tuple(map(_cube, seats)), message("cut, fold, glue")),
        Pieces("placard", message("Placard"), (_placard(),), message("cut and fold")),
        Pieces("solutions", message("Solution sheets"), (_slip(),) * (MOST_RIDDLES + SPARE)),
        Pieces(
            "suggestions", message("Suggestion boards"), tuple(_board(questions, terms) for terms in boards),
            message("cut and fold"), _words(questions, boards),
        ),
        Scores(
            "scores", message("Score sheet"), (guesses,), columns=(message("steps"), message("space now")),
            note=message("Steps: + by the green arrows or as the sculptor’s reward, − by the red arrows."),
        ),
    )  # fmt: skip


def board_sheet(profile: Mapping[str, Value]) -> Pieces:
    """Return the sheet of the game board of a profile; raises ValueError if its track is too long."""
    return Pieces("board", message("Game board"), (drawn(profile),))


def suggestions(language: str) -> tuple[list[str], list[list[str]]]:
    """Return the questions and the terms of each board."""
    own = FOLDER / f"{language}.txt"
    text = (own if own.is_file() else FOLDER / f"{ENGLISH}.txt").read_text(encoding="utf-8")
    questions, boards = text.strip().split("\n\n")
    return questions.splitlines(), [line.split(", ") for line in boards.splitlines()]


def _chip(seat: int) -> Piece:
    return Piece((CHIP, CHIP), (SeatMark(seat, (1.5, 1.5), CHIP - 3),))


def _token(seat: int) -> Piece:
    """Return a token to fold to a tent; its ends overlap below it."""
    wide, high = TOKEN
    base, face = 12.0, 30.0
    marks: list[Mark] = []
    for y in (base, base + face, base + 2 * face):
        marks.append(Outline(f"M 0 {y} L {wide} {y}", "", GREY, 0.25, dashed=True))
    marks += [SeatMark(seat, (2, base + 12), wide - 4), SeatMark(seat, (2, base + face + 2), wide - 4)]
    for y in (base / 2 + 1, high - base / 2 + 1):
        marks.append(Label((wide / 2, y), message("glue"), 8, wide - 4, "centre", ink=GREY))
    return Piece(TOKEN, tuple(marks))


def _cube(seat: int) -> Piece:
    """Return the net of a cube: a column of four sides, a side on the left and the right of the second, and flaps."""
    left, top = CUBE + FLAP + 1, FLAP + 1
    size = (2 * left + CUBE, 4 * CUBE + FLAP + 2)
    faces = [(left, top + row * CUBE) for row in range(4)] + [(left - CUBE, top + CUBE), (left + CUBE, top + CUBE)]
    marks: list[Mark] = []
    for column, row, across, down in (
        (0, 0, 0, -1), (0, 0, -1, 0), (0, 0, 1, 0), (-1, 1, -1, 0), (1, 1, 1, 0), (0, 2, -1, 0), (0, 2, 1, 0),
    ):  # fmt: skip
        x, y = left + (column + 0.5) * CUBE, top + (row + 0.5) * CUBE
        near, far = CUBE / 2, CUBE / 2 + FLAP
        corners = tuple(
            (x + across * out - down * side, y + down * out + across * side)
            for out, side in ((near, -near), (far, -near + 3), (far, near - 3), (near, near))
        )
        marks.append(Outline(polygon(corners), "", BLACK, 0.3))
    for x, y in faces:
        marks.append(SeatMark(seat, (x, y), CUBE))
    return Piece(size, tuple(marks))


def _placard() -> Piece:
    """Return the placard of the player on turn, to fold to a tent."""
    wide, high = PLACARD
    title = message("Dohdle Master")
    note = message("If it is your turn, you have this placard.")
    foot, face = 12.0, (high - 24) / 2
    marks: list[Mark] = []
    for y in (foot, high / 2, high - foot):
        marks.append(Outline(f"M 0 {y} L {wide} {y}", "", GREY, 0.25, dashed=True))
    for turn, base, way in ((180, foot + face / 2, -1), (0, high / 2 + face / 2, 1)):
        middle = wide / 2
        marks.append(Outline(box(8, base - face / 2 + 4, wide - 16, face - 8), PALE, BLACK, 0.6))
        marks.append(Label((middle, base + way * 2.5), title, 34, wide - 30, "centre", bold=True, turn=turn))
        marks.append(Label((middle, base + way * 12), note, 10, wide - 30, "centre", turn=turn))
    for y in (foot / 2 + 1, high - foot / 2 + 1):
        marks.append(Label((wide / 2, y), message("foot: fold it in"), 8, wide - 4, "centre", ink=GREY))
    return Piece(PLACARD, tuple(marks))


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


def _words(questions: list[str], boards: list[list[str]]) -> tuple[Rows, ...]:
    """Return the questions, and the terms of each board."""
    asked = Rows(message("Questions"), (*questions, message("Do not ask for the word, a letter or the length.")))
    return asked, *(Rows(message("Terms to sculpt"), tuple(terms)) for terms in boards)


def _board(questions: list[str], terms: list[str]) -> Piece:
    """Return a suggestion board: fold it, so that only its player sees the terms."""
    wide, high = BOARD
    half = wide / 2
    line = (high - 30) / len(questions)
    marks: list[Mark] = [
        Outline(f"M {half} 0 L {half} {high}", "", GREY, 0.25, dashed=True),
        Outline(box(half - 22, 6, CUBE, CUBE), "", GREY, 0.3, dashed=True),
        Label((half - 14, 15.2), message("cube"), 8, CUBE - 2, "centre", ink=GREY),
        Label((6, 11), message("Questions"), 13, half - 30, bold=True),
        Label((half + 6, 11), message("Terms to sculpt"), 13, half - 12, bold=True),
        Label((6, high - 6), message("Do not ask for the word, a letter or the length."), 7.5, half - 12),
        Label((half + 6, high - 6), message("Fold back along the dashed line."), 7.5, half - 12),
    ]
    for number, question in enumerate(questions):
        beside_cube = not number
        marks.append(Label((6, 20 + number * line), question, 10, half - (30 if beside_cube else 12)))
    for number, term in enumerate(terms):
        marks.append(Label((half + 6, 20 + number * line), term, 11, half - 12))
    return Piece(BOARD, tuple(marks))
