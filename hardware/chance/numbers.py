"""The numbers of chance.toml; a figure of three is low, usual, high."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hardware.spec import read

SOURCE = Path(__file__).with_name("chance.toml")

Range = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Work:
    """A kind of work: how often one goes wrong, and the share of mistakes that a test of the guide finds."""

    what: str
    rate: Range
    caught: float
    source: str


@dataclass(frozen=True, slots=True)
class Design:
    """A part of the design that nobody has built: how likely it has no fault."""

    what: str
    good: Range
    source: str


@dataclass(frozen=True, slots=True)
class Row:
    """A build, with or without its gate, and what an outsider said of it before."""

    name: str
    build: str
    gate: bool
    modules: int
    design: tuple[str, ...]
    before: str


@dataclass(frozen=True, slots=True)
class Numbers:
    """All numbers."""

    work: Mapping[str, Work]
    design: Mapping[str, Design]
    row: tuple[Row, ...]


def load(file: Path = SOURCE) -> Numbers:
    """Read chance.toml. Raises BadSpec."""
    return read(Numbers, file)
