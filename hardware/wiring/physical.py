"""What is really joined to what: terminals of parts, plugs and headers, the copper of the boards, and the drawn wires.

A terminal is a designator and a leg, a contact or a position, such as ("R1", "2"), ("J2", "1"), ("J1", "36").
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hardware.wiring.header import HEADERS
from hardware.wiring.model import Board, Wiring
from hardware.wiring.netlist import HEADER_REF, Element, Netlist, Plug, header_net

FUSE = "ptc"
Terminal = tuple[str, str]
Wire = tuple[Terminal, Terminal]


@dataclass(frozen=True, slots=True)
class Assembly:
    """A build as it is put together: its parts, and everything that is joined by copper or by a wire."""

    elements: tuple[Element, ...]
    boards: tuple[Board, ...]
    joined: Mapping[Terminal, int]  # the number of the metal that a terminal belongs to
    near: Mapping[Terminal, Sequence[Terminal]]  # what each terminal is joined to by one piece of copper or wire

    def together(self, terminal: Terminal) -> list[Terminal]:
        """Return all terminals on the same metal, with this one."""
        number = self.joined.get(terminal)
        return [other for other, its in self.joined.items() if its == number] if number is not None else [terminal]

    def same(self, a: Terminal, b: Terminal) -> bool:
        """Return whether two terminals are on the same metal."""
        return a in self.joined and self.joined.get(a) == self.joined.get(b)

    def way(self, a: Terminal, b: Terminal) -> list[Terminal]:
        """Return the shortest way over metal between two terminals that are on the same metal."""
        before: dict[Terminal, Terminal | None] = {a: None}
        queue = deque([a])
        while queue and b not in before:
            at = queue.popleft()
            for onward in self.near[at]:
                if onward not in before:
                    before[onward] = at
                    queue.append(onward)
        return _way(before, b)

    def supply(self, board: Board, name: str) -> list[Terminal]:
        """Return the positions of a supply, such as "5V", on a header."""
        return [(HEADER_REF[board], str(position)) for position, its in HEADERS[board].items() if its == name]


def wires(net: Netlist, wiring: Wiring) -> Iterator[Wire]:
    """Yield each wire of the harness: from the plug (or the header, without a board) to every leg that it reaches."""
    for plug in net.plugs:
        ends = list(net.at(plug))
        taken: set[Terminal] = set()
        for contact, name in enumerate(plug.nets, 1):
            for part, leg in _legs(ends, name, taken, plug):
                taken.add((part, leg))
                yield (plug.ref, str(contact)), (part, leg)
    if not has_board(wiring, net.build):
        yield from _without_a_board(net, wiring)


def _legs(ends: Sequence[Element], name: str, taken: set[Terminal], plug: Plug) -> Iterator[Terminal]:
    """Yield the legs on a net that no earlier contact took. Modules take one leg per contact."""
    for part in ends:
        for leg, net in part.legs.items():
            if net == name and (part.ref, leg) not in taken:
                yield part.ref, leg
                if len(part.legs) == len(plug.nets):
                    break


def _without_a_board(net: Netlist, wiring: Wiring) -> Iterator[Wire]:
    """Yield the wires from the header through the resistors in the wire, or directly, to the contacts of a cable."""
    for part in net.on("pi"):
        for leg, name in part.legs.items():
            for position in HEADERS["pi"]:
                if header_net("pi", position) == name:
                    yield ("J1", str(position)), (part.ref, leg)
    for plug in net.plugs:
        cable = wiring.cable[plug.cable]
        left = {name: list(positions) for name, positions in cable.supply.items()}
        for contact, (name, alias) in enumerate(zip(plug.nets, _aliases(plug), strict=True), 1):
            at = (plug.ref, str(contact))
            inline = [(part.ref, leg) for part in net.on("pi") for leg, its in part.legs.items() if its == name]
            if inline:
                yield inline[0], at
            elif alias in left:
                position = left[alias].pop(0) if len(left[alias]) > 1 else left[alias][0]
                yield ("J1", str(position)), at
            else:
                yield from (
                    (("J1", str(position)), at) for position in HEADERS["pi"] if header_net("pi", position) == name
                )


def _aliases(plug: Plug) -> list[str]:
    return [name.lower() for name in plug.nets]


def has_board(wiring: Wiring, build: str) -> bool:
    """Return whether the circuits of a build are on boards."""
    return wiring.build[build].boards


def assembly(net: Netlist, wiring: Wiring, drawn: Iterable[Wire] | None = None, fuses: bool = True) -> Assembly:
    """Put a build together from the copper of its boards and the wires, by default those of the harness.

    A fuse counts as metal; without `fuses`, as if all had tripped.
    """
    joins: list[Wire] = list(wires(net, wiring) if drawn is None else drawn)
    if fuses:
        joins += [((part.ref, "1"), (part.ref, "2")) for part in net.elements if part.part == FUSE]
    if has_board(wiring, net.build):
        for board in net.boards:
            for terminals in net.nets(board).values():
                joins += [(terminals[0], other) for other in terminals[1:]]
    for board in net.boards:  # the grounds and the supplies of a Pi, and of a Pico, are joined inside it
        for name in ("GND", "3V3", "5V"):
            positions = [(HEADER_REF[board], str(at)) for at, its in HEADERS[board].items() if its == name]
            joins += [(positions[0], other) for other in positions[1:]]
    near: dict[Terminal, list[Terminal]] = {}
    for a, b in joins:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    return Assembly(net.elements, net.boards, _numbered(near), near)


def _numbered(near: Mapping[Terminal, Sequence[Terminal]]) -> dict[Terminal, int]:
    """Number the groups of joined terminals."""
    numbers: dict[Terminal, int] = {}
    for number, start in enumerate(near):
        queue = deque([start] if start not in numbers else [])
        while queue:
            if (at := queue.popleft()) not in numbers:
                numbers[at] = number
                queue += near[at]
    return numbers


Conducts = Callable[[Element, str], Iterable[str]]  # the legs to which a part conducts from a leg


def walk(put: Assembly, start: Iterable[Terminal], conducts: Conducts, stop: set[Terminal]) -> Iterator[list[Terminal]]:
    """Yield the way to each terminal that can be reached from `start` over metal and through parts, not past `stop`."""
    legs: dict[Terminal, Element] = {(part.ref, leg): part for part in put.elements for leg in part.legs}
    metal: dict[int, list[Terminal]] = {}
    for terminal, number in put.joined.items():
        metal.setdefault(number, []).append(terminal)
    before: dict[Terminal, Terminal | None] = dict.fromkeys(start)
    queue = deque(before)
    while queue:
        at = queue.popleft()
        yield _way(before, at)
        if at in stop:
            continue
        onward = list(metal.get(put.joined.get(at, -1), ()))
        if part := legs.get(at):
            onward += [(part.ref, leg) for leg in conducts(part, at[1])]
        for other in onward:
            if other not in before:
                before[other] = at
                queue.append(other)


def _way(before: Mapping[Terminal, Terminal | None], at: Terminal) -> list[Terminal]:
    way = [at]
    while (last := before[way[-1]]) is not None:
        way.append(last)
    return way[::-1]
