"""The assembled box as solids: tray, front, boards, buttons, lamps, and how far each goes up when drawn apart."""

from __future__ import annotations

from math import cos, pi, sin
from pathlib import Path
from typing import NamedTuple

from hardware.case.boards import carrier, colour_of, gate
from hardware.case.numbers import Case
from hardware.case.panels import clip_screws, corners, lamps, navigation_keys, on_board, seat_keys
from hardware.case.parts import Part, parts
from hardware.gate.mesh import Corner, Mesh, read_mesh
from hardware.gate.picture import Colour, Picture, box
from umpi.box.config import COLOURS

WOOD, FRONT, METAL, BRASS = (214, 184, 134), (236, 214, 172), (176, 180, 186), (200, 170, 90)
PI_GREEN, GLASS, DARK = (52, 128, 78), (40, 46, 58), (62, 64, 70)
SEATS: dict[str, Colour] = {
    "red": (206, 62, 56), "blue": (62, 104, 190), "yellow": (240, 200, 64), "green": (74, 156, 92),
    "white": (240, 240, 236), "black": (58, 58, 62),
}  # fmt: skip
PICO_UP = 62.0
CAP = 4.0  # of a button, above the front
SIDES = 32
BOARD = "4"


class Piece(NamedTuple):
    """A part in its place, its colour, and how far it goes up when the box is drawn apart, in mm."""

    name: str
    colour: Colour
    mesh: Mesh
    up: float


def assembly(case: Case, folder: Path, name: str = "2.42") -> list[Piece]:
    """Return all parts of a box with a Pi 4, a carrier and the board of the gate; `folder` contains the models."""
    board = case.pi.boards[BOARD]
    found = {part.name: part for part in parts(case, case.oleds[name], board, "carrier", "gate")}
    under, top = case.box.height - case.box.sheet, case.box.height
    pieces = [
        Piece("tray", WOOD, read_mesh(folder / "tray.stl"), 0),
        Piece("front", FRONT, moved(read_mesh(folder / f"front-{name}.stl"), (0, 0, under)), 150),
        Piece("Raspberry Pi 4", PI_GREEN, _solid(found["Pi"]), 40),
        Piece("display", GLASS, _solid(found["display"]._replace(low=(*found["display"].low[:2], under - 8))), 112),
        Piece("sounder", DARK, _solid(found["sounder"]), 40),
    ]
    pieces += [Piece(f"socket {kind}", METAL, _solid(found[f"{kind} {at:g}"]), 40) for kind, at in board.sockets]
    x, y = on_board(case, board, *board.header)
    foot = found["Pi"].high[2]
    pieces.append(Piece("header", DARK, box((x - 25.4, y - 2.5, foot), (x + 25.4, y + 2.5, foot + 8.5)), 55))
    pieces += [_on("carrier board", part, kind, 75) for part, kind in carrier(case)]
    pieces += [_on("gate board", part, kind, 40) for part, kind in gate(case)]
    wide, floor = case.box.stand_off[0], case.box.sheet
    pieces += [Piece("stand-off M3 x 60", BRASS, rod(at, wide, floor, under, 6), 20) for at in corners(case)]
    pieces += [Piece("stand-off M2.5", BRASS, rod(on_board(case, board, *hole), 5, floor, foot - case.pi.board, 6), 15)
               for hole in board.holes]  # fmt: skip
    pieces += [Piece("clip", BRASS, rod(at, 8, under - 6, under, 4), 130) for at in clip_screws(case, case.oleds[name])]
    keys = dict(zip(COLOURS, seat_keys(case), strict=True)) | navigation_keys(case)
    for key, at in keys.items():
        colour = SEATS.get(key, METAL)
        pieces.append(Piece(f"button {key}", colour, rod(at, case.keys.cap, top, top + CAP), 190))
        pieces.append(Piece(f"button {key}", DARK, rod(at, case.keys.hole - 0.4, top - case.keys.depth, top), 190))
    for key, at in zip(COLOURS, lamps(case), strict=True):
        pieces.append(Piece(f"lamp {key}", SEATS[key], rod(at, 5, under - 8, top + 1.5), 130))
    return pieces


def drawn(pieces: list[Piece], path: Path, apart: float = 1.0, per_mm: float = 2.6) -> Path:
    """Draw the parts above each other; `apart` 0 draws the box closed."""
    picture = Picture(per_mm=per_mm, round_deg=-28.0, down_deg=30.0)
    for piece in pieces:
        up = piece.up * apart
        picture.add(piece.mesh, piece.colour, lambda p, up=up: (p[0], p[1], p[2] + up))  # type: ignore[misc]
    return picture.save(path)


def moved(mesh: Mesh, by: Corner) -> Mesh:
    """Return a mesh in another place."""
    return Mesh(tuple(tuple(_plus(corner, by) for corner in triangle) for triangle in mesh.triangles))  # type: ignore[misc]


def rod(at: tuple[float, float], across: float, low: float, high: float, sides: int = SIDES) -> Mesh:
    """Return an upright round rod, or one with few sides, as a mesh."""
    turns = [2 * pi * side / sides for side in range(sides)]
    ring = [(at[0] + across / 2 * cos(turn), at[1] + across / 2 * sin(turn)) for turn in turns]
    triangles = []
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
        triangles += [
            ((ax, ay, low), (bx, by, low), (bx, by, high)), ((ax, ay, low), (bx, by, high), (ax, ay, high)),
            ((*at, high), (ax, ay, high), (bx, by, high)), ((*at, low), (bx, by, low), (ax, ay, low)),
        ]  # fmt: skip
    return Mesh(tuple(triangles))


def _on(board: str, part: Part, kind: str, up: float) -> Piece:
    """Return a part of a printed circuit board."""
    names = {"board": board, "plug": f"plug {part.name}", "pico": "Pico", "usb": "socket of the Pico"}
    higher = PICO_UP if kind in ("pico", "usb") else up
    return Piece(names.get(kind, f"{board} {part.name}"), colour_of(kind), _solid(part), higher)


def _solid(part: Part) -> Mesh:
    return box(part.low, part.high)


def _plus(corner: Corner, by: Corner) -> Corner:
    return corner[0] + by[0], corner[1] + by[1], corner[2] + by[2]
