"""The symbols of the schematics: their pins, and the lines that show them.

Units are steps of KiCad's grid of 1.27 mm, y upwards, as in a symbol of KiCad.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Point = tuple[float, float]
Kind = Literal["passive", "input", "bidirectional", "power_in", "power_out"]
PITCH = 2  # between the pins of a box


@dataclass(frozen=True, slots=True)
class Pin:
    """A pin: `at` is its outer end, and from there it runs in direction `turn`, in degrees counterclockwise."""

    number: str
    name: str
    at: Point
    turn: Literal[0, 90, 180, 270]
    length: float
    kind: Kind = "passive"


@dataclass(frozen=True, slots=True)
class Shape:
    """A symbol that parts share; `power` if it only gives its net a name."""

    name: str
    pins: tuple[Pin, ...]
    lines: tuple[tuple[Point, ...], ...] = ()
    boxes: tuple[tuple[Point, Point], ...] = ()
    circles: tuple[tuple[Point, float], ...] = ()
    named: bool = False  # it shows the names and numbers of its pins
    power: bool = False

    def pin(self, number: str) -> Pin:
        """Return a pin by its number. Raises KeyError."""
        return {pin.number: pin for pin in self.pins}[number]


def _two(name: str, first: str, second: str, reach: float) -> tuple[Pin, Pin]:
    """Return the pins above and below a part with two legs whose body reaches so far."""
    long = 3 - reach
    return Pin(first, "1", (0, 3), 270, long), Pin(second, "2", (0, -3), 90, long)


RESISTOR = Shape("R", _two("R", "1", "2", 2), boxes=(((-0.8, 2), (0.8, -2)),))
FUSE = Shape("F", _two("F", "1", "2", 2), lines=(((0, 2), (0, -2)),), boxes=(((-0.8, 2), (0.8, -2)),))
CAPACITOR = Shape("C", _two("C", "1", "2", 0.5), lines=(((-1.5, 0.5), (1.5, 0.5)), ((-1.5, -0.5), (1.5, -0.5))))
GROUND = Shape(
    "GND", (Pin("1", "GND", (0, 0), 270, 0, "power_in"),),
    lines=(((0, 0), (0, -1)), ((-1, -1), (1, -1)), ((-0.6, -1.4), (0.6, -1.4)), ((-0.2, -1.8), (0.2, -1.8))),
    power=True,
)  # fmt: skip
TEST = Shape("TestPoint", (Pin("1", "1", (0, 0), 90, 2),), circles=(((0, 2.6), 0.6),))
HOLE = Shape("MountingHole", (), circles=(((0, 0), 1.2),))
FIDUCIAL = Shape("Fiducial", (), circles=(((0, 0), 0.6), ((0, 0), 1.2)))


def diode(anode: str, cathode: str) -> Shape:
    """Return a diode with its cathode at the left."""
    pins = Pin(cathode, "K", (-3, 0), 0, 2), Pin(anode, "A", (3, 0), 180, 2)
    return Shape("D", pins, lines=(((1, 1), (1, -1), (-1, 0), (1, 1)), ((-1, 1), (-1, -1))))


def transistor(base: str, collector: str, emitter: str) -> Shape:
    """Return an NPN transistor: base at the left, collector above, emitter below."""
    pins = (
        Pin(base, "B", (-4, 0), 0, 4, "input"), Pin(collector, "C", (2, 4), 270, 2), Pin(emitter, "E", (2, -4), 90, 2),
    )  # fmt: skip
    arrow = ((2, -2), (1.1, -1.9), (1.6, -1.2), (2, -2))
    return Shape("NPN", pins, lines=(((0, 2), (0, -2)), ((0, 0.8), (2, 2)), ((0, -0.8), (2, -2)), arrow))


def supply(net: str) -> Shape:
    """Return the arrow of a supply above its pin."""
    lines = (((0, 0), (0, 1.5)), ((-1, 1.5), (1, 1.5)))
    return Shape(net, (Pin("1", net, (0, 0), 90, 0, "power_in"),), lines, power=True)


Side = Sequence[tuple[str, str, Kind] | None]  # number, name and kind of each pin from above; None leaves a place out


def box(name: str, left: Side, right: Side = (), wide: int = 12, pitch: int = PITCH) -> Shape:
    """Return a box with pins at its left and right."""
    rows = max(len(left), len(right))
    half, high = wide / 2, rows * pitch / 2
    top = round(high - pitch / 2)
    pins = [*_side(left, -half - 2, top, pitch, 0), *_side(right, half + 2, top, pitch, 180)]
    return Shape(
        name, tuple(pins), boxes=(((-half, top + pitch / 2 + 0.5), (half, top + pitch / 2 - rows * pitch)),), named=True
    )


def _side(pins: Side, x: float, top: float, pitch: int, turn: Literal[0, 180]) -> Iterable[Pin]:
    for row, pin in enumerate(pins):
        if pin:
            number, name, kind = pin
            yield Pin(number, name, (x, top - row * pitch), turn, 2, kind)
