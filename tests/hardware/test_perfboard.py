"""Each leg of the perfboards has a hole of its own, and their wires join exactly the nets of the netlist."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardware.case.numbers import read_case
from hardware.wiring.model import Board, read_wiring
from hardware.wiring.netlist import netlist
from hardware.wiring.perfboard import BOARDS, draw, faults, layout, read

pytestmark = pytest.mark.once

WIRING = read_wiring()
PITCH_MM, RIM_MM = 2.54, 1.0  # between holes; from the last hole to the edge
OUT = Path(__file__).parents[2] / "hardware" / "wiring" / "out"


@pytest.mark.parametrize("board", BOARDS)
def test_a_layout_has_no_fault(board: Board) -> None:
    assert list(faults(WIRING, board, read())) == []


@pytest.mark.parametrize("board", BOARDS)
def test_the_wires_join_exactly_the_nets(board: Board) -> None:
    made = layout(WIRING, board, read())
    group = {hole: hole for hole in made.holes.values()}

    def find(hole: tuple[int, int]) -> tuple[int, int]:
        while group[hole] != hole:
            hole = group[hole]
        return hole

    for _, a, b in made.wires:
        group[find(a)] = find(b)
    joined: dict[tuple[int, int], set[tuple[str, str]]] = {}
    for terminal, hole in made.holes.items():
        joined.setdefault(find(hole), set()).add(terminal)
    wanted = [set(terminals) for terminals in netlist(WIRING, "table").nets(board).values() if len(terminals) > 1]
    assert sorted(sorted(each) for each in joined.values() if len(each) > 1) == sorted(map(sorted, wanted))


@pytest.mark.parametrize("board", BOARDS)
def test_the_drawing_is_of_today(board: Board) -> None:
    kept = (OUT / f"perfboard-{board}.svg").read_text(encoding="utf-8")
    assert draw(WIRING, board, read()).svg() == kept


def test_the_perfboard_of_the_pi_has_room_in_the_case() -> None:
    """Left is the end of the memory card, below is the rear wall; in the rows above the header nothing is high."""
    own, place = read()["pi"], read_case().tops["perfboard"]
    (column, row), (columns, rows) = own["header"]["at"], own["size"]
    middle = column + 9.5, row - 0.5
    left, below = place.header
    assert (middle[0] - 1) * PITCH_MM + RIM_MM <= left
    assert (columns - middle[0]) * PITCH_MM + RIM_MM <= place.size[0] - left
    assert (rows - middle[1]) * PITCH_MM + RIM_MM <= below
    assert (middle[1] - 1) * PITCH_MM + RIM_MM <= place.size[1] - below
    plugs = {ref for group in own["place"] for ref in group["refs"] if ref.startswith("J") and group["at"][1] < row}
    assert plugs == set()


def moved(ref: str, column: int, row: int) -> Callable[[dict[str, Any]], None]:
    def plant(told: dict[str, Any]) -> None:
        next(group for group in told["pi"]["place"] if ref in group["refs"])["at"] = [column, row]

    return plant


def left_out(ref: str) -> Callable[[dict[str, Any]], None]:
    return lambda told: told["pi"].update(place=[group for group in told["pi"]["place"] if ref not in group["refs"]])


PLANTED = {
    "two legs in one hole": (moved("C6", 20, 5), "are both in hole"),
    "a part over the edge": (moved("J6", 30, 21), "is not on the board"),
    "a part left out": (left_out("Q1"), "Q1 leg E has no hole"),
    "a part of another build": (
        lambda told: told["pi"]["place"].append({"refs": ["R28"], "at": [1, 1], "step": [1, 0]}), "R28 is not in the",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found(fault: str) -> None:
    plant, sentence = PLANTED[fault]
    told = copy.deepcopy(read())
    plant(told)
    found = list(faults(WIRING, "pi", told))
    assert any(sentence in each for each in found), found
