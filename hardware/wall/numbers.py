"""The typed numbers of wall.toml, and the rows of the page: each number with its reason."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

FILE = Path(__file__).with_name("wall.toml")
T = TypeVar("T")


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
        return {field.name: getattr(self.builds, field.name) for field in fields(self.builds)}


KINDS: dict[str, type[Any]] = {
    "wall": Block, "builds": Builds, "material": Material, "screws": Screws, "bit": Bit, "base": Base, "piezo": Piezo,
    "board": Board, "limits": Limits, "gluing": Gluing, "saddle": Saddle, "square": Square, "stock": Stock,
}  # fmt: skip


def load(path: Path = FILE) -> Numbers:
    """Read the numbers. Raises ValueError with the table and the key that is unknown, missing or not a number."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    if odd := set(data) ^ set(KINDS):
        raise ValueError(f"{path.name}: {', '.join(sorted(odd))}: the tables are {', '.join(KINDS)}.")
    return Numbers(**{name: _table(kind, data[name], f"{path.name}, [{name}]") for name, kind in KINDS.items()})


def reasons(path: Path = FILE) -> dict[str, list[tuple[str, str, str]]]:
    """Return the rows of each table: name, value as written, and its reason."""
    tables: dict[str, list[tuple[str, str, str]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"\[(\w+)\]", line):
            rows = tables.setdefault(heading[1], [])
        elif row := re.match(r"(\w+) = (.*?)\s*(?:#\s*(.*))?$", line):
            rows.append((row[1], row[2], row[3] or ""))
    return tables


def _table(kind: type[T], data: dict[str, Any], where: str) -> T:
    wanted = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    if odd := set(data) ^ wanted:
        raise ValueError(f"{where}: {', '.join(sorted(odd))}: its keys are {', '.join(sorted(wanted))}.")
    for key, value in data.items():
        many = value if isinstance(value, list) else [value]
        if not many or any(isinstance(one, bool) or not isinstance(one, int | float) for one in many):
            raise ValueError(f"{where}: {key} = {value!r} is no number.")
    return kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in data.items()})
