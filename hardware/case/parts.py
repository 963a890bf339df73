"""The parts inside the box and their room in mm, to check that they fit."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from hardware.case.numbers import Case, Oled, PiBoard
from hardware.case.panels import clip_screws, corners, lamps, navigation_keys, on_pi, seat_keys
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


def parts(case: Case, oled: Oled, board: PiBoard) -> list[Part]:
    """List the parts in a box with this module and this Raspberry Pi."""
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
    (y, z), (across, high) = sounder.centre, sounder.size
    right = case.box.width - case.box.sheet
    found.append(
        Part("sounder", (right - high, y - across / 2, z - across / 2), (right, y + across / 2, z + across / 2))
    )
    return found


def clashes(case: Case, found: list[Part]) -> list[str]:
    """Name parts that overlap, and parts that are not between the sheets."""
    sheet = case.box.sheet
    ends = [length - sheet for length in case.box[:3]]
    out = [
        f"{part.name} and the wall"
        for part in found
        if min(part.low) < sheet - 1e-9 or any(high > end + 1e-9 for high, end in zip(part.high, ends, strict=True))
    ]
    return out + [f"{one.name} and {other.name}" for one, other in combinations(found, 2) if one.meets(other)]


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
    left, low = on_pi(case, *board.size)
    right, high = on_pi(case, 0, 0)
    found = [Part("Pi", (left, low, floor), (right, high, top))]
    x, y = on_pi(case, *board.header)
    found.append(Part("header", (x - 25.4, y - 2.6, top), (x + 25.4, y + 2.6, top + case.pi.plugs)))
    if board.usb_a:
        start, end, near, far = board.usb_a
        (left, low), (right, high) = on_pi(case, end, far), on_pi(case, start, near)
        inner = max(left, case.box.sheet)  # what stands out of the board's edge goes into the opening of the wall
        found.append(Part("USB-A", (inner, low, top), (right, high, top + case.pi.usb_a)))
    return found
