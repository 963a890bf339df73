"""Put together and draw a lane with its two beam boards, and the gate board on the base board behind its stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from build123d import Pos, Rot

from hardware.beam.reach import STAND_OFF_MM
from hardware.board.bodies import Body, bodies, colour_of, thickness
from hardware.board.plan import Plan, plan
from hardware.gate import models
from hardware.gate.geometry import Gate
from hardware.gate.scenes import PRINT, board, on_lane, parts
from hardware.solids.picture import Picture
from hardware.solids.shapes import Piece, box
from hardware.wiring.model import read_wiring

LOWER_MM = 5.0  # from the lower edge of a beam board to its beams


def pictures(gate: Gate, folder: Path) -> list[Path]:
    """Draw one of six lanes without its lid, with its boards, and all six with the gate board."""
    one, all_six = Picture(per_mm=4.0), Picture(per_mm=2.6, round_deg=142, down_deg=40)  # from behind
    for piece in with_boards(gate, 0.0, ""):
        if piece.name != "lid":
            one.add(piece)
    for piece in six(gate):
        all_six.add(piece)
    return [one.save(folder / "lane.png"), all_six.save(folder / "six.png")]


def six(gate: Gate) -> list[Piece]:
    """Return six lanes with their beam boards, and the gate board; each part has the number of its lane in its name."""
    found = [board(gate), *head_board(head_place(gate))]
    for lane, middle in enumerate(gate.lanes_at):
        found += with_boards(gate, middle, f"lane {lane + 1} ")
    return found


def with_boards(gate: Gate, middle: float, name: str) -> list[Piece]:
    """Return a lane of six with its two beam boards, `middle` from the middle of the base board."""
    kept = [piece for piece in parts(gate, 2, middle, name) if piece.name != f"{name}lane"]
    lane = models.lane_for_boards(Gate(gate.numbers, gate.cube)).moved(on_lane(gate, middle))
    return [*kept, Piece(f"{name}lane", PRINT, lane), *beam_boards(gate, middle, name)]


def head_place(gate: Gate) -> Any:
    """Return where the gate board is: USB at the rear edge behind one lane, or at the side of lane 1 of six."""
    wide, high = plan(read_wiring(), "gate").size
    if gate.build == "queue":
        return Pos(gate.head_middle + wide / 2, high / 2, STAND_OFF_MM) * Rot(0, 0, 180)
    return Pos(gate.head_middle - high / 2, wide / 2, STAND_OFF_MM) * Rot(0, 0, -90)


def head_board(place: Any) -> list[Piece]:
    """Return the gate board with its Pico, part by part, each with the name of its kind."""
    made = plan(read_wiring(), "gate")
    outline = Body("gate board", "board", (0.0, 0.0, 0.0), (*made.size, thickness()))
    names = {"board": "gate board", "pico": "Pico", "usb": "socket of the Pico", "head": "socket of the head"}
    return [
        Piece(
            f"plug {body.ref}" if body.kind == "plug" else names.get(body.kind, f"gate board {body.ref}"),
            colour_of(body.kind),
            box(body.low, body.high).moved(place),
        )
        for body in (outline, *bodies(made))
    ]


def beam_boards(gate: Gate, middle: float = 0.0, name: str = "") -> list[Piece]:
    """Return the two beam boards of a lane with their plugs."""
    beam, found = plan(read_wiring(), "beam"), []
    for turn in (0, 180):
        place = on_lane(gate, middle) * at_beams(gate, beam, turn)
        placed = _placed(beam, place, f"beam board {name}{turn // 180 + 1}")
        kinds = ["board", *(body.kind for body in bodies(beam))]
        found += [piece for piece, kind in zip(placed, kinds, strict=True) if kind in ("board", "plug", "ir")]
    return found


def at_beams(gate: Gate, beam: Plan, turn: int) -> Any:
    """Return where a beam board is in a lane: at the left side, looking up the lane, or turned by 180 degrees."""
    own, sensor = gate.numbers.beam_board, gate.numbers.sensor
    along, high = sum(gate.beams) / 2, gate.numbers.lane.floor_mm + gate.cube / 2 - LOWER_MM
    outside = gate.lane / 2 + sensor.baffle_mm + own.face_mm + thickness()
    return Pos(along, 0, 0) * Rot(0, 0, turn) * Pos(-beam.size[0] / 2, outside, high) * Rot(90, 0, 0)


def _placed(made: Plan, place: Any, name: str) -> list[Piece]:
    width, height = made.size
    outline = Body(name, "board", (0.0, 0.0, 0.0), (width, height, thickness()))
    return [
        Piece(name, colour_of(body.kind), box(body.low, body.high).moved(place)) for body in (outline, *bodies(made))
    ]
