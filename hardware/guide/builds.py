"""What a build consists of, piece by piece and joint by joint, and what each step of the guide uses and joins.

A piece is a designator (`R1`), the housing of a plug (`J2 housing`), or the name of something of the cart that has no
designator. A joint is a leg and its net (`R1.1 GPIO16`), a wire of a cable (`J2.1 to S1.1`), or a plug that is put in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from hardware.board import beam
from hardware.cart.cart import read_cart
from hardware.guide.steps import Step
from hardware.wiring import cut
from hardware.wiring.model import Wiring, read_wiring
from hardware.wiring.netlist import Netlist, Plug, netlist
from hardware.wiring.partslist import fitted, parts

PLACES = {"board": "pi", "gate board": "head"}
SOCKETS = {"board": {"socket_40": 1}, "gate board": {"socket_20": 2}}
CIRCUIT_BOARDS = {
    "board": "printed circuit board Umpi HAT, from the files in board/out/hat",
    "gate board": "printed circuit board of the gate, from the files in board/out/gate",
}
BEAM = " of a beam board"  # what a piece or joint of it ends with: each board has it
SINGLE = {"header", "pico", "usb", "hub", "scanner", "supply"}  # plugs without wires of the netlist


class BadStep(ValueError):
    """A step that names something which its build does not have."""


@cache
def _wiring() -> Wiring:
    return read_wiring()


@cache
def nets(build: str) -> tuple[Netlist, Netlist]:
    """Return the netlist of a build, and that of its boards: they have every part that they have room for."""
    return netlist(_wiring(), build), fitted(_wiring(), build)


@cache
def needed(build: str) -> Counter[str]:
    """Count the pieces of a build: all of its cart, and the emitters that come with receivers."""
    found: Counter[str] = Counter()
    for part in parts(_wiring(), build):
        if part.part.startswith("xhp_"):
            found.update(f"{ref} housing" for ref in part.refs)
        elif len(part.refs) == part.quantity and not part.part.startswith("socket"):
            found.update(part.refs)
        else:
            found[part.part] += part.quantity
    for name, count in _more(build).items():
        found[name] += count
    for one in beam.parts():
        found[one.ref + BEAM] += _wiring().shopping(build).get("beam_board", 0)
    found.update(f"wires {name}" for name in _wiring().cables(build) if cut.pieces(_wiring(), build, name))
    return +found


def used(step: Step, build: str) -> Counter[str]:
    """Count the pieces that a step uses. Raises BadStep for a name that the build does not have."""
    net, boards = nets(build)
    found: Counter[str] = Counter()
    for name in step.uses:
        kind, _, rest = name.partition(" ")
        if name == "on beam boards":
            boards_of = _wiring().shopping(build)["beam_board"]
            found.update({one.ref + BEAM: boards_of for one in beam.parts()})
        elif kind == "on":
            found.update(_on(boards, rest, build))
        elif kind == "at":
            found.update(part.ref for part in net.at(_plug(net, rest, step)))
        elif kind == "plug":
            plug = _plug(net, rest, step)
            found[f"{plug.ref} housing"] += 1
            found["xh_contact"] += len(plug.nets)
        else:
            found.update(_named(name, build, step))
    return found


def joined(step: Step, build: str) -> Counter[str]:
    """Count the joints that a step makes. Raises BadStep for a name that the build does not have."""
    net, boards = nets(build)
    found: Counter[str] = Counter()
    for name in step.joins:
        kind, _, rest = name.partition(" ")
        if name in PLACES:
            found.update(_copper(boards, name))
        elif name == "beam boards":
            found.update(_beam_joints(build))
        elif kind == "cable":
            found.update(_wires(net, _plug(net, rest, step)))
        elif kind == "in":
            found[f"{_plug(net, rest, step).ref} in"] += 1
        elif name in SINGLE:
            found[name] += 1
        else:
            raise BadStep(f"{step.title}: there is no joint {name!r}.")
    return found


@cache
def joints(build: str) -> Counter[str]:
    """Count all joints of a build: the copper of its boards, the wires of its cables, and each plug once."""
    net, boards = nets(build)
    found: Counter[str] = Counter()
    for name, board in PLACES.items():
        if board in net.boards:
            found.update(_copper(boards, name))
    found.update(_beam_joints(build))
    for plug in net.plugs:
        found.update(_wires(net, plug))
        if _wiring().build[build].boards:
            found[f"{plug.ref} in"] += 1
    found.update(["supply", "header", *(name for name in ("pico", "usb", "hub", "scanner") if (name == "pico"
                 and "head" in net.boards) or needed(build)[name])])  # fmt: skip
    return found


def _beam_joints(build: str) -> Counter[str]:
    """Count the joints of all beam boards, and of the cables from board to board."""
    boards_of, found = _wiring().shopping(build).get("beam_board", 0), Counter[str]()
    for one in beam.parts():
        for pad, net in one.nets.items():
            found[f"{one.ref}.{pad} {net}{BEAM}"] += boards_of
    return +found


def pieces_of(joint: str) -> set[str]:
    """Return the designators that a joint joins.

    >>> sorted(pieces_of("J2.1 to S1.1")), pieces_of("R1.1 GPIO16"), pieces_of("J2 in")
    (['J2 housing', 'S1'], {'R1'}, {'J2 housing'})
    """
    first, _, rest = joint.partition(" ")
    if rest.endswith(BEAM):
        return {first.partition(".")[0] + BEAM}
    if rest == "in":
        return {f"{first} housing"}
    one = first.partition(".")[0]
    if rest.startswith("to "):
        return {f"{one} housing", rest.removeprefix("to ").partition(".")[0]}
    return {one} if "." in first else set()


def _on(net: Netlist, name: str, build: str) -> Iterator[str]:
    board = PLACES[name]
    yield from (part.ref for part in net.on(board))  # type: ignore[arg-type]
    if not _wiring().build[build].boards:
        return
    yield from (plug.ref for plug in net.plugs if plug.board == board)
    yield from (socket for socket, count in SOCKETS[name].items() for _ in range(count))
    yield CIRCUIT_BOARDS[name]


def _copper(net: Netlist, name: str) -> Iterator[str]:
    board = PLACES[name]
    plugs = {plug.ref for plug in net.plugs}
    for wire, legs in net.nets(board).items():  # type: ignore[arg-type]
        yield from (f"{ref}.{leg} {wire}" for ref, leg in legs if ref not in plugs or net.build != "minimal")


def _wires(net: Netlist, plug: Plug) -> Iterator[str]:
    """Yield the wire from each contact to each leg at the end of the cable that has its net."""
    for part in net.at(plug):
        for leg, wire in part.legs.items():
            if wire in plug.nets:
                yield f"{plug.ref}.{plug.nets.index(wire) + 1} to {part.ref}.{leg}"


def _plug(net: Netlist, cable: str, step: Step) -> Plug:
    for plug in net.plugs:
        if plug.cable == cable:
            return plug
    raise BadStep(f"{step.title}: {net.build} has no cable {cable!r}.")


def _named(name: str, build: str, step: Step) -> dict[str, int]:
    """Return a piece with its count: `3 cable4`, or `pi` for all that the build has."""
    first, _, rest = name.partition(" ")
    count, key = (int(first), rest) if first.isdigit() else (0, name)
    found = [each for each in needed(build) if each == key or each.startswith(f"{key},")] or [
        each for each in needed(build) if each.startswith(key)
    ]
    if len(found) != 1:
        raise BadStep(f"{step.title}: {build} has {len(found)} pieces {key!r}.")
    return {found[0]: count or needed(build)[found[0]]}


@cache
def _more(build: str) -> Counter[str]:
    cart: dict[str, Any] = read_cart()
    has = cart["builds"][build]
    found: Counter[str] = Counter()
    for entry in cart["more"]:
        found[entry["what"]] += sum(number * has.get(thing, 0) for thing, number in entry["each"].items())
    return +found
