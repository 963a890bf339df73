"""The resistances to measure before the first power, computed from the wiring with its diodes.

A meter sends its own small current. On a board some of it goes through a clamp diode into the 3.3 V rail, so a reading
is not the value of one resistor. Rows are those of the boards, which have every part that they have room for.
"""

from __future__ import annotations

import math

from hardware.wiring.header import CALLED, place
from hardware.wiring.model import Board, Circuit, Net, Wiring
from hardware.wiring.partslist import FITTED
from umpi.box.config import RAIL_PINS

SEPARATE = "no beep"
TOLERANCE = 0.05  # of the resistors of the parts list
METER_MA = (0.0, 1.0)  # test currents of meters for resistors near 1 kΩ
METER_UA = 1.0  # test current of a meter for resistors near 1 MΩ
TYPICAL = 0.8  # of the highest forward voltage of a diode in its datasheet
READING = 50  # ohms that the ends of a range are rounded to, outwards
WAIT = 10  # seconds that a wait is rounded up to
Row = tuple[str, str, str]
SUPPLIES: dict[Board, tuple[str, str, str]] = {
    "pi": ("2 (5 V)", "1 (3.3 V)", "6 (ground)"),
    "head": ("40 (5 V)", "36 (3.3 V)", "38 (ground)"),
}


def checks(wiring: Wiring, board: Board, build: str = FITTED) -> list[Row]:
    """List what to measure at the socket of a board: between which positions, when, and what is right."""
    five, three, ground = SUPPLIES[board]
    rows: list[Row] = [
        (f"{five} and {ground}", "", SEPARATE), (f"{three} and {ground}", "", SEPARATE),
        (f"{five} and {three}", "", SEPARATE),
    ]  # fmt: skip
    nets = [net for net in wiring.nets(build) if net.board == board]
    rows += _buttons(wiring, nets) if board == "pi" else _beams(wiring, nets)
    if not wiring.build[build].boards:
        return [row for row in rows if five not in row[0]]  # no wire of it is at 5 V
    others = sorted({int(place(board, pin)) for pin in (*(net.pin for net in nets), *_sensor(wiring, board))})
    rows.append((f"{five} and each of {', '.join(map(str, others))}", "", SEPARATE))
    return rows


def _sensor(wiring: Wiring, board: Board) -> list[int]:
    """List the pins of the colour sensor's plug on a board; they are in no circuit: the sensor has its own parts."""
    contacts = {contact for cable in wiring.cable.values() if cable.board == board for contact in cable.contacts}
    return [pin for pin in RAIL_PINS if f"{CALLED[board]}{pin}" in contacts]


def _buttons(wiring: Wiring, nets: list[Net]) -> list[Row]:
    """Group the buttons with the same circuit: their positions, and what a pressed one measures."""
    rows: list[Row] = []
    for net in nets:
        if net.section in ("seats", "navigation"):
            low, high = pressed_ohm(wiring, wiring.circuit[net.circuit])
            rows.append((f"{place('pi', net.pin)} ({net.name}) and 6 (ground)", "free; pressed",
                         f"over 10 kΩ; {low:g} to {high:g} Ω"))  # fmt: skip
    return rows


def pressed_ohm(wiring: Wiring, circuit: Circuit) -> tuple[float, float]:
    """Return the lowest and highest reading in ohms between the pin of a pressed button and ground.

    Beside the resistor at the pin there is the clamp to 3.3 V and, from there, the pull-up to the pressed line. The
    more current a meter sends, the more of it goes that way.

    >>> from hardware.wiring.model import read_wiring
    >>> wiring = read_wiring()
    >>> pressed_ohm(wiring, wiring.circuit["button"]), pressed_ohm(wiring, wiring.circuit["lead"])
    ((950.0, 1050.0), (700.0, 1050.0))
    """
    series = wiring.value(circuit.series, "ohm")
    low, high = series * (1 - TOLERANCE), series * (1 + TOLERANCE)
    clamp = next((item[0] for item in circuit.board if item[1:] == ("pin", "3v3")), "")
    if clamp and circuit.pull_up:
        beside = wiring.value(circuit.pull_up, "ohm") * (1 - TOLERANCE)
        low = 1000 * _volt(wiring, clamp, low, beside, METER_MA[1]) / METER_MA[1]
    return math.floor(low / READING) * float(READING), math.ceil(high / READING) * float(READING)


def _volt(wiring: Wiring, diode: str, ohm: float, beside: float, ma: float) -> float:
    """Return the voltage that a current in mA makes at a resistor, with a diode and a resistor beside it."""
    low, high = 0.0, ohm * ma / 1000
    for _ in range(60):  # halves the interval each time
        volt = (low + high) / 2
        through = (ma - 1000 * volt / ohm) / 1000 * beside  # volts at the resistor behind the diode
        through_ma = max(ma - 1000 * volt / ohm, 1e-9)
        low, high = (volt, high) if volt < through + TYPICAL * forward_v(wiring, diode, through_ma) else (low, volt)
    return volt


def forward_v(wiring: Wiring, diode: str, ma: float) -> float:
    """Return the highest forward voltage of a diode at a current, on the line through two points of its datasheet.

    >>> from hardware.wiring.model import read_wiring
    >>> round(forward_v(read_wiring(), "schottky", 1.0), 2)
    0.35
    """
    (one_ma, one_v), (two_ma, two_v) = wiring.value(diode, "forward")
    return float(one_v + (two_v - one_v) * math.log(ma / one_ma) / math.log(two_ma / one_ma))


def _beams(wiring: Wiring, nets: list[Net]) -> list[Row]:
    """Group the lines with the same resistors into one row: the pull-ups of the beams, and the piezo."""
    rows: list[Row] = []
    beams = [int(place("head", net.pin)) for net in nets if net.circuit == "beam"]
    ohm = wiring.value("r_10k", "ohm") + wiring.value("r_330", "ohm")
    if beams:
        rows.append((f"36 (3.3 V) and each of {', '.join(map(str, sorted(beams)))}", "", _kilo(ohm, 1)))
    for net in nets:
        if net.circuit == "piezo":
            ohm = wiring.value("r_100k", "ohm") + wiring.value("r_470k", "ohm")
            wait = f"after {math.ceil(settled_s(wiring) / WAIT) * WAIT} s"
            rows.append((f"{place('head', net.pin)} (wall) and 38 (ground)", wait, _kilo(ohm, 0)))
    return rows


def _kilo(ohm: float, digits: int) -> str:
    low, high = (f"{ohm * (1 + way * TOLERANCE) / 1000:.{digits}f}" for way in (-1, 1))
    return f"{low} to {high} kΩ"


def settled_s(wiring: Wiring) -> float:
    """Return after how many seconds a meter shows the resistors of the wall within their tolerance.

    Its current first charges the capacitors of 3.3 V through the clamp at the pin.
    """
    ohm = wiring.value("r_100k", "ohm") + wiring.value("r_470k", "ohm")
    farad = sum(wiring.value(item[0], "farad") for item in _at_3v3(wiring))
    charged, seconds, step = 0.0, 0.0, 0.05
    while True:
        low, high = 0.0, METER_UA
        for _ in range(60):  # the part of the current in µA that goes through the clamp
            ua = (low + high) / 2
            across = (METER_UA - ua) * ohm / 1e6 - charged
            low, high = (ua, high) if across > forward_v(wiring, "tight", max(ua, 1e-6) / 1000) else (low, ua)
        if ua < TOLERANCE * METER_UA:
            return seconds
        charged += ua / 1e6 * step / farad
        seconds += step


def _at_3v3(wiring: Wiring) -> list[tuple[str, ...]]:
    """List the capacitors between 3.3 V and ground on the gate board."""
    items = [item for net in wiring.nets(FITTED) if net.board == "head" for item in wiring.circuit[net.circuit].board]
    items += [item for extra in wiring.extra if extra.board == "head" and FITTED in extra.builds
              for item in extra.parts]  # fmt: skip
    return [item for item in items if item[1:] == ("3v3", "gnd")]
