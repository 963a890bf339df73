"""The assembled box as solids: tray, front, boards, buttons, lamps, and how far each goes up when drawn apart."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hardware.board.bodies import colour_of
from hardware.case.boards import carrier
from hardware.case.cables import PI as BOARD
from hardware.case.models import contour, front, placed, tray
from hardware.case.numbers import Case
from hardware.case.panels import clip_screws, corners, lamps, navigation_keys, on_board, panels, seat_keys
from hardware.case.parts import Part, parts
from hardware.case.shapes import Panel
from hardware.solids.files import named, write_step
from hardware.solids.picture import Picture
from hardware.solids.shapes import Colour, Piece, box, nut, plate, polygon, rod
from umpi.box.config import COLOURS

WOOD, FRONT, METAL, BRASS = (214, 184, 134), (236, 214, 172), (176, 180, 186), (200, 170, 90)
PI_GREEN, GLASS, DARK = (52, 128, 78), (40, 46, 58), (62, 64, 70)
SEATS: dict[str, Colour] = {
    "red": (206, 62, 56), "blue": (62, 104, 190), "yellow": (240, 200, 64), "green": (74, 156, 92),
    "white": (240, 240, 236), "black": (58, 58, 62),
}  # fmt: skip
LAMPS: dict[str, Colour] = {**SEATS, "black": (236, 158, 40)}  # no LED is black: the lamp of that seat is amber
CAP = 4.0  # of a button, above the front


def assembly(case: Case, name: str = "2.42") -> list[Piece]:
    """Return all parts of a box with the Pi of the cart and the HAT."""
    board = case.pi.boards[BOARD]
    found = {part.name: part for part in parts(case, case.oleds[name], board, carrier=True)}
    under, top = case.box.height - case.box.sheet, case.box.height
    pieces = [
        Piece("tray", WOOD, tray()),
        Piece("front", FRONT, front(name).translate((0, 0, under)), 150),
        Piece("Raspberry Pi", PI_GREEN, _solid(found["Pi"]), 40),
        Piece("display", GLASS, _solid(found["display"]._replace(low=(*found["display"].low[:2], under - 8))), 112),
        Piece("sounder", DARK, _solid(found["sounder"]), 40),
    ]
    pieces += [Piece(f"socket {kind}", METAL, _solid(found[f"{kind} {at:g}"]), 40) for kind, at in board.sockets]
    x, y = on_board(case, board, *board.header)
    foot = found["Pi"].high[2]
    pieces.append(Piece("header", DARK, box((x - 25.4, y - 2.5, foot), (x + 25.4, y + 2.5, foot + 8.5)), 55))
    pieces += [_on("carrier board", part, kind, 75) for part, kind in carrier(case)]
    wide, floor = case.box.stand_off[0], case.box.sheet
    pieces += [Piece("stand-off M3 x 60", BRASS, nut(at, wide, floor, under), 20) for at in corners(case)]
    pieces += [Piece("stand-off M2.5", BRASS, nut(on_board(case, board, *hole), 5, floor, foot - case.pi.board), 15)
               for hole in board.holes]  # fmt: skip
    if board.size[1] < case.carrier.size[1] / 1.5:  # a small Pi: its rear holes are not below those of the HAT
        post = case.carrier.posts[0]
        pieces.append(
            Piece("post", BRASS, nut(on_board(case, case.carrier, *post), 5, floor, foot + case.carrier.up), 50)
        )
    pieces += [Piece("spacer", BRASS, nut(on_board(case, board, *hole), 5, foot, foot + case.carrier.up), 60)
               for hole in board.holes if hole[1] > board.header[1] - 5]  # fmt: skip
    pieces += [Piece("clip", BRASS, rod(at, 8, under - 6, under), 130) for at in clip_screws(case, case.oleds[name])]
    keys = dict(zip(COLOURS, seat_keys(case), strict=True)) | navigation_keys(case)
    for key, at in keys.items():
        colour = SEATS.get(key, METAL)
        pieces.append(Piece(f"button {key}", colour, rod(at, case.keys.cap, top, top + CAP), 190))
        pieces.append(Piece(f"button {key}", DARK, rod(at, case.keys.hole - 0.4, top - case.keys.depth, top), 190))
    for key, at in zip(COLOURS, lamps(case), strict=True):
        pieces.append(Piece(f"lamp {key}", LAMPS[key], rod(at, 5, under - 8, top + 1.5), 130))
    return pieces


def drawn(pieces: Iterable[Piece], path: Path, apart: float = 1.0, per_mm: float = 2.6) -> Path:
    """Draw the parts above each other; `apart` 0 draws the box closed."""
    picture = Picture(per_mm=per_mm, round_deg=-28.0, down_deg=30.0)
    for piece in pieces:
        picture.add(piece, piece.up * apart)
    return picture.save(path)


def save_sheets(case: Case, file: Path) -> Path:
    """Write the box of sheet as STEP: the panels with their fingers, and the room of each part."""
    oled = next(iter(case.oleds.values()))
    solids = [named(placed(case, name, _sheet(panel, case.box.sheet)), name)
              for name, panel in panels(case, oled).items()]  # fmt: skip
    for part in parts(case, oled, case.pi.boards[BOARD], carrier=True):
        if not part.name.startswith(("plugs", "low plugs", "near plugs", "nut")):
            solids.append(named(_solid(part), part.name))
    return write_step("Umpi", solids, "C", file)


def _sheet(panel: Panel, thick: float) -> Any:
    return plate(polygon(panel.outline), [contour(cut) for cut in panel.cuts], thick)


def _on(board: str, part: Part, kind: str, up: float) -> Piece:
    """Return a part of a printed circuit board."""
    names = {"board": board, "plug": f"plug {part.name}"}
    return Piece(names.get(kind, f"{board} {part.name}"), colour_of(kind), _solid(part), up)


def _solid(part: Part) -> Any:
    return box(part.low, part.high)
