"""The typed numbers of wall.toml."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from hardware.spec import read

FILE = Path(__file__).with_name("wall.toml")


@dataclass(frozen=True, slots=True)
class Block:
    """The wall itself."""

    length: float
    height: float
    depth: float
    depth_least: float
    edge: float


@dataclass(frozen=True, slots=True)
class Builds:
    """The thicknesses of the sheets, from the front, for each way to build the wall."""

    two_15: tuple[float, ...]
    two_12: tuple[float, ...]
    timber: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Material:
    """The limits of wood."""

    spread: float
    wood_beside: float
    end_by_diameter: float
    wood_above: float
    held_by_diameter: float
    glue_g_m2: float


@dataclass(frozen=True, slots=True)
class Screws:
    """The places of the screws, and their holes."""

    along: tuple[float, ...]
    sides: tuple[float, ...]
    stagger: float
    diameter: float
    core: float
    head: float
    length: float
    sunk: float
    pilot: float
    pilot_depth: float
    clearance: float
    countersink: float

    @property
    def places(self) -> tuple[tuple[float, float], ...]:
        """Return the centres of the screws, x and y, seen from above."""
        return tuple((x, side * self.stagger) for x, side in zip(self.along, self.sides, strict=True))


@dataclass(frozen=True, slots=True)
class Bit:
    """The drill of the pilot holes."""

    flute: float
    free: float
    started: float


@dataclass(frozen=True, slots=True)
class Base:
    """The plate under the printed board."""

    thickness: float
    least: float
    most: float
    feet: float


@dataclass(frozen=True, slots=True)
class Piezo:
    """The piezo disc, its pocket and its lead."""

    disc: float
    pocket: float
    depth: float
    wood_beside: float
    lead: float
    hole: float


@dataclass(frozen=True, slots=True)
class Board:
    """The printed board."""

    short: float
    long: float
    mark: float


@dataclass(frozen=True, slots=True)
class Limits:
    """The allowed errors."""

    lean: float
    bow: float
    rock: float
    diagonal: float
    centre: float
    turn: float
    dode: float
    paper: float


@dataclass(frozen=True, slots=True)
class Gluing:
    """The corner in which the sheets are glued."""

    length: float
    width: float
    fence: float
    stop: float
    caul: float


@dataclass(frozen=True, slots=True)
class Saddle:
    """The drill guide."""

    width: float
    cheek: float


@dataclass(frozen=True, slots=True)
class Square:
    """The square gauge."""

    side: float


@dataclass(frozen=True, slots=True)
class Stock:
    """The sheets as bought, and the kerf of the saw."""

    sheet_length: float
    sheet_width: float
    sheet: float
    kerf: float
    offcut_length: float
    offcut_width: float
    strip_length: float


@dataclass(frozen=True, slots=True)
class Numbers:
    """All of wall.toml, in mm."""

    wall: Block
    builds: Builds
    material: Material
    screws: Screws
    bit: Bit
    base: Base
    piezo: Piezo
    board: Board
    limits: Limits
    gluing: Gluing
    saddle: Saddle
    square: Square
    stock: Stock

    @property
    def sheets_of(self) -> dict[str, tuple[float, ...]]:
        """Return the builds by name."""
        return asdict(self.builds)


def load(path: Path = FILE) -> Numbers:
    """Read the numbers. Raises BadSpec with what is missing, not known or no number."""
    return read(Numbers, path)
