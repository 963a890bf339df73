"""Faults of a wiring, one sentence each; no faults if it may be built."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.wiring.electrics import BOARDS, checks
from hardware.wiring.erc import erc
from hardware.wiring.header import HEADERS, call
from hardware.wiring.model import BadWiring, Circuit, Net, Wiring
from hardware.wiring.netlist import netlist
from hardware.wiring.physical import has_board

PULLED_UP_AT_BOOT = range(9)  # GPIO 0 to 8: a lamp or buzzer there is on before Umpi runs
HAT = {0, 1}  # probed at boot for a HAT
CONSOLE = {14, 15}  # 14 goes high at boot
BUS = {"SDA": 2, "SCL": 3}
BUTTON_OHM = (330, 1000)  # the least protects the pin, the most still reads low
CHANNELS = 8  # of a ULN2803A


def refuse_faults(wiring: Wiring) -> None:
    """Raise BadWiring with every fault of every build, each with its build and its reason."""
    if found := [f"{build}: {fault}" for build in wiring.build for fault in faults(wiring, build)]:
        raise BadWiring("\n".join(["wiring.toml is not drawn, because:", *found]))


def faults(wiring: Wiring, build: str) -> Iterator[str]:
    """Yield each fault of a build as a sentence that names the net."""
    used: dict[tuple[str, int], Net] = {}
    for net in wiring.nets(build):
        named = net.label
        if str(net.pin) not in HEADERS[net.board].values():
            yield f"{named}: the {net.board} has no pin {net.pin} at its edge."
            continue
        if other := used.get((net.board, net.pin)):
            yield f"{named}: {call(net.board, net.pin)} is already {other.label}."
        used[net.board, net.pin] = net
        if net.board == "pi":
            yield from _at_boot(wiring.circuit[net.circuit], net, named, wiring.build[build].console)
        yield from _circuit(wiring, wiring.circuit[net.circuit], named)
        yield from _bought(wiring, build, wiring.circuit[net.circuit], named)
    yield from _positions(wiring, build)
    yield from _drivers(wiring, build)
    yield from erc(netlist(wiring, build), wiring)
    yield from (f"{check}." for check in checks(wiring, build) if not check.holds)


def _at_boot(circuit: Circuit, net: Net, named: str, console_off: bool) -> Iterator[str]:
    if circuit.way == "out" and circuit.load != "none" and net.pin in PULLED_UP_AT_BOOT:
        yield f"{named}: GPIO{net.pin} pulls up at boot, so it is on before Umpi runs; use GPIO 9 to 27."
    if net.pin in HAT:
        yield f"{named}: GPIO{net.pin} is probed at boot for a HAT."
    if net.pin in CONSOLE and not console_off:
        yield f"{named}: GPIO{net.pin} is the serial console's, and 14 goes high at boot."
    if (circuit.way == "bus") != (net.pin in BUS.values()):
        yield f"{named}: GPIO 2 and 3 are I²C and have the Pi's pull-ups; nothing else goes there."


def _circuit(wiring: Wiring, circuit: Circuit, named: str) -> Iterator[str]:
    if "button" in circuit.parts:
        ohm = float(wiring.value(circuit.series, "ohm")) if circuit.series in circuit.parts else 0.0
        if not BUTTON_OHM[0] <= ohm <= BUTTON_OHM[1]:
            yield f"{named}: a button needs {BUTTON_OHM[0]} to {BUTTON_OHM[1]} Ω in series, it has {ohm:g} Ω."
    if circuit.way != "out" and circuit.sees != "3v3":
        yield f"{named}: it is pulled up or fed by {circuit.sees or 'nothing'}; a pin tolerates at most 3.3 V."
    if circuit.way == "out" and circuit.load != "none" and not circuit.driver:
        yield f"{named}: its load is connected to {circuit.load} without a driver; a pin tolerates at most 3.3 V."


def _bought(wiring: Wiring, build: str, circuit: Circuit, named: str) -> Iterator[str]:
    needed = [circuit.series, circuit.pull_up, circuit.driver, circuit.module]
    for part in filter(None, needed):
        if part not in circuit.parts and part not in wiring.shopping(build):
            yield f"{named}: it needs {wiring.part[part].what}, which the parts list of {build} lacks."


def _positions(wiring: Wiring, build: str) -> Iterator[str]:
    """Check the positions on the header of the supply wires of a build without a board. Each takes one wire."""
    taken: dict[int, str] = {}
    if has_board(wiring, build):
        return
    for name, cable in wiring.cables(build).items():
        for wire, positions in cable.supply.items():
            for position in positions:
                if (is_there := HEADERS["pi"][position].lower()) != wire:
                    yield f"{cable.title}: {wire} is not at position {position} of the pi, {is_there} is."
                if (other := taken.get(position)) and cable.instead != other:
                    yield f"{cable.title}: position {position} already has the wire of {wiring.cable[other].title}."
                taken[position] = name


def _drivers(wiring: Wiring, build: str) -> Iterator[str]:
    driven = [
        sum(net.board == board and wiring.circuit[net.circuit].driver == "uln" for net in wiring.nets(build))
        for board in BOARDS
    ]
    if max(driven) > CHANNELS:
        yield f"a ULN2803A has {CHANNELS} channels, {max(driven)} are needed on one board."
    if (needed := sum(map(bool, driven))) > wiring.shopping(build).get("uln", 0):
        yield f"the parts list of {build} lacks a ULN2803A: {needed} boards need one."
