"""A card on paper: two corners, a symbol, its name, and a band in its colour."""

from __future__ import annotations

from umpi.kernel.printable import BLACK, Face, Label, Mark, Outline, Piece, box

SIZE = (63.0, 88.0)  # mm: ordinary sleeves fit
BAND = 3.0
RIM = 3.0  # mm that a cut may be wrong
CORNER = 8.0  # mm from the edges to what a corner shows
LARGE, SMALL = 0.32, 0.085  # the symbols, in mm per hundredth


def card_of(face: Face) -> Piece:
    """Return the piece of a card, with two equal corners, so that players can read it in a fan of cards."""
    wide, high = SIZE
    inner = box(RIM, RIM, wide - 2 * RIM, high - 2 * RIM)
    hole = box(RIM + BAND, RIM + BAND, wide - 2 * (RIM + BAND), high - 2 * (RIM + BAND))
    marks: list[Mark] = [
        Outline(f"{inner} {hole}", face.ink, BLACK, 0.2),
        Outline(face.symbol, face.ink, BLACK, 0.4, (wide / 2 - 50 * LARGE, high / 2 - 50 * LARGE - 8), LARGE),
        Label((wide / 2, high - 28.5), face.name, 12, 44, "centre", bold=True),
        Label((wide / 2, high - 22.5), face.detail, 10, 29, "centre"),
    ]
    for way, turn, left, top in ((1, 0, CORNER, CORNER), (-1, 180, wide - CORNER, high - CORNER)):
        below = 10.5 if face.corner else 0
        marks.append(Outline(face.symbol, face.ink, BLACK, 0.25, (left, top + way * below), way * SMALL))
        marks.append(Label((left + way * 45 * SMALL, top + way * 8), face.corner, 26, 12, "centre", True, turn=turn))
    return Piece(SIZE, tuple(marks))
