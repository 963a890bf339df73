"""The numbers of beam.toml; a figure of three is least, usual, most."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hardware.spec import read

SOURCE = Path(__file__).parent / "beam.toml"

Range = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Emitter:
    """The infrared emitter and its resistor."""

    number: str
    mw_sr: Range
    lens_mm: float
    volt: Range
    heat: Range
    age: Range
    tilt: Range
    ohm: float


@dataclass(frozen=True, slots=True)
class Receiver:
    """The photodiode and its load."""

    number: str
    ua: Range
    lens_mm: float
    amp_per_watt: float
    dark_na: float
    picofarad: float
    load_ohm: float
    load_pf: float
    stray_pf: float


@dataclass(frozen=True, slots=True)
class Comparator:
    """The comparator and its reference."""

    number: str
    offset_mv: float
    own_mv: float
    delay_us: float
    upper_ohm: float
    lower_ohm: float
    hold_ohm: float


@dataclass(frozen=True, slots=True)
class Supply:
    """Both supplies, and the driver that switches the emitters."""

    usb_volt: Range
    driver_volt: Range
    volt: Range
    lane_ma: float


@dataclass(frozen=True, slots=True)
class Light:
    """The daylight for which the board is made."""

    lux: float
    lumen_per_watt: float
    infrared: float
    pale: float


@dataclass(frozen=True, slots=True)
class Limit:
    """What a board must have in the worst case."""

    hold_mv: float
    margin: float
    edges_us: float


@dataclass(frozen=True, slots=True)
class Numbers:
    """All numbers."""

    emitter: Emitter
    receiver: Receiver
    comparator: Comparator
    supply: Supply
    light: Light
    limit: Limit


def load(file: Path = SOURCE) -> Numbers:
    """Read beam.toml. Raises BadSpec."""
    return read(Numbers, file)
