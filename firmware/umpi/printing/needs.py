"""The first page of a game that is printed whole: what is printed, how often, on which pages, and what else to have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from umpi.i18n.translate import tr
from umpi.kernel.printable import (
    BLACK,
    GREY,
    PALE,
    Deck,
    Label,
    Mark,
    Needs,
    Outline,
    Piece,
    Pieces,
    Point,
    Scores,
    Sheet,
    box,
)

TOP = 22.0  # mm, for the title
ROW = 9.0  # mm at most
TICK = 4.0  # mm, the side of a box to tick
COUNT = 20.0  # mm from the left to the end of the count
NAME = 25.0


class Printed(NamedTuple):
    """A sheet, and its first and last page in the file."""

    sheet: Sheet
    first: int
    last: int


def needs_piece(needs: Needs, title: str, printed: Sequence[Printed], room: Point) -> Piece:
    """Return the page, which fills the room."""
    lines = 2 + len(printed) + len(needs.have)
    high = min(ROW, (room[1] - TOP) / lines)
    marks: list[Mark] = [
        Label((0, 7), title, 15, room[0], bold=True),
        Label((0, 14), tr("Tick what you have. The numbers are for the largest number of players."), 9, room[0]),
    ]
    y = TOP
    marks += _heading(tr("Print"), y, high, room[0])
    for sheet, first, last in printed:
        y += high
        texts = (str(count_of(sheet)), tr(sheet.title), pages_text(first, last), how_of(sheet, last > first))
        marks += _row(texts, y, high, room[0])
    if needs.have:
        y += high
        marks += _heading(tr("Have these ready"), y, high, room[0])
    for thing in needs.have:
        y += high
        marks += _row((str(thing.number or ""), tr(thing.text), "", ""), y, high, room[0])
    return Piece(room, tuple(marks))


def count_of(sheet: Sheet) -> int:
    """Return how many things a sheet makes: the cards of a deck, the pieces to cut out, or one."""
    match sheet:
        case Pieces():
            return len(sheet.pieces)
        case Deck():
            return len(sheet.cards)
        case Scores() | Needs():
            return 1


def pages_text(first: int, last: int) -> str:
    """Return "page 2" or "pages 2 to 5" in the current language."""
    return tr("pages {first} to {last}", first=first, last=last) if last > first else tr("page {number}", number=first)


def how_of(sheet: Sheet, several: bool) -> str:
    """Return what to do with a sheet after printing; `several` is whether it has several pages."""
    match sheet:
        case Pieces(how=how) if how:
            return tr(how)
        case Deck() | Pieces(pieces=(_, _, *_)):
            return tr("cut out")
        case Pieces():
            return tr("join the tiles") if several else tr("just print")
        case Scores() | Needs():
            return tr("as many as you fill in")


def _heading(text: str, y: float, high: float, wide: float) -> Iterator[Mark]:
    yield Outline(box(0, y, wide, high), PALE)
    yield Label((1.5, y + 0.66 * high), text, 10, wide, bold=True)


def _row(texts: tuple[str, str, str, str], y: float, high: float, wide: float) -> Iterator[Mark]:
    """Draw a row: a box to tick, the count, the name, the pages, and what to do."""
    count, name, pages, how = texts
    base = y + 0.66 * high
    across = wide - NAME
    yield Outline(box(1.5, y + (high - TICK) / 2, TICK, TICK), "", BLACK, 0.3)
    yield Label((COUNT, base), f"{count} ×" if count else "", 10, COUNT - 8, "right", bold=True)
    if how:
        yield Label((NAME, base), name, 10, 0.41 * across)
        yield Label((NAME + 0.43 * across, base), pages, 9, 0.2 * across)
        yield Label((NAME + 0.65 * across, base), how, 9, 0.35 * across)
    else:
        yield Label((NAME, base), name, 10, across)
    yield Outline(f"M 0 {y + high} L {wide} {y + high}", "", GREY, 0.15)
