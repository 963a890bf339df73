"""The numbers of gate.toml, in mm and degrees unless the name says otherwise."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

SOURCE = Path(__file__).parent / "gate.toml"

Pair = tuple[float, float]


class Code(NamedTuple):
    """The settings of the firmware for this gate."""

    beam_gap_mm: float
    turned: float
    speed_mm_s: tuple[int, int]
    glitch_us: int
    chatter_us: int


class Cubes(NamedTuple):
    """The cubes."""

    sizes_mm: tuple[int, ...]
    play_mm: float
    spread_mm: float
    friction: Pair
    rebound: float


class Lane(NamedTuple):
    """The sloping channel down which the cubes slide one after the other."""

    slope_deg: float
    run_up_mm: float
    entry_mm_s: float
    tail_mm: float
    floor_mm: float
    wall_mm: float
    roof_mm: float


class Mouth(NamedTuple):
    """The mouth, which narrows to the lane."""

    side_deg: float
    length_mm: float
    height_mm: float
    back_mm: float
    groove_mm: Pair
    back_in_mm: float


class Sensor(NamedTuple):
    """The place of emitter and receiver, and the differences between two of them."""

    aperture_mm: float
    baffle_mm: float
    nose_mm: float
    nose_deep_mm: float
    slot_mm: float
    slot_deep_mm: float
    below_mm: float
    block_mm: float
    sleeve_mm: Pair
    threshold: float
    place_mm: float
    printed_mm: float
    response_us: float


class Rail(NamedTuple):
    """The rail on which the cubes stop in order."""

    slope_deg: float
    floor_mm: float
    width_mm: float
    play_mm: float
    step_mm: float
    stop_mm: float
    foam_mm: float
    spare_mm: float
    finger_mm: float
    stop_height: float
    seat_mm: Pair
    clear_mm: float
    queue: int
    catch: int


class Colour(NamedTuple):
    """The colour sensor's board under the stop."""

    board_mm: float
    pocket_mm: float
    beside_mm: float
    chip_mm: float
    tape_mm: float
    ceiling_mm: float
    window: float


class Stand(NamedTuple):
    """The stand of lane and rail, and the board below."""

    width_mm: float
    behind_mm: float
    board_mm: float
    margin_mm: float
    one_board_mm: float
    pitch_spare_mm: float
    foot_in_mm: float


class Funnel(NamedTuple):
    """The adjustable stand of the game's own funnel."""

    plate_mm: float
    thick_mm: float
    rod_mm: float
    rod_long_mm: float
    hole_mm: float
    hole_in_mm: float
    nut_mm: float
    example_mm: float


class Screws(NamedTuple):
    """The holes for screws, and their places."""

    lid_out_mm: float
    lid_in_mm: float
    boss_mm: Pair
    stand_in_mm: float
    rail_in_mm: float
    through_mm: float
    head_mm: float
    sunk_mm: float
    pilot_mm: float
    deep_mm: float
    board_mm: float


class Print(NamedTuple):
    """The limits of the printer."""

    bed_mm: float
    rim_mm: float
    least_wall_mm: float


class Numbers(NamedTuple):
    """All of gate.toml."""

    code: Code
    cubes: Cubes
    lane: Lane
    mouth: Mouth
    sensor: Sensor
    rail: Rail
    colour: Colour
    stand: Stand
    funnel: Funnel
    screws: Screws
    print: Print


def read_numbers(source: Path = SOURCE) -> Numbers:
    """Read the numbers. Raises ValueError with the section that is missing or unknown."""
    tables = tomllib.loads(source.read_text(encoding="utf-8"))
    parts = Numbers.__annotations__
    if tables.keys() != parts.keys():
        raise ValueError(f"{source.name}: it has the sections {', '.join(tables)}; it needs {', '.join(parts)}.")
    sections = (Code, Cubes, Lane, Mouth, Sensor, Rail, Colour, Stand, Funnel, Screws, Print)
    return Numbers(*(_section(source, name, kind, tables[name]) for name, kind in zip(parts, sections, strict=True)))


def _section(source: Path, name: str, kind: Any, table: dict[str, Any]) -> Any:
    if odd := set(table) ^ set(kind._fields):
        raise ValueError(f"{source.name}: [{name}]: {', '.join(sorted(odd))}: missing, or not known.")
    return kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in table.items()})
