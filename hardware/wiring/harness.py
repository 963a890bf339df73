"""Draw the cables of a build: each plug with its contacts, the wires in their colours, and the legs where they end."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from hardware.drawing.picture import Picture
from hardware.wiring.header import HEADERS, call
from hardware.wiring.model import Board, Wiring
from hardware.wiring.netlist import HEADER_REF, Element, Netlist, Plug, netlist
from hardware.wiring.physical import Wire, has_board, wires

INK = {
    "GND": "#111111", "3V3": "#e07b00", "5V": "#d21f1f", "red": "#e58aa5", "blue": "#2f6fd0", "yellow": "#d9b400",
    "green": "#2e9b3f", "white": "#b9b9b9", "black": "#7d7d7d",
}  # fmt: skip
NAMES = {
    "#111111": "black", "#e07b00": "orange", "#d21f1f": "red", "#e58aa5": "pink", "#2f6fd0": "blue",
    "#d9b400": "yellow", "#2e9b3f": "green", "#b9b9b9": "white", "#7d7d7d": "grey", "#8a4fbf": "violet",
    "#7a4a1e": "brown", "#8f8f8f": "any",
}  # fmt: skip
ANY = "#8f8f8f"  # of a cable that is bought whole: the shop chooses its colours
FREE = ("#d9b400", "#2e9b3f", "#2f6fd0", "#8a4fbf", "#b9b9b9", "#7a4a1e")
ROW, TOP, WIDE, GAP, MARGIN = 24, 46, 720, 30, 20
BOARDS: dict[tuple[Board, bool], str] = {
    ("pi", True): "Umpi HAT", ("pi", False): "Header of the Pi", ("head", True): "Gate board",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One contact of a plug: what it is called, the colour of its wire, where the wire ends."""

    start: str  # the contact, or the position on the header
    label: str
    colour: str
    inline: str  # the part in the wire, without a board
    ends: tuple[str, ...]


def rows(net: Netlist, wiring: Wiring, plug: Plug) -> list[Row]:
    """Return the contacts of a plug, with the drawn wires of each."""
    found: list[Row] = []
    colours = cycle(FREE)
    drawn = list(wires(net, wiring))
    bare, own = not has_board(wiring, net.build), {part.ref for part in net.at(plug)}
    for contact, (name, label) in enumerate(zip(plug.nets, plug.labels, strict=True), 1):
        at = (plug.ref, str(contact))
        supply = name.removeprefix("H").removesuffix("_OUT")
        cable = wiring.cable[plug.cable]
        ready = net.build in cable.ready or cable.stuff != "wire"
        colour = ANY if ready else INK.get(supply) or INK.get(label) or next(colours)
        ends = [end for start, end in drawn if start == at and end[0] in own]
        if bare and not ends:
            continue  # a spare contact of a plug that this build does not have
        start, inline = _from_header(drawn, at) if bare else (str(contact), "")
        found.append(Row(start, label, colour, inline, tuple(_grouped(ends))))
    return found


def _from_header(drawn: list[Wire], at: tuple[str, str]) -> tuple[str, str]:
    """Return the position on the header from which a contact is fed, and the part in between."""
    part = next(start for start, end in drawn if end == at)
    if part[0] == "J1":
        return _position(part[1]), ""
    position = next(start[1] for start, end in drawn if end[0] == part[0] and start[0] == "J1")
    return _position(position), part[0]


def _position(position: str) -> str:
    name = HEADERS["pi"][int(position)]
    return call("pi", int(name)) if name.isdigit() else f"{name.replace('3V3', '3.3 V')} ({position})"


def _grouped(ends: list[tuple[str, str]]) -> list[str]:
    """Name legs by part, and equal legs of many parts once: `S1 to S6: leg 2`."""
    by_leg: dict[str, list[str]] = {}
    for ref, leg in ends:
        by_leg.setdefault(leg, []).append(ref)
    return [f"{', '.join(refs)}: {leg}" for leg, refs in by_leg.items()]


def harness(wiring: Wiring, build: str) -> Picture:
    """Draw all plugs of a build in two columns, the sensor head's below the Pi's."""
    net = netlist(wiring, build)
    bare = not has_board(wiring, build)
    plugs = [plug for plug in net.plugs if not (bare and wiring.cable[plug.cable].instead)]
    blocks: list[tuple[Plug, list[Row]]] = [(plug, rows(net, wiring, plug)) for plug in plugs]
    picture = Picture(2 * WIDE + GAP + 2 * MARGIN, 0)
    y = 0.0
    for board in net.boards:
        own = [block for block in blocks if block[0].board == board]
        y += 40
        title = BOARDS[board, not bare] + ("" if bare else f": header {HEADER_REF[board]}")
        picture.text((MARGIN, y), title, 20)
        y = _columns(picture, net, wiring, own, y + 16)
    if links := usb(wiring, build):
        y = _usb(picture, links, y + 40)
    picture.height = round(y)
    return picture


def blocks(wiring: Wiring, build: str) -> dict[str, Picture]:
    """Draw each plug of a build alone, by its designator, and the USB cables: for a page that is printed."""
    net, bare = netlist(wiring, build), not has_board(wiring, build)
    found = {}
    for plug in net.plugs:
        if not (bare and wiring.cable[plug.cable].instead):
            contacts, name = rows(net, wiring, plug), _name(wiring, plug)
            found[name] = Picture(WIDE + 2, TOP + ROW * len(contacts) + 10)
            metres, devices = wiring.cable[plug.cable].long_m(build), _devices(net, plug, wiring)
            _block(found[name], (1, 1), plug, contacts, metres, devices)
    if links := usb(wiring, build):
        found["USB"] = Picture(960, 0)
        found["USB"].height = round(_usb(found["USB"], links, 24))
    return found


def _name(wiring: Wiring, plug: Plug) -> str:
    """Return the name of a cable's picture: its designator, and the cable if two take one plug."""
    return f"{plug.ref}-{plug.cable}" if wiring.cable[plug.cable].takes else plug.ref


def usb(wiring: Wiring, build: str) -> list[tuple[str, str, str]]:
    """List the USB cables of a build: from where, to where, and what matters."""
    bought = wiring.shopping(build)
    if "pico" not in bought:
        return []
    if "hub" not in bought:
        return [("data socket of the Pi", "Pico", "on a Zero: the middle socket, with an OTG adapter")]
    links = [
        ("data socket of the Pi", "hub", "on a Zero: the middle socket, with an OTG adapter"),
        ("its own supply, at least 2 A", "hub", "must not feed current back to the Pi"),
        ("hub", "Pico", "at most 1 m, with data wires"),
    ]
    return [*links, ("hub", "card scanner", "optional")] if "scanner" in bought else links


def _usb(picture: Picture, links: list[tuple[str, str, str]], y: float) -> float:
    picture.text((MARGIN, y), "USB cables", 20)
    for start, end, note in links:
        y += ROW + 4
        picture.box((MARGIN, y - 15), (210, 22), fill="#f2f2f2")
        picture.text((MARGIN + 6, y), start, 12)
        picture.line((MARGIN + 210, y - 4), (MARGIN + 330, y - 4), colour="#444444", width=5)
        picture.box((MARGIN + 330, y - 15), (150, 22), fill="#f2f2f2")
        picture.text((MARGIN + 336, y), end, 12)
        picture.text((MARGIN + 496, y), note, 12, colour="#555555")
    return y + 24


def _columns(picture: Picture, net: Netlist, wiring: Wiring, blocks: list[tuple[Plug, list[Row]]], y: float) -> float:
    """Draw blocks into the shorter of two columns; return where the longer one ends."""
    low = [y, y]
    for plug, contacts in blocks:
        column = 0 if low[0] <= low[1] else 1
        corner = (MARGIN + column * (WIDE + GAP), low[column])
        metres = wiring.cable[plug.cable].long_m(net.build)
        _block(picture, corner, plug, contacts, metres, _devices(net, plug, wiring))
        low[column] += TOP + ROW * len(contacts) + 30
    return max(low)


def _devices(net: Netlist, plug: Plug, wiring: Wiring) -> str:
    kinds: dict[str, list[Element]] = {}
    for part in net.at(plug):
        kinds.setdefault(part.part, []).append(part)
    if net.build in wiring.cable[plug.cable].ready:
        first, second = (part.ref for part in net.at(plug))
        return (
            f"bought with a plug XHP-6 at each end, straight: to “in” of beam board {first}; "
            f"a short one from its “out” to “in” of {second}"
        )
    return "; ".join(
        f"{_span([part.ref for part in parts])} {wiring.part[name].what.split(',')[0]}" for name, parts in kinds.items()
    )


def _span(refs: list[str]) -> str:
    return refs[0] if len(refs) == 1 else f"{refs[0]} … {refs[-1]}" if len(refs) > 2 else ", ".join(refs)


def _block(
    picture: Picture, corner: tuple[float, float], plug: Plug, contacts: list[Row], metres: float, devices: str
) -> None:
    x, y = corner
    high = TOP + ROW * len(contacts)
    bare = not contacts[0].start.isdigit()
    left, right = (150, 330) if bare else (130, 300)
    picture.box((x, y), (WIDE, high + 8), colour="#c8c8c8")
    name = plug.title if bare else f"{plug.ref}  {plug.title}, {len(plug.nets)} contacts"
    picture.text((x + 8, y + 20), f"{name}, {metres:g} m", 15)
    picture.text((x + 8, y + 37), devices, 11, colour="#555555")
    for at, row in enumerate(contacts):
        middle = y + TOP + ROW * at + ROW / 2
        picture.box((x + 8, middle - 10), (left - 8, 20), fill="#f2f2f2")
        picture.text((x + 14, middle + 5), row.start, 12)
        picture.text((x + left - 6, middle + 5), "" if bare else row.label, 12, "end")
        if not row.ends:
            picture.text((x + left + 10, middle + 5), "no wire", 11, colour="#888888")
            continue
        picture.line((x + left, middle), (x + right, middle), colour="#444444", width=5)
        picture.line((x + left, middle), (x + right, middle), colour=row.colour, width=3.4)
        if row.inline:
            picture.box((x + left + 60, middle - 8), (56, 16), fill="white")
            picture.text((x + left + 88, middle + 4), row.inline, 11, "middle")
        picture.text((x + right + 8, middle + 4), NAMES[row.colour], 11, colour="#555555")
        ends = ";  ".join(row.ends)
        picture.text((x + right + 62, middle + 5), f"{row.label} → {ends}" if bare else ends, 12)


def save(wiring: Wiring, build: str, folder: Path) -> list[Path]:
    """Draw the harness of a build as SVG and PNG; return the paths."""
    return harness(wiring, build).save(folder, f"harness-{build}")
