"""Score sheets: a row per turn, round or kind of points, and a column for each seat with its mark."""

from __future__ import annotations

from collections.abc import Iterator

from umpi.i18n.translate import player_label, tr
from umpi.kernel.printable import BLACK, GREY, PALE, Label, Mark, Outline, Piece, Point, Rows, Scores, box
from umpi.printing.seats import seat_marks
from umpi.table.seats import COLOURS

LABELS = 36.0  # mm, the column of the labels
HEAD = 15.0  # mm, for the marks and the names
SUB = 5.0  # mm, for the headings of divided columns
TOP = 18.0  # mm, for the title
ROW = 12.0  # mm at most


def score_piece(scores: Scores, seats: int, room: Point) -> Piece:
    """Return a score sheet that fills the room of a page."""
    lines = []  # heading and row; one of the two is ""
    for heading, rows in scores.groups:
        lines += [(heading, "")] if heading else []
        lines += [("", row) for row in rows]
    lines += [(scores.total, "")] if scores.total else []
    top = TOP + HEAD + (SUB if scores.columns else 0)
    high = min(ROW, (room[1] - top) / len(lines))
    marks: list[Mark] = [
        Label((0, 7), scores.title, 15, room[0] - 70, bold=True),
        Label((room[0] - 62, 7), tr("Date:"), 9),
        Outline(f"M {room[0] - 48} 7.5 L {room[0]} 7.5", "", GREY, 0.2),
    ]
    if scores.note:
        marks.append(Label((0, 13.5), scores.note, 8.5, room[0]))
    marks += _seats(scores, seats, room[0])
    y = top
    for heading, row in lines:
        marks += _row(heading, row, y, high, room[0])
        y += high
    marks += _columns(scores, seats, room[0], y)
    return Piece(room, tuple(marks))


def plain_scores(title: str) -> Scores:
    """Return a score sheet for any game: twenty rounds and a total."""
    return Scores("scores", title, (Rows("", tuple(str(number) for number in range(1, 21))),), tr("Total"))


def _row(heading: str, row: str, y: float, high: float, wide: float) -> Iterator[Mark]:
    if heading:
        yield Outline(box(0, y, wide, high), PALE)
    size = min(9.5, 1.9 * high)
    yield Label((1.5, y + high / 2 + 0.13 * size), heading or row, size, LABELS - 3, bold=bool(heading))
    yield Outline(f"M 0 {y} L {wide} {y}", "", BLACK if heading else GREY, 0.35 if heading else 0.2)


def _seats(scores: Scores, seats: int, wide: float) -> Iterator[Mark]:
    each = (wide - LABELS) / seats
    for seat in range(seats):
        left = LABELS + seat * each
        if seat < len(COLOURS):
            yield from seat_marks(seat, (left + 1.5, TOP + 0.8), 6)
            yield Label((left + 9, TOP + 5), player_label(COLOURS[seat]), 8.5, each - 10)
        for number, column in enumerate(scores.columns):
            part = each / len(scores.columns)
            middle = left + (number + 0.5) * part
            yield Label((middle, TOP + HEAD + 3.6), column, 7, part - 1, "centre")


def _columns(scores: Scores, seats: int, wide: float, bottom: float) -> Iterator[Mark]:
    each, parts = (wide - LABELS) / seats, max(1, len(scores.columns))
    for seat in range(seats):
        left = LABELS + seat * each
        yield Outline(f"M {left} {TOP} L {left} {bottom}", "", BLACK, 0.35)
        for part in range(1, parts):
            x = left + part * each / parts
            yield Outline(f"M {x} {TOP + HEAD} L {x} {bottom}", "", GREY, 0.2)
    yield Outline(box(0, TOP, wide, bottom - TOP), "", BLACK, 0.35)
    if scores.columns:
        yield Outline(f"M 0 {TOP + HEAD} L {wide} {TOP + HEAD}", "", GREY, 0.2)
