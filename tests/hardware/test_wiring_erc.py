"""Nothing drawn can hurt: every wire of every harness is walked, and each fault planted here is found."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from hardware.wiring.erc import erc
from hardware.wiring.model import SOURCE, read_wiring, wiring_of
from hardware.wiring.netlist import Netlist, netlist
from hardware.wiring.physical import Wire, wires

WIRING = read_wiring()
WiringData = dict[str, Any]
ULN_COM_AT_GROUND = "COM"


@pytest.mark.parametrize("build", WIRING.build)
def test_no_build_has_an_electrical_fault(build: str) -> None:
    assert list(erc(netlist(WIRING, build), WIRING)) == []


@pytest.mark.parametrize("build", WIRING.build)
def test_every_contact_of_a_plug_that_is_no_spare_has_a_wire_and_every_leg_outside_has_one(build: str) -> None:
    net = netlist(WIRING, build)
    ends = {end for wire in wires(net, WIRING) for end in wire}
    outside = {(part.ref, leg) for part in net.elements if part.cable for leg in part.legs}
    assert outside <= ends
    spare = {"GND", "5V", "5V_OUT"}
    contacts = {(plug.ref, str(at)): name for plug in net.plugs for at, name in enumerate(plug.nets, 1)}
    assert {name for contact, name in contacts.items() if contact not in ends} <= spare


def in_circuit(name: str, part: str, *nets: str, plug: str = "") -> Callable[[WiringData], None]:
    """Give a part of a circuit other nets; without nets, leave it out. `plug` is the net that goes to the cable."""

    def plant(data: WiringData) -> None:
        circuit = data["circuit"][name]
        circuit["plug"] = [plug] if plug else circuit["plug"]
        for place in ("board", "out"):
            items = circuit.get(place, [])
            circuit[place] = [[part, *nets] if item[0] == part else item for item in items if nets or item[0] != part]

    return plant


def exchanged_supplies(data: WiringData) -> None:
    for _, legs in data["cable"]["lane_1"]["ends"]:
        legs[1], legs[5] = legs[5], legs[1]


def contacts(cable: str, *nets: str) -> Callable[[WiringData], None]:
    return lambda data: data["cable"][cable].update(contacts=list(nets))


def button_to(supply: str, line: str) -> Callable[[WiringData], None]:
    """Connect the navigation buttons to a supply instead of ground."""

    def plant(data: WiringData) -> None:
        data["cable"]["navigation"]["contacts"] = ["*", supply]
        data["circuit"]["button"].update(plug=[line], out=[["button", line, supply]])

    return plant


def joined(a: tuple[str, str], b: tuple[str, str]) -> Wire:
    """A wire, or a strand or a bit of solder, where none belongs."""
    return a, b


IN_THE_FILE: dict[str, tuple[str, Callable[[WiringData], None], str]] = {
    "the buzzer straight at its pin, as it was drawn": (
        "table", in_circuit("buzzer", "buzzer", "5v", "pin", plug="pin"), "5 V of the pi reaches GPIO18 (12)",
    ),
    "the emitters straight at their pin, as they were drawn": (
        "variant", in_circuit("emitter", "emitter", "5v", "pin", plug="pin"), "5 V of the pi reaches GPIO11 (23)",
    ),
    "a lamp from 5 V to its pin": ("table", in_circuit("lamp-low", "r_270", "pin", "lamp"), "5 V of the pi reaches"),
    "a pull-up to 5 V": ("table", in_circuit("beam", "r_10k", "5v", "line"), "5 V of the head reaches GP2 (4)"),
    "a receiver fed by 5 V": ("table", in_circuit("beam", "beam", "line", "5v", "gnd"), "5 V of the head reaches GP2"),
    "a lead pulled up to 5 V": ("full", in_circuit("lead", "r_2k2", "5v", "line"), "5 V of the pi reaches GPIO16 (36)"),
    "a clamp to 5 V": ("full", in_circuit("piezo", "tight", "pin", "5v"), "5 V of the head reaches GP14 (19)"),
    "a display fed by 5 V": ("table", contacts("oled4", "gnd", "5v", "GPIO3", "GPIO2"), "5V and 3V3 are joined"),
    "a display with GND and VCC exchanged": (
        "table", contacts("oled4", "3v3", "gnd", "GPIO3", "GPIO2"), "3V3 and GND are joined",
    ),
    "DC at a pin of a display on I²C": (
        "table", contacts("oled", "gnd", "3v3", "GPIO3", "GPIO2", "GPIO12", "GPIO15", "gnd"), "DC must be at GND",
    ),
    "a colour sensor fed by 5 V": (
        "full", contacts("rail_head", "gnd", "5v", "GP27", "GP26"), "A101 (Colour sensor at the gate)",
    ),
    "COM of the driver of the lamps at ground": (
        "table", lambda data: ULN_COM_AT_GROUND, "grounded, it lights every lamp",
    ),
    "a button without its resistor": (
        "minimal", in_circuit("button", "button", "pin", "gnd", plug="pin"), "has less than 300",
    ),
    "a button to 5 V": ("table", button_to("5v", "line"), "5 V of the pi reaches GPIO4 (7)"),
    "a button to 3.3 V without its resistor": (
        "table", button_to("3v3", "pin"), "less than 300 Ω to 3V3",
    ),
    "a receiver without its resistor at GPIO 8": (
        "variant", in_circuit("beam", "beam", "pin", "3v3", "gnd", plug="pin"), "GPIO8 (24) has less than 300 Ω",
    ),
    "a receiver the wrong way round": ("table", in_circuit("beam", "beam", "line", "gnd", "3v3"), "leg VCC must be at"),
    "no pull-up at a receiver": ("table", in_circuit("beam", "r_10k"), "needs a pull-up"),
    "no capacitor at a receiver": ("table", in_circuit("beam", "n100"), "it needs 100 nF between VCC and GND"),
    "a lamp the wrong way round": ("table", in_circuit("lamp-high", "led_high", "lamp", "5v"), "leg A must be at 5V"),
    "a lamp without its resistor": ("table", in_circuit("lamp-high", "led_high", "5v", "sink"), "a lamp needs its"),
    "a buzzer the wrong way round": ("table", in_circuit("buzzer", "buzzer", "coil", "5v"), "leg + must be at 5V"),
    "a coil without its diode": ("table", in_circuit("buzzer", "diode"), "a coil needs a diode"),
    "that diode the wrong way round": ("table", in_circuit("buzzer", "diode", "5v", "coil"), "leg K must be at 5V"),
    "collector and emitter exchanged": ("variant", in_circuit("emitter", "npn", "base", "gnd", "sink"), "leg E must"),
    "collector and base exchanged": ("table", in_circuit("buzzer", "npn", "coil", "base", "gnd"), "base needs a"),
    "a base without its resistor": ("table", in_circuit("buzzer", "npn", "pin", "coil", "gnd"), "its base needs a"),
    "an emitter the wrong way round": ("table", in_circuit("emitter-driven", "emitter", "sink", "5v"), "leg + must be"),
    "a beam board with its supplies exchanged": ("full", exchanged_supplies, "leg 3.3 V must be at 3V3"),
    "a clamp the wrong way round": ("full", in_circuit("lead", "schottky", "3v3", "pin"), "a clamp points"),
    "a lead without a clamp": ("full", in_circuit("lead", "schottky"), "a lead needs a clamp"),
    "the disc without 100 kΩ": ("full", in_circuit("piezo", "disc", "pin", "gnd"), "it needs 100 kΩ to the pin"),
    "the disc without its 470 kΩ": ("full", in_circuit("piezo", "r_470k"), "at most 470 kΩ beside it"),
    "buttons and a display with plugs alike": ("table", contacts("seats", "*", "gnd"), "are alike; exchanged"),
    "lamps and a display with plugs alike": ("table", contacts("lamps", "*", "5v"), "are alike; exchanged"),
}  # fmt: skip

IN_THE_WIRES: dict[str, tuple[str, Wire, str]] = {
    "5 V to a pin by a strand": ("minimal", joined(("J1", "4"), ("J2", "1")), "5 V of the pi reaches GPIO16 (36)"),
    "5 V to 3.3 V": ("table", joined(("J1", "2"), ("J1", "1")), "5V and 3V3 are joined"),
    "3.3 V to ground": ("table", joined(("J1", "1"), ("J7", "1")), "3V3 and GND are joined"),
    "5 V to ground at the gate": ("full", joined(("J102", "6"), ("J102", "1")), "5V and GND are joined"),
    "two pins by solder": ("table", joined(("J1", "36"), ("J1", "38")), "GPIO16 (36) and GPIO20 (38)"),
    "a pin to ground by solder": ("table", joined(("J1", "36"), ("J1", "39")), "GPIO16 (36) has less than 300 Ω"),
    "5 V of the Pi to the head's": ("full", joined(("J1", "4"), ("J101", "40")), "one would feed the other"),
    "3.3 V of the Pi to the head's": ("full", joined(("J1", "17"), ("J101", "36")), "one would feed the other"),
    "solder over the fuse of 5 V": (
        "table", joined(("F1", "1"), ("F1", "2")), "Lamps (J5): 5V leaves the board at contact 7",
    ),
    "solder over the fuse of 3.3 V at the gate": (
        "full", joined(("F102", "1"), ("F102", "2")), "Lane 6 (J107): 3V3 leaves the board at contact 2 without a fuse",
    ),
    "5 V of the gate to the line beside it": ("table", joined(("J102", "6"), ("J102", "3")), "5 V of the head reaches"),
}  # fmt: skip


@cache
def text() -> str:
    return SOURCE.read_text(encoding="utf-8")


def grounded(net: Netlist) -> Netlist:
    """The netlist with leg COM of each driver at ground."""
    elements = [
        replace(part, legs={**part.legs, "COM": "GND"}) if part.part == "uln" else part for part in net.elements
    ]
    return replace(net, elements=tuple(elements))


@pytest.mark.parametrize("fault", IN_THE_FILE)
def test_a_fault_in_the_file_is_found(fault: str) -> None:
    build, plant, sentence = IN_THE_FILE[fault]
    data = tomllib.loads(text())
    special = plant(data)  # type: ignore[func-returns-value]
    wiring = wiring_of(data)
    net = netlist(wiring, build)
    if special == ULN_COM_AT_GROUND:
        net = grounded(net)
    found = list(erc(net, wiring))
    assert any(sentence in each for each in found), found


@pytest.mark.parametrize("fault", IN_THE_WIRES)
def test_a_fault_in_the_wires_is_found(fault: str) -> None:
    build, wire, sentence = IN_THE_WIRES[fault]
    net = netlist(WIRING, build)
    found = list(erc(net, WIRING, [*wires(net, WIRING), wire]))
    assert any(sentence in each for each in found), found


def test_a_board_without_its_fuses_gives_its_plugs_no_supply() -> None:
    data = tomllib.loads(text())
    data["extra"] = [extra for extra in data["extra"] if extra["what"] != "fuses"]
    wiring = wiring_of(data)
    found = list(erc(netlist(wiring, "table"), wiring))
    assert any("leg VCC must be at 3V3" in each for each in found), found
    assert any("leg A must be at 5V" in each for each in found), found


def test_the_display_leaves_reset_without_a_word_in_umpi_toml() -> None:
    """An SSD1309 with RES low does not answer, and GPIO 12 pulls down at boot: 50 kΩ at least (BCM2835 and later)."""
    at_reset = {part.part: set(part.legs.values()) for part in netlist(WIRING, "table").on("pi")
                if "GPIO12" in part.legs.values()}  # fmt: skip
    assert at_reset == {"r_10k": {"3V3", "GPIO12"}, "n100": {"GPIO12", "GND"}}
    ohm = WIRING.value("r_10k", "ohm") * 1.05
    assert WIRING.volt["3v3"][0] * 50_000 / (50_000 + ohm) > 0.8 * WIRING.volt["3v3"][0], "SSD1309: V_IH"


def test_there_are_more_than_thirty_planted_faults() -> None:
    assert len(IN_THE_FILE) + len(IN_THE_WIRES) > 30


def test_a_wire_left_out_is_found() -> None:
    net = netlist(WIRING, "table")
    kept = [wire for wire in wires(net, WIRING) if wire[1] != ("S1", "2")]
    assert any("leg 2 is not connected" in each for each in erc(net, WIRING, kept))
