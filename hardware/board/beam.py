"""The beam board: its parts and nets, from beam.toml, and its schematic.

Two of the same board serve a lane, one on each side. Each has the emitter of one beam and the receiver of the other,
so from side to side the beams look in opposite directions. The plug `in` gets the cable of the gate board or of
the first board; the plug `out` passes the other beam's wire on, in the place of the own one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardware.beam.numbers import Numbers, load
from hardware.board.symbols import CAPACITOR, RESISTOR, Shape, Side, box, diode

SUPPLIES = ("GND", "3V3", "5V")
IN = ("GND", "3V3", "OWN", "OTHER", "EMITTERS", "5V")  # the order of a lane's plug on the gate board
OUT = ("GND", "3V3", "OTHER", "", "EMITTERS", "5V")
LABELS = {"J201": ("GND", "3.3 V", "own", "other", "emitters", "5 V"),
          "J202": ("GND", "3.3 V", "other", "–", "emitters", "5 V")}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the beam board: its key in [footprint] of board.toml, and its net by pad."""

    ref: str
    value: str
    kind: str
    nets: dict[str, str]


def ohms(ohm: float) -> str:
    """Return a resistance as parts lists write it.

    >>> ohms(130), ohms(470_000), ohms(2_200_000)
    ('130 Ω', '470 kΩ', '2.2 MΩ')
    """
    for factor, unit in ((1e6, "MΩ"), (1e3, "kΩ")):
        if ohm >= factor:
            return f"{ohm / factor:g} {unit}"
    return f"{ohm:g} Ω"


def parts(numbers: Numbers | None = None) -> list[Part]:
    """Return the parts of the board, with the values of beam.toml."""
    own = numbers or load()
    emitter, receiver, comparator = own.emitter, own.receiver, own.comparator

    def two(ref: str, value: str, first: str, second: str) -> Part:
        return Part(ref, value, ref[0], {"1": first, "2": second})

    return [
        two("R201", ohms(emitter.ohm), "5V", "ANODE"),
        two("R202", ohms(receiver.load_ohm), "3V3", "SIGNAL"),
        two("R203", ohms(comparator.upper_ohm), "3V3", "REFERENCE"),
        two("R204", ohms(comparator.lower_ohm), "REFERENCE", "GND"),
        two("R205", ohms(comparator.hold_ohm), "OWN", "REFERENCE"),
        two("C201", f"{receiver.load_pf:g} pF", "3V3", "SIGNAL"),
        two("C202", "100 nF", "3V3", "GND"),
        two("C203", "100 nF", "5V", "GND"),  # small: what all lanes add to the 5 V of a USB port counts
        Part("D201", emitter.number, "ir", {"1": "EMITTERS", "2": "ANODE"}),  # pad 1: cathode
        Part("D202", receiver.number, "ir", {"1": "SIGNAL", "2": "GND"}),
        Part("U201", comparator.number, "comparator",
             {"1": "OWN", "2": "GND", "3": "REFERENCE", "4": "SIGNAL", "5": "3V3"}),
        Part("J201", "in", "plug", {str(at): net for at, net in enumerate(IN, 1)}),
        Part("J202", "out", "plug", {str(at): net for at, net in enumerate(OUT, 1)}),
    ]  # fmt: skip


def key_of(part: Part) -> str:
    """Return the key of a part in cart.toml, as wiring.toml has it for the same part of another board.

    >>> [key_of(part) for part in parts() if part.ref in ("R201", "R205", "C201", "U201", "J201")]
    ['r_130', 'r_2m2', 'p33', 'comparator', 'xh_6']
    """
    number, _, unit = part.value.partition(" ")
    if part.ref.startswith("R"):
        prefix = unit.removesuffix("Ω").lower()
        return f"r_{number.replace('.', prefix) if '.' in number else number + prefix}"
    if part.ref.startswith("C"):
        return f"{unit.removesuffix('F')}{number}"
    return {"D201": "infrared", "D202": "photodiode", "U201": "comparator"}.get(part.ref, f"xh_{len(part.nets)}")


def words(part: Part) -> str:
    """Say what a part is, in the words of the cart for the same part of another board."""
    kinds = {"R": f"resistor {part.value}, 0805", "C": f"capacitor {part.value}, 0805",
             "J": f"plug JST XH, {len(part.nets)} contacts, upright"}  # fmt: skip
    named = {"D201": "infrared emitter", "D202": "photodiode", "U201": "comparator"}
    return kinds.get(part.ref[0]) or f"{named[part.ref]} {part.value}"


def package_of(part: Part) -> str:
    """Return its package, as parts lists name it."""
    return {"R": "0805", "C": "0805", "J": "JST XH 6, upright", "U": "SOT-23-5"}.get(part.ref[0], "")


def shape_of(part: Part) -> Shape:
    """Return the symbol of a part."""
    if part.kind == "comparator":
        left: Side = [("3", "+", "input"), ("4", "-", "input"), ("2", "VSS", "power_in")]
        return box("MCP6561", left, [("1", "OUT", "passive"), ("5", "VDD", "power_in")])
    if part.kind == "plug":
        first = part.ref == "J201"  # the supplies come in there
        pins: Side = [
            (str(at), label, "power_out" if first and IN[at - 1] in SUPPLIES else "passive")
            for at, label in enumerate(LABELS[part.ref], 1)
        ]
        return box(part.ref, pins, wide=16)
    return diode("2", "1") if part.kind == "ir" else {"R": RESISTOR, "C": CAPACITOR}[part.kind]


def groups(numbers: Numbers | None = None) -> Iterator[tuple[str, list[Part]]]:
    """Yield the title of each part of the schematic, with its parts."""
    known = {part.ref: part for part in parts(numbers)}
    for title, refs in (
        ("Emitter of the other beam", "R201 D201"), ("Receiver", "R202 C201 D202"),
        ("Light reference and comparator", "R203 R204 R205 U201"), ("Supplies", "C202 C203"), ("Plugs", "J201 J202"),
    ):  # fmt: skip
        yield title, [known[ref] for ref in refs.split()]
