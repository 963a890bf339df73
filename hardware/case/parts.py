"""The parts inside the box and their room in mm, to check that they fit."""

from __future__ import annotations

from typing import NamedTuple

from hardware.case.numbers import Case, Oled, PiBoard
from hardware.case.panels import clip_screws, corners, lamps, navigation_keys, on_board, seat_keys
from hardware.case.shapes import Point

Corner = tuple[float, float, float]


class Part(NamedTuple):
    """The room of a part, from its lowest to its highest corner."""

    name: str
    low: Corner
    high: Corner

    def meets(self, other: Part) -> bool:
        """Return whether both parts overlap."""
        sides = zip(self.low, self.high, other.low, other.high, strict=True)
        return all(low < other_high - 1e-9 and other_low < high - 1e-9 for low, high, other_low, other_high in sides)


def parts(case: Case, oled: Oled, board: PiBoard, carrier: bool = False) -> list[Part]:
    """List the parts in a box with this module, this Raspberry Pi, and the HAT or jumper wires."""
    under = case.box.height - case.box.sheet
    keys = dict(zip("123456", seat_keys(case), strict=True)) | navigation_keys(case)
    own, lamp, sounder = case.keys, case.lamps, case.sounder
    floor = under - case.box.sheet
    found = [_round(f"nut {name}", at, own.nut, under, own.nut_depth) for name, at in keys.items()]
    found += [
        _round(f"key {name}", at, own.body, under - own.nut_depth, own.depth - own.nut_depth)
        for name, at in keys.items()
    ]
    found += [_round(f"lamp {index}", at, lamp.flange, under, lamp.depth) for index, at in enumerate(lamps(case), 1)]
    found += [_round(f"stand-off {at}", at, case.box.stand_off[0] / 0.866, under, floor) for at in corners(case)]
    found += _display(case, oled, under) + _pi(case, board)
    if carrier:
        found = [part for part in found if part.name != "header"] + _carrier(case, board)
    (y, z), (across, high) = sounder.centre, sounder.size
    right = case.box.width - case.box.sheet
    found.append(
        Part("sounder", (right - high, y - across / 2, z - across / 2), (right, y + across / 2, z + across / 2))
    )
    return found


def _round(name: str, at: Point, across: float, under: float, deep: float) -> Part:
    (x, y), half = at, across / 2
    return Part(name, (x - half, y - half, under - deep), (x + half, y + half, under))


def _display(case: Case, oled: Oled, under: float) -> list[Part]:
    (x, y), (wide, high) = case.window.centre, oled.board
    wide, high, y = wide / 2 + oled.tolerance, high / 2 + oled.tolerance, y - oled.below
    board = Part("display", (x - wide, y - high, under - oled.depth), (x + wide, y + high, under))
    half = case.clip.size[1] / 2  # the spacer; the clip on it lies below the board
    screws = [_round(f"clip {at}", at, 2 * half, under, 4 * case.box.sheet) for at in clip_screws(case, oled)]
    return [board, *screws]


def _pi(case: Case, board: PiBoard) -> list[Part]:
    floor = case.box.sheet + case.pi.stand_off
    top = floor + case.pi.board
    found = [Part("Pi", (*on_board(case, board, *board.size), floor), (*on_board(case, board, 0, 0), top))]
    x, y = on_board(case, board, *board.header)
    found.append(Part("header", (x - 25.4, y - 2.6, top), (x + 25.4, y + 2.6, top + case.pi.plugs)))
    for kind, middle in board.sockets:
        found.append(_socket(case, board, kind, middle, top))
    return found


def _socket(case: Case, board: PiBoard, kind: str, middle: float, top: float) -> Part:
    socket = case.pi.sockets[kind]
    wide, high, deep = socket.body
    if socket.wall == "rear":
        (x, y), half = on_board(case, board, middle, 0), wide / 2
        return Part(f"{kind} {middle:g}", (x - half, y - deep, top), (x + half, y + socket.out, top + high))
    (x, y), half = on_board(case, board, board.size[0], middle), wide / 2
    return Part(f"{kind} {middle:g}", (x - socket.out, y - half, top), (x + deep, y + half, top + high))


def _carrier(case: Case, board: PiBoard) -> list[Part]:
    """Return the HAT on the header, what is plugged into it, and the post under it."""
    own = case.carrier
    foot = case.box.sheet + case.pi.stand_off + case.pi.board
    (left, low), (right, high) = on_board(case, own, *own.size), on_board(case, own, 0, 0)
    under = foot + own.up
    above = under + own.thick
    aside = min(right, max(left, navigation_keys(case)["up"][0] + case.keys.body / 2 + 0.5))
    near = min(high, max(low, lamps(case)[0][1] + case.lamps.flange / 2 + 0.5))
    found = [
        Part("carrier", (left, low, under), (right, high, above)),
        Part("plugs of the carrier", (aside, near, above), (right, high, above + own.room[0])),
    ]
    if aside > left:
        found.append(Part("low plugs of the carrier", (left, near, above), (aside, high, above + own.room[1])))
    if near > low:
        found.append(Part("near plugs of the carrier", (left, low, above), (right, near, above + own.room[1])))
    if board.size[1] < own.size[1] / 1.5:
        for post in own.posts:
            x, y = on_board(case, own, *post)
            found.append(Part(f"post {post}", (x - 2.9, y - 2.9, case.box.sheet), (x + 2.9, y + 2.9, under)))
    return found
