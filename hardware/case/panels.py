"""Make the six panels of the case, its clips and spacers from the dimensions.

Front and base have the corners; the fingers of two panels that meet fill each other's gaps. Front, base, near and
right are drawn as seen from outside or above, rear and left as seen from within, so that x or y runs to the right.
"""

from __future__ import annotations

from hardware.case.numbers import Carrier, Case, Oled, PiBoard
from hardware.case.shapes import Cut, Hole, Opening, Panel, Point, fingered
from hardware.case.strokes import Stroke, lettered, mark
from umpi.box.config import NAVIGATION
from umpi.display.sheet import PITCH, WIDTH
from umpi.table.seats import SHAPES

KEYS = len(SHAPES)


def panels(case: Case, oled: Oled) -> dict[str, Panel]:
    """Draw the six panels of the box for a module, by their names."""
    width, depth, height = case.box.outer
    return {
        panel.name: panel
        for panel in (
            front(case, oled),
            _panel(case, "base", (width, depth), _base_cuts(case)),
            _panel(case, "near", (width, height)),
            _panel(case, "rear", (width, height), _rear_cuts(case)),
            _panel(case, "left", (depth, height), (plugs_left(case), *_exhaust(case))),
            _panel(case, "right", (depth, height), _right_cuts(case)),
        )
    }


def front(case: Case, oled: Oled) -> Panel:
    """Draw the front: window, keys, lamps, screws; lines that lead from the labels to the keys, marks, names."""
    keys = (*seat_keys(case), *navigation_keys(case).values())
    cuts: tuple[Cut, ...] = (
        window(case, oled),
        *(Hole(key, case.keys.hole) for key in keys),
        *(Hole(lamp, case.lamps.hole) for lamp in lamps(case)),
        *(Hole(corner, case.box.screw) for corner in corners(case)),
        *(Hole(screw, case.box.screw) for screw in clip_screws(case, oled)),
    )
    return _panel(case, "front", case.box.outer[:2], cuts, (*lines(case, oled), *_names(case)))


def window(case: Case, oled: Oled) -> Opening:
    """Return the hole in front of the active area."""
    (x, y), margin = case.window.centre, case.window.margin
    wide, high = oled.active[0] / 2 + margin, oled.active[1] / 2 + margin
    return Opening(x - wide, y - high, x + wide, y + high)


def labels(case: Case, oled: Oled) -> list[float]:
    """Return the x of the middle of each soft key's label on the panel."""
    dot = oled.active[0] / WIDTH
    left = case.window.centre[0] - oled.active[0] / 2
    return [left + (index + 0.5) * PITCH * dot for index in range(KEYS)]


def seat_keys(case: Case) -> list[Point]:
    """Return the middles of the six keys."""
    middle = case.box.width / 2
    return [(middle + (index - (KEYS - 1) / 2) * case.keys.pitch, case.keys.row) for index in range(KEYS)]


def navigation_keys(case: Case) -> dict[str, Point]:
    """Return the middles of the four keys: up over down left of the window, OK over Back right of it."""
    (x, y), keys = case.window.centre, case.navigation
    places = [(x + side * keys.aside, y + high * keys.apart / 2) for side in (-1, 1) for high in (1, -1)]
    return dict(zip(NAVIGATION, places, strict=True))


def lamps(case: Case) -> list[Point]:
    """Return the middles of the six lamps."""
    return [(x, y + case.lamps.above) for x, y in seat_keys(case)]


def lines(case: Case, oled: Oled) -> list[Stroke]:
    """Return the engraved lines, each from below its label to above its lamp."""
    high = window(case, oled).low - case.lines.clear
    ends = [(x, y + case.lamps.hole / 2 + case.lines.clear) for x, y in lamps(case)]
    stub = case.lines.stub
    return [
        ((label, high), (label, high - stub), (x, low + stub), (x, low))
        for label, (x, low) in zip(labels(case, oled), ends, strict=True)
    ]


def corners(case: Case) -> list[Point]:
    """Return the places of the stand-offs between front and base."""
    width, depth, own = case.box.width, case.box.depth, case.box.corner
    return [(x, y) for x in (own, width - own) for y in (own, depth - own)]


def clip_screws(case: Case, oled: Oled) -> list[Point]:
    """Return the screws of the clips beside the module's corners."""
    x, y = case.window.centre[0], case.window.centre[1] - oled.below
    aside = oled.board[0] / 2 + oled.tolerance + case.clip.beside
    high = oled.board[1] / 2 - case.clip.inward
    return [(x + side * aside, y + up * high) for side in (-1, 1) for up in (-1, 1)]


def clips(case: Case) -> tuple[Panel, Panel]:
    """Draw a clip and the spacer it stands on."""
    (long, wide), own = case.clip.size, case.clip.from_end
    hole = Hole((own, wide / 2), case.box.screw)
    clip = Panel("clip", (long, wide), tuple(Opening(0, 0, long, wide).contour()), (hole,))
    spacer = Panel(
        "spacer", (wide, wide), tuple(Opening(0, 0, wide, wide).contour()), (hole._replace(centre=(wide / 2,) * 2),)
    )
    return clip, spacer


def on_pi(case: Case, along: float, across: float) -> Point:
    """Convert a point of a large Raspberry Pi, from its left and lower edge, to the box: it is turned by 180°."""
    left, rear = (case.box.sheet + gap for gap in case.pi.gap)
    return left + _large(case).size[0] - along, case.box.depth - rear - across


def on_board(case: Case, board: PiBoard | Carrier, along: float, across: float) -> Point:
    """Convert a point of a board to the box: the headers of all boards are at the same place."""
    x, y = on_pi(case, *_large(case).header)
    return x + board.header[0] - along, y + board.header[1] - across


def _large(case: Case) -> PiBoard:
    return max(case.pi.boards.values(), key=lambda board: board.size)


def plugs_left(case: Case) -> Opening:
    """Return the opening in the left wall, by y and z."""
    (start, end), (low, top) = case.pi.plugs_left.along, case.pi.plugs_left.high
    return Opening(on_pi(case, 0, end)[1], low, on_pi(case, 0, start)[1], top)


def _panel(case: Case, name: str, size: Point, cuts: tuple[Cut, ...] = (), strokes: tuple[Stroke, ...] = ()) -> Panel:
    plate = name in ("front", "base")
    outline = fingered(size, case.box.sheet, case.box.finger, plate, plate, plate or name in ("near", "rear"))
    return Panel(name, size, outline, cuts, strokes)


def _base_cuts(case: Case) -> tuple[Cut, ...]:
    places = {on_board(case, board, *hole): None for board in case.pi.boards.values() for hole in board.holes}
    (wide, long), (x, y) = case.vents.slot, case.vents.first
    return (
        *(Hole(corner, case.box.screw) for corner in corners(case)),
        *(Hole(place, case.pi.hole) for place in places),
        *(
            Opening(
                x + index * case.vents.pitch - wide / 2,
                y - long / 2,
                x + index * case.vents.pitch + wide / 2,
                y + long / 2,
            )
            for index in range(case.vents.slots)
        ),
    )


def _rear_cuts(case: Case) -> tuple[Cut, ...]:
    (start, end), (low, top) = case.pi.plugs_rear.along, case.pi.plugs_rear.high
    plugs = Opening(on_pi(case, end, 0)[0], low, on_pi(case, start, 0)[0], top)
    own = case.leads
    left, right, foot, head = case.rail.opening
    rail = Opening(left, foot, right, head)
    return (
        plugs,
        rail,
        *tie_slots(case),
        *(Hole((own.first + index * own.pitch, own.high), own.hole) for index in range(KEYS)),
    )


def _exhaust(case: Case) -> tuple[Opening, ...]:
    (y, z), (wide, long), own = case.vents.exhaust, case.vents.exhaust_slot, case.vents
    middles = [y + index * own.pitch for index in range(own.slots)]
    return tuple(Opening(at - wide / 2, z - long / 2, at + wide / 2, z + long / 2) for at in middles)


def tie_slots(case: Case) -> list[Opening]:
    """Return the slots for the cable tie beside the opening for the cable of the colour sensor."""
    own, (wide, high) = case.rail, case.rail.tie_slot
    return [Opening(x - wide / 2, own.tie_up - high / 2, x + wide / 2, own.tie_up + high / 2) for x in own.ties]


def _right_cuts(case: Case) -> tuple[Cut, ...]:
    own, (y, z), (wide, long) = case.sounder, case.sounder.centre, case.sounder.slot
    middles = [y + (index - (own.slots - 1) / 2) * own.pitch for index in range(own.slots)]
    return tuple(Opening(middle - wide / 2, z - long / 2, middle + wide / 2, z + long / 2) for middle in middles)


def _names(case: Case) -> tuple[Stroke, ...]:
    """Return the marks of the seats below their keys, and the names of the navigation keys."""
    strokes: tuple[Stroke, ...] = ()
    for shape, (x, _) in zip(SHAPES, seat_keys(case), strict=True):
        strokes += mark(shape, (x, case.keys.mark[0]), case.keys.mark[1])
    below, high = case.navigation.label
    for name, (x, y) in navigation_keys(case).items():
        at = (x, y - below)
        strokes += mark(name, at, high) if name in ("up", "down") else lettered(name.upper(), at, high)
    return strokes
