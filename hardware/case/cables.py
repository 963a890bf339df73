"""What the cables ask of the case: the length of each that begins in it, openings and ties for those that leave it.

The cables of the gate board are at the gate: hardware/beam/reach.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor

from hardware.case.boards import carrier
from hardware.case.numbers import Case
from hardware.case.panels import lamps, navigation_keys, on_board, seat_keys
from hardware.case.parts import Corner
from hardware.spec import BadSpec
from hardware.wiring.cut import THICK_MM, pieces
from hardware.wiring.model import BUILDS, Cable, Wiring
from hardware.wiring.netlist import netlist

ASIDE_MM = 80  # more than the way in the closed box: the front comes off and is laid beside it
GAP_MM = 0.2  # between cables in an opening
BUNDLE = 4  # cables that one tie holds
STEP_MM = 50  # lengths are whole steps: they are cut with a ruler
PLUGS = "hat"  # has every cable that the HAT has a plug for: also that of a colour sensor
PI = "zero 2"  # of the cart; all Pis have their header at the same place


def refuse_faults(case: Case, wiring: Wiring) -> None:
    """Raise BadSpec with every cable that does not reach or pass, each with its build."""
    if found := [f"{build}: {fault}" for build in (*BUILDS, PLUGS) for fault in faults(case, wiring, build)]:
        raise BadSpec("\n".join(["the cables do not fit the case:", *found]))


def faults(case: Case, wiring: Wiring, build: str) -> Iterator[str]:
    """Yield each cable that is shorter than its way as a sentence."""
    for name, needed in needed_mm(case, wiring, build).items():
        cable = wiring.cable[name]
        if needed > cable.m * 1000 + 1e-6:
            yield f"{cable.title}: the cable is {cable.m * 1000:.0f} mm long, its way needs {needed} mm."
    through, (start, end, low, high) = through_the_wall(wiring, build), case.rail.opening
    side = THICK_MM["cable4"] + GAP_MM
    room = floor((end - start) / side) * floor((high - low) / side)
    if len(through) > room:
        yield f"The opening at the rear has room for {room} cables, {len(through)} go through it."
    if len(through) > BUNDLE:
        yield f"The tie at the rear holds {BUNDLE} cables, {len(through)} go through."
    for name, cable in wiring.cables(build).items():
        if cable.outside_m and cable.beside and THICK_MM["lead"] > case.leads.hole:
            yield f"{cable.title}: {THICK_MM['lead']:g} mm do not pass a hole of {case.leads.hole:g} mm."
        wide, thick = plug_mm(contacts := _contacts(wiring, build, name))
        if cable.outside_m and not cable.beside and (wide > end - start or thick > high - low):
            yield f"{cable.title}: its plug of {contacts} contacts does not pass the opening."


def through_the_wall(wiring: Wiring, build: str) -> list[str]:
    """List the cables that go through the opening at the rear, one for each run; leads have holes of their own."""
    return [
        name for name, cable in wiring.cables(build).items() if cable.outside_m and not cable.beside
        for piece in pieces(wiring, build, name) for _ in range(piece.count)
    ]  # fmt: skip


def plug_mm(contacts: int) -> tuple[float, float]:
    """Return width and height of a housing JST XHP (catalogue XH: 2.5 mm a contact, and 2.4; 5.75 mm)."""
    return 2.5 * contacts + 2.4, 5.75


def ties(wiring: Wiring, build: str) -> int:
    """Return how many cable ties hold the cables at that opening."""
    return ceil(len(through_the_wall(wiring, build)) / BUNDLE)


def needed_mm(case: Case, wiring: Wiring, build: str) -> dict[str, int]:
    """Return the length in mm that each cable of a build needs, in whole steps of a ruler."""
    refs = {plug.cable: plug.ref for plug in netlist(wiring, build).plugs}
    plugs, found = _plugs(case), {}
    for name, cable in wiring.cables(build).items():
        if wiring.build[build].boards and refs[name] not in plugs:
            continue  # of the gate board
        start = plugs[refs[name]] if wiring.build[build].boards else _header(case)
        ways = [sum(abs(a - b) for a, b in zip(start, end, strict=True)) for end in _ends(case, name, cable)]
        outside = cable.outside_m * 1000 or ASIDE_MM
        found[name] = ceil((max(ways) + outside) / STEP_MM) * STEP_MM
    return found


def _contacts(wiring: Wiring, build: str, name: str) -> int:
    return next(len(plug.nets) for plug in netlist(wiring, build).plugs if plug.cable == name)


def _ends(case: Case, name: str, cable: Cable) -> list[Corner]:
    """Return the places where a cable ends in the box: its parts, or its hole in a wall."""
    top = case.box.height
    if cable.outside_m:
        return [hole(case, name)]
    if name == "buzzer":
        (y, z), deep = case.sounder.centre, case.sounder.size[1]
        return [(case.box.width - case.box.sheet - deep, y, z)]
    if name.startswith("oled"):
        return [(*case.window.centre, top - case.oleds["2.42"].depth)]
    keys = {"seats": seat_keys(case), "lamps": lamps(case), "navigation": list(navigation_keys(case).values())}
    return [(*at, top - case.keys.depth) for at in keys[name]]


def hole(case: Case, name: str) -> Corner:
    """Return the middle of the hole or opening through which a cable leaves the box; of the leads, the farthest."""
    if name == "leads":
        return case.leads.first + 5 * case.leads.pitch, case.box.depth, case.leads.high
    start, end, low, high = case.rail.opening
    return (start + end) / 2, case.box.depth, (low + high) / 2


def _header(case: Case) -> Corner:
    own = case.pi.boards[PI]
    return *on_board(case, own, *own.header), case.box.sheet + case.pi.stand_off + case.pi.board


def _plugs(case: Case) -> dict[str, Corner]:
    """Return the place of each plug of the HAT."""
    return {
        part.name: (
            (part.low[0] + part.high[0]) / 2, (part.low[1] + part.high[1]) / 2, part.high[2],
        ) for part, kind in carrier(case) if kind == "plug"
    }  # fmt: skip
