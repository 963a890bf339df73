"""The card funnel of Dohdles! in front of the mouth, as fixed parts for MuJoCo, from the numbers of its printed nets.

Its own axes start at the middle of the lip's end: x is level, to the back wall of its box, y to the left, z up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, radians, sin, sqrt

from hardware.gate.geometry import Gate
from hardware.gate.shapes import box, wall
from umpi.games.dohdles import funnel as card

Place = tuple[float, float, float]

LIP_IN_MM = 15.0  # the lip is so deep in the mouth
CARD_MM = 3.0  # thicker than card, so that no cube passes it within a step
BACK = card.LIP_OUT + card.WALL
MIDDLE = card.LIP_OUT + card.WALL / 2  # of the hopper
COVER = card.HIGH - card.LIP_HIGH
HOPPER_HIGH = sqrt(card.HOPPER_SLANT**2 - ((card.HOPPER_TOP - card.HOPPER_LOW) / 2) ** 2)
IN_BOX = (card.HOLE - card.HOPPER_LOW) / (card.HOPPER_TOP - card.HOPPER_LOW)  # so much of the hopper hangs into it
HOPPER_END = COVER - IN_BOX * HOPPER_HIGH
RIM = HOPPER_END + HOPPER_HIGH


@dataclass(frozen=True, slots=True)
class Funnel:
    """The funnel on its stand: its lip is `raised_mm` above the floor of the lane, and leans as the lane does."""

    gate: Gate
    raised_mm: float

    def point(self, x: float, y: float, z: float) -> Place:
        """Return a point of the funnel in the axes of the lane."""
        along, across, up = self.way(x, y, z)
        return self.gate.length - LIP_IN_MM + along, across, self.raised_mm + up

    def way(self, x: float, y: float, z: float) -> Place:
        """Return a direction of the funnel in the axes of the lane."""
        lean = radians(self.gate.numbers.lane.slope_deg)
        return x * cos(lean) + z * sin(lean), y, z * cos(lean) - x * sin(lean)

    def parts(self) -> Iterator[str]:
        """Yield chute, box and hopper."""
        yield from self._chute()
        x, y, z = self.point(0, 0, 0)
        yield f'<body pos="{x} {y} {z}" euler="0 {radians(self.gate.numbers.lane.slope_deg)} 0">'
        yield from _box()
        yield from _hopper()
        yield "</body>"

    def _chute(self) -> Iterator[str]:
        lip, low = self.gate.length - LIP_IN_MM, self.raised_mm
        yield box((lip, lip + card.CHUTE_LONG), (-card.CHUTE_WIDE / 2, card.CHUTE_WIDE / 2), (low - CARD_MM, low))
        neck = card.STRAIGHT + card.NARROWS
        straight = [(0.0, card.LIP_WIDE), (card.STRAIGHT, card.LIP_WIDE)]
        side = [*straight, (neck, card.CHUTE_WIDE), (card.CHUTE_LONG, card.CHUTE_WIDE)]
        for (a, start), (b, stop) in pairwise(side):
            for left in (1, -1):
                yield wall((lip + a, start / 2), (lip + b, stop / 2), left, (low, low + card.CHUTE_WALL), CARD_MM)


def _box() -> Iterator[str]:
    front, side, gap = (card.LIP_OUT - CARD_MM, card.LIP_OUT), card.WALL / 2, card.opening() / 2
    yield box((card.LIP_OUT, BACK), (-side, side), (-card.LIP_HIGH - CARD_MM, -card.LIP_HIGH))
    yield box((BACK, BACK + CARD_MM), (-side, side), (-card.LIP_HIGH, COVER))
    low = card.LIP_OUT - 0.5
    yield box(front, (-side, side), (-card.LIP_HIGH, low - CARD_MM))  # so much thicker, it would stand out of the floor
    yield box(front, (-side, side), (low + sqrt(2) * card.CHUTE_WALL + 3, COVER))
    hole = card.HOLE / 2
    for left in (1, -1):
        yield box(front, _ordered(left * gap, left * side), (low, COVER))
        yield box((card.LIP_OUT, BACK), _ordered(left * side, left * (side + CARD_MM)), (-card.LIP_HIGH, COVER))
        yield box((card.LIP_OUT, BACK), _ordered(left * hole, left * side), (COVER, COVER + CARD_MM))
        yield box(_ordered(MIDDLE + left * hole, MIDDLE + left * side), (-hole, hole), (COVER, COVER + CARD_MM))


def _hopper() -> Iterator[str]:
    lean = atan2((card.HOPPER_TOP - card.HOPPER_LOW) / 2, HOPPER_HIGH)
    out = (card.HOPPER_TOP + card.HOPPER_LOW) / 4 + CARD_MM / 2 * cos(lean)
    z = (HOPPER_END + RIM) / 2 - CARD_MM / 2 * sin(lean)
    for sign in (1, -1):
        yield (
            f'<geom type="box" pos="{MIDDLE + sign * out} 0 {z}" size="{CARD_MM / 2} {card.HOPPER_TOP / 2} '
            f'{card.HOPPER_SLANT / 2}" euler="0 {sign * lean} 0"/>'
        )
        yield (
            f'<geom type="box" pos="{MIDDLE} {sign * out} {z}" size="{card.HOPPER_TOP / 2} {CARD_MM / 2} '
            f'{card.HOPPER_SLANT / 2}" euler="{-sign * lean} 0 0"/>'
        )


def _ordered(a: float, b: float) -> tuple[float, float]:
    return min(a, b), max(a, b)
