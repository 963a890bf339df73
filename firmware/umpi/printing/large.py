"""Sheets in large print: letters of 18 points or more, black on white, and a sign or a word beside each colour."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import ceil
from typing import NamedTuple

from reportlab.lib.units import mm

from umpi.i18n.translate import Translated, player_label, tr
from umpi.kernel.printable import BLACK, Deck, Face, Label, Mark, Needs, Outline, Piece, Pieces, Rows, Scores, box
from umpi.printing.cards import RIM, SIZE
from umpi.printing.layout import WAYS, pages_of
from umpi.printing.needs import Printed, count_of, how_of, pages_text
from umpi.printing.paper import Page, room_of
from umpi.printing.pen import LARGE, LEADING, Pen, lines_of, width_of
from umpi.printing.seats import seat_marks
from umpi.table.seats import COLOURS

LINE = LEADING * LARGE / mm
BASE = 0.73 * LINE  # mm from the top of a line to the foot of its letters
GAP = 4.0  # mm between two parts of a page, and beside a text in its cell
ROWS = (13.0, 12.0, 11.0)  # mm of a row; lower ones if that saves a page
MARK = 10.0  # mm, the mark of a seat
TICK = 7.0  # mm, the side of a box to tick
INDENT = 36.0  # mm, for the box and the count
STROKE = 0.6  # mm
FRAME = 5.0  # mm, the band of a card in its colour
INDEX = 56.0  # points, the corner of a card


class Block(NamedTuple):
    """A part of a page that is not divided: its height, and what draws it below a y."""

    high: float
    draw: Callable[[float], Iterable[Mark]]


class Laid(NamedTuple):
    """Blocks on a page: their marks, and the y of their top and bottom."""

    marks: list[Mark]
    top: float
    bottom: float


def large_pages(sheet: Pieces | Deck | Scores, title: str, seats: int, paper: str) -> list[Page]:
    """Return the pages of a sheet. A drawing without words keeps its size and its letters.

    Raises ValueError if a word is wider than its room.
    """
    match sheet:
        case Scores():
            ways = [_score_pages(sheet, title, seats, paper, wide, row) for row in ROWS for wide in WAYS]
            return min(ways, key=len)
        case Deck():
            pages = pages_of([_card(face) for face in sheet.cards], paper, title)
            return [page._replace(large=True) for page in pages]
        case Pieces(words=()):
            return pages_of(sheet.pieces, paper, title)
        case Pieces():
            return [page for rows in sheet.words for page in _words_pages(rows, title, paper)]


def large_needs(needs: Needs, title: str, printed: Sequence[Printed], paper: str) -> list[Page]:
    """Return the pages of what a game needs."""
    room = room_of(paper, False)[0]
    text = tr("Tick what you have. The numbers are for the largest number of players.")
    units = [[_text(title, room, bold=True), _text(text, room)], [_heading(tr("Print"), room)]]
    for sheet, first, last in printed:
        notes = f"{pages_text(first, last)}, {how_of(sheet, last > first)}"
        units.append([_item(str(count_of(sheet)), (tr(sheet.title), notes), room)])
    if needs.have:
        units.append([_heading(tr("Have these ready"), room)])
        units += [[_item(str(thing.number or ""), (tr(thing.text),), room)] for thing in needs.have]
    return _written(_joined(units), title, paper)


def _words_pages(rows: Rows, title: str, paper: str) -> list[Page]:
    room = room_of(paper, False)[0]
    units = [[_text(title, room, bold=True)], [_heading(rows.heading, room)]]
    units += [[_text(row, room), _space()] for row in rows.rows]
    return _written(_joined(units), title, paper)


def _joined(units: list[list[Block]]) -> list[list[Block]]:
    """Return the units, each heading in one unit with what follows it."""
    joined: list[list[Block]] = []
    for unit in units:
        if joined and _is_heading(joined[-1][-1]):
            joined[-1] = [*joined[-1], *unit]
        else:
            joined.append(unit)
    return joined


def _written(units: Sequence[Sequence[Block]], title: str, paper: str) -> list[Page]:
    laid = _laid(units, room_of(paper, False)[1], 0, 0)
    return [Page(title, False, partial(_draw, marks), large=True) for marks, _, _ in laid]


def _laid(units: Sequence[Sequence[Block]], high: float, first: float, later: float) -> list[Laid]:
    """Divide units among pages of a height, below `first` mm of the first page and `later` mm of the others.

    Raises ValueError if a unit is higher than a page.
    """
    pages = [Laid([], first, first)]
    for unit in units:
        need = sum(block.high for block in unit)
        if pages[-1].bottom + need > high and pages[-1].marks:
            pages.append(Laid([], later, later))
        marks, top, y = pages[-1]
        if y + need > high:
            raise ValueError(f"A part of a large page needs {need:.0f} mm and has {high - y:.0f} mm.")
        for block in unit:
            marks += block.draw(y)
            y += block.high
        pages[-1] = Laid(marks, top, y)
    return pages


def _draw(marks: Sequence[Mark], pen: Pen) -> None:
    pen.draw(marks)


def _text(text: str, room: float, left: float = 0, bold: bool = False) -> Block:
    lines = lines_of(tr(text), room, LARGE, bold)
    return Block(len(lines) * LINE, partial(_lines, lines, room, left, bold))


def _lines(lines: Sequence[str], room: float, left: float, bold: bool, y: float) -> Iterator[Mark]:
    for number, line in enumerate(lines):
        yield Label((left, y + number * LINE + BASE), Translated(line), LARGE, room, bold=bold)


def _space() -> Block:
    return Block(GAP / 2, lambda y: ())


def _heading(text: str, room: float) -> Block:
    """Return a bold text over a thick line."""
    body = _text(text, room, bold=True)
    return Block(body.high + 2 * GAP, partial(_underlined, body, room))


def _is_heading(block: Block) -> bool:
    return isinstance(block.draw, partial) and block.draw.func is _underlined


def _underlined(body: Block, room: float, y: float) -> Iterator[Mark]:
    yield from body.draw(y + GAP)
    yield _line((0, y + GAP + body.high), (room, y + GAP + body.high))


def _item(count: str, texts: Sequence[str], room: float) -> Block:
    """Return a box to tick, a count, and texts below each other."""
    bodies = [_text(text, room - INDENT, INDENT) for text in texts]
    return Block(sum(body.high for body in bodies) + GAP, partial(_ticked, count, bodies))


def _ticked(count: str, bodies: Sequence[Block], y: float) -> Iterator[Mark]:
    yield Outline(box(1, y + BASE - TICK + 0.8, TICK, TICK), "", BLACK, STROKE)
    yield Label((INDENT - 3, y + BASE), f"{count} ×" if count else "", LARGE, INDENT - TICK - 5, "right", bold=True)
    for body in bodies:
        yield from body.draw(y)
        y += body.high


def _line(start: tuple[float, float], end: tuple[float, float], width: float = STROKE) -> Outline:
    return Outline(f"M {start[0]} {start[1]} L {end[0]} {end[1]}", "", BLACK, width)


class Columns(NamedTuple):
    """The table on one page of a score sheet: the width of the labels and of each seat, the seats, the height of a row.

    Lengths are in mm.
    """

    labels: float
    each: float
    seats: range
    row: float

    @property
    def wide(self) -> float:
        """Return the width of the table."""
        return self.labels + self.each * len(self.seats)


def _score_pages(scores: Scores, title: str, seats: int, paper: str, wide: bool, row: float) -> list[Page]:
    """Return the pages of a score sheet: as many seats on a page as have room, then the next seats."""
    across, high = room_of(paper, wide)
    head = MARK + LINE + 2 * GAP + (LINE if scores.columns else 0)
    pages: list[Page] = []
    for columns in _columns(scores, seats, across, row):
        above = [_text(title, across, bold=True)]
        once = [_text(scores.note, across)] if scores.note and not pages else []
        once += [] if pages else [_date(across)]
        tops = [sum(block.high for block in blocks) + head for blocks in (above + once, above)]
        units = [unit for group in scores.groups for unit in _units(group, columns, high - tops[0])]
        units += [[_cell(scores.total, columns, True)]] if scores.total else []
        for number, (marks, top, bottom) in enumerate(_laid(units, high, *tops)):
            y = 0.0
            for block in above if number else above + once:
                marks += block.draw(y)
                y += block.high
            marks += _table(scores, columns, (top - head + GAP, top, bottom))
            pages.append(Page(title, wide, partial(_draw, marks), large=True))
    return pages


def _columns(scores: Scores, seats: int, across: float, row: float) -> list[Columns]:
    """Return the columns of each group of seats that has room on a page."""
    texts = [text for group in scores.groups for text in (group.heading, *group.rows)] + [scores.total]
    labels = min(0.45 * across, max(width_of(tr(text), LARGE, True) for text in texts) + GAP)
    names = [width_of(player_label(colour), LARGE) + GAP for colour in COLOURS[:seats]]
    parts = [width_of(tr(column), LARGE) + GAP for column in scores.columns]
    least = max(26.0, *names, len(parts) * max([16.0, *parts]))
    groups = ceil(seats / max(1, (across - labels) // least))
    together = ceil(seats / groups)
    each = min(1.5 * least, (across - labels) / together)
    return [
        Columns(labels, each, range(first, min(first + together, seats)), row) for first in range(0, seats, together)
    ]


def _units(group: Rows, columns: Columns, most: float) -> Iterator[list[Block]]:
    """Yield rows that stay on one page. Rows under a heading stay together, up to `most` mm; each part repeats it."""
    if not group.heading:
        yield from ([_cell(row, columns, False)] for row in group.rows)
        return
    heading = _cell(group.heading, columns, True)
    below: list[Block] = []
    for row in group.rows:
        cell = _cell(row, columns, False)
        if below and sum(block.high for block in [heading, *below, cell]) > most:
            yield [heading, *below]
            below = []
        below.append(cell)
    yield [heading, *below]


def _cell(text: str, columns: Columns, bold: bool) -> Block:
    body = _text(text, columns.labels - GAP, GAP / 2, bold)
    high = max(columns.row, body.high + GAP / 2)
    return Block(high, partial(_ruled, body, high, columns.wide, STROKE * (2 if bold else 1)))


def _ruled(body: Block, high: float, wide: float, width: float, y: float) -> Iterator[Mark]:
    yield from body.draw(y + (high - body.high) / 2)
    yield _line((0, y), (wide, y), width)


def _table(scores: Scores, columns: Columns, ys: tuple[float, float, float]) -> Iterator[Mark]:
    """Draw the marks and the names of the seats, and the frame of a table from its top, its first row to its end."""
    top, first, bottom = ys
    for number, seat in enumerate(columns.seats):
        left = columns.labels + number * columns.each
        yield _line((left, top), (left, bottom), 2 * STROKE)
        if seat < len(COLOURS):
            yield from seat_marks(seat, (left + (columns.each - MARK) / 2, top + GAP / 2), MARK)
            name = player_label(COLOURS[seat])
            base = top + GAP / 2 + MARK + BASE
            yield Label((left + columns.each / 2, base), name, LARGE, columns.each - 1, "centre")
        part = columns.each / max(1, len(scores.columns))
        for place, column in enumerate(scores.columns):
            x = left + place * part
            yield Label((x + part / 2, first - LINE + BASE - 0.7), column, LARGE, part - 1, "centre")
            if place:
                yield _line((x, first - LINE), (x, bottom))
    yield Outline(box(0, top, columns.wide, bottom - top), "", BLACK, 2 * STROKE)


def _date(across: float) -> Block:
    text = tr("Date:")
    start = width_of(text, LARGE) + 2
    return Block(LINE, lambda y: (Label((0, y + BASE), text, LARGE), _line((start, y + BASE), (across, y + BASE))))


def _card(face: Face) -> Piece:
    """Return a card with one large corner, a black symbol, and its texts in words, in a wide band of its colour."""
    wide, high = SIZE
    edge = RIM + FRAME
    room = wide - 2 * edge - 2
    outer, inner = box(RIM, RIM, wide - 2 * RIM, high - 2 * RIM), box(edge, edge, wide - 2 * edge, high - 2 * edge)
    marks: list[Mark] = [Outline(f"{outer} {inner}", face.ink, BLACK, STROKE)]
    lines = [line for text in (face.name, face.detail) if text for line in lines_of(tr(text), room, LARGE, True)]
    y = high - edge - 1 - len(lines) * LINE
    for number, line in enumerate(lines):
        marks.append(Label((wide / 2, y + number * LINE + BASE), Translated(line), LARGE, room, "centre", bold=True))
    top = edge + 1
    if face.corner:
        top += 1 + 0.73 * INDEX / mm
        marks.append(Label((edge + 2, top), face.corner, INDEX, room, bold=True))
    side = min(y - top - 2, room - 2)
    at = (wide - side) / 2, (top + y - side) / 2
    marks.append(Outline(face.symbol, BLACK, "", at=at, scale=side / 100))
    return Piece(SIZE, tuple(marks))
