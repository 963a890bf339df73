"""Drawings of the place of the wall on the A0 board, of its template on A4, and of the cuts."""

from __future__ import annotations

from hardware.drawing import Sheet
from hardware.wall.cuts import laid_out, parts_of
from hardware.wall.numbers import Numbers


def board_sheet(numbers: Numbers) -> Sheet:
    """Draw the board with its marks and the wall in the middle."""
    sheet = Sheet("Place of the wall on the A0 board", "W-6", (1, 8), material="printed A0", tolerance="±1")
    board, wall = numbers.board, numbers.wall
    half, up = board.long / 2, board.short / 2
    sheet.box((-half, -up), board.long, board.short)
    sheet.box((-wall.depth / 2, -wall.length / 2), wall.depth, wall.length)
    sheet.line((-half - 20, 0), (half + 20, 0), "CENTRE")
    sheet.line((0, -up - 20), (0, up + 20), "CENTRE")
    for a, b in marks(numbers):
        sheet.line(a, b, "MARK")
    for x, y in numbers.screws.places:
        sheet.circle((y, -x), numbers.screws.clearance)
    sheet.dim((-half, -up), (half, -up), -14)
    sheet.dim((-half, -up), (0, -up), -7)
    sheet.dim((0, -up), (half, -up), -7)
    sheet.dim((half, -up), (half, up), -14)
    sheet.dim((half, 0), (half, up), -7)
    sheet.dim((half, -up), (half, 0), -7)
    sheet.dim((-half, 60), (-wall.depth / 2, 60), 0.1)
    sheet.dim((wall.depth / 2, 60), (half, 60), 0.1)
    sheet.dim((wall.depth / 2, wall.length / 2), (wall.depth / 2, up), -6)
    sheet.dim((wall.depth / 2, -up), (wall.depth / 2, -wall.length / 2), -6)
    sheet.text((-half + 30, -up + 60), "one player", 3)
    sheet.text((half - 30, -up + 60), "the other", 3, "right")
    sheet.note((150, 220), (wall.depth / 2, 100), "wall; template W-7")
    sheet.note((-half + 60, up - 80), (-half + board.mark / 2, 0), "pencil mark in the middle of each edge")
    return sheet


def place_sheet(numbers: Numbers) -> Sheet:
    """Draw the template for the middle lines of the board at full size: outlines, holes, the lead of the piezo."""
    sheet = Sheet("Template for the board: wall, screws, lead", "W-7", material="paper template")
    wall, screws, piezo = numbers.wall, numbers.screws, numbers.piezo
    half = wall.length / 2
    sheet.box((-half, -wall.depth / 2), wall.length, wall.depth, "MARK")
    for y in (-wall.depth_least / 2, wall.depth_least / 2):
        sheet.line((-half, y), (half, y), "HIDDEN")
    sheet.line((-half - 6, 0), (half + 6, 0), "CENTRE")
    sheet.line((0, -56), (0, 66), "CENTRE")
    for x, y in screws.places:
        sheet.circle((x, y), screws.clearance)
        sheet.dim((0, 0), (x, y), (-36 if abs(x) > 50 else -28) * (1 if x > 0 else -1), along="x")
    sheet.circle((0, 0), piezo.hole)
    x, y = screws.places[-1]
    sheet.dim((x + 12, 0), (x, y), 0.1, along="y")
    sheet.text((78, wall.depth / 2 + 8), "FRONT: the face with the arrow", 3.5, "centre")
    sheet.path([(74, wall.depth / 2 + 14), (82, wall.depth / 2 + 14), (78, wall.depth / 2 + 20)], layer="MARK")
    sheet.note((-half + 34, 44), (screws.places[0][0], screws.places[0][1] + 2), (
        f"Ø {screws.clearance:g} through, countersunk Ø {screws.countersink:g} from below"
    ))  # fmt: skip
    sheet.note((30, 60), (piezo.hole / 2 - 0.5, piezo.hole / 2 - 0.5), f"lead of the piezo: Ø {piezo.hole:g}")
    sheet.text((-half, -62), (
        "1  Draw the two middle lines of the board from mark to mark (W-6). Put the lines of this strip on them.\n"
        f"2  Prick the crosses. Drill Ø {screws.pilot:g} through into scrap wood, then to full size.\n"
        "    Countersink from below."
    ), 2.6)  # fmt: skip
    return sheet


def cut_sheet(numbers: Numbers) -> Sheet:
    """Draw the parts on the sheets from which they are sawn."""
    kerf = numbers.stock.kerf
    sheet = Sheet(f"Cuts, with a kerf of {kerf:g}", "W-8", (1, 5), material="plywood 12, 15; timber", tolerance="±1")
    low = 0.0
    for stock, parts in parts_of(numbers).items():
        low -= stock.width
        sheet.box((0, low), stock.length, stock.width, "HIDDEN")
        sheet.dim((0, low), (stock.length, low), -7)
        sheet.dim((0, low), (0, low + stock.width), 7)
        title = f"{stock.name}, {stock.length:g} x {stock.width:g} x {stock.thickness:g}"
        if any(part.name == "square" for part in parts):
            title += "; do not cut its lower left corner: it makes the square gauge"
        sheet.text((0, low + stock.width + 14), title, 3)
        for placed in laid_out(stock, parts, kerf):
            part = placed.part
            sheet.box((placed.x, low + placed.y), part.length, part.width)
            size = f"{part.length:g} x {part.width:g}"
            x, y = placed.x + part.length / 2, low + placed.y + part.width / 2
            if part.length < 80:
                sheet.note((placed.x + 80, y + 12), (x, y), f"{part.name}\n{size}", 2.2)
            elif part.length < 150:
                sheet.text((x, y + 4), f"{part.name}\n{size}", 2.2, "centre")
            else:
                sheet.text((x, y - 5), f"{part.name} {size}", 2.2, "centre")
        low -= 90
    return sheet


def marks(numbers: Numbers) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Return the pencil marks in the middle of the edges of the board, from the edge inwards."""
    half, up, long = numbers.board.long / 2, numbers.board.short / 2, numbers.board.mark
    return [
        ((-half, 0), (-half + long, 0)),
        ((half, 0), (half - long, 0)),
        ((0, -up), (0, -up + long)),
        ((0, up), (0, up - long)),
    ]
