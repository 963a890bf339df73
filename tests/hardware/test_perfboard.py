"""Each leg of the perfboards has a hole of its own, and their wires join exactly the nets of the netlist."""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from hardware.case.numbers import read_case
from hardware.drawing.origin import origin, origin_of
from hardware.wiring.model import read_wiring
from hardware.wiring.netlist import netlist
from hardware.wiring.perfboard import LAYOUTS, board_of, faults, layout, read
from hardware.wiring.perfboard_views import above, below

WIRING = read_wiring()
PITCH_MM, RIM_MM = 2.54, 1.0  # between holes; from the last hole to the edge
OUT = Path(__file__).parents[2] / "hardware" / "wiring" / "out"


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_has_no_fault(name: str) -> None:
    assert list(faults(WIRING, name, read())) == []


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_wires_join_exactly_the_nets(name: str) -> None:
    made = layout(WIRING, name, read())
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
    nets = netlist(WIRING, read()[name]["build"]).nets(board_of(name, read()))
    wanted = [set(terminals) for terminals in nets.values() if len(terminals) > 1]
    assert sorted(sorted(each) for each in joined.values() if len(each) > 1) == sorted(map(sorted, wanted))


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_drawings_are_of_today_and_name_every_part_and_wire(name: str) -> None:
    made, top, low = layout(WIRING, name, read()), above(WIRING, name, read()), below(WIRING, name, read())
    assert origin_of(OUT / f"perfboard-{name}.png") == origin(top.svg()), "./scripts/dev hardware wiring"
    assert origin_of(OUT / f"perfboard-{name}-below.png") == origin(low.svg())
    for picture in (top, low):
        words = {shape.words.split()[0] for shape in picture.shapes if shape.words}
        assert {ref for ref, _ in made.holes} <= words
    listed = [shape.words for shape in low.shapes if " – " in shape.words]
    assert listed == [f"{a[0]}/{a[1]} – {b[0]}/{b[1]}" for net in dict.fromkeys(net for net, _, _ in made.wires)
                      for other, a, b in made.wires if other == net]  # fmt: skip


@pytest.mark.parametrize("name", ["pi", "pi-full"])
def test_the_perfboard_of_the_pi_has_room_in_the_case(name: str) -> None:
    """Left is the end of the memory card, below is the rear wall; in the rows above the header nothing is high."""
    own, place = read()[name], read_case().tops["perfboard"]
    (column, row), (columns, rows) = own["header"]["at"], own["size"]
    middle = column + 9.5, row - 0.5
    left, below_it = place.header
    assert (middle[0] - 1) * PITCH_MM + RIM_MM <= left
    assert (columns - middle[0]) * PITCH_MM + RIM_MM <= place.size[0] - left
    assert (rows - middle[1]) * PITCH_MM + RIM_MM <= below_it
    assert (middle[1] - 1) * PITCH_MM + RIM_MM <= place.size[1] - below_it
    plugs = {ref for group in own["place"] for ref in group["refs"] if ref.startswith("J") and group["at"][1] < row}
    assert plugs == set()


@pytest.mark.parametrize("name", ["head", "head-full"])
def test_the_perfboard_of_the_head_holds_the_pico_at_its_opening_in_the_case(name: str) -> None:
    """The left of the drawing is the rear of the box, so its upper edge is at the right."""
    case, own = read_case(), read()[name]
    place, (columns, rows) = case.heads["perfboard"], own["size"]
    assert rows * PITCH_MM <= place.size[0]
    assert columns * PITCH_MM <= place.size[1]
    rim = (place.size[0] - (rows - 1) * PITCH_MM) / 2
    pico = [own["header"]["at"][1], own["header"]["at"][1] + own["header"]["row"][2][1]]
    middle = place.at[0] + place.size[0] - rim - (sum(pico) / 2 - 1) * PITCH_MM
    assert abs(middle - case.pico.at) <= case.pico.aside
    assert own["header"]["at"][0] <= 3, "the USB plug is at the edge"


@pytest.mark.parametrize("name", LAYOUTS)
def test_no_body_is_over_another(name: str) -> None:
    """Plugs of JST's XH family are 2.45 mm longer than their contacts at each end; a ULN2803A 1.3 mm."""
    own = read()[name]
    refs: dict[str, list[tuple[int, int]]] = {}
    for (ref, _), hole in layout(WIRING, name, read()).holes.items():
        refs.setdefault(ref, []).append(hole)
    boxes = {}
    for ref, holes in refs.items():
        xs, ys = ([hole[axis] * PITCH_MM for hole in holes] for axis in (0, 1))
        along, across = (2.45, 2.35) if ref[0] == "J" else (1.3, 1.0) if ref[0] == "U" else (1.0, 1.0)
        flat = max(xs) - min(xs) >= max(ys) - min(ys)
        x, y = (along, across) if flat else (across, along)
        if ref not in ("J1", "J101"):  # the socket of the Pi is on the lower side; parts may be under the Pico
            boxes[ref] = (min(xs) - x, min(ys) - y, max(xs) + x, max(ys) + y)
    over = [
        (one, other)
        for (one, a), (other, b) in combinations(boxes.items(), 2)
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]
    assert over == []
    assert own["size"] in ([27, 34], [34, 27]), "70 × 90 mm"


def moved(ref: str, column: int, row: int) -> Callable[[dict[str, Any]], None]:
    def plant(settings: dict[str, Any]) -> None:
        next(group for group in settings["pi"]["place"] if ref in group["refs"])["at"] = [column, row]

    return plant


def left_out(ref: str) -> Callable[[dict[str, Any]], None]:
    return lambda settings: settings["pi"].update(
        place=[group for group in settings["pi"]["place"] if ref not in group["refs"]]
    )


PLANTED = {
    "two legs in one hole": (moved("C6", 20, 5), "are both in hole"),
    "a part over the edge": (moved("J6", 30, 21), "is not on the board"),
    "a part left out": (left_out("Q1"), "Q1 leg E has no hole"),
    "a part of another build": (
        lambda settings: settings["pi"]["place"].append({"refs": ["R28"], "at": [1, 1], "step": [1, 0]}),
        "R28 is not in the",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found(fault: str) -> None:
    plant, sentence = PLANTED[fault]
    settings = copy.deepcopy(read())
    plant(settings)
    found = list(faults(WIRING, "pi", settings))
    assert any(sentence in each for each in found), found


def test_the_page_gives_the_number_of_wires() -> None:
    page = (OUT.parent / "README.md").read_text(encoding="utf-8")
    first, second = (len(layout(WIRING, name, read()).wires) for name in ("pi-full", "head-full"))
    assert f"has {first} wires on the first board and {second} on the second" in page
