"""The drawing agrees with the code: pins, limits, parts; each planted fault is reported."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.pi import PiBoardInfo

from hardware.drawing.origin import origin, origin_of
from hardware.page import filled
from hardware.wiring.circuits import FIGURES, TITLES, draw
from hardware.wiring.electrics import checks, pull_up_ohm, rails
from hardware.wiring.harness import harness, usb
from hardware.wiring.header import PI, PICO, place
from hardware.wiring.model import BUILDS, SOURCE, BadWiring, read_wiring, wiring_of
from hardware.wiring.netlist import HEADER_REF, header_net, netlist
from hardware.wiring.partslist import parts
from hardware.wiring.render import HARNESSES, HERE, OTHERS, PAGES
from hardware.wiring.rules import faults, refuse_faults
from hardware.wiring.tables import tables
from umpi.box.config import EMITTER_PINS, HEAD_PINS, I2C_LINES, RAIL_PINS, SPI_LINES, WALL_PIN, Config
from umpi.box.config_file import read_config
from umpi.doctor.header import PLACES
from umpi.doctor.steps import STEPS

ROOT = Path(__file__).parents[2]
OUT = HERE / "out"
ZERO_2_W = 0x902120  # its revision code
WIRING = read_wiring()
SENT = ("SCLK", "MOSI", "CE0")  # a display sends nothing back
WiringData = dict[str, Any]


def configured(build: str) -> Config:
    """The configuration of a build, read as `umpi run --config` reads it."""
    name = WIRING.build[build].config
    return read_config(HERE / name if name else None)


def pi_pins(config: Config) -> dict[tuple[str, str], int]:
    """Every pin of the Pi that the code takes, by section and key of umpi.toml."""
    pins = {("seats", name): pin for name, pin in config.seats.items()}
    pins |= {("lamps", name): pin for name, pin in config.lamps.items()}
    pins |= {("navigation", name): pin for name, pin in config.navigation.items()}
    pins |= {("beams", name): pin for name, pin in config.beams.items()}
    lines = {pin: name for pin, name in SPI_LINES[0].items() if name in SENT} if config.display_spi else I2C_LINES[1]
    pins |= {("", name): pin for pin, name in lines.items()}
    single = {("display", "reset"): config.display_reset, ("beams", "emitters"): config.emitters}
    single |= {("display", "dc"): config.display_spi.dc} if config.display_spi else {}
    pins |= {key: pin for key, pin in single.items() if pin is not None}
    return pins | {("sounder", "pin"): config.sounder}


def drawn(build: str, board: str) -> dict[tuple[str, str], int]:
    return {(net.section, net.name): net.pin for net in WIRING.nets(build) if net.board == board}


@pytest.mark.parametrize("build", ["table", "variant", "full"])
def test_every_pin_of_the_code_is_drawn_and_no_other(build: str) -> None:
    assert drawn(build, "pi") == pi_pins(configured(build))


def test_the_minimal_build_leaves_lamps_and_buzzer_out_and_has_all_else_of_the_defaults() -> None:
    for build in ("minimal", "spi"):
        wanted = {key: pin for key, pin in pi_pins(configured(build)).items() if key[0] not in ("lamps", "sounder")}
        assert drawn(build, "pi") == wanted


@pytest.mark.parametrize("build", ["table", "full"])
def test_the_lines_at_the_sensor_head_are_those_the_box_asks_it_for(build: str) -> None:
    plan = configured(build).head
    assert plan is not None
    emitters = {name: pin for pin, name in EMITTER_PINS.items() if int(name[-1]) <= plan.lanes}
    wall = {"wall": WALL_PIN} if plan.wall else {}
    wanted = {line: plan.pins.get(line, HEAD_PINS[line]) for line in plan.beam_lines} | wall | emitters
    assert drawn(build, "head") == {("head", name): pin for name, pin in wanted.items()}


def test_the_full_build_has_all_pins_of_the_sensor_heads_program() -> None:
    program = (ROOT / "firmware" / "sensor_head" / "sensing.py").read_text(encoding="utf-8")
    pins = {name: int(pin) for name, pin in re.findall(r'"(\w+)": (\d+)[,\n]', program)}
    assert len(pins) == 19
    assert drawn("full", "head") == {("head", name): pin for name, pin in pins.items()}


def test_the_sensor_heads_page_has_the_same_pins_and_positions() -> None:
    page = (ROOT / "firmware" / "sensor_head" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| GP(\d+) \| (\d+) \|", page, re.M)
    assert {("head", name): int(pin) for name, pin, _ in rows} == drawn("full", "head")
    assert [row for row in rows if PICO[int(row[2])] != row[1]] == []


def test_the_colour_sensor_and_the_display_are_wired_as_the_code_expects() -> None:
    """Bus 1 is GPIO 2 and 3; the sensor head has its own pins for the sensor."""
    config, cables = configured("full"), WIRING.cables("full")
    assert config.display_bus == 1
    assert config.rail == "head"
    assert {cable.bus for cable in cables.values() if "colour" in dict(cable.ends)} == {"head"}
    at = dict(zip(cables["rail_head"].ends[0][1], cables["rail_head"].contacts, strict=True))
    assert {int(at[leg].removeprefix("GP")): leg for leg in ("SDA", "SCL")} == {
        pin: words.split()[0] for pin, words in RAIL_PINS.items()
    }
    assert configured("table").display_address == 0x3C


@pytest.mark.parametrize("build", ["minimal", "table", "full"])
@pytest.mark.parametrize("cable", ["oled", "oled4"])
def test_one_file_is_right_for_a_display_of_four_pins_and_of_seven(build: str, cable: str) -> None:
    """RES of seven pins is at the pin that the file names, and nothing else uses that pin; four pins have no RES."""
    config, legs = configured(build), WIRING.cable[cable]
    assert config.display == "ssd1309"
    at = dict(zip(legs.ends[0][1], legs.contacts, strict=True))
    assert at.get("RES", f"GPIO{config.display_reset}") == f"GPIO{config.display_reset}"
    assert [net.what for net in WIRING.nets(build) if net.pin == config.display_reset and net.board == "pi"] == [
        "OLED, reset"
    ]


def test_the_sounder_of_the_variant_plays_tones() -> None:
    assert configured("variant").tones


def test_the_positions_are_those_of_the_40_pin_header() -> None:
    """gpiozero knows the header of each Pi; the doctor has a table of its own."""
    header = PiBoardInfo.from_revision(ZERO_2_W).headers["J8"]
    names = {position: pin.name.removeprefix("GPIO") for position, pin in header.pins.items()}
    assert names == PI
    assert [place("pi", pin) for pin in range(28)] == list(PLACES)


def test_a_pico_brings_out_26_pins_eight_grounds_and_its_supplies() -> None:
    """Pico datasheet, figure 2: GP23 to GP25 and GP29 stay inside."""
    assert sorted(int(name) for name in PICO.values() if name.isdigit()) == [*range(23), 26, 27, 28]
    assert [position for position, name in PICO.items() if name == "GND"] == [3, 8, 13, 18, 23, 28, 33, 38]
    assert (PICO[36], PICO[39], PICO[40]) == ("3V3", "VSYS", "5V")


@pytest.mark.parametrize("build", list(WIRING.build))
def test_no_build_has_a_fault(build: str) -> None:
    assert list(faults(WIRING, build)) == []


def group(data: WiringData, section: str, name: str) -> WiringData:
    """The pins of the group of nets that has this one; the sensor head's are in the section head."""
    return next(net["pins"] for net in data["net"] if net["section"] == section and name in net["pins"])


def put(section: str, name: str, pin: int) -> Callable[[WiringData], None]:
    return lambda data: group(data, section, name).update({name: pin})


def change(table: str, key: str, **values: object) -> Callable[[WiringData], None]:
    return lambda data: data[table][key].update(values)


def drop(circuit: str, part: str) -> Callable[[WiringData], None]:
    """Leave a part of a circuit out."""

    def plant(data: WiringData) -> None:
        data["circuit"][circuit]["board"] = [item for item in data["circuit"][circuit]["board"] if item[0] != part]

    return plant


def no_drivers(data: WiringData) -> None:
    for module in data["module"]:
        module["parts"].pop("uln", None)


FAULTS: dict[str, tuple[str, Callable[[WiringData], None], str]] = {
    "a lamp where pins pull up at boot": ("table", put("lamps", "red", 8), "lamp red: GPIO8 pulls up at boot"),
    "a buzzer there": ("full", put("sounder", "pin", 5), "active buzzer: GPIO5 pulls up at boot"),
    "a button where a HAT is looked for": ("minimal", put("seats", "red", 1), "GPIO1 is probed at boot"),
    "a lamp at the console": ("table", put("lamps", "red", 14), "GPIO14 is the serial console's"),
    "a button on I²C": ("minimal", put("navigation", "up", 3), "GPIO 2 and 3 are I²C"),
    "I²C elsewhere": ("minimal", put("", "SDA", 10), "OLED SDA: GPIO 2 and 3 are I²C"),
    "one pin twice": ("table", put("lamps", "red", 25), "lamp blue: GPIO25 (22) is already lamp red"),
    "one pin of the head twice": ("full", put("head", "wall", 16), "GP16 (21) is already wall"),
    "no such pin": ("full", put("head", "wall", 24), "wall: the head has no pin 24"),
    "a receiver pulled up to 5 V": ("table", change("circuit", "beam", sees="5v"), "beam lane_1: it is pulled up"),
    "a display fed by 5 V": ("minimal", change("circuit", "i2c", sees="5v"), "OLED SDA: it is pulled up or fed by 5v"),
    "a lead pulled up to 5 V": ("full", change("circuit", "lead", sees="5v"), "a pin tolerates at most 3.3 V"),
    "a lamp from 5 V without a driver": (
        "table", change("circuit", "lamp-high", driver=""), "lamp blue: its load is connected to 5v without a driver",
    ),
    "a button without a resistor": ("minimal", drop("button", "r_1k"), "seat button red: a button needs 330 to 1000 Ω"),
    "a resistor too small": ("minimal", change("part", "r_1k", ohm=220), "it has 220 Ω"),
    "a resistor too large to read low": ("minimal", change("part", "r_1k", ohm=15000), "the pin while pressed"),
    "too bright a lamp": ("table", change("part", "r_270", ohm=120), "current of the lamp 24.1 mA is not ≤ 20 mA"),
    "a base over the pin's limit": ("table", change("part", "r_1k", ohm=180), "of the pin 16.8 mA is not ≤ 16 mA"),
    "50 mA of all pins": ("table", change("limit", "pi_pins", value=9), "pi: current together 9.43 mA"),
    "a blue lamp too bright": ("full", change("part", "r_150", ohm=82), "current of the lamp 22.5 mA"),
    "emitters too strong for the driver": ("full", change("part", "beam_board", emitter_ma=60), "driver 120 mA"),
    "emitters too strong for USB": ("full", change("part", "beam_board", emitter_ma=36), "all loads together 570 mA"),
    "a buzzer too strong for its base": ("table", change("part", "buzzer", ma=90), "divided by the base current 45"),
    "a buzzer too strong for its transistor": ("table", change("part", "buzzer", ma=600), "the transistor 600 mA"),
    "3.3 V of the Pi": ("full", lambda data: data["module"][1].update(ma=240), "pi_3v3: all loads together 260 mA"),
    "3.3 V of the Pico": ("full", change("part", "beam_board", receiver_ma=30), "head_3v3: all loads together 397 mA"),
    "too strong pull-ups": ("hat", change("part", "colour", pull_up=4700), "Ω 3.24 mA is not ≤ 3 mA"),
    "too long an I²C cable": ("hat", change("cable", "rail", m=0.5), "length of the cable: Colour sensor 0.5 m"),
    "too long an I²C cable at the gate": ("full", change("cable", "rail_head", m=0.5), "sensor at the gate 0.5 m"),
    "too weak pull-ups at the gate": ("full", change("part", "colour", pull_up=20000), "1.19e+03 ns is not ≤ 1000 ns"),
    "no pull-up": ("table", drop("beam", "r_10k"), "it needs a pull-up from OUT to 3V3"),
    "no drivers bought": ("full", no_drivers, "it needs ULN2803A, which the parts list of full lacks"),
    "a supply at a wrong position": (
        "minimal", change("cable", "oled", supply={"gnd": [9], "3v3": [2]}), "3v3 is not at position 2 of the pi",
    ),
    "two wires on one position": (
        "minimal", change("cable", "oled", supply={"gnd": [39], "3v3": [1]}), "position 39 already has the wire",
    ),
    "a pin too high to read low": ("full", change("part", "r_470k", ohm=1000000), "leakage 1.39 V is not ≤ 0.8"),
    "a receiver too weak to read low": ("table", change("part", "r_330", ohm=22000), "voltage at the pin while dark"),
    "a display's line at the console": ("spi", change("build", "spi", console=False), "GPIO15 is the serial console's"),
    "a knock through too little": ("full", change("part", "r_100k", ohm=4700), "a knock through the clamp 22.4 mA"),
    "a clamp that leaks": ("full", change("part", "tight", leak_ua=2.0), "leakage 1.8 V is not ≤ 0.8 V"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_reported(fault: str) -> None:
    build, plant, sentence = FAULTS[fault]
    data = tomllib.loads(SOURCE.read_text(encoding="utf-8"))
    plant(data)
    found = list(faults(wiring_of(data), build))
    assert any(sentence in each for each in found), found


def test_a_wiring_with_faults_is_not_drawn_and_says_why() -> None:
    """Supplies that are joined, and a leg that nothing reaches; the wiring of today is drawn."""
    refuse_faults(WIRING)
    data = tomllib.loads(SOURCE.read_text(encoding="utf-8"))
    data["cable"]["oled4"]["contacts"] = ["gnd", "5v", "GPIO3", "GPIO2"]
    data["circuit"]["lamp-low"]["board"] = [["uln", "pin", "sink"], ["r_270", "sink", "nowhere"]]
    with pytest.raises(BadWiring) as refused:
        refuse_faults(wiring_of(data))
    words = str(refused.value)
    assert "table: pi: 5V and 3V3 are joined by metal: J1.2 → " in words
    assert re.search(r"table: R\d+ \(lamp red\): leg 2 is not connected", words)
    assert "minimal: " in words


def test_a_part_nobody_describes_is_refused() -> None:
    data = tomllib.loads(SOURCE.read_text(encoding="utf-8"))
    del data["part"]["diode"]
    with pytest.raises(BadWiring, match=r"uses diode, which is among no \[part\]"):
        wiring_of(data)


def test_currents_as_reckoned_by_hand() -> None:
    """Twelve emitters of 29 mA; 5.25 V less 0.7 and 1.8 over 270 Ω less 5 %; 1.8, 4.7 and 10 kΩ in parallel."""
    assert rails(WIRING, "full")["head_5v"]["emitters of the gate"] == 12 * 29
    of_the_lamp = ("lamp red", "current of the lamp")
    lamp = next(check for check in checks(WIRING, "table") if (check.of, check.what) == of_the_lamp)
    assert lamp.value == pytest.approx((5.25 - 0.7 - 1.8) / (270 * 0.95) * 1000)
    assert pull_up_ohm(WIRING, "hat") == pytest.approx(1 / (1 / 1800 + 1 / 4700 + 1 / 10000))
    assert pull_up_ohm(WIRING, "full") == pytest.approx(1 / (1 / 1800 + 1 / 4700))
    assert pull_up_ohm(WIRING, "full", "head") == pytest.approx(10000)


def test_each_fuse_of_the_parts_list_holds_what_flows_through_all_of_them() -> None:
    """Also one that is named as another that works: two thirds of what it holds are its limit."""
    most = max(check.value for build in BUILDS for check in checks(WIRING, build) if check.of.startswith("fuse of "))
    fuses = [part for part in WIRING.part.values() if part.ref == "F"]
    held = [re.findall(r"([\d.]+) A", f"{part.choose.partition('trips')[0]} {part.instead}") for part in fuses]
    assert all(held)
    assert [ampere for each in held for ampere in each if float(ampere) * 1000 * 2 / 3 < most] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_the_tables_of_the_pages_are_of_today(page: Path) -> None:
    """./scripts/dev hardware wiring fills them."""
    text = page.read_text(encoding="utf-8")
    assert filled(text, tables(WIRING), OTHERS) == text


def test_every_table_stands_on_a_page() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [name for name in tables(WIRING) if f"<!-- {name} -->" not in text or f"<!-- /{name} -->" not in text] == []


def test_every_circuit_is_drawn_with_all_its_parts() -> None:
    figures = set(FIGURES) - set(TITLES)
    alike = {"beam-board", "emitter-board"}  # on the gate board as beam and emitter-driven; the rest is on beam boards
    assert figures == set(WIRING.circuit) - {"reset", "spi"} - alike  # those are wires and nothing else
    for circuit, other in (("beam-board", "beam"), ("emitter-board", "emitter-driven")):
        own, drawn = WIRING.circuit[circuit], WIRING.circuit[other]
        assert (own.board, own.plug, own.far) == (drawn.board, drawn.plug, drawn.out)
    assert {name: dict(draw(WIRING, name).used) for name in figures} == {
        name: dict(WIRING.circuit[name].parts) for name in figures
    }


@pytest.mark.parametrize("name", FIGURES)
def test_a_schematic_is_of_today_and_names_its_pins_both_ways(name: str, tmp_path: Path) -> None:
    path = tmp_path / "again.svg"
    draw(WIRING, name).drawing.save(str(path))
    fresh = path.read_text(encoding="utf-8")
    assert origin_of(OUT / f"circuit-{name}.png") == origin(fresh), "./scripts/dev hardware wiring"
    for build in WIRING.build:
        for net in WIRING.nets(build):
            if net.circuit == name:
                called = f"{'GPIO' if net.board == 'pi' else 'GP'}{net.pin} ({place(net.board, net.pin)})"
                assert called in re.sub(r"<[^>]*>", " ", fresh), called


@pytest.mark.parametrize("build", HARNESSES)
def test_a_harness_is_of_today(build: str) -> None:
    assert origin_of(OUT / f"harness-{build}.png") == origin(harness(WIRING, build).svg())


def test_a_harness_has_the_usb_cables_of_its_build() -> None:
    ends = {build: [end for _, end, _ in usb(WIRING, build)] for build in ("minimal", "table", "full")}
    assert ends == {"minimal": [], "table": ["Pico"], "full": ["hub", "hub", "Pico", "card scanner"]}
    assert "card scanner" in harness(WIRING, "full").svg()


def test_the_parts_list_names_each_part_once() -> None:
    for build in BUILDS:
        rows = parts(WIRING, build)
        refs = [ref for row in rows for ref in row.refs if not row.part.startswith("xhp_")]
        assert len(refs) == len(set(refs))
        assert [row.part for row in rows if row.refs and row.part != "socket_20"
                and len(row.refs) != row.quantity] == []  # fmt: skip


@pytest.mark.parametrize("build", WIRING.build)
def test_each_pin_of_a_build_is_a_net_of_its_board_and_at_its_position(build: str) -> None:
    made = netlist(WIRING, build)
    for net in WIRING.nets(build):
        name = f"{'GPIO' if net.board == 'pi' else 'GP'}{net.pin}"
        position = place(net.board, net.pin)
        assert header_net(net.board, position) == name
        joined = made.nets(net.board)[name]
        assert (HEADER_REF[net.board], str(position)) in joined
        assert len(joined) > 1


@pytest.mark.parametrize("build", WIRING.build)
def test_a_designator_is_the_same_part_in_all_builds(build: str) -> None:
    whole = {part.ref: part for part in netlist(WIRING, "hat").elements}
    for part in netlist(WIRING, build).elements:
        assert whole.get(part.ref, part).part == part.part


def test_the_steps_of_the_guide_that_the_page_names_are_there() -> None:
    page = PAGES[0].read_text(encoding="utf-8")
    named = {word for words in re.findall(r"doctor --guide ((?:[a-z]+ ?)+)`", page) for word in words.split()}
    assert named == set(STEPS)
