"""The dimensions of case.toml, in mm."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

SOURCE = Path(__file__).parent / "case.toml"

Pair = tuple[float, float]
Four = tuple[float, float, float, float]


class Box(NamedTuple):
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
    def inner(self) -> tuple[float, float, float]:
        """Return width, depth and height between the sheets."""
        return self.width - 2 * self.sheet, self.depth - 2 * self.sheet, self.height - 2 * self.sheet


class Window(NamedTuple):
    """The place of the picture, and the margin of the hole on each side."""

    centre: Pair
    margin: float


class Oled(NamedTuple):
    """A display module. `below` is the distance of its board's middle below the middle of the active area."""

    active: Pair
    glass: Pair
    board: Pair
    below: float
    depth: float
    tolerance: float


class Clip(NamedTuple):
    """The clip that holds a corner of a module."""

    size: Pair
    from_end: float
    beside: float
    inward: float


class Keys(NamedTuple):
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


class Lamps(NamedTuple):
    """The lamps, one above each seat button."""

    hole: float
    above: float
    flange: float
    depth: float


class Lines(NamedTuple):
    """The lines from the labels on the panel to the buttons."""

    stub: float
    clear: float
    least_gap: float


class Navigation(NamedTuple):
    """Four keys beside the window; `label` is the distance of the label below its key, and its height."""

    aside: float
    apart: float
    label: Pair


class Socket(NamedTuple):
    """A kind of socket: `body` is wide, high, deep; `plug` wide and high; `up` the plug's middle above the board."""

    wall: str
    body: tuple[float, float, float]
    out: float
    plug: Pair
    up: float


class PiBoard(NamedTuple):
    """A Raspberry Pi, measured from its left and lower edge; a socket has its kind and its middle along its edge."""

    size: Pair
    holes: tuple[Pair, ...]
    header: Pair
    sockets: tuple[tuple[str, float], ...]


class Plugs(NamedTuple):
    """An opening for plugs, along the board's edge and up from below the box."""

    along: Pair
    high: Pair


class Pi(NamedTuple):
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


class Top(NamedTuple):
    """A board on the header: `room` is free above it, and above what is under the navigation buttons."""

    size: Pair
    header: Pair
    up: float
    thick: float
    room: Pair
    posts: tuple[Pair, ...]


class Head(NamedTuple):
    """A board of the sensor head: its near left corner, the distances of its holes, their slots, its height."""

    at: Pair
    size: Pair
    holes: Pair
    slot: Pair
    high: float


class Pico(NamedTuple):
    """The Pico on that board; `opening` is x from, to and z from, to in the rear wall."""

    stand_off: float
    size: Pair
    at: float
    aside: float
    board: float
    socket: float
    up: float
    plug: Pair
    opening: Four


class Print(NamedTuple):
    """What a printer needs: the groove of engraved lines, the longest bridge, the thickness of a rib."""

    groove: Pair
    bridge: float
    rib: float


class Strength(NamedTuple):
    """The least material between holes, and beside openings that are longer than `large`."""

    web: float
    large: float
    beside_large: float


class Leads(NamedTuple):
    """The holes for the leads to the seats."""

    hole: float
    first: float
    pitch: float
    high: float


class Sounder(NamedTuple):
    """Slots in the right wall; `size` is across and high."""

    centre: Pair
    slots: int
    slot: Pair
    pitch: float
    size: Pair


class Vents(NamedTuple):
    """Slots in the base; `first` is the middle of the first."""

    slots: int
    slot: Pair
    first: Pair
    pitch: float


class Case(NamedTuple):
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
    tops: Mapping[str, Top]
    heads: Mapping[str, Head]
    pico: Pico
    leads: Leads
    gate: Four
    sounder: Sounder
    vents: Vents
    print: Print
    strength: Strength


def read_case(file: Path = SOURCE) -> Case:
    """Read all dimensions. Raises OSError, tomllib.TOMLDecodeError, TypeError or KeyError if one is missing."""
    tables = {name: _tuples(table) for name, table in tomllib.loads(file.read_text(encoding="utf-8")).items()}
    pi = tables["pi"]
    boards = {name: PiBoard(**board) for name, board in pi.pop("boards").items()}
    sockets = {name: Socket(**socket) for name, socket in pi.pop("sockets").items()}
    rear, left = Plugs(**pi.pop("plugs_rear")), Plugs(**pi.pop("plugs_left"))
    return Case(
        box=Box(**tables["box"]),
        window=Window(**tables["window"]),
        oleds={name: Oled(**oled) for name, oled in tables["oled"].items()},
        clip=Clip(**tables["clip"]),
        keys=Keys(**tables["keys"]),
        lamps=Lamps(**tables["lamps"]),
        lines=Lines(**tables["lines"]),
        navigation=Navigation(**tables["navigation"]),
        pi=Pi(**pi, sockets=sockets, boards=boards, plugs_rear=rear, plugs_left=left),
        tops={name: Top(**top) for name, top in tables["tops"].items()},
        heads={name: Head(**head) for name, head in tables["heads"].items()},
        pico=Pico(**tables["pico"]),
        leads=Leads(**tables["leads"]),
        gate=tables["gate"]["opening"],
        sounder=Sounder(**tables["sounder"]),
        vents=Vents(**tables["vents"]),
        print=Print(**tables["print"]),
        strength=Strength(**tables["strength"]),
    )


def _tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _tuples(inner) for key, inner in value.items()}
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
