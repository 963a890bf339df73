"""The electrical rules of a build, checked on what is really joined: one sentence for each fault."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from hardware.wiring.header import HEADERS, call
from hardware.wiring.model import Board, Wiring
from hardware.wiring.netlist import HEADER_REF, Element, Netlist, Plug
from hardware.wiring.physical import Assembly, Terminal, Wire, assembly, has_board, walk, wires

CAPACITORS = {"n1", "n100", "u1", "u10"}
SWITCHES = {"button", "handle"}
LAMPS = {"led_low", "led_high"}
CLAMPS = {"schottky", "tight"}
MODULES = {"oled", "colour", "eeprom", "beam_board"}
LEAST_OHM = 300  # between a pin and what may join it to a supply, so that at most 11 mA flow


def erc(net: Netlist, wiring: Wiring, drawn: Iterable[Wire] | None = None) -> Iterator[str]:
    """Yield each fault of a build; `drawn` replaces the wires of the harness."""
    put = assembly(net, wiring, drawn)
    for board in net.boards:
        yield from _supplies(put, board)
        yield from _five_volts(put, board)
        yield from _shorts_to_a_pin(put, board, wiring)
        yield from _pins(put, board)
    for part in net.elements:
        yield from _open(put, part)
        yield from _polarity(put, part)
        yield from _neighbours(put, part, wiring)
    if has_board(wiring, net.build):
        yield from _fused(net, wiring, drawn)
    if drawn is None and has_board(wiring, net.build):
        yield from _swapped(net, wiring)


def _at(put: Assembly, terminal: Terminal, board: Board, name: str) -> bool:
    return any(put.same(terminal, supply) for supply in put.supply(board, name))


def _supplies(put: Assembly, board: Board) -> Iterator[str]:
    for a, b in combinations(("5V", "3V3", "GND"), 2):
        one, other = put.supply(board, a)[0], put.supply(board, b)[0]
        if put.same(one, other):
            yield f"{board}: {a} and {b} are joined by metal: {_path(put.way(one, other))}."
    if len(put.boards) == 2 and board == "pi":
        for a, b in (("5V", "5V"), ("3V3", "3V3"), ("5V", "3V3"), ("3V3", "5V")):
            if put.same(put.supply("pi", a)[0], put.supply("head", b)[0]):
                yield f"{a} of the Pi and {b} of the head are joined: one would feed the other."


def _through(part: Element, leg: str) -> Iterable[str]:
    """Return the legs to which a part passes a supply. A transistor, a driver and a capacitor keep it from the pin."""
    if part.part in CAPACITORS:
        return ()
    if part.part == "npn":
        return {"C": "E", "E": "C"}.get(leg, "")
    if part.part == "beam_board":  # its comparator drives 3.3 V; its emitter is between 5 V and its driver
        return {"5 V": ["emitters"], "emitters": ["5 V"]}.get(leg, ())
    if part.part == "uln":
        return ["COM"] if leg.startswith("O") else [f"O{n}" for n in range(1, 9)] if leg == "COM" else ()
    return [other for other in part.legs if other != leg]


def _five_volts(put: Assembly, board: Board) -> Iterator[str]:
    """Walk from 5 V over every wire and through every part that passes it on; no way may end at a pin or at 3.3 V."""
    stop = {supply for each in put.boards for supply in put.supply(each, "GND")}
    stop |= {terminal for ground in stop for terminal in put.together(ground)}
    headers = {ref: each for each, ref in HEADER_REF.items() if each in put.boards}
    reported: set[str] = set()
    for way in walk(put, put.supply(board, "5V"), _through, stop):
        ref, position = way[-1]
        if ref not in headers or way[-1] in stop:
            continue
        name = HEADERS[headers[ref]][int(position)]
        if name in ("GND", "VSYS") or (name == "5V" and headers[ref] == board):
            continue
        pin = call(headers[ref], int(name)) if name.isdigit() else f"{name} of the {headers[ref]}"
        if pin not in reported:
            reported.add(pin)
            yield f"5 V of the {board} reaches {pin} with no transistor or driver between: {_path(way)}."


def _path(way: list[Terminal]) -> str:
    return " → ".join(f"{ref}.{leg}" for ref, leg in way)


def _pin_terminals(put: Assembly, board: Board) -> list[tuple[Terminal, int]]:
    return [((HEADER_REF[board], str(at)), int(name)) for at, name in HEADERS[board].items() if name.isdigit()]


def _shorts_to_a_pin(put: Assembly, board: Board, wiring: Wiring) -> Iterator[str]:
    """Walk from each pin through switches and receivers; no way may end at a supply without a resistor between."""

    def closes(part: Element, leg: str) -> Iterable[str]:
        if "ohm" in wiring.part[part.part].values and wiring.value(part.part, "ohm") >= LEAST_OHM:
            return ()
        if part.part in CAPACITORS | MODULES | CLAMPS | {"diode", "uln"} or (part.part == "npn" and leg == "B"):
            return ()
        return [other for other in part.legs if other != leg]

    ends = {supply: name for name in ("GND", "3V3", "5V") for supply in put.supply(board, name)}
    for terminal, pin in _pin_terminals(put, board):
        for way in walk(put, [terminal], closes, set(ends)):
            if way[-1] in ends:
                yield f"{call(board, pin)} has less than {LEAST_OHM} Ω to {ends[way[-1]]}: {_path(way)}."
                break


def _pins(put: Assembly, board: Board) -> Iterator[str]:
    for (a, first), (b, second) in combinations(_pin_terminals(put, board), 2):
        if put.same(a, b):
            yield f"{call(board, first)} and {call(board, second)} are joined by metal."


def _open(put: Assembly, part: Element) -> Iterator[str]:
    for leg in part.legs:
        if len(put.together((part.ref, leg))) < 2:
            yield f"{part.ref} ({part.what}): leg {leg} is not connected."


def _polarity(put: Assembly, part: Element) -> Iterator[str]:
    def at(leg: str, name: str) -> bool:
        return _at(put, (part.ref, leg), part.board, name)

    wanted: dict[str, tuple[tuple[str, str], ...]] = {
        **dict.fromkeys(LAMPS, (("A", "5V"),)),
        "emitter": (("+", "5V"),), "buzzer": (("+", "5V"),), "sounder": (("+", "5V"),), "diode": (("K", "5V"),),
        "npn": (("E", "GND"),), "uln": (("GND", "GND"), ("COM", "5V")), "disc": (("-", "GND"),),
        "beam": (("VCC", "3V3"), ("GND", "GND")), "oled": (("VCC", "3V3"), ("GND", "GND")),
        "colour": (("VIN", "3V3"), ("GND", "GND")),
        "beam_board": (("GND", "GND"), ("3.3 V", "3V3"), ("5 V", "5V")), "eeprom": (("VCC", "3V3"), ("GND", "GND")),
    }  # fmt: skip
    for leg, name in wanted.get(part.part, ()):
        if not at(leg, name):
            why = "; grounded, it lights every lamp" if leg == "COM" else ""
            yield f"{part.ref} ({part.what}): leg {leg} must be at {name}{why}."
    if part.part in CLAMPS and at("A", "GND") == at("K", "3V3"):
        yield f"{part.ref} ({part.what}): a clamp points from ground to the wire, or from the wire to 3V3."
    if part.part == "oled" and "DC" in part.legs and "D0" not in part.legs:
        yield from (
            f"{part.ref}: on I²C leg {leg} must be at GND, where it sets the address." for leg in ("DC", "CS")
            if not at(leg, "GND")
        )  # fmt: skip


def _neighbours(put: Assembly, part: Element, wiring: Wiring) -> Iterator[str]:
    """Check that the parts which a part needs are connected to it."""
    name = f"{part.ref} ({part.what})"
    if part.part == "beam":
        if not _between(put, part, "OUT", "3V3", {"r_10k"}):
            yield f"{name}: it needs a pull-up from OUT to 3V3."
        near = [each for each in _between(put, part, "VCC", "GND", {"n100"}) if each.cable == part.cable]
        if len(near) < sum(each.part == "beam" for each in put.elements if _beside(each, part)):
            yield f"{name}: it needs 100 nF between VCC and GND, at its legs."
    at_pin = any(put.same((part.ref, "B"), pin) for pin, _ in _pin_terminals(put, part.board))
    if part.part == "npn" and (at_pin or not _beside_resistor(put, part, "B", wiring)):
        yield f"{name}: its base needs a resistor to the pin."
    if part.part in LAMPS and not _beside_resistor(put, part, "K", wiring):
        yield f"{name}: a lamp needs its resistor."
    if part.part in ("buzzer", "sounder") and not _between(put, part, "-", "5V", {"diode"}):
        yield f"{name}: a coil needs a diode that leads its voltage to 5 V."
    if part.part == "disc":
        if not _beside_resistor(put, part, "+", wiring, 47_000):
            yield f"{name}: a knock gives tens of volts: it needs 100 kΩ to the pin."
        if not _between(put, part, "+", "GND", {"r_470k"}):
            yield f"{name}: it needs a resistor of at most 470 kΩ beside it, or its pin rests too high."
    if part.part == "handle" and sum(each.part == "schottky" for each in put.elements) < 2:
        yield f"{name}: a lead needs a clamp at its pin."
    if part.part == "uln":
        for leg in part.legs:
            if leg.startswith("I") and f"O{leg[1:]}" not in part.legs:
                yield f"{name}: channel {leg[1:]} has no output."


def _beside(other: Element, part: Element) -> bool:
    return (other.cable, other.board) == (part.cable, part.board)


def _between(put: Assembly, part: Element, leg: str, supply: str, wanted: set[str]) -> list[Element]:
    """Return the parts of a kind between a leg and a supply."""
    return [
        other for other in put.elements
        if other.part in wanted and other.board == part.board
        for a, b in [list(other.legs)]
        if any(
            put.same((part.ref, leg), (other.ref, one)) and _at(put, (other.ref, two), part.board, supply)
            for one, two in ((a, b), (b, a))
        )
    ]  # fmt: skip


def _beside_resistor(put: Assembly, part: Element, leg: str, wiring: Wiring, least: float = 100) -> bool:
    """Return whether a resistor of at least `least` ohms that goes to no supply is at a leg."""
    for other in put.elements:
        if wiring.part[other.part].values.get("ohm", 0) >= least and set(other.legs) == {"1", "2"}:
            for one, two in (("1", "2"), ("2", "1")):
                far = [_at(put, (other.ref, two), part.board, name) for name in ("GND", "3V3", "5V")]
                if put.same((part.ref, leg), (other.ref, one)) and not any(far):
                    return True
    return False


def _fused(net: Netlist, wiring: Wiring, drawn: Iterable[Wire] | None) -> Iterator[str]:
    """Check that a fuse is between each supply and the contacts that take it off a board."""
    put = assembly(net, wiring, drawn, fuses=False)
    for plug in net.plugs:
        for contact in range(1, len(plug.nets) + 1):
            for name in ("3V3", "5V"):
                if _at(put, (plug.ref, str(contact)), plug.board, name):
                    yield f"{plug.title} ({plug.ref}): {name} leaves the board at contact {contact} without a fuse."


def _swapped(net: Netlist, wiring: Wiring) -> Iterator[str]:
    """Put each pair of cables that fit the same plugs into each other's; nothing may be hurt."""
    for a, b in combinations(net.plugs, 2):
        if a.board == b.board and len(a.nets) == len(b.nets) and a.nets != b.nets:
            exchanged = [_exchanged(wire, a, b) for wire in wires(net, wiring)]
            put = assembly(net, wiring, exchanged)
            hurt = [*_supplies(put, a.board), *_five_volts(put, a.board), *_closed(put, a.board)]
            if hurt:
                yield f"the plugs of {a.title} ({a.ref}) and {b.title} ({b.ref}) are alike; exchanged, {hurt[0]}"


def _closed(put: Assembly, board: Board) -> Iterator[str]:
    """Walk from the supplies through closed buttons only; no way may join two supplies."""

    def closes(part: Element, leg: str) -> Iterable[str]:
        return [other for other in part.legs if other != leg] if part.part in SWITCHES else ()

    for name in ("3V3", "5V"):
        for way in walk(put, put.supply(board, name), closes, set()):
            if way[-1] in put.supply(board, "GND"):
                yield f"a button joins {name} to ground: {_path(way)}."
                break


def _exchanged(wire: Wire, a: Plug, b: Plug) -> Wire:
    (ref, contact), end = wire
    return ({a.ref: b.ref, b.ref: a.ref}.get(ref, ref), contact), end
