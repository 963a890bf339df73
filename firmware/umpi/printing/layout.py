"""Layout: arrange pieces on pages, as many as fit, and divide a piece that is larger than the paper into tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import ceil
from typing import NamedTuple

from umpi.i18n.translate import tr
from umpi.kernel.printable import BLACK, GREY, WHITE, Label, Outline, Piece, Point, box
from umpi.printing.paper import Page, room_of
from umpi.printing.pen import Pen

OVERLAP = 10.0  # mm that two tiles share
CROSS = 3.0  # mm, an arm of a mark to join
WAYS = (False, True)  # portrait, landscape


class Tile(NamedTuple):
    """A part of a piece: its name, its upper left corner on the piece, and its size."""

    name: str
    at: Point
    size: Point


def pages_of(pieces: Sequence[Piece], paper: str, title: str) -> list[Page]:
    """Return the pages of pieces that have the same size; raises ValueError if the sizes differ."""
    size = pieces[0].size
    if any(piece.size != size for piece in pieces):
        raise ValueError(f"{title}: all pieces of a sheet need the same size.")
    wide = max(WAYS, key=lambda wide: _fitting(size, room_of(paper, wide)))  # the first of equals: portrait
    room = room_of(paper, wide)
    across, a_page = int(room[0] // size[0]), _fitting(size, room)
    if not a_page:
        return tiled(pieces, paper, title)
    groups = [pieces[first : first + a_page] for first in range(0, len(pieces), a_page)]
    return [Page(title, wide, partial(_draw_pieces, group, across, room)) for group in groups]


def _fitting(size: Point, room: Point) -> int:
    return int(room[0] // size[0]) * int(room[1] // size[1])


def _draw_pieces(pieces: Sequence[Piece], across: int, room: Point, pen: Pen) -> None:
    """Draw pieces in rows, centred on the page, with lines to cut along."""
    wide, high = pieces[0].size
    left = (room[0] - across * wide) / 2
    for number, piece in enumerate(pieces):
        at = left + number % across * wide, number // across * high
        with pen.moved(at, window=((-0.1, -0.1), (wide + 0.2, high + 0.2))):
            pen.draw(piece.marks)
            if piece.size != room:
                pen.outline(Outline(box(0, 0, wide, high), "", GREY, 0.2))


def tiled(pieces: Sequence[Piece], paper: str, title: str) -> list[Page]:
    """Return the pages of large pieces: for each an overview, then its tiles."""
    pages = []
    for piece in pieces:
        wide, tiles = tiles_of(piece.size, paper)
        pages.append(Page(title, wide, partial(_draw_overview, piece, tiles, room_of(paper, wide))))
        for tile in tiles:
            name = tr("{title}, tile {name}", title=tr(title), name=tile.name)
            pages.append(Page(name, wide, partial(_draw_tile, piece, tile, tiles)))
    return pages


def tiles_of(size: Point, paper: str) -> tuple[bool, list[Tile]]:
    """Return whether the pages are landscape, and the tiles, with the fewest pages. Rows are letters."""
    ways = [(wide, _divided(size, room_of(paper, wide))) for wide in WAYS]
    return min(ways, key=lambda way: len(way[1]))


def _divided(size: Point, room: Point) -> list[Tile]:
    columns, rows = (list(_spans(*lengths)) for lengths in zip(size, room, strict=True))
    return [
        Tile(f"{chr(ord('A') + row)}{column + 1}", (left, top), (wide, high))
        for row, (top, high) in enumerate(rows)
        for column, (left, wide) in enumerate(columns)
    ]


def _spans(whole: float, room: float) -> Iterator[tuple[float, float]]:
    """Yield the start and the length of equal parts that overlap, as few as fit into the room."""
    count = max(1, ceil((whole - OVERLAP) / (room - OVERLAP)))
    length = (whole + (count - 1) * OVERLAP) / count
    for number in range(count):
        yield number * (length - OVERLAP), length


def _draw_tile(piece: Piece, tile: Tile, tiles: Sequence[Tile], pen: Pen) -> None:
    """Draw a part of a piece, the lines to cut and to lay the next tiles on, and the marks to join."""
    (left, top), (wide, high) = tile.at, tile.size
    with pen.moved((0, 0), window=((0, 0), (wide, high))), pen.moved((-left, -top)):
        pen.draw(piece.marks)
        for at in joins(tiles):
            _cross(pen, at)
    pen.outline(Outline(box(0, 0, wide, high), "", BLACK, 0.15))
    if beside := _at(tiles, (left + wide - OVERLAP, top)):
        pen.line((wide - OVERLAP, 0), (wide - OVERLAP, high), BLACK, dashed=True)
        pen.label(Label((wide - OVERLAP / 2, high / 2), beside.name, 8, align="centre"))
    if below := _at(tiles, (left, top + high - OVERLAP)):
        pen.line((0, high - OVERLAP), (wide, high - OVERLAP), BLACK, dashed=True)
        pen.label(Label((wide / 2, high - OVERLAP / 2 + 1), below.name, 8, align="centre"))


def _draw_overview(piece: Piece, tiles: Sequence[Tile], room: Point, pen: Pen) -> None:
    """Draw a small picture of all tiles, and how to join them."""
    wide, high = piece.size
    values = {"tiles": len(tiles), "overlap": f"{OVERLAP:g}", "wide": f"{wide:g}", "high": f"{high:g}"}
    y = pen.wrapped((0, 0), tr("{tiles} tiles make a board of {wide} × {high} mm.", **values), room[0], 11)
    for step in (
        tr("1. Print all pages at 100 %, and measure the ruler of each page."),
        tr("2. Cut each tile along the solid lines on its left and top edges."),
        tr("3. Each tile overlaps the tile on its left and the tile above by {overlap} mm.", **values),
        tr("4. Put its cut edges on the dashed lines of those tiles, cross on cross. Glue it."),
    ):
        y = pen.wrapped((0, y + 0.6), step, room[0], 9)
    y += 3
    scale = min(room[0] / wide, (room[1] - y) / high)
    with pen.moved(((room[0] - wide * scale) / 2, y), scale):
        pen.draw(piece.marks)
        for tile in tiles:
            pen.outline(Outline(box(*tile.at, *tile.size), "", GREY, 0.2 / scale))
        for name, (x, top), _ in tiles:
            with pen.moved((x, top), 1 / scale):
                pen.outline(Outline(box(2, 2, 7, 5), WHITE, GREY, 0.2))
                pen.label(Label((5.5, 5.7), name, 9, 6.5, "centre", bold=True))


def joins(tiles: Sequence[Tile]) -> Iterator[Point]:
    """Yield the places of the marks to join, two in each overlap of two tiles."""
    for tile in tiles:
        (left, top), (wide, high) = tile.at, tile.size
        for share in (0.25, 0.75):
            if left:
                yield left + OVERLAP / 2, top + share * high
            if top:
                yield left + share * wide, top + OVERLAP / 2


def _at(tiles: Sequence[Tile], at: Point) -> Tile | None:
    near = (tile for tile in tiles if max(abs(tile.at[0] - at[0]), abs(tile.at[1] - at[1])) < 0.01)
    return next(near, None)


def _cross(pen: Pen, at: Point) -> None:
    (x, y), arm = at, CROSS
    pen.line((x - arm, y), (x + arm, y))
    pen.line((x, y - arm), (x, y + arm))
