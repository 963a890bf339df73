"""Count the work of each build, and multiply: the chance that it works at the first try."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from hardware.board.plan import plan
from hardware.chance.numbers import Numbers, Range, Row
from hardware.guide.steps import commands, read_guide
from hardware.wiring.model import Wiring
from hardware.wiring.netlist import netlist

AT_THE_GATE = ("lane_", "queue", "wall", "rail")  # how the cables of gate, wall and colour sensor begin
SOCKETS = {"pi": 40, "head": 40}  # joints of the sockets on each board
BOUGHT = ("oled", "colour", "beam_board")  # their legs are no joints here: modules, and boards of their own
PER_LANE = 2  # beam boards, each with one beam
TURNED = "DQU"  # letters of the parts that must not be turned round


@dataclass(frozen=True, slots=True)
class Chance:
    """The chance that a build works: all of it at once, and after the guide's own tests; low, usual and high."""

    row: Row
    work: Mapping[str, int]  # how many of each kind
    design: Range
    at_once: Range
    tested: Range


def count(wiring: Wiring, row: Row) -> dict[str, int]:
    """Count the work of a build, from its netlist and its guide."""
    net = netlist(wiring, row.build)
    boards = bool(wiring.build[row.build].boards)
    far = {plug.cable for plug in net.plugs if plug.cable.startswith(AT_THE_GATE)} if not row.gate else set[str]()
    parts = [part for part in net.elements if part.cable not in far]
    plugs = [plug for plug in net.plugs if plug.cable not in far and not wiring.cable[plug.cable].instead]
    fixed = [part for part in parts if not part.cable]
    hanging = [part for part in parts if part.cable and part.part not in BOUGHT]
    lanes = [plug for plug in plugs if row.build in wiring.cable[plug.cable].ready]  # cables bought with their plugs
    contacts = sum(len(plug.nets) for plug in plugs if plug not in lanes)
    small = plan(wiring, "beam").parts if lanes else ()
    beam_boards = PER_LANE * len(lanes)
    joints = sum(len(part.legs) for part in parts if part.part not in BOUGHT)
    if boards:
        joints += sum(len(plug.nets) for plug in plugs) + sum(SOCKETS[board] for board in net.boards)
        joints += beam_boards * sum(bool(pad.net) for part in small for pad in part.pads)
    steps = [step for step in read_guide().path(row.build) if row.gate or step.label[0] not in "EF"]
    return {
        "joint": joints,
        "crimp": contacts if boards else 0,
        "place": contacts + sum(len(part.legs) for part in hanging) + beam_boards,
        "turn": sum(part.ref[0] in TURNED for part in (*fixed, *hanging))
        + beam_boards * sum(part.ref[0] in TURNED for part in small),
        "enter": sum(len(commands(step)) for step in steps),
        "module": row.modules,
        "beam": sum(part.part == "beam" for part in parts) + beam_boards,
    }


def chance(numbers: Numbers, wiring: Wiring, row: Row) -> Chance:
    """Multiply: each piece of work is right, or its mistake is found; and no design has a fault."""
    work = count(wiring, row)

    def right(at: int, tested: bool) -> float:
        kinds = ((numbers.work[kind], number) for kind, number in work.items())
        return prod(
            (1 - kind.rate[at] * (1 - kind.caught if tested else 1)) ** number for kind, number in kinds
        )  # fmt: skip

    low, usual, high = (prod(numbers.design[name].good[at] for name in row.design) for at in range(3))
    design = (low, usual, high)

    def all_right(tested: bool) -> Range:
        return low * right(2, tested), usual * right(1, tested), high * right(0, tested)

    return Chance(row, work, design, all_right(False), all_right(True))
