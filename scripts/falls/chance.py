"""What chance decides about a throw: every range in one place, and the handfuls drawn from them."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, pi, sin
from random import Random

from hardware.gate.bodies import Body, Feed
from hardware.gate.funnel import MIDDLE, RIM, Funnel, Place
from hardware.gate.geometry import Gate
from umpi.games.dohdles.funnel import HOPPER_TOP, LIP_WIDE

Pair = tuple[float, float]
Turn = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Ranges:
    """Least and most of everything that differs from throw to throw. All of them are estimates."""

    larger_mm: Pair  # than the nominal size, as gate.toml says
    friction: Pair = (0.1, 0.35)
    edge_mm: Pair = (0.2, 1.0)  # radius of the edges
    grams_cm3: Pair = (0.5, 0.9)  # wood
    doughy: float = 0.15  # so many cubes have dough on them,
    dough_friction: float = 0.05  # which adds up to so much friction
    dough_weight: float = 0.1  # and up to this part of their weight
    speed_mm_ms: Pair = (0.2, 1.2)
    slide_spin: float = 0.01  # radians per ms, about the upright axis
    tumble_spin: float = 0.04  # about any axis
    down_mm_ms: Pair = (1.0, 2.5)  # into a hopper: a fall of 5 to 32 cm
    aside_mm_ms: Pair = (0.0, 0.8)  # and so fast sideways
    raised_mm: Pair = (0.0, 10.0)  # the lip of a funnel above the lane
    within_ms: float = 300.0  # the cubes of a handful
    shake: Pair = (0.0, 0.03)  # of the table, in parts of gravity
    shake_hz: Pair = (5.0, 25.0)
    damping: Pair = (0.25, 0.5)  # of a contact, which gives back 0.5 to 0.3 of the speed; gate.toml: plastic about 0.5


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of throw: cubes slide into the mouth, slide out of a chute, or are tossed into the hopper of a funnel."""

    name: str
    cubes: int
    tumbling: bool = False
    feed: Feed = "open"
    each_lane: bool = False  # six lanes, and so many cubes in each


KINDS = (
    Kind("one", 1),
    Kind("one-tumbling", 1, tumbling=True),
    Kind("three", 3),
    Kind("three-tumbling", 3, tumbling=True),
    Kind("six", 6),
    Kind("six-tumbling", 6, tumbling=True),
    Kind("three-chute", 3, feed="chute"),
    Kind("six-chute", 6, feed="chute"),
    Kind("one-funnel", 1, tumbling=True, feed="funnel"),
    Kind("three-funnel", 3, tumbling=True, feed="funnel"),
    Kind("six-funnel", 6, tumbling=True, feed="funnel"),
    Kind("six-lanes", 1, each_lane=True),
    Kind("six-lanes-tumbling", 1, tumbling=True, each_lane=True),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """How a cube comes in, in mm and ms: where its centre is, and how fast it goes."""

    body: Body
    at_ms: float
    place: Place
    speed: Place
    turn: Turn
    spin: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Handful:
    """The cubes of one throw in the order of their entries.

    `shake` is that of the table in parts of gravity, `damping` that of every contact. The lip of a funnel is
    `raised_mm` above the lane.
    """

    kind: Kind
    entries: tuple[Entry, ...]
    shake: float
    shake_hz: float
    damping: float
    raised_mm: float = 0.0


def handful(gate: Gate, kind: Kind, chance: Random, ranges: Ranges) -> Handful:
    """Draw the cubes of a throw."""
    times = [0.0, *sorted(chance.uniform(0, ranges.within_ms) for _ in range(kind.cubes - 1))]
    raised_mm = 0.0
    if kind.feed == "funnel":
        raised_mm = chance.uniform(*ranges.raised_mm)
        funnel = Funnel(gate, raised_mm)
        entries = tuple(_tossed(funnel, at, chance, ranges) for at in times)
    else:
        half = (gate.mouth if kind.feed == "open" else LIP_WIDE) / 2
        entries = tuple(_entry(gate, kind, at, half, chance, ranges) for at in times)
    shake, shake_hz, damping = (chance.uniform(*each) for each in (ranges.shake, ranges.shake_hz, ranges.damping))
    return Handful(kind, entries, shake, shake_hz, damping, raised_mm)


def _tossed(funnel: Funnel, at_ms: float, chance: Random, ranges: Ranges) -> Entry:
    """Draw a cube that falls into the hopper, at any place of it and turned anyhow."""
    body = _body(funnel.gate, chance, ranges)
    room = HOPPER_TOP / 2 - body.size_mm
    place = MIDDLE + chance.uniform(-room, room), chance.uniform(-room, room), RIM + body.size_mm
    aside, angle = chance.uniform(*ranges.aside_mm_ms), chance.uniform(0, 2 * pi)
    speed = aside * cos(angle), aside * sin(angle), -chance.uniform(*ranges.down_mm_ms)
    spin = tuple(chance.uniform(-1, 1) * ranges.tumble_spin for _ in range(3))
    turn = _any_turn(chance)
    return Entry(body, at_ms, funnel.point(*place), funnel.way(*speed), turn, (spin[0], spin[1], spin[2]))


def _entry(gate: Gate, kind: Kind, at_ms: float, half: float, chance: Random, ranges: Ranges) -> Entry:
    body = _body(gate, chance, ranges)
    size = body.size_mm
    if kind.tumbling:
        turn = _any_turn(chance)
        reach, high = _reach(size, turn)
        spin = tuple(chance.uniform(-1, 1) * ranges.tumble_spin for _ in range(3))
    else:
        yaw = chance.uniform(0, pi / 2)
        if size * (cos(yaw) + sin(yaw)) / 2 > half:  # in a chute that is narrower than its diagonal
            yaw = 0.0
        turn = (cos(yaw / 2), 0.0, 0.0, sin(yaw / 2))
        reach, high = _reach(size, turn)
        spin = (0.0, 0.0, chance.uniform(-1, 1) * ranges.slide_spin)
    room = max(0.0, half - reach - 0.1)
    across, speed = chance.uniform(-room, room), chance.uniform(*ranges.speed_mm_ms)
    place = gate.length, across, high + 0.05
    return Entry(body, at_ms, place, (-speed, 0.0, 0.0), turn, (spin[0], spin[1], spin[2]))


def _body(gate: Gate, chance: Random, ranges: Ranges) -> Body:
    size = gate.cube + chance.uniform(*ranges.larger_mm)
    grams = size**3 / 1000 * chance.uniform(*ranges.grams_cm3)
    friction = chance.uniform(*ranges.friction)
    dough = chance.random() if chance.random() < ranges.doughy else 0.0
    return Body(
        size, chance.uniform(*ranges.edge_mm), grams * (1 + dough * ranges.dough_weight),
        friction + dough * ranges.dough_friction,
    )  # fmt: skip


def _any_turn(chance: Random) -> Turn:
    w, x, y, z = (chance.gauss(0, 1) for _ in range(4))
    long = hypot(w, x, y, z)
    return w / long, x / long, y / long, z / long


def _reach(size: float, turn: Turn) -> Pair:
    """Return how far a turned cube reaches from its centre: across, and up."""
    w, x, y, z = turn
    across = abs(2 * (x * y + w * z)) + abs(1 - 2 * (x * x + z * z)) + abs(2 * (y * z - w * x))
    high = abs(2 * (x * z - w * y)) + abs(2 * (y * z + w * x)) + abs(1 - 2 * (x * x + y * y))
    return size / 2 * across, size / 2 * high
