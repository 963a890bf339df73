"""The schematics for KiCad: read back from the file, they have the nets of the boards, and their drawings are tidy."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from hardware.board import kicad_sch
from hardware.board.layout import Label, Sheet, layout
from hardware.board.make import BOARDS
from hardware.board.plan import Plan, plan
from hardware.wiring.model import read_wiring

WIRING = read_wiring()
Point = tuple[int, int]
Nets = dict[str, set[tuple[str, str]]]


def expressions(text: str) -> list[Any]:
    """Read s-expressions as lists of words."""
    stack: list[list[Any]] = [[]]
    for quoted, bracket, word in re.findall(r'"((?:[^"\\]|\\.)*)"|([()])|([^\s()"]+)', text):
        if bracket == "(":
            stack.append([])
        elif bracket == ")":
            last = stack.pop()
            stack[-1].append(last)
        else:
            stack[-1].append(quoted or word)
    return stack[0][0]  # type: ignore[no-any-return]


def all_of(tree: list[Any], name: str) -> Iterator[list[Any]]:
    return (each for each in tree if isinstance(each, list) and each and each[0] == name)


def one(tree: list[Any], name: str) -> list[Any]:
    return next(all_of(tree, name))


def micrometres(x: str | float, y: str | float) -> Point:
    return round(float(x) * 1000), round(float(y) * 1000)


def nets_of(text: str) -> Nets:
    """Return the pins of each net of a .kicad_sch file, from the places of wires, pins and labels, as KiCad joins them.

    Pins turn counterclockwise with their symbol, and y is upwards in a symbol and downwards on the sheet.
    """
    tree = expressions(text)
    shapes = {symbol[1]: symbol for symbol in all_of(one(tree, "lib_symbols"), "symbol")}
    leader: dict[Any, Any] = {}

    def find(each: Any) -> Any:
        while leader.setdefault(each, each) != each:
            each = leader[each]
        return each

    def join(a: Any, b: Any) -> None:
        leader[find(a)] = find(b)

    for wire in all_of(tree, "wire"):
        ends = [micrometres(*xy[1:]) for xy in one(wire, "pts")[1:]]
        join(ends[0], ends[1])
    for label in all_of(tree, "global_label"):
        join(micrometres(*one(label, "at")[1:3]), f"net {label[1]}")
    pins: list[tuple[str, str, Point]] = []
    for symbol in all_of(tree, "symbol"):
        words = {field[1]: field[2] for field in all_of(symbol, "property")}
        x, y, turn = map(float, one(symbol, "at")[1:])
        shape = shapes[one(symbol, "lib_id")[1]]
        for part in all_of(shape, "symbol"):
            for pin in all_of(part, "pin"):
                px, py = map(float, one(pin, "at")[1:3])
                cos, sin = round(math.cos(math.radians(turn))), round(math.sin(math.radians(turn)))
                at = micrometres(x + px * cos - py * sin, y - (px * sin + py * cos))
                if ["power"] in shape:
                    join(at, f"net {words['Value']}")
                else:
                    pins.append((words["Reference"], one(pin, "number")[1], at))
    named = {find(each): each[4:] for each in list(leader) if isinstance(each, str)}
    found: Nets = {}
    for ref, number, at in pins:
        if name := named.get(find(at)):
            found.setdefault(name, set()).add((ref, number))
    return found


def nets_on(made: Plan) -> Nets:
    found: Nets = {}
    for part, pad in made.pads():
        if pad.net:
            found.setdefault(pad.net, set()).add((part.ref, pad.name))
    return found


@pytest.mark.parametrize("name", BOARDS)
def test_the_schematic_has_the_nets_of_the_board(name: str) -> None:
    made = plan(WIRING, name)
    text = kicad_sch.text(layout(WIRING, made), made)
    assert nets_of(text) == nets_on(made)
    assert text == kicad_sch.text(layout(WIRING, made), made), "the same from one run to the next"


def test_a_label_beside_its_wire_is_found() -> None:
    made = plan(WIRING, "hat")
    sheet = layout(WIRING, made)
    moved = next(label for label in sheet.labels if label.net == "GPIO18.base")
    at = (moved.at[0], moved.at[1] - 1)
    sheet.labels = [Label(each.net, at, each.turn) if each is moved else each for each in sheet.labels]
    assert nets_of(kicad_sch.text(sheet, made)) != nets_on(made)


@pytest.mark.parametrize("name", BOARDS)
def test_every_footprint_of_the_board_is_once_in_the_schematic_with_its_value(name: str) -> None:
    made = plan(WIRING, name)
    drawn = [(each.ref, each.value, each.footprint) for each in layout(WIRING, made).symbols if each.ref]
    assert sorted(drawn) == sorted((part.ref, part.value, part.footprint) for part in made.parts)


@pytest.mark.parametrize("name", BOARDS)
def test_the_drawing_is_on_the_grid_and_no_frame_is_over_another(name: str) -> None:
    sheet: Sheet = layout(WIRING, plan(WIRING, name))
    ends = [at for wire in sheet.wires for at in wire] + [label.at for label in sheet.labels]
    assert all(float(each).is_integer() for at in ends for each in at)
    assert len(sheet.frames) > 5
    for (_, (x1, y1), (w1, h1)), (words, (x2, y2), (w2, h2)) in combinations(sheet.frames, 2):
        assert x1 + w1 <= x2 or x2 + w2 <= x1 or y1 + h1 <= y2 or y2 + h2 <= y1, words
