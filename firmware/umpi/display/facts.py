"""The facts of a game in lines of small letters: its rows, or else the board that it brings as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from umpi.display.lettering import SMALL, TINY, Font, largest
from umpi.display.sheet import WIDTH, Sheet
from umpi.display.tiles import draw_tiles, least
from umpi.i18n.translate import tr
from umpi.kernel.board import Board, Card, Counter, Die, Grid, Piece, Pile, Space, Token, Track
from umpi.kernel.board import Line as Pieces
from umpi.kernel.match import Match
from umpi.table.board import board_at
from umpi.table.standing import Tile

GAP = "  "  # between two facts on one line
BACK, STONE, EMPTY = "■", "□", "·"  # a card face down, a stone of nobody, and a space without a piece
HIGHEST = 5  # rows of a grid that have room; the page and the television draw a higher one
ALIKE = 4  # so many equal pieces beside each other are counted
SHORT = 3  # letters of a name on a stone or a die
SCORED = (  # letters of a name before its score, what parts two seats, and whether their short texts stay
    (8, GAP, True), (6, GAP, True), (4, GAP, True), (3, GAP, True), (4, GAP, False), (3, GAP, False), (2, " ", False),
)  # fmt: skip


def facts_of(match: Match, names: Sequence[str]) -> list[str]:
    """Return the rows of a game, the most important first; the lines of its board if it has no rows.

    The rows of a grid are one fact, with line breaks.
    """
    rows = [" ".join(tr(text, names) for text in (row.label, *row.cells)) for row in match.view.rows]
    if rows or not (board := board_at(match.now, match)):
        return rows
    return [fact for fact in board_facts(board, names) if fact]


def board_facts(board: Board, names: Sequence[str]) -> Iterator[str]:
    """Yield one fact for each part of a board that has room, with the first letters of names in place of colours.

    >>> from umpi.kernel.board import Line
    >>> board = Board((Line((Card("a", 7), Card("b")), "market"), Line((Pile("deck", 40),))))
    >>> print(*board_facts(board, ()), sep=" | ")
    market 7 ■ | 40×■
    """
    for part in board.parts:
        label = tr(part.label, names)
        match part:
            case Pieces(pieces):
                yield f"{label} {_beside([_piece(piece, names) for piece in pieces])}".strip()
            case Track(spaces):
                yield " ".join([label, *_taken(spaces, names)]).strip()
            case Grid(rows):
                cells = [["" if space is None else _space(space, names) or EMPTY for space in row] for row in rows]
                wide = max((len(cell) for row in cells for cell in row), default=1)
                lines = [(" " * (wide > 1)).join(cell.ljust(wide) for cell in row).rstrip() for row in cells]
                if len(lines) <= HIGHEST and all(TINY.measure(line) < WIDTH for line in lines):
                    yield "\n".join(filter(None, (label, *lines)))


def fits(facts: Sequence[str], top: int, bottom: int) -> bool:
    """Check whether all facts have room between two dots."""
    return any(packed(facts, font, (bottom - top) // font.height) is not None for font in (SMALL, TINY))


def draw_seats(sheet: Sheet, board: Sequence[str], tiles: Sequence[Tile], top: int, bottom: int) -> None:
    """Draw the tiles of all seats; the facts of a board take most of their room."""
    if board:
        draw_facts(sheet, board, tiles, top, bottom)
    else:
        draw_tiles(sheet, tiles, bottom, top)


def draw_facts(sheet: Sheet, facts: Sequence[str], tiles: Sequence[Tile], top: int, bottom: int) -> None:
    """Draw as many facts as have room between two dots; below them the tiles of the seats, or else their scores."""
    ways = [(font, packed(facts, font, (bottom - top) // font.height)) for font in (SMALL, TINY)]
    font, lines = next(((font, lines) for font, lines in ways if lines is not None), (TINY, None))
    if lines is None:
        lines = first(facts, (bottom - top) // font.height)
    told = any(tile.beside or tile.score for tile in tiles)
    for each, own in ways if told else ():
        if own is not None and bottom - top - each.height * len(own) >= least(tiles):
            y = _write(sheet, own, each, top)
            draw_tiles(sheet, tiles, bottom, y)
            return
    y = _write(sheet, lines, font, top)
    if told and bottom - y >= TINY.height:
        _write(sheet, [_scores(tiles)], TINY, y)


def _write(sheet: Sheet, lines: Sequence[str], font: Font, top: int) -> int:
    """Write lines, a long one in smaller letters; return the first dot below them."""
    for index, line in enumerate(lines):
        sheet.text(1, top + index * font.height, line, largest(line, WIDTH - 1, font, TINY), WIDTH - 1)
    return top + len(lines) * font.height


def packed(facts: Sequence[str], font: Font, most: int) -> list[str] | None:
    """Put the facts on at most so many lines, several on one if they have room; return None if they have not.

    >>> packed(["deck 40", "pile 3", "Red has 12 cards"], SMALL, 2)
    ['deck 40  pile 3', 'Red has 12 cards']
    """
    lines = _lines(facts, font)
    fits = len(lines) <= most and all(font.measure(line) < WIDTH for line in lines)
    return lines if fits else None


def first(facts: Sequence[str], most: int) -> list[str]:
    """Return the lines of the first facts that have room, in the smallest letters; a long one is cut."""
    for number in range(len(facts), 0, -1):
        lines = _lines(facts[:number], TINY)
        if len(lines) <= most:
            return lines
    return []


def _lines(facts: Sequence[str], font: Font) -> list[str]:
    lines: list[str] = []
    alone = True  # whether the next fact needs a line of its own
    for fact in facts:
        whole = f"{lines[-1]}{GAP}{fact}" if lines else fact
        if alone or "\n" in fact or font.measure(whole) >= WIDTH:
            lines += fact.split("\n")
        else:
            lines[-1] = whole
        alone = "\n" in fact
    return lines


def _scores(tiles: Sequence[Tile]) -> str:
    """Return all names and scores on one line, "" if they have no room there."""
    for letters, gap, beside in SCORED:
        names = [tile.name[:letters] for tile in tiles]
        numbers = [(tile.beside if beside or not tile.score else "", tile.score) for tile in tiles]
        each = (" ".join(filter(None, (name, *own))) for name, own in zip(names, numbers, strict=True))
        line = gap.join(each)
        if TINY.measure(line) < WIDTH and len(set(names)) == len(names):
            return line
    return ""


def _taken(spaces: Sequence[Space], names: Sequence[str]) -> Iterator[str]:
    """Yield the spaces of a track that have pieces, each with its text or its number."""
    for number, space in enumerate(spaces, 1):
        if space.pieces:
            name = _face(space.text, names) or str(number)
            yield f"{name}:{_space(space, names)}"


def _space(space: Space, names: Sequence[str]) -> str:
    if not space.pieces:
        return _face(space.text, names)
    return "+".join(_piece(piece, names) for piece in space.pieces)


def _beside(pieces: Sequence[str]) -> str:
    """Return pieces beside each other; many equal ones are counted."""
    texts: list[str] = []
    start = 0
    while start < len(pieces):
        end = start
        while end < len(pieces) and pieces[end] == pieces[start]:
            end += 1
        many = end - start
        texts += [f"{many}×{pieces[start]}"] if many >= ALIKE else [pieces[start]] * many
        start = end
    return " ".join(texts)


def _piece(piece: Piece, names: Sequence[str]) -> str:
    match piece:
        case Card(_, face):
            return _face(face, names) or BACK
        case Die(_, face, _, seat):
            return _face(face, names) or _owner(seat, names) or EMPTY
        case Token(_, seat, text):
            return _face(text, names) or _owner(seat, names) or STONE
        case Counter(_, text, number):
            return f"{tr(text, names)} {number}"
        case Pile(_, number):
            return f"{number}×{BACK}"


def _face(face: int | str, names: Sequence[str]) -> str:
    return str(face) if isinstance(face, int) else tr(face, names)


def _owner(seat: int | None, names: Sequence[str]) -> str:
    return "" if seat is None or seat >= len(names) else names[seat][:SHORT]
