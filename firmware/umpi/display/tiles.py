"""The tiles of the seats: mark, name, a short text and the score, as large as the number of seats permits."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.display import digits
from umpi.display.lettering import LARGE, NORMAL, SMALL, TINY, Font, largest
from umpi.display.sheet import LINE, MARK, TOP, WIDTH, Sheet
from umpi.table.standing import Tile

HIGH = 2 * LINE + 4  # dots of a tile with a name over a large score
SHORT = 10  # the height in dots of a line's large digits
EDGE = 2  # dots that stay free to the right of a score
WHOLE, LETTERS = 99, 6  # letters of a name that should be visible, at best and at least


def draw_tiles(sheet: Sheet, tiles: Sequence[Tile], bottom: int, top: int = TOP) -> None:
    """Draw the tiles of all seats: up to three side by side if there is room, otherwise in lines."""
    if len(tiles) <= 3 and bottom - top >= HIGH:
        width, high = WIDTH // len(tiles), bottom - top - LINE - 2
        ways = [_way(width, tile, high) for tile in tiles]
        beside = min((font for font, _ in ways), key=lambda font: font.width)
        sizes = [size for _, size in ways]
        size = None if None in sizes else min(size for size in sizes if size)
        letters = [largest(tile.score, _left(width, tile, beside), LARGE, NORMAL, SMALL, TINY) for tile in tiles]
        text = min(letters, key=lambda font: font.width)
        for seat, tile in enumerate(tiles):
            _tile(sheet, seat * width, top, width, bottom - top, tile, beside, size or text)
            if seat and any(tile.beside for tile in tiles):
                _part(sheet, seat * width - 1, top + LINE + 1, bottom)
        return
    columns, names = 1 if len(tiles) <= 3 else 2, [tile.name for tile in tiles]
    rows = -(-len(tiles) // columns)
    width, height = WIDTH // columns, (bottom - top) // rows
    fonts = _fonts(tiles, width, height)
    for seat, tile in enumerate(tiles):
        column, row = divmod(seat, rows)
        _line(sheet, column * width, top + row * height, width, height, tile, names, *fonts)


def least(tiles: Sequence[Tile]) -> int:
    """Return the fewest dots above each other that the tiles of all seats need."""
    return LINE * (len(tiles) if len(tiles) <= 3 else -(-len(tiles) // 2))


def _way(width: int, tile: Tile, high: int) -> tuple[Font, tuple[int, int] | None]:
    """Return the font of the short text and the size of the score's digits; the short text shrinks first."""
    room = min(width // 2 - 2, width - 3 - EDGE - TINY.measure(tile.score))
    fonts = [font for font in (NORMAL, SMALL, TINY) if font.measure(tile.beside) <= room] or [TINY]
    font = next((font for font in fonts if digits.size(tile.score, _left(width, tile, font), high)), fonts[-1])
    return font, digits.size(tile.score, _left(width, tile, font), high)


def _tile(
    sheet: Sheet, x: int, y: int, width: int, height: int, tile: Tile, beside: Font, score: tuple[int, int] | Font
) -> None:
    ink = 0 if tile.light else 1
    if tile.light:
        sheet.fill(x, y, width - 1, LINE)
    sheet.mark(x + 1, y, tile.button, MARK, ink)
    room = width - MARK - 4
    font = largest(tile.name, room, SMALL, TINY)
    sheet.text(x + MARK + 3, y + (LINE - font.height) // 2, tile.name, font, room, ink)
    sheet.text(x + 1, y + height - beside.height, tile.beside, beside, width - 2)
    if isinstance(score, tuple):
        sheet.digits(x + width - EDGE, y + height - score[1], tile.score, *score)
    else:
        last = y + height - min(score.height, height - LINE)
        sheet.right(x + width - EDGE, last, score.fit(tile.score, _left(width, tile, beside)), score)


def _part(sheet: Sheet, x: int, top: int, bottom: int) -> None:
    """Separate two tiles by a dotted line, because a score is close to the next tile's short text."""
    for y in range(top, bottom, 2):
        sheet.fill(x, y, 1, 1)


def _left(width: int, tile: Tile, font: Font) -> int:
    """Return the dots of a tile that are left for the score, to the right of the short text."""
    return width - 1 - EDGE - (font.measure(tile.beside) + 2 if tile.beside else 0)


def _line(
    sheet: Sheet,
    x: int,
    y: int,
    width: int,
    height: int,
    tile: Tile,
    names: Sequence[str],
    font: Font,
    text: Font,
    large: bool,
) -> None:
    ink = 0 if tile.light else 1
    if tile.light:
        sheet.fill(x, y, width - 1, height - (height > LINE))
    sheet.mark(x + 1, y + (height - MARK) // 2, tile.button, MARK, ink)
    right = x + width - EDGE
    if large:
        right = sheet.digits(right, y + (height - SHORT) // 2, tile.score, digits.LEAST, SHORT, ink) - 3
        sheet.right(right, y + (height - text.height) // 2, tile.beside, text, ink)
        right -= text.measure(tile.beside)
    else:
        line = text.fit(f"{tile.beside} {tile.score}".strip(), width - MARK - 5)
        sheet.right(right, y + (height - text.height) // 2, line, text, ink)
        right -= text.measure(line)
    left = x + MARK + 3
    name = font.apart(tile.name, names, right - left - 2)
    sheet.text(left, y + (height - font.height) // 2, name, font, right - left - 2, ink)


def _fonts(tiles: Sequence[Tile], width: int, height: int) -> tuple[Font, Font, bool]:
    """Return the fonts of names and scores for all seats, and whether scores have large digits.

    A long name is cut before a score becomes small. Large digits need free dots above and below them: else two rows
    touch, and those of a lit tile run into its edges.
    """
    ways = [(SMALL, SMALL, True), (TINY, SMALL, True)] * (height >= SHORT + 2) + [
        (SMALL, SMALL, False),
        (TINY, SMALL, False),
    ]
    for letters in (WHOLE, LETTERS):
        for font, text, large in ways:
            if all(_fits(tile, font, text, large, width, letters) for tile in tiles):
                return font, text, large
    return TINY, TINY, False


def _fits(tile: Tile, font: Font, text: Font, large: bool, width: int, letters: int) -> bool:
    used = MARK + 5 + EDGE + font.measure(tile.name[:letters])
    if large:
        size = digits.size(tile.score, width, SHORT)
        used += digits.measure(tile.score, digits.LEAST) + 3 + text.measure(tile.beside)
        return size is not None and used <= width
    return used + text.measure(f" {tile.beside} {tile.score}" if tile.beside else f" {tile.score}") <= width
