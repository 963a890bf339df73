"""The dimensions of case.toml, in mm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hardware.spec import read

SOURCE = Path(__file__).parent / "case.toml"

Pair = tuple[float, float]
Four = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """The outside, the sheet it is cut from, and the four stand-offs that hold front and base."""

    width: float
    depth: float
    height: float
    sheet: float
    finger: float
    kerf: float
    corner: float
    screw: float
    stand_off: Pair

    @property
    def outer(self) -> tuple[float, float, float]:
        """Return width, depth and height."""
        return self.width, self.depth, self.height

    @property
    def inner(self) -> tuple[float, float, float]:
        """Return width, depth and height between the sheets."""
        return self.width - 2 * self.sheet, self.depth - 2 * self.sheet, self.height - 2 * self.sheet


@dataclass(frozen=True, slots=True)
class Window:
    """The place of the picture, and the margin of the hole on each side."""

    centre: Pair
    margin: float


@dataclass(frozen=True, slots=True)
class Oled:
    """A display module. `below` is the distance of its board's middle below the middle of the active area."""

    active: Pair
    glass: Pair
    board: Pair
    below: float
    depth: float
    tolerance: float


@dataclass(frozen=True, slots=True)
class Clip:
    """The clip that holds a corner of a module."""

    size: Pair
    from_end: float
    beside: float
    inward: float
    spacer: float


@dataclass(frozen=True, slots=True)
class Keys:
    """The push buttons. `row` is the y of the six seat buttons, `mark` the y and the size of the engraved marks."""

    pitch: float
    hole: float
    cap: float
    nut: float
    nut_depth: float
    body: float
    depth: float
    row: float
    mark: Pair


@dataclass(frozen=True, slots=True)
class Lamps:
    """The lamps, one above each seat button."""

    hole: float
    above: float
    flange: float
    depth: float


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines from the labels on the panel to the buttons."""

    stub: float
    clear: float
    least_gap: float


@dataclass(frozen=True, slots=True)
class Navigation:
    """Four keys beside the window; `label` is the distance of the label below its key, and its height."""

    aside: float
    apart: float
    label: Pair


@dataclass(frozen=True, slots=True)
class Socket:
    """A kind of socket: `body` is wide, high, deep; `plug` wide and high; `up` the plug's middle above the board."""

    wall: str
    body: tuple[float, float, float]
    out: float
    plug: Pair
    up: float


@dataclass(frozen=True, slots=True)
class PiBoard:
    """A Raspberry Pi, measured from its left and lower edge; a socket has its kind and its middle along its edge."""

    size: Pair
    holes: tuple[Pair, ...]
    header: Pair
    sockets: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Plugs:
    """An opening for plugs, along the board's edge and up from below the box."""

    along: Pair
    high: Pair


@dataclass(frozen=True, slots=True)
class Pi:
    """The place of a Raspberry Pi in the box; `gap` is the distance of a large one to the left and to the rear wall."""

    gap: Pair
    stand_off: float
    hole: float
    board: float
    plugs: float
    sockets: Mapping[str, Socket]
    boards: Mapping[str, PiBoard]
    plugs_rear: Plugs
    plugs_left: Plugs


@dataclass(frozen=True, slots=True)
class Carrier:
    """The board on the header: `room` is free above it, and above what is under the navigation buttons."""

    size: Pair
    header: Pair
    up: float
    thick: float
    room: Pair
    posts: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Print:
    """What a printer needs: the groove of engraved lines, the longest bridge, the thickness of a rib."""

    groove: Pair
    bridge: float
    rib: float


@dataclass(frozen=True, slots=True)
class Strength:
    """The least material between holes, and beside openings that are longer than `large`."""

    web: float
    large: float
    beside_large: float


@dataclass(frozen=True, slots=True)
class Leads:
    """The holes for the leads to the seats."""

    hole: float
    first: float
    pitch: float
    high: float


@dataclass(frozen=True, slots=True)
class Rail:
    """The opening for the cable of the colour sensor: x from, to, z from, to; beside it, slots for a cable tie."""

    opening: Four
    ties: Pair
    tie_slot: Pair
    tie_up: float


@dataclass(frozen=True, slots=True)
class Sounder:
    """Slots in the right wall; `size` is across and high."""

    centre: Pair
    slots: int
    slot: Pair
    pitch: float
    size: Pair


@dataclass(frozen=True, slots=True)
class Vents:
    """Slots in the base; `first` is the middle of the first, and `exhaust` that of the first one in the left wall."""

    slots: int
    exhaust: Pair
    exhaust_slot: Pair
    slot: Pair
    first: Pair
    pitch: float


@dataclass(frozen=True, slots=True)
class Case:
    """All dimensions of the case, in mm."""

    box: Box
    window: Window
    oleds: Mapping[str, Oled]
    clip: Clip
    keys: Keys
    lamps: Lamps
    lines: Lines
    navigation: Navigation
    pi: Pi
    carrier: Carrier
    leads: Leads
    rail: Rail
    sounder: Sounder
    vents: Vents
    print: Print
    strength: Strength


def read_case(file: Path = SOURCE) -> Case:
    """Read all dimensions. Raises OSError, tomllib.TOMLDecodeError and BadSpec."""
    return read(Case, file)
