"""Write the cables of a build for WireViz, and draw them with it if Graphviz is installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path

from PIL import Image

from hardware.wiring.header import CALLED, HEADERS, place
from hardware.wiring.model import Board, Cable, Wiring

OWN_COLOURS = {  # red and black are the supply's
    "GND": "BK", "3V3": "OG", "5V": "RD",
    "red": "PK", "blue": "BU", "yellow": "YE", "green": "GN", "white": "WH", "black": "GY",
}  # fmt: skip
COLOURS = ("YE", "GN", "BU", "VT", "WH", "BN", "GY", "PK", "TQ")
TITLES: dict[Board, str] = {"pi": "Raspberry Pi, header", "head": "Raspberry Pi Pico, edge"}
WIDEST_PX = 1500

Wire = tuple[str, int]  # name, position on the board


def harness(wiring: Wiring, build: str) -> str:
    """Write the harness of a build as YAML; GPIO numbers are the labels, header numbers the pins."""
    plugs = list(_plugs(wiring, build))
    lines = ["# Made from wiring.toml: change that file, then run scripts/hardware wiring.", "connectors:"]
    boards: dict[Board, set[int]] = {}
    for board, _, _, wires in plugs:
        boards.setdefault(board, set()).update(position for _, position in wires)
    for board, positions in boards.items():
        pins = sorted(positions)
        labels = [_label(board, position) for position in pins]
        lines += _connector(TITLES[board], pins, labels, _notes(wiring, build, board))
    for board, name, cable, wires in plugs:
        notes = "; ".join(_circuits(wiring, build, board, name))
        lines += _connector(cable.title, range(1, len(wires) + 1), [wire for wire, _ in wires], notes)
    lines.append("cables:")
    for board, name, cable, wires in plugs:
        colours = cycle(COLOURS)
        chosen = [OWN_COLOURS.get(wire) or next(colours) for wire, _ in wires]
        lines += [
            f"  {_id(name, board)}:", f"    wirecount: {len(wires)}", f"    length: {cable.m}",
            f"    colors: {_list(chosen)}", "    show_name: false",
        ]  # fmt: skip
    lines.append("connections:")
    for board, name, cable, wires in plugs:
        lines += [
            f"  - - {_quoted(TITLES[board])}: {_list([position for _, position in wires])}",
            f"    - {_id(name, board)}: [1-{len(wires)}]",
            f"    - {_quoted(cable.title)}: [1-{len(wires)}]",
        ]
    return "\n".join(lines) + "\n"


def save(wiring: Wiring, build: str, source: Path, folder: Path) -> list[Path]:
    """Write the YAML to `source`. If Graphviz (dot) is installed, also draw it into `folder` as SVG and PNG."""
    source.write_text(harness(wiring, build), encoding="utf-8")
    if not shutil.which("dot"):
        return []
    tool = Path(sys.executable).with_name("wireviz")
    subprocess.run([tool, "-f", "ps", "-o", folder, "-O", source.stem, source], check=True, capture_output=True)
    made = [folder / f"{source.stem}.{ending}" for ending in ("svg", "png")]
    with Image.open(made[1]) as picture:
        flat = picture.convert("RGB")
    flat.thumbnail((WIDEST_PX, WIDEST_PX * 4))
    flat.quantize(128, Image.Quantize.FASTOCTREE).save(made[1], optimize=True)
    return made


def _plugs(wiring: Wiring, build: str) -> Iterator[tuple[Board, str, Cable, list[Wire]]]:
    """Yield each cable of a build: its board, its name, itself and its wires."""
    nets = wiring.nets(build)
    boards: tuple[Board, ...] = ("pi", "head")
    for board in boards:
        for name, cable in wiring.cables(build).items():
            own = [net for net in nets if net.cable == name and net.board == board]
            if not own and not (board in cable.supply and build in cable.builds):
                continue
            wires = [(_wire(net.what, net.name), place(board, net.pin)) for net in own]
            yield board, name, cable, [*wires, *cable.supply.get(board, {}).items()]


def _circuits(wiring: Wiring, build: str, board: Board, cable: str) -> list[str]:
    used = dict.fromkeys(net.circuit for net in wiring.nets(build) if net.cable == cable and net.board == board)
    return [f"circuit {circuit}" for circuit in used if circuit != "reset"]


def _notes(wiring: Wiring, build: str, board: Board) -> str:
    told = ["USB to the Pi"] if board == "head" else []
    if "board" in wiring.shopping(build):
        told.append("circuits are on the perfboard;\\nwires that share a position\\nmeet there")
    return "\\n".join(told)


def _connector(title: str, pins: Sequence[int], labels: Sequence[str], notes: str) -> list[str]:
    lines = [f"  {_quoted(title)}:", f"    pins: {_list(pins)}", f"    pinlabels: {_list(labels)}"]
    return [*lines, f"    notes: {_quoted(notes)}"] if notes else lines


def _label(board: Board, position: int) -> str:
    name = HEADERS[board][position]
    return f"{CALLED[board]}{name}" if name.isdigit() else name


def _wire(what: str, name: str) -> str:
    return what if name == "pin" else name


def _id(name: str, board: Board) -> str:
    return f"W-{board}-{name}"


def _list(items: Sequence[object]) -> str:
    return f"[{', '.join(_quoted(item) if isinstance(item, str) else str(item) for item in items)}]"


def _quoted(text: str) -> str:
    return f'"{text}"'
