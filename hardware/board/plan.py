"""The plan of a printed circuit board: every footprint at its place, every pad with its net."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from hardware.board import beam
from hardware.wiring.model import Board, Wiring
from hardware.wiring.netlist import HEADER_REF, Element, Netlist, header_net, netlist

HERE = Path(__file__).parent
SOURCE = HERE / "board.toml"
FOOTPRINTS = HERE / "footprints.json"
BUILD = "hat"  # the build with everything that the boards have
PICO_EDGE = 20  # positions on one edge of a Pico
PICO_ROWS = ("J101", "J121")  # the sockets of its edges, by their first position
Point = tuple[float, float]
OnBoard = Board | Literal["beam"]


class BadBoard(ValueError):
    """A fault in board.toml, with its place."""


@dataclass(frozen=True, slots=True)
class Pad:
    """A pad of a footprint, at its place on the board."""

    name: str
    at: Point
    size: Point  # along x and y of the board
    drill: float  # 0 on the upper side only
    net: str  # "" for a hole or an unused leg


@dataclass(frozen=True, slots=True)
class Placed:
    """A footprint at its place."""

    ref: str
    value: str
    footprint: str
    at: Point
    turn: float
    below: bool
    pads: tuple[Pad, ...]
    courtyard: tuple[float, float, float, float]

    def moved(self, point: Iterable[float]) -> Point:
        """Return where a point of the footprint is on the board."""
        return _moved(point, self.at, self.turn, self.below)


@dataclass(frozen=True, slots=True)
class Plan:
    """A board before its tracks."""

    name: str
    title: str
    side: OnBoard
    size: Point
    parts: tuple[Placed, ...]
    words: tuple[str, ...]
    rules: Mapping[str, Any]

    def pads(self) -> Iterator[tuple[Placed, Pad]]:
        """Yield every pad with its part."""
        for part in self.parts:
            for pad in part.pads:
                yield part, pad


@cache
def source() -> dict[str, Any]:
    """Return board.toml."""
    return tomllib.loads(SOURCE.read_text(encoding="utf-8"))


@cache
def footprints() -> dict[str, Any]:
    """Return the footprints that were read from KiCad's library."""
    return dict(json.loads(FOOTPRINTS.read_text(encoding="utf-8")))


def names(settings: Mapping[str, Any], wiring: Wiring) -> list[str]:
    """Return the names of all footprints that the boards use, for kicad_pads.py."""
    net = netlist(wiring, BUILD)
    sizes = sorted({len(plug.nets) for plug in net.plugs})
    fixed = [name for key, name in settings["footprint"].items() if key != "plug"]
    return [*fixed, *(settings["footprint"]["plug"].format(n=size) for size in sizes)]


def plan(wiring: Wiring, name: str, settings: Mapping[str, Any] | None = None) -> Plan:
    """Place all parts of a board. Raises BadBoard for a part without a place, or a place without a part."""
    settings = settings or source()
    board = settings["board"][name]
    net, side = netlist(wiring, BUILD), board["side"]
    wanted = list(_of_a_beam(settings) if side == "beam" else _wanted(wiring, net, side, settings))
    missing = {ref for ref, *_ in wanted} ^ set(board["place"])
    if missing:
        raise BadBoard(f"board.toml: [board.{name}.place]: {', '.join(sorted(missing))}: a part without a place, "
                       "or a place without a part.")  # fmt: skip
    parts = [_placed(ref, value, footprint, nets, board["place"][ref]) for ref, value, footprint, nets in wanted]
    for number, (test, at) in enumerate(_tests(board["tests"]), 1):
        parts.append(_placed(f"TP{number}", test, settings["footprint"]["test"], {"1": test}, [*at, 0]))
    for number, at in enumerate(board["fiducials"], 1):
        parts.append(_placed(f"FID{number}", "", settings["footprint"]["fiducial"], {}, [*at, 0]))
    for number, at in enumerate(board["holes"], 1):
        parts.append(_placed(f"H{number}", "", settings["footprint"][f"hole-{board['hole']}"], {}, [*at, 0]))
    width, height = board["size"]
    words = tuple(each["text"] for each in board["words"])
    return Plan(name, board["title"], side, (width, height), tuple(parts), words, settings["rules"])


def _tests(given: Mapping[str, Any]) -> Iterator[tuple[str, list[float]]]:
    """Yield the net and the place of each test point; a net may have a list of places."""
    for net, at in given.items():
        for place in at if isinstance(at[0], list) else (at,):
            yield net, place


def _of_a_beam(settings: Mapping[str, Any]) -> Iterator[tuple[str, str, str, dict[str, str]]]:
    """Yield the same of every part of the beam board."""
    for part in beam.parts():
        yield part.ref, part.value, settings["footprint"][part.kind].format(n=len(part.nets)), part.nets


def _wanted(
    wiring: Wiring, net: Netlist, side: Board, settings: Mapping[str, Any]
) -> Iterator[tuple[str, str, str, dict[str, str]]]:
    """Yield designator, value, footprint, and net by pad, of every part on a side."""
    for part in net.on(side):
        kind = part.part if part.part in settings["footprint"] else wiring.part[part.part].ref
        yield part.ref, _value(wiring, part, settings), settings["footprint"][kind], _pads(wiring, part, settings)
    for plug in net.plugs:
        if plug.board == side:
            pads = {str(at): name for at, name in enumerate(plug.nets, 1)}
            yield plug.ref, plug.title, settings["footprint"]["plug"].format(n=len(plug.nets)), pads
    used = set(net.nets(side))
    at = {place: header_net(side, place) for place in range(1, 41)}
    nets = {place: name if name in used else "" for place, name in at.items()}
    ref = HEADER_REF[side]
    if side == "pi":
        yield ref, "Raspberry Pi", settings["footprint"]["pi"], {str(place): name for place, name in nets.items()}
        return
    for row, first in zip(PICO_ROWS, (1, PICO_EDGE + 1), strict=True):
        pads = {str(number): nets[first + number - 1] for number in range(1, PICO_EDGE + 1)}
        yield row, f"Pico {first}-{first + PICO_EDGE - 1}", settings["footprint"]["head"], pads


def _pads(wiring: Wiring, part: Element, settings: Mapping[str, Any]) -> dict[str, str]:
    kind = wiring.part[part.part]
    if part.part == "uln":
        return {str(kind.legs.index(leg) + 1): net for leg, net in part.legs.items()}
    pads = settings["pad"].get(part.part) or settings["pad"].get(kind.ref, {})
    return {pads.get(leg, leg): net for leg, net in part.legs.items()}


def _value(wiring: Wiring, part: Element, settings: Mapping[str, Any]) -> str:
    if part.part in settings["value"]:
        return str(settings["value"][part.part])
    words = wiring.part[part.part].what.split(",")[0].split(" (")[0].split()
    return " ".join(words[-2:]) if words[-1] in ("Ω", "kΩ", "nF", "µF") else words[-1]


def _placed(ref: str, value: str, footprint: str, nets: Mapping[str, str], place: list[float]) -> Placed:
    x, y, turn = place
    known, below = footprints()[footprint], "2x20" in footprint
    across = round(turn) % 180 == 90

    def moved(point: list[float]) -> Point:
        return _moved(point, (x, y), turn, below)

    pads = tuple(
        Pad(
            pad["name"], moved(pad["at"]), tuple(pad["size"][::-1] if across else pad["size"]), pad["drill"],
            nets.get(pad["name"], ""),
        )
        for pad in known["pads"]
    )  # fmt: skip
    left, top, right, low = known["courtyard"]
    corners = [moved([left, top]), moved([right, low])]
    box = (*map(min, zip(*corners, strict=True)), *map(max, zip(*corners, strict=True)))
    return Placed(ref, value, footprint, (x, y), turn, below, pads, box)


def _moved(point: Iterable[float], at: Point, turn: float, below: bool) -> Point:
    """Turn a point of a footprint counterclockwise (y is downwards), mirrored if it is on the lower side."""
    along, across = point
    px, py = (-along if below else along), across
    angle = math.radians(turn)
    cos, sin = round(math.cos(angle)), round(math.sin(angle))
    return round(at[0] + px * cos + py * sin, 4), round(at[1] - px * sin + py * cos, 4)


def crowded(made: Plan) -> Iterator[str]:
    """Yield each pair of parts on the same side whose courtyards overlap, and each part over the edge."""
    for at, one in enumerate(made.parts):
        left, top, right, low = one.courtyard
        if not one.ref.startswith("H") and (left < 0 or top < 0 or right > made.size[0] or low > made.size[1]):
            yield f"{one.ref} is over the edge: {one.courtyard}."
        for other in made.parts[at + 1 :]:
            o_left, o_top, o_right, o_low = other.courtyard
            apart = left >= o_right or o_left >= right or top >= o_low or o_top >= low
            if not apart and (one.below == other.below or "H" in (one.ref[0], other.ref[0])):
                yield f"{one.ref} and {other.ref} overlap."
