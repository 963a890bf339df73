"""What a meter shows at a good board, by the equations of its nodes: each reading is within its row of the guide."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np
import pytest

from hardware.guide.measure import checks, settled_s
from hardware.wiring.header import HEADERS, place
from hardware.wiring.model import Board, read_wiring
from hardware.wiring.netlist import Element, header_net, netlist

WIRING = read_wiring()
HAT = netlist(WIRING, "hat")
THERMAL_V, LEAK_S = 0.0259, 1e-9  # of a diode at 25 °C; a siemens that keeps a node without parts defined


class Meter:
    """A board with its buttons: resistors and diodes between nodes, solved by Newton's method."""

    def __init__(self, board: Board, ohms: float, volts: float, changed: Mapping[str, float] | None = None) -> None:
        self.parts = [part for part in HAT.elements if part.board == board]
        self.nodes = {
            net: number for number, net in enumerate(sorted({n for p in self.parts for n in p.legs.values()}))
        }
        self.ohms, self.volts, self.changed = ohms, volts, changed or {}
        self.pressed = ""

    def ohm(self, part: Element) -> float:
        value: float = WIRING.part[part.part].values["ohm"]
        return self.changed.get(part.ref, value * self.ohms)

    def conductances(self) -> Iterator[tuple[str, str, float]]:
        for part in self.parts:
            one, *others = part.legs.values()
            if set(part.legs) == {"1", "2"} and "ohm" in WIRING.part[part.part].values:
                yield one, others[0], 1 / self.ohm(part)
            elif part.ref == self.pressed:
                yield one, others[0], 100.0

    def diodes(self) -> Iterator[tuple[str, str, float, float]]:
        """Yield anode, cathode, saturation current and n × thermal voltage of each diode that has two points."""
        for part in self.parts:
            if points := WIRING.part[part.part].values.get("forward"):
                (one_ma, one_v), (two_ma, two_v) = sorted(points)
                slope = self.volts * (two_v - one_v) / math.log(two_ma / one_ma)
                yield part.legs["A"], part.legs["K"], one_ma / 1000 / math.exp(self.volts * one_v / slope), slope

    def volt(self, plus: str, minus: str, amperes: float) -> float:
        """Return the voltage that a current makes between two nets."""
        size = len(self.nodes)
        fixed = np.eye(size) * LEAK_S
        for a, b, siemens in self.conductances():
            i, j = self.nodes[a], self.nodes[b]
            fixed[[i, j], [i, j]] += siemens
            fixed[[i, j], [j, i]] -= siemens
        fixed[self.nodes[minus], self.nodes[minus]] += 1e6
        at = np.zeros(size)
        for _ in range(400):
            matrix, current = fixed.copy(), np.zeros(size)
            current[self.nodes[plus]] += amperes
            for anode, cathode, least, slope in self.diodes():
                i, j = self.nodes[anode], self.nodes[cathode]
                across = min(at[i] - at[j], 40 * slope)
                through = least * (math.exp(across / slope) - 1)
                siemens = least * math.exp(across / slope) / slope + 1e-12
                matrix[[i, j], [i, j]] += siemens
                matrix[[i, j], [j, i]] -= siemens
                current[i] -= through - siemens * across
                current[j] += through - siemens * across
            step = np.linalg.solve(matrix, current) - at
            at += np.clip(step, -0.05, 0.05)
            if np.abs(step).max() < 1e-9:
                return float(at[self.nodes[plus]] - at[self.nodes[minus]])
        raise AssertionError("the equations do not settle")


def button_of(net: str) -> str:
    return next(part.ref for part in HAT.elements if part.part == "button" and part.legs["1"] == f"{net}.line")


BUTTONS = [row for row in checks(WIRING, "pi") if "pressed" in row[1]]


@pytest.mark.parametrize("row", BUTTONS, ids=lambda row: row[0].split(" ")[1])
def test_a_good_board_with_any_meter_and_any_tolerance_is_within_the_row_of_each_button(
    row: tuple[str, str, str],
) -> None:
    net = header_net("pi", int(row[0].split(" ")[0]))
    low, high = map(float, re.findall(r"(\d+) to (\d+) Ω", row[2])[0])
    readings = []
    for ohms, volts, ma in product((0.95, 1.05), (0.8, 1.0), (0.1, 0.5, 1.0)):
        meter = Meter("pi", ohms, volts)
        meter.pressed = button_of(net)
        readings.append(meter.volt(net, "GND", ma / 1000) / ma * 1000)
    assert low <= min(readings)
    assert max(readings) <= high + 0.5, "the row has whole ohms"
    assert Meter("pi", 1.0, 1.0).volt(net, "GND", 1e-9) / 1e-9 > 10_000, "free"


@pytest.mark.parametrize("fault", [10.0, 330.0, 2200.0, 10_000.0])
def test_a_resistor_of_another_value_is_outside_the_row(fault: float) -> None:
    low, high = map(float, re.findall(r"(\d+) to (\d+) Ω", BUTTONS[0][2])[0])
    meter = Meter("pi", 1.0, 1.0, {"R1": fault})
    meter.pressed = "S1"
    assert not low <= meter.volt("GPIO16", "GND", 0.0005) / 0.0005 <= high


def test_a_pressed_seat_reads_less_than_its_resistor_as_the_outsiders_computed() -> None:
    """Their figures, with the highest forward voltages of the datasheet: 974, 895, 838, 777 Ω."""
    meter = Meter("pi", 1.0, 1.0)
    meter.pressed = "S1"
    readings = [meter.volt("GPIO16", "GND", ma / 1000) / ma * 1000 for ma in (0.1, 0.3, 0.5, 1.0)]
    assert readings == pytest.approx([974, 895, 838, 777], abs=12)


def test_beams_and_wall_of_a_good_gate_board_are_within_their_rows() -> None:
    rows = {row[0]: row for row in checks(WIRING, "head")}
    beams = next(row for name, row in rows.items() if name.startswith("36 (3.3 V) and each"))
    low, high = map(float, re.findall(r"([\d.]+) to ([\d.]+) kΩ", beams[2])[0])
    for position in map(int, re.findall(r"\d+", beams[0].partition("each of")[2])):
        for ohms in (0.95, 1.05):
            reading = Meter("head", ohms, 1.0).volt("H3V3", header_net("head", position), 1e-4) / 1e-4
            assert low * 1000 - 50 <= reading <= high * 1000 + 50
    assert place("head", 14) == 19
    assert HEADERS["head"][19] == "14"
    wall = next(row for name, row in rows.items() if name.startswith("19 (wall)"))
    low, high = map(float, re.findall(r"([\d.]+) to ([\d.]+) kΩ", wall[2])[0])
    reading = Meter("head", 1.0, 1.0).volt("GP14", "GND", 1e-6) / 1e-6
    assert low * 1000 <= reading <= high * 1000, "when the capacitors are full"


def test_the_wall_creeps_because_its_clamp_charges_the_capacitors() -> None:
    """11.2 µF to 0.35 V by at most 1 µA take at least 4 s; a meter's user waits for seconds, not minutes."""
    assert 4 < settled_s(WIRING) < 60
