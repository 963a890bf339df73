"""The numbers of gate.toml, in mm and degrees unless the name says otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hardware.spec import read

SOURCE = Path(__file__).parent / "gate.toml"

Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Code:
    """The settings of the firmware for this gate."""

    beam_gap_mm: float
    turned: float
    speed_mm_s: tuple[int, int]
    glitch_us: int
    chatter_us: int


@dataclass(frozen=True, slots=True)
class Cubes:
    """The cubes."""

    sizes_mm: tuple[int, ...]
    play_mm: float
    spread_mm: float
    smaller_mm: float
    friction: Pair
    passes: float
    rebound: float


@dataclass(frozen=True, slots=True)
class Lane:
    """The sloping channel down which the cubes slide one after the other."""

    slope_deg: float
    run_up_mm: float
    entry_mm_s: float
    high_cubes: float
    tail_mm: float
    floor_mm: float
    wall_mm: float
    roof_mm: float


@dataclass(frozen=True, slots=True)
class Mouth:
    """The mouth, which narrows to the lane."""

    sides: tuple[Pair, ...]
    length_mm: float
    height_mm: float
    back_mm: float
    groove_mm: Pair
    back_in_mm: float


@dataclass(frozen=True, slots=True)
class Sensor:
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


@dataclass(frozen=True, slots=True)
class Head:
    """The holes for the gate board: their distances, and their width in the base board."""

    holes_mm: Pair
    hole_mm: float


@dataclass(frozen=True, slots=True)
class BeamBoard:
    """The pockets of the boards that replace the housings."""

    cube_mm: float
    wide_mm: float
    face_mm: float
    screw_up_mm: float
    rib_mm: float
    deep_mm: float


@dataclass(frozen=True, slots=True)
class Rail:
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
    side_height: float
    seat_mm: Pair
    clear_mm: float
    queue: int
    catch: int


@dataclass(frozen=True, slots=True)
class Colour:
    """The colour sensor's board under the stop."""

    board_mm: float
    pocket_mm: float
    beside_mm: float
    chip_mm: float
    tape_mm: float
    ceiling_mm: float
    window: float


@dataclass(frozen=True, slots=True)
class Stand:
    """The stand of lane and rail, and the board below."""

    width_mm: float
    behind_mm: float
    board_mm: float
    margin_mm: float
    one_board_mm: float
    pitch_spare_mm: float
    foot_in_mm: float


@dataclass(frozen=True, slots=True)
class Funnel:
    """The adjustable stand of the game's own funnel."""

    plate_mm: float
    thick_mm: float
    rod_mm: float
    rod_long_mm: float
    hole_mm: float
    hole_in_mm: float
    nut_mm: float
    example_mm: float


@dataclass(frozen=True, slots=True)
class Screws:
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


@dataclass(frozen=True, slots=True)
class Print:
    """The limits of the printer."""

    bed_mm: float
    rim_mm: float
    least_wall_mm: float


@dataclass(frozen=True, slots=True)
class Numbers:
    """All of gate.toml."""

    code: Code
    cubes: Cubes
    lane: Lane
    mouth: Mouth
    sensor: Sensor
    beam_board: BeamBoard
    head: Head
    rail: Rail
    colour: Colour
    stand: Stand
    funnel: Funnel
    screws: Screws
    print: Print


def read_numbers(source: Path = SOURCE) -> Numbers:
    """Read the numbers. Raises BadSpec with what is missing or not known."""
    return read(Numbers, source)
