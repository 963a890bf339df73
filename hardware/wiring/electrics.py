"""Worst-case currents and levels of a wiring, per net and per rail, each with its limit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from hardware.wiring.model import Board, Cable, Net, Wiring

RESISTOR = (0.95, 1.05)  # 5 %
JUNCTION_V = (0.6, 0.9)  # base to emitter
DARLINGTON_V = (1.2, 1.6)  # the two junctions inside a ULN2803A
ULN_INPUT_OHM = (2160, 3240)  # 2.7 kΩ, 20 %
ULN_ON_V = (0.7, 1.1)
TRANSISTOR_ON_V = 0.2
RECEIVER_ON_V = 0.4  # of an open collector at a few mA
RISE = 0.8473  # of R × C, from 0.3 to 0.7 of the supply (I²C specification, 7.1)
RAILS = ("pi_3v3", "head_3v3", "head_5v", "hub", "pi_5v")
GATE = {"beam": "receivers of the gate", "emitters": "emitters of the gate"}  # loads of all lanes together
BOARDS: tuple[Board, ...] = ("pi", "head")
BUSES: dict[Board, str] = {"pi": "I²C", "head": "I²C of the head"}
RISES: dict[Board, str] = {"pi": "i2c_rise", "head": "i2c_rise_head"}  # limits of their speeds


@dataclass(frozen=True, slots=True)
class Check:
    """One figure and its limit. `net` is None if the figure is for the whole build."""

    of: str
    what: str
    value: float
    sign: Literal["≤", "≥"]
    limit: float
    unit: str
    source: str
    net: Net | None = None

    @property
    def holds(self) -> bool:
        """Return whether the figure is within its limit."""
        return self.value <= self.limit if self.sign == "≤" else self.value >= self.limit

    def __str__(self) -> str:
        return f"{self.of}: {self.what} {self.value:.3g} {self.unit} is not {self.sign} {self.limit:g} {self.unit}"


def checks(wiring: Wiring, build: str) -> Iterator[Check]:
    """Yield every figure of a build that has a limit."""
    for net in wiring.nets(build):
        yield from _net(wiring, net)
    for board in BOARDS:
        if any(net.board == board for net in wiring.nets(build)):
            yield _check(wiring, board, "current together", pins_ma(wiring, build, board), f"{board}_pins")
        watts = sum(_load_ma(wiring, net) * ULN_ON_V[1] for net in _on(wiring, build, board, "uln")) / 1000
        if watts:
            yield _check(wiring, f"ULN2803A, {board}", "all channels on", watts, "uln_heat")
        if wiring.build[build].boards:
            for rail, ma in leaving_ma(wiring, build, board).items():
                if ma:
                    yield _check(wiring, f"fuse of {rail}, {board}", "current through it", ma, "fuse")
    for rail, loads in rails(wiring, build).items():
        if rail in wiring.limit:
            yield _check(wiring, rail, "all loads together", sum(loads.values()), rail)
    for board in BOARDS:
        if _bus_cables(wiring, build, board):
            yield from _bus(wiring, build, board)


def pins_ma(wiring: Wiring, build: str, board: Board) -> float:
    """Add up the currents of all outputs of a board."""
    outputs = [net for net in wiring.nets(build) if net.board == board and wiring.circuit[net.circuit].way == "out"]
    return sum(_pin_ma(wiring, net) for net in outputs)


def rails(wiring: Wiring, build: str) -> dict[str, dict[str, float]]:
    """Return the loads of each rail with their highest mA. A load on 3.3 V takes the same mA from 5 V."""
    loads: dict[str, dict[str, float]] = {rail: defaultdict(float) for rail in RAILS}
    for module in wiring.modules(build):
        if module.ma:
            loads[module.rail][module.what] += module.ma
    for net in wiring.nets(build):
        circuit = wiring.circuit[net.circuit]
        what = GATE.get(net.what) or wiring.cable[net.cable].title.lower()
        if (ma := _load_ma(wiring, net)) and circuit.load == "5v":
            loads[f"{net.board}_5v"][what] += ma
        if ma := _pull_ups_ma(wiring, net) + _receiver_ma(wiring, net):
            loads[f"{net.board}_3v3"][what] += ma
    for board in BOARDS:
        if ma := pins_ma(wiring, build, board):
            loads[f"{board}_3v3"]["outputs of the pins"] += ma
    _feed(loads, "head_3v3", "head_5v", "its 3.3 V")
    _feed(loads, "pi_3v3", "pi_5v", "its 3.3 V")
    _feed(loads, "head_5v", "hub" if wiring.build[build].hub else "pi_5v", "the sensor head")
    return {rail: dict(counted) for rail, counted in loads.items() if counted}


def leaving_ma(wiring: Wiring, build: str, board: Board) -> dict[str, float]:
    """Return the highest current of 5 V and of 3.3 V that leaves a board at its plugs; of 3.3 V all that it takes."""
    nets = [net for net in wiring.nets(build) if net.board == board]
    five = sum(_load_ma(wiring, net) for net in nets if wiring.circuit[net.circuit].load == "5v")
    return {"5 V": five, "3.3 V": sum(rails(wiring, build).get(f"{board}_3v3", {}).values())}


def pull_up_ohm(wiring: Wiring, build: str, board: Board = "pi") -> float:
    """Return the pull-ups on a line of a board's I²C bus, in parallel: those of its modules, and on the Pi its own."""
    own = [wiring.bus["pi_pull_up"]] if board == "pi" else []
    modules = {part for cable in _bus_cables(wiring, build, board) for part, _ in cable.ends}
    return float(1 / sum(1 / ohm for ohm in (*own, *(wiring.value(part, "pull_up") for part in sorted(modules)))))


def _feed(loads: dict[str, dict[str, float]], rail: str, source: str, what: str) -> None:
    if ma := sum(loads[rail].values()):
        loads[source][what] += ma


def _net(wiring: Wiring, net: Net) -> Iterator[Check]:
    """Yield the checks of one net, according to the parts of its circuit."""
    circuit, of = wiring.circuit[net.circuit], net.label

    def check(what: str, value: float, limit: str, sign: Literal["≤", "≥"] = "≤") -> Check:
        return _check(wiring, of, what, value, limit, sign, net)

    rail_v = wiring.volt["3v3"][1]
    if circuit.way == "in" and circuit.series and "button" in circuit.parts:
        least, ohm = _ohm(wiring, circuit.series)
        yield check("current if the pin were an output", rail_v / least * 1000, f"{net.board}_pin")
        inside = wiring.pin[f"{net.board}_pull_up"]
        yield check("voltage at the pin while pressed", rail_v * ohm / (ohm + inside), f"{net.board}_low")
    if circuit.way == "in" and circuit.module:
        least, ohm = _ohm(wiring, circuit.series)
        yield check("current through the receiver", _pull_ups_ma(wiring, net), "sink")
        yield check("current if the pin were an output", rail_v / least * 1000, f"{net.board}_pin")
        yield check("voltage at the pin while dark", _dark_v(wiring, net, ohm), f"{net.board}_low")
    if "disc" in circuit.parts:
        surge = wiring.value("disc", "volt") / _ohm(wiring, circuit.series)[0] * 1000
        yield check("current of a knock through the clamp", surge, "clamp")
        ohm = (wiring.value("r_470k", "ohm") + wiring.value("r_100k", "ohm")) * RESISTOR[1]
        leak_v = (wiring.value("tight", "leak_ua") + wiring.pin["leakage_ua"]) * ohm / 1e6
        yield check("voltage at the pin at rest, with the highest leakage", leak_v, "head_low")
    if circuit.way == "out":
        yield check("current of the pin", _pin_ma(wiring, net), f"{net.board}_pin")
    if circuit.driver == "uln":
        drive = (wiring.volt[f"{net.board}_out"][0] - DARLINGTON_V[1]) / ULN_INPUT_OHM[1] * 1000
        yield check("lowest current into the driver", drive, "uln_drive", "≥")
        yield check("current through the driver", _load_ma(wiring, net), "uln_channel")
    if circuit.driver == "npn":
        ma = _load_ma(wiring, net)
        base = (wiring.volt[f"{net.board}_out"][0] - JUNCTION_V[1]) / _ohm(wiring, circuit.series)[1] * 1000
        yield check("current through the transistor", ma, "transistor")
        yield check("that current, divided by the base current", ma / base, "gain")
    if {"led_low", "led_high"} & set(circuit.parts):
        yield check("current of the lamp", _load_ma(wiring, net), "led")


def _bus_cables(wiring: Wiring, build: str, board: Board) -> list[Cable]:
    return [cable for cable in wiring.cables(build).values() if cable.bus == board]


def _bus(wiring: Wiring, build: str, board: Board) -> Iterator[Check]:
    """Yield the checks of a board's I²C bus: the current through all pull-ups, the rise time and the cables."""
    ohm, cables, of = pull_up_ohm(wiring, build, board), _bus_cables(wiring, build, board), BUSES[board]
    picofarad = wiring.bus[f"{board}_pf"] + sum(
        wiring.bus["module_pf"] + wiring.bus["cable_pf_m"] * cable.m for cable in cables
    )
    yield _check(wiring, of, f"current of a low line with pull-ups of {ohm:.0f} Ω", 3300 / ohm, "i2c_sink")
    yield _check(wiring, of, f"rise time with {picofarad:.0f} pF", RISE * ohm * picofarad / 1000, RISES[board])
    for cable in cables:
        yield _check(wiring, of, f"length of the cable: {cable.title}", cable.m, "i2c_cable")


def _pin_ma(wiring: Wiring, net: Net) -> float:
    """Return the highest current of an output in mA."""
    circuit, volt = wiring.circuit[net.circuit], wiring.volt[f"{net.board}_out"][1]
    if circuit.driver == "uln":
        return (volt - DARLINGTON_V[0]) / ULN_INPUT_OHM[0] * 1000
    if circuit.driver == "npn":
        return (volt - JUNCTION_V[0]) / _ohm(wiring, circuit.series)[0] * 1000
    return 0.1  # an input of a module


def _load_ma(wiring: Wiring, net: Net) -> float:
    """Return the highest current of the load of an output in mA."""
    circuit = wiring.circuit[net.circuit]
    volt = wiring.volt["5v"][1]
    for led in ("led_low", "led_high"):
        if led in circuit.parts:
            on_v = ULN_ON_V[0] if circuit.driver == "uln" else TRANSISTOR_ON_V
            return float((volt - on_v - wiring.value(led, "volt")[0]) / _ohm(wiring, circuit.series)[0] * 1000)
    if "sounder" in circuit.parts:
        return (volt - TRANSISTOR_ON_V) / (_ohm(wiring, "sounder")[0] + _ohm(wiring, "r_68")[0]) * 1000
    if "buzzer" in circuit.parts:
        return float(wiring.value("buzzer", "ma"))
    return float(circuit.emitters * wiring.value(circuit.module, "emitter_ma")) if circuit.emitters else 0.0


def _pull_ups_ma(wiring: Wiring, net: Net) -> float:
    """Return the highest current in mA that an input takes from 3.3 V while it is low."""
    circuit = wiring.circuit[net.circuit]
    if circuit.way != "in" or "disc" in circuit.parts:
        return 0.0
    volt = wiring.volt["3v3"][1]
    outside = volt / _ohm(wiring, circuit.pull_up)[0] if circuit.pull_up else 0.0
    return (volt / wiring.pin[f"{net.board}_pull_up"] + outside) * 1000


def _dark_v(wiring: Wiring, net: Net, series: float) -> float:
    """Return the highest voltage at a pin while its receiver pulls the line low."""
    inside = wiring.pin[f"{net.board}_pull_up"]
    return RECEIVER_ON_V + (wiring.volt["3v3"][1] - RECEIVER_ON_V) * series / (series + inside)


def _receiver_ma(wiring: Wiring, net: Net) -> float:
    circuit = wiring.circuit[net.circuit]
    return float(wiring.value(circuit.module, "receiver_ma")) if circuit.way == "in" and circuit.module else 0.0


def _on(wiring: Wiring, build: str, board: Board, driver: str) -> list[Net]:
    return [net for net in wiring.nets(build) if net.board == board and wiring.circuit[net.circuit].driver == driver]


def _ohm(wiring: Wiring, part: str) -> tuple[float, float]:
    ohm = float(wiring.value(part, "ohm"))
    return ohm * RESISTOR[0], ohm * RESISTOR[1]


def _check(
    wiring: Wiring, of: str, what: str, value: float, limit: str, sign: Literal["≤", "≥"] = "≤", net: Net | None = None
) -> Check:
    allowed = wiring.limit[limit]
    return Check(of, what, value, sign, allowed.value, allowed.unit, allowed.source, net)
