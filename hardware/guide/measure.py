"""The resistances to measure before the first power, from the wiring: at the socket for the Pi, and at the Pico's."""

from __future__ import annotations

from hardware.wiring.header import place
from hardware.wiring.model import Board, Wiring

SEPARATE = "no beep"
TOLERANCE = 5  # percent, of the resistors of the parts list
Row = tuple[str, str, str]
SUPPLIES: dict[Board, tuple[str, str, str]] = {
    "pi": ("2 (5 V)", "1 (3.3 V)", "6 (ground)"),
    "head": ("40 (5 V)", "36 (3.3 V)", "38 (ground)"),
}


def checks(wiring: Wiring, board: Board, build: str = "full") -> list[Row]:
    """List what to measure at the socket of a board: between which positions, when, and what is right."""
    five, three, ground = SUPPLIES[board]
    rows: list[Row] = [
        (f"{five} and {ground}", "", SEPARATE), (f"{three} and {ground}", "", SEPARATE),
        (f"{five} and {three}", "", SEPARATE),
    ]  # fmt: skip
    rows += _buttons(wiring, build) if board == "pi" else _beams(wiring, build)
    if build == "minimal":
        return [row for row in rows if five not in row[0]]  # no wire of it is at 5 V
    others = sorted({int(place(board, net.pin)) for net in wiring.nets(build) if net.board == board})
    rows.append((f"{five} and each of {', '.join(map(str, others))}", "", SEPARATE))
    return rows


def _buttons(wiring: Wiring, build: str) -> list[Row]:
    pressed = wiring.part["r_1k"].values["ohm"]
    return [
        (f"{place('pi', net.pin)} ({net.name}) and 6 (ground)", "free; pressed",
         f"over 10 kΩ; {pressed / 1000:g} kΩ ± {TOLERANCE} %")
        for net in wiring.nets(build) if net.board == "pi" and net.section in ("seats", "navigation")
    ]  # fmt: skip


def _beams(wiring: Wiring, build: str) -> list[Row]:
    """Group the lines with the same resistors into one row: the pull-ups of the beams, and the piezo."""
    rows: list[Row] = []
    beams = [int(place("head", net.pin)) for net in wiring.nets(build) if net.board == "head" and net.circuit == "beam"]
    ohm = wiring.part["r_10k"].values["ohm"] + wiring.part["r_330"].values["ohm"]
    if beams:
        rows.append((f"36 (3.3 V) and each of {', '.join(map(str, sorted(beams)))}", "",
                     f"{ohm / 1000:.1f} kΩ ± {TOLERANCE} %"))  # fmt: skip
    for net in wiring.nets(build):
        if net.circuit == "piezo" and net.board == "head":
            ohm = wiring.part["r_100k"].values["ohm"] + wiring.part["r_470k"].values["ohm"]
            rows.append(
                (f"{place('head', net.pin)} (wall) and 38 (ground)", "", f"{ohm / 1000:.0f} kΩ ± {TOLERANCE} %")
            )
    return rows
