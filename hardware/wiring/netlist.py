"""The netlist of a build: every part with its designator, its legs and their nets, the plugs, and both headers.

Circuits, harness, boards and parts lists are made from it. Designators are the same in all builds: those of the Pi's
side count from 1, those of the sensor head's from 101.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from hardware.wiring.header import CALLED, HEADERS
from hardware.wiring.model import SHARED, BadWiring, Board, Cable, Item, Net, Wiring

RAILS: dict[Board, dict[str, str]] = {
    "pi": {"gnd": "GND", "3v3": "3V3", "5v": "5V"},
    "head": {"gnd": "GND", "3v3": "H3V3", "5v": "H5V"},
}
FUSED: dict[Board, dict[str, str]] = {  # the supplies of the plugs of a board: behind its fuses
    "pi": {**RAILS["pi"], "3v3": "3V3_OUT", "5v": "5V_OUT"},
    "head": {**RAILS["head"], "3v3": "H3V3_OUT", "5v": "H5V_OUT"},
}
FIRST = {"pi": 1, "head": 101}
HEADER_REF = {"pi": "J1", "head": "J101"}
CHANNELS = 8


@dataclass(frozen=True, slots=True)
class Element:
    """A part: on a board, or at the end of a cable if `cable` is named."""

    ref: str
    part: str
    board: Board
    legs: Mapping[str, str]  # net by leg
    circuit: str
    what: str  # for people: what it belongs to
    cable: str = ""


@dataclass(frozen=True, slots=True)
class Plug:
    """A plug of a board: the net of each contact, from contact 1."""

    ref: str
    board: Board
    cable: str
    title: str
    nets: tuple[str, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Netlist:
    """All parts, plugs and headers of a build."""

    build: str
    elements: tuple[Element, ...]
    plugs: tuple[Plug, ...]
    boards: tuple[Board, ...]

    def on(self, board: Board) -> tuple[Element, ...]:
        """Return the parts on a board."""
        return tuple(part for part in self.elements if part.board == board and not part.cable)

    def at(self, plug: Plug) -> tuple[Element, ...]:
        """Return the parts at the end of a plug's cable."""
        return tuple(part for part in self.elements if part.board == plug.board and part.cable == plug.cable)

    def nets(self, board: Board) -> dict[str, list[tuple[str, str]]]:
        """Return the copper of a board: its nets, and the legs, contacts and positions that each joins."""
        found: dict[str, list[tuple[str, str]]] = {}
        for part in self.on(board):
            for leg, net in part.legs.items():
                found.setdefault(net, []).append((part.ref, leg))
        for plug in self.plugs:
            if plug.board == board:
                for contact, net in enumerate(plug.nets, 1):
                    found.setdefault(net, []).append((plug.ref, str(contact)))
        for position in HEADERS[board]:
            if (net := header_net(board, position)) in found or net in RAILS[board].values():
                found.setdefault(net, []).append((HEADER_REF[board], str(position)))
        return found


def header_net(board: Board, position: int) -> str:
    """Return the net at a position of a header.

    >>> header_net("pi", 36), header_net("head", 40), header_net("head", 3)
    ('GPIO16', 'H5V', 'GND')
    """
    name = HEADERS[board][position]
    return f"{CALLED[board]}{name}" if name.isdigit() else RAILS[board].get(name.lower(), name)


def netlist(wiring: Wiring, build: str) -> Netlist:
    """Return the netlist of a build. Raises BadWiring for a part or leg that the file does not describe."""
    refs = _refs(wiring)
    elements = [replace(part, ref=refs[key]) for key, part in _elements(wiring, build)]
    plugs = [replace(plug, ref=refs[_of_plug(wiring, plug)]) for plug in _plugs(wiring, build)]
    boards: tuple[Board, ...] = ("pi", "head")
    used = {part.board for part in elements}
    return Netlist(build, tuple(elements), tuple(plugs), tuple(board for board in boards if board in used))


def supplies(wiring: Wiring, build: str, board: Board) -> dict[str, str]:
    """Return the net of each supply at the plugs of a build: behind the fuses if its circuits are on boards."""
    return FUSED[board] if wiring.build[build].boards else RAILS[board]


Key = tuple[str, ...]


def _refs(wiring: Wiring) -> dict[Key, str]:
    """Give each part of each build its designator, in the order of the largest build first."""
    refs: dict[Key, str] = {}
    count: Counter[tuple[str, str]] = Counter({(board, "J"): 1 for board in FIRST})  # J1 and J101 are the headers
    for build in sorted(wiring.build, key=lambda build: build != "hat"):
        named = [(key, wiring.part[part.part].ref, part.board) for key, part in _elements(wiring, build)]
        named += [(_of_plug(wiring, plug), "J", plug.board) for plug in _plugs(wiring, build)]
        for key, letters, board in named:
            if key not in refs:
                refs[key] = f"{letters}{FIRST[board] + count[board, letters]}"
                count[board, letters] += 1
    return refs


def _of_plug(wiring: Wiring, plug: Plug) -> Key:
    return plug.board, "J", wiring.cable[plug.cable].takes or plug.cable


def _elements(wiring: Wiring, build: str) -> Iterator[tuple[Key, Element]]:
    """Yield the parts of a build, each with the key of its designator."""
    shared: dict[Board, dict[str, str]] = {}
    besides = {cable.beside: name for name, cable in reversed(tuple(wiring.cables(build).items()))}
    for net in wiring.nets(build):
        circuit = wiring.circuit[net.circuit]
        own = f"{CALLED[net.board]}{net.pin}."
        nth: Counter[str] = Counter()
        beside = besides.get(net.cable, "")
        far = circuit.far if beside else ()
        for cable, items in (("", circuit.board), (net.cable, circuit.out), (beside, far)):
            rails = supplies(wiring, build, net.board) if cable else RAILS[net.board]
            names = {**rails, "pin": f"{CALLED[net.board]}{net.pin}"}
            for item in items:
                nets = [names.get(each, own + each) for each in item[1:]]
                if item[0] == SHARED:
                    _channel(shared.setdefault(net.board, {}), nets, net)
                    continue
                place = "out" if cable else "board"
                nth[item[0] + place] += 1
                key: Key = (net.board, net.section, net.name, place, item[0], str(nth[item[0] + place]))
                legs = _legs(wiring, item, nets, f"[circuit.{net.circuit}]")
                yield key, Element("", item[0], net.board, legs, net.circuit, net.label, cable)
    for whose, channels in shared.items():
        legs = {leg: channels[leg] for leg in wiring.part[SHARED].legs if leg in channels}
        legs |= {"GND": RAILS[whose]["gnd"], "COM": RAILS[whose]["5v"]}
        yield (whose, SHARED), Element("", SHARED, whose, legs, "", "driver")
    yield from _extras(wiring, build)
    yield from _modules(wiring, build)


def _extras(wiring: Wiring, build: str) -> Iterator[tuple[Key, Element]]:
    for number, extra in enumerate(wiring.extra):
        for item in extra.parts if build in extra.builds else ():
            rails = {**RAILS[extra.board], **{f"{name}_out": net for name, net in FUSED[extra.board].items()}}
            nets = [rails.get(each, each) for each in item[1:]]
            legs = _legs(wiring, item, nets, "[[extra]]")
            yield (extra.board, "extra", str(number), *item), Element("", item[0], extra.board, legs, "", extra.what)


def _modules(wiring: Wiring, build: str) -> Iterator[tuple[Key, Element]]:
    plugs = {plug.cable: plug for plug in _plugs(wiring, build)}
    for board, name, cable in _cables(wiring, build):
        for number, (part, ends) in enumerate(cable.modules(build), 1):
            legs = {leg: net for leg, net in zip(ends, plugs[name].nets, strict=True) if leg}
            key: Key = (board, part, name, str(number)) if cable.ready else (board, part)
            yield key, Element("", part, board, legs, "" if cable.ready else "i2c", cable.title, name)


def _legs(wiring: Wiring, item: Item, nets: list[str], place: str) -> dict[str, str]:
    if item[0] not in wiring.part:
        raise BadWiring(f"wiring.toml: {place} uses {item[0]}, which is among no [part].")
    legs = wiring.part[item[0]].legs
    if len(legs) != len(nets):
        raise BadWiring(f"wiring.toml: {place}: {item[0]} has {len(legs)} legs, {len(nets)} nets are given.")
    return dict(zip(legs, nets, strict=True))


def _channel(legs: dict[str, str], nets: list[str], net: Net) -> None:
    channel = len(legs) // 2 + 1
    if channel > CHANNELS:
        raise BadWiring(f"wiring.toml: {net.label}: a ULN2803A has {CHANNELS} channels.")
    legs[f"I{channel}"], legs[f"O{channel}"] = nets


def _cables(wiring: Wiring, build: str) -> Iterator[tuple[Board, str, Cable]]:
    """Yield the cables of a build with the board at which their plugs are."""
    boards: tuple[Board, ...] = ("pi", "head")
    cables, wired = wiring.cables(build), {(net.cable, net.board) for net in wiring.nets(build)}
    for board in boards:
        for name, cable in cables.items():
            if cable.board == board if cable.builds else (wiring.whose(build, name), board) in wired:
                yield board, name, cable


def _plugs(wiring: Wiring, build: str) -> Iterator[Plug]:
    every = wiring.nets(build)
    for board, name, cable in _cables(wiring, build):
        whose = wiring.whose(build, name)
        wires = [wire for net in every if (net.cable, net.board) == (whose, board) for wire in _wires(wiring, net)]
        labels: list[str] = []
        nets: list[str] = []
        for contact in cable.contacts:
            if contact == "*":
                labels += [label for label, _ in wires]
                nets += [net for _, net in wires]
            else:
                nets.append(supplies(wiring, build, board).get(contact, contact))
                labels.append({"gnd": "GND", "3v3": "3.3 V", "5v": "5 V"}.get(contact, contact))
        if cable.ends and not cable.ready:
            labels = list(cable.ends[0][1])
        title = (board == "pi" and cable.title_pi) or cable.title
        yield Plug("", board, name, title, tuple(nets), tuple(labels))


def _wires(wiring: Wiring, net: Net) -> Iterable[tuple[str, str]]:
    own = f"{CALLED[net.board]}{net.pin}"
    label = net.what if net.name == "pin" else net.name.replace("_", " ")
    return [(label, own if name == "pin" else f"{own}.{name}") for name in wiring.circuit[net.circuit].plug]


@cache
def standard(build: str) -> Netlist:
    """Return the netlist of a build of the file beside this module."""
    from hardware.wiring.model import read_wiring

    return netlist(read_wiring(), build)
