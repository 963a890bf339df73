"""Draw a perfboard from both sides: the parts from above, the wires from below, and the list of the wires."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hardware.drawing.picture import Picture, Point
from hardware.wiring.model import Wiring
from hardware.wiring.netlist import HEADER_REF, netlist
from hardware.wiring.perfboard import LAYOUTS, Hole, Layout, Settings, Terminal, board_of, layout, read

PITCH, MARGIN, TOP, BOW, LINE = 44, 60, 84, 15, 21
INK = {"GND": "#111111", "3V3": "#e07b00", "5V": "#d21f1f"}
FREE = ("#2e9b3f", "#2f6fd0", "#8a4fbf", "#7a4a1e", "#0f8f8f", "#b8860b", "#c2408a")
PAPER, GREY = "#fbf7ec", "#777777"
Place = Callable[[Hole], Point]


def above(wiring: Wiring, name: str, settings: Settings) -> Picture:
    """Draw a perfboard from the side of the parts."""
    made = layout(wiring, name, settings)
    picture, at = _page(
        made, "seen from the side of the parts", "Numbers beside a leg are contacts and positions.", False
    )
    board = board_of(name, settings)
    what = {part.ref: wiring.part[part.part].what for part in netlist(wiring, settings[name]["build"]).on(board)}
    titles = {plug.ref: plug.title for plug in netlist(wiring, settings[name]["build"]).plugs}
    header = HEADER_REF[board]
    for ref, legs in sorted(_by_part(made).items(), key=lambda part: part[0] != header):  # parts may be inside it
        words = _value(what[ref]) if ref in what else titles.get(ref, "")
        if ref == header:
            words = (
                "socket for the Pi, on the lower side"
                if board == "pi"
                else "sockets for the Pico; its USB plug is at the left"
            )
        _part(picture, ref, words, legs, [at(made.holes[each]) for each in legs])
    return picture


def below(wiring: Wiring, name: str, settings: Settings) -> Picture:
    """Draw a perfboard from the side of the solder: left and right are exchanged, and column 1 is at the right."""
    made = layout(wiring, name, settings)
    words = "The wires are insulated. A wire is joined only to the two legs where it ends."
    picture, at = _page(made, "seen from the side of the solder", words, True)
    header = HEADER_REF[board_of(name, settings)]
    for ref, legs in sorted(_by_part(made).items(), key=lambda part: part[0] != header):
        places = [at(made.holes[each]) for each in legs]
        (left, top), (right, low) = _around(places)
        picture.box((left, top), (right - left, low - top), colour="#bdb59f", fill="#f3ecd8")
        if len(legs) == 2 and max(right - left, low - top) > 2 * PITCH:
            picture.text(((left + right) / 2, (top + low) / 2 + 4), ref, 12, "middle", GREY)
        else:
            picture.text((left + 2, low + 13), ref, 12, colour=GREY)
    names = list(dict.fromkeys(net for net, _, _ in made.wires))
    for net, a, b in made.wires:
        picture.line(*_bowed(at(a), at(b)), colour=_ink(net, names), width=2.4)
    for terminal, hole in made.holes.items():
        x, y = at(hole)
        picture.dot((x, y), 5, fill="#ffffff")
        if len(terminal[1]) < 3 and not (terminal[1] in "12" and terminal[0][0] in "RC"):
            picture.text((x, y - 8), terminal[1], 10, "middle", "#333333", PAPER)
    _list(picture, made, names)
    return picture


def _page(made: Layout, side: str, words: str, mirrored: bool) -> tuple[Picture, Place]:
    """Return an empty board, and where its holes are."""
    width, height = made.size
    picture = Picture(2 * MARGIN + PITCH * width, TOP + MARGIN + PITCH * height)
    picture.text((MARGIN, 34), f"{made.title}, {side}", 22)
    picture.text((MARGIN, 54), words, 13, colour="#555555")

    def at(hole: Hole) -> Point:
        column = width + 1 - hole[0] if mirrored else hole[0]
        return MARGIN + PITCH * (column - 0.5), TOP + PITCH * (hole[1] - 0.5)

    picture.box((MARGIN, TOP), (PITCH * width, PITCH * height), fill=PAPER)
    for column in range(1, width + 1):
        picture.text((at((column, 1))[0], TOP - 8), str(column), 13, "middle", GREY)
        for row in range(1, height + 1):
            picture.dot(at((column, row)), 2.5, fill="#dddddd", colour="#bbbbbb")
    for row in range(1, height + 1):
        picture.text((MARGIN - 10, at((1, row))[1] + 4), str(row), 13, "end", GREY)
    return picture, at


def _list(picture: Picture, made: Layout, names: list[str]) -> None:
    """Write the wires of each net below the board, by column and row of their ends."""
    right, x, y = picture.width - MARGIN, float(MARGIN), picture.height + 6.0
    picture.text((x, y), "Wires, by column/row of both ends. Tick each one.", 15)
    y += LINE + 6
    for name in names:
        x = MARGIN
        picture.text((x, y), name, 14, colour=_ink(name, names))
        x += 130
        for _, a, b in (wire for wire in made.wires if wire[0] == name):
            if x + 110 > right:
                x, y = MARGIN + 130, y + LINE
            picture.text((x, y), f"{a[0]}/{a[1]} – {b[0]}/{b[1]}", 13)
            x += 125
        y += LINE
    picture.height = round(y) + 12


def _by_part(made: Layout) -> dict[str, list[Terminal]]:
    found: dict[str, list[Terminal]] = {}
    for terminal in made.holes:
        found.setdefault(terminal[0], []).append(terminal)
    return found


def _ink(net: str, names: list[str]) -> str:
    return INK.get(net.removeprefix("H")) or FREE[names.index(net) % len(FREE)]


def _bowed(a: Point, b: Point) -> list[Point]:
    """Return the points of a wire; one along a row or a column passes beside the holes between."""
    (ax, ay), (bx, by) = a, b
    if ax == bx and abs(ay - by) > PITCH:
        side, way = ax - BOW, 1 if by > ay else -1
        return [a, (side, ay + BOW * way), (side, by - BOW * way), b]
    if ay == by and abs(ax - bx) > PITCH:
        side, way = ay + BOW, 1 if bx > ax else -1
        return [a, (ax + BOW * way, side), (bx - BOW * way, side), b]
    return [a, b]


def _value(what: str) -> str:
    words = what.split(" (")[0].split(",")[0]
    for kind in ("resistor ", "capacitor ", "NPN transistor ", "Schottky diode ", "diode "):
        words = words.removeprefix(kind)
    return words


def _around(places: list[Point]) -> tuple[Point, Point]:
    xs, ys = zip(*places, strict=True)
    return (min(xs) - 15, min(ys) - 20), (max(xs) + 15, max(ys) + 13)


def _part(picture: Picture, ref: str, words: str, legs: list[Terminal], places: list[Point]) -> None:
    (left, top), (right, low) = _around(places)
    picture.box((left, top), (right - left, low - top), colour="#444444", fill="#ffffff", width=1.5)
    for (_, leg), place in zip(legs, places, strict=True):
        picture.dot(place, 5, fill="#ffffff")
        if len(legs) > 2 or leg not in "12":
            picture.text((place[0], place[1] - 8), leg, 10, "middle", "#333333")
    across, middle = right - left, ((left + right) / 2, (top + low) / 2)
    if ref[0] == "D":
        _stripe(picture, places[[leg for _, leg in legs].index("K")], middle)
    if len(legs) == 2 and low - top > across and low - top > 3 * PITCH:
        picture.text((middle[0] + 5, middle[1]), f"{ref} {words}", 13, "middle", upright=True)
    elif len(legs) == 2 and across > 3 * PITCH:
        picture.text((middle[0], middle[1] + 5), f"{ref} {words}", 13, "middle")
    elif low - top > across:
        picture.text((right + 14, middle[1]), f"{ref} {words}", 12, "middle", upright=True)
    else:
        picture.text((left, low + 13), f"{ref} {words}".strip(), 12)


def _stripe(picture: Picture, cathode: Point, middle: Point) -> None:
    """Draw the ring of a diode near its cathode."""
    x, y = (c + (m - c) * 0.3 for c, m in zip(cathode, middle, strict=True))
    along = abs(middle[0] - cathode[0]) > abs(middle[1] - cathode[1])
    reach = (0, 15) if along else (15, 0)
    picture.line((x - reach[0], y - reach[1]), (x + reach[0], y + reach[1]), width=6)


def save(wiring: Wiring, folder: Path) -> list[Path]:
    """Draw all perfboards from both sides as SVG and PNG; return the paths."""
    settings, made = read(), []
    for name in LAYOUTS:
        made += above(wiring, name, settings).save(folder, f"perfboard-{name}")
        made += below(wiring, name, settings).save(folder, f"perfboard-{name}-below")
    return made
