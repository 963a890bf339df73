"""What the pictures of the guide show: the box with its wires and cables, the Pico, and the hub. Lengths are mm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from build123d import Pos, Rot

from hardware.beam.scenes import head_board
from hardware.case.assembly import SEATS, assembly
from hardware.case.numbers import Case
from hardware.case.panels import lamps, navigation_keys, on_board, seat_keys
from hardware.guide.gate_scenes import boards, funnel, gate, six
from hardware.guide.shapes import BLUE, CREAM, DARK, GREEN, METAL, ORANGE, RED, block, line, rgb
from hardware.guide.wall_scenes import jig, saddle, wall
from hardware.solids.shapes import Corner, Piece, Point
from hardware.wiring.harness import rows
from hardware.wiring.model import read_wiring
from hardware.wiring.netlist import netlist
from umpi.box.config import COLOURS

VIEWS = {  # dots per mm, turned by, seen from above by
    "box": (2.2, -28.0, 44.0), "closing": (2.2, -28.0, 44.0),
    "plugs": (2.2, -28.0, 44.0), "head": (3.0, -28.0, 44.0), "pico": (6.0, -28.0, 44.0),
    "hub": (1.5, 152.0, 40.0), "beside": (1.7, 152.0, 40.0), "boards": (2.6, -52.0, 36.0),
    "leads": (1.6, 152.0, 40.0), "gate": (2.6, -52.0, 28.0), "six": (1.5, 142.0, 40.0),
    "funnel": (1.3, -28.0, 24.0), "jig": (2.2, -28.0, 40.0), "saddle": (2.2, -28.0, 40.0), "wall": (1.7, -28.0, 34.0),
}  # fmt: skip


HEAD_AT: Corner = (233.0, 116.0, 24.0)  # the USB plug of the gate board beside the box


def scene(name: str, case: Case) -> list[Piece]:
    """Return the pieces of a scene. Raises KeyError."""
    alone: dict[str, Callable[[], list[Piece]]] = {
        "gate": gate,
        "six": six,
        "funnel": funnel,
        "boards": boards,
        "head": head,
        "jig": jig,
        "saddle": saddle,
        "wall": wall,
        "pico": pico,
    }
    if name in alone:
        return alone[name]()
    more: dict[str, Callable[[Case], list[Piece]]] = {
        "box": lambda _: [],
        "plugs": plugs,
        "leads": leads,
        "closing": leads,
        "hub": hub,
        "beside": beside_the_box,
    }
    return [*assembly(case), *more[name](case)]


def plugs(case: Case) -> list[Piece]:
    """Return wires in their colours from the buttons and lamps to their plugs, behind the front."""
    top = case.box.height
    low = top - case.keys.depth
    at_ends: dict[str, tuple[dict[str, Corner], Point]] = {
        "seats": ({name: (*at, low) for name, at in zip(SEATS, seat_keys(case), strict=True)}, (60.0, 118.0)),
        "navigation": ({name: (*at, low) for name, at in navigation_keys(case).items()}, (20.0, 118.0)),
        "lamps": ({name: (*at, top - 12) for name, at in zip(SEATS, lamps(case), strict=True)}, (110.0, 118.0)),
    }
    found: list[Piece] = []
    net = netlist(wiring := read_wiring(), "full")
    for name, (ends, (x, y)) in at_ends.items():
        plug = next(plug for plug in net.plugs if plug.cable == name)
        wide, z = 2.5 * (len(plug.nets) + 1), low - 26
        found.append(block(f"plug {name}", CREAM, (x, y, z - 4), (x + wide, y + 7, z + 2)))
        for number, row in enumerate(rows(net, wiring, plug)):
            if row.ends:
                first = next(iter(ends.values()))  # the common wire goes to the first one, beside the other
                end = ends.get(row.label, (first[0] + 3, first[1], first[2]))
                at = x + 2.5 * (number + 1)
                way: list[Corner] = [end, (end[0], end[1], low - 14), (at, y - 4, z), (at, y, z)]
                found += line(f"wires {name}", rgb(row.colour), way, 1.6)
    return found


def leads(case: Case) -> list[Piece]:
    """Return a lead through each hole at the rear, with a hand button at its end."""
    found: list[Piece] = []
    own, rear = case.leads, case.box.depth
    for number, name in enumerate(COLOURS):
        x, z = own.first + number * own.pitch, own.high
        out = (x + (number - 2.5) * 16, rear + 70.0, 6.0)
        found += line(f"lead {name}", DARK, [(x, rear - 4, z), (x, rear + 18, z), out], 3.5)
        found.append(block(f"hand button {name}", SEATS[name], (out[0] - 8, out[1], 0), (out[0] + 8, out[1] + 40, 14)))
    return found


def hub(case: Case) -> list[Piece]:
    """Return a hub behind the box, its cables, and a card scanner."""
    rear, left = case.box.depth, 40.0
    found = [block("hub", BLUE, (left, rear + 60, 0), (left + 90, rear + 90, 16))]
    runs: dict[str, list[Corner]] = {
        "cable of the Pi": [(54, rear, 14), (54, rear + 30, 8), (54, rear + 60, 8)],
        "cable of the Pico": [(110, rear + 75, 8), (230, rear + 110, 8), HEAD_AT],
        "cable of the supply": [(left, rear + 75, 8), (-40, rear + 75, 8)],
    }
    for name, points in runs.items():
        found += line(name, ORANGE if "Pi" in name else RED, points, 5)
    found += head_board(_beside(case))
    found += [block("scanner", GREEN, (170, rear + 50, 0), (215, rear + 85, 22)),
              block("scanner", DARK, (178, rear + 49.5, 6), (207, rear + 50, 16))]  # fmt: skip
    found += line("scanner", DARK, [(170, rear + 70, 8), (130, rear + 75, 8)], 4)
    return found


def pico() -> list[Piece]:
    """Return a Pico with its button and its cable."""
    found = [
        block("Pico", GREEN, (0, 0, 0), (21, 51, 1)),
        block("socket of the Pico", METAL, (6.5, 46.5, 1), (14.5, 52.3, 3.7)),
    ]
    found += [
        block("Pico", METAL, (x, y, 1), (x + 1.6, y + 1.6, 1.4))
        for x in (0.8, 18.6)
        for y in [1 + 2.54 * n for n in range(20)]
    ]
    found.append(block("Pico", DARK, (7, 20, 1), (14, 27, 1.9)))
    found.append(block("BOOTSEL", RED, (13, 36, 1), (17.5, 40.5, 3)))
    return [
        *found,
        block("USB cable", BLUE, (5, 54, 0), (16, 76, 6)),
        *line("USB cable", BLUE, [(10.5, 76, 3), (10.5, 105, 3)], 4),
    ]


def head() -> list[Piece]:
    """Return the gate board without its Pico, with the sockets for it."""
    pico = ("Pico", "socket of the Pico")
    own = [piece for piece in head_board(Pos(0, 0, 0)) if piece.name not in pico]
    return [replace(piece, colour=RED) if piece.name == "socket of the head" else piece for piece in own]


def beside_the_box(case: Case) -> list[Piece]:
    """Return the gate board beside the box, and the cable from its Pico to the middle socket of the Pi."""
    data = max(middle for _, middle in case.pi.boards["zero 2"].sockets[:1])
    x, _ = on_board(case, case.pi.boards["zero 2"], data, 0)
    rear = case.box.depth
    way: list[Corner] = [(x, rear - 30, 14), (x, rear + 14, 14), (x + 60, rear + 40, 8), HEAD_AT]
    return [*head_board(_beside(case)), *line("USB cable", BLUE, way, 4)]


def _beside(case: Case) -> Any:
    """Return a place beside the box, the USB plug of the Pico towards its rear."""
    return Pos(case.box.width + 30, case.box.depth, 8) * Rot(0, 0, -90)
