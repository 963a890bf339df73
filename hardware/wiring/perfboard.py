"""The layout of a perfboard: the hole of every leg, and the wires on the lower side, from the netlist."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.wiring.model import Board, Wiring
from hardware.wiring.netlist import HEADER_REF, Element, netlist
from hardware.wiring.picture import Picture

SOURCE = Path(__file__).with_name("perfboard.toml")
BOARDS: tuple[Board, ...] = ("pi", "head")
PITCH, MARGIN, TOP, BOW = 44, 60, 84, 17
INK = {"GND": "#111111", "3V3": "#e07b00", "5V": "#d21f1f"}
FREE = ("#2e9b3f", "#2f6fd0", "#8a4fbf", "#7a4a1e", "#0f8f8f", "#b8860b", "#c2408a")

Hole = tuple[int, int]
Terminal = tuple[str, str]
Told = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Layout:
    """A perfboard: holes of legs, and wires from hole to hole."""

    title: str
    size: Hole
    holes: Mapping[Terminal, Hole]
    wires: tuple[tuple[str, Hole, Hole], ...]  # net, from, to


def read() -> dict[str, Any]:
    """Return perfboard.toml."""
    return tomllib.loads(SOURCE.read_text(encoding="utf-8"))


def layout(wiring: Wiring, board: Board, told: Told) -> Layout:
    """Return the holes of all legs of a board, and the shortest wires that join each net."""
    own = told[board]
    net = netlist(wiring, own["build"])
    legs = {part.ref: _legs(wiring, part) for part in net.on(board)}
    legs |= {plug.ref: [str(at) for at in range(1, len(plug.nets) + 1)] for plug in net.plugs if plug.board == board}
    holes: dict[Terminal, Hole] = {}
    for group in own["place"]:
        for number, ref in enumerate(group["refs"]):
            column, row = group["at"]
            across, down = group.get("next", (0, 0))
            start = (column + across * number, row + down * number)
            holes |= {(ref, leg): hole for leg, hole in zip(legs.get(ref, ()), _holes(group, start), strict=False)}
    ref = HEADER_REF[board]
    holes |= {(ref, str(at)): hole for at, hole in zip(range(1, 41), _header(own["header"]), strict=False)}
    wires = [
        (name, a, b)
        for name, terminals in net.nets(board).items()
        for a, b in _tree([holes[each] for each in terminals if each in holes])
    ]
    width, height = own["size"]
    return Layout(own["title"], (width, height), holes, tuple(wires))


def _legs(wiring: Wiring, part: Element) -> list[str]:
    if part.part == "npn":
        return ["E", "B", "C"]  # a PN2222A from the left, its flat side towards you
    return list(wiring.part[part.part].legs)


def _holes(group: Told, start: Hole) -> Iterator[Hole]:
    """Yield the holes of a part: in a line, or in two rows around it like the legs of an integrated circuit."""
    if "row" in group:
        yield from _rows(group["row"], start)
        return
    column, row = start
    for number in range(40):
        yield column + group["step"][0] * number, row + group["step"][1] * number


def _rows(row: list[Any], start: Hole) -> Iterator[Hole]:
    count, (across, down), (aside, above) = row
    for number in range(count):
        yield start[0] + across * number, start[1] + down * number
    for number in reversed(range(count)):
        yield start[0] + across * number + aside, start[1] + down * number + above


def _header(told: Told) -> Iterator[Hole]:
    column, row = told["at"]
    if "row" in told:
        yield from _rows(told["row"], (column, row))
        return
    for number in range(20):
        at = (column + told["step"][0] * number, row + told["step"][1] * number)
        yield at
        yield at[0] + told["other"][0], at[1] + told["other"][1]


def _tree(holes: list[Hole]) -> Iterator[tuple[Hole, Hole]]:
    """Join holes by the shortest wires."""
    joined, left = holes[:1], holes[1:]
    while left:
        a, b = min(((a, b) for a in joined for b in left), key=lambda pair: _apart(*pair))
        yield a, b
        joined.append(b)
        left.remove(b)


def _apart(a: Hole, b: Hole) -> tuple[int, Hole, Hole]:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2, a, b


def faults(wiring: Wiring, board: Board, told: Told) -> Iterator[str]:
    """Yield each fault of a layout: a leg without a hole, a hole with two legs, a part of another build."""
    made = layout(wiring, board, told)
    net = netlist(wiring, told[board]["build"])
    taken: dict[Hole, Terminal] = {}
    for terminal, hole in made.holes.items():
        if other := taken.get(hole):
            yield f"{_named(terminal)} and {_named(other)} are both in hole {_hole(hole)}."
        taken[hole] = terminal
        if not (1 <= hole[0] <= made.size[0] and 1 <= hole[1] <= made.size[1]):
            yield f"{_named(terminal)}: hole {_hole(hole)} is not on the board."
    for terminals in net.nets(board).values():
        for terminal in terminals:
            if terminal not in made.holes:
                yield f"{_named(terminal)} has no hole."
    known = {part.ref for part in net.on(board)} | {plug.ref for plug in net.plugs}
    for group in told[board]["place"]:
        yield from (f"{ref} is not in the netlist." for ref in group["refs"] if ref not in known)


def _named(terminal: Terminal) -> str:
    return f"{terminal[0]} leg {terminal[1]}"


def _hole(hole: Hole) -> str:
    return f"{hole[0]}/{hole[1]}"


def draw(wiring: Wiring, board: Board, told: Told) -> Picture:
    """Draw a perfboard from the side of the parts; the wires are on the lower side."""
    made = layout(wiring, board, told)
    width, height = made.size
    picture = Picture(2 * MARGIN + PITCH * width, TOP + MARGIN + PITCH * height)
    picture.text((MARGIN, 34), f"{made.title}, seen from the side of the parts", 22)
    words = "The wires are insulated and on the lower side. A wire is joined only to the two legs where it ends."
    picture.text((MARGIN, 52), words, 12, colour="#555555")

    def at(hole: Hole) -> tuple[float, float]:
        return MARGIN + PITCH * (hole[0] - 0.5), TOP + PITCH * (hole[1] - 0.5)

    picture.box((MARGIN, TOP), (PITCH * width, PITCH * height), fill="#fbf7ec")
    for column in range(1, width + 1):
        picture.text((at((column, 1))[0], TOP - 8), str(column), 12, "middle", "#777777")
        for row in range(1, height + 1):
            picture.dot(at((column, row)), 2.5, fill="#dddddd", colour="#bbbbbb")
    for row in range(1, height + 1):
        picture.text((MARGIN - 10, at((1, row))[1] + 4), str(row), 12, "end", "#777777")
    names = list(dict.fromkeys(name for name, _, _ in made.wires))
    for name, a, b in made.wires:
        colour = INK.get(name.removeprefix("H")) or FREE[names.index(name) % len(FREE)]
        picture.line(*_bowed(at(a), at(b)), colour=colour, width=2.4)
    _parts(picture, wiring, made, board, told, at)
    return picture


def _bowed(a: tuple[float, float], b: tuple[float, float]) -> list[tuple[float, float]]:
    """Return the points of a wire; one along a row or a column passes beside the holes between."""
    (ax, ay), (bx, by) = a, b
    if ax == bx and abs(ay - by) > PITCH:
        side, way = ax - BOW, 1 if by > ay else -1
        return [a, (side, ay + BOW * way), (side, by - BOW * way), b]
    if ay == by and abs(ax - bx) > PITCH:
        side, way = ay + BOW, 1 if bx > ax else -1
        return [a, (ax + BOW * way, side), (bx - BOW * way, side), b]
    return [a, b]


def _parts(picture: Picture, wiring: Wiring, made: Layout, board: Board, told: Told, at: Any) -> None:
    refs: dict[str, list[Terminal]] = {}
    for terminal in made.holes:
        refs.setdefault(terminal[0], []).append(terminal)
    what = {part.ref: wiring.part[part.part].what for part in netlist(wiring, told[board]["build"]).on(board)}
    for ref, terminals in refs.items():
        places = [at(made.holes[each]) for each in terminals]
        left, top = min(x for x, _ in places) - 15, min(y for _, y in places) - 15
        right, low = max(x for x, _ in places) + 15, max(y for _, y in places) + 15
        picture.box((left, top), (right - left, low - top), colour="#444444", width=1.5)
        for (_, leg), place in zip(terminals, places, strict=True):
            picture.dot(place, 5, fill="#ffffff")
            if len(terminals) > 2 or leg not in "12":
                picture.text((place[0], place[1] - 8), leg, 9, "middle", "#333333")
        value = what.get(ref, "").split(" (")[0].removeprefix("resistor ").removeprefix("capacitor ").split(",")[0]
        value = value.removeprefix("NPN transistor ").removeprefix("diode ")
        middle = ((left + right) / 2, (top + low) / 2 + 4)
        if len(terminals) == 2 and low - top > right - left:
            picture.box((middle[0] - 19, middle[1] - 18), (38, 30), colour="#888888", fill="#ffffff")
            picture.text((middle[0], middle[1] - 5), ref, 11, "middle")
            picture.text((middle[0], middle[1] + 8), value, 9, "middle", "#444444")
        else:
            picture.text((left, low + 12), f"{ref} {value}".strip(), 12)


def save(wiring: Wiring, folder: Path) -> list[Path]:
    """Draw both perfboards as SVG and PNG; return the paths."""
    told = read()
    return [path for board in BOARDS for path in draw(wiring, board, told).save(folder, f"perfboard-{board}")]
