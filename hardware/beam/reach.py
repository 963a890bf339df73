"""Whether the cables at the gate reach: from the gate board on the base board to the boards or sensors of each lane.

In the full build, the gate board is behind six lanes. The board of the funnel's lane is beside theirs then, its stop
level with the gate board: so the cable of the colour sensor is shortest.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from hardware.board.plan import plan
from hardware.gate.geometry import Gate
from hardware.gate.numbers import Numbers
from hardware.spec import BadSpec
from hardware.wiring.model import BUILDS, Wiring

STAND_OFF_MM = 8.0  # of the gate board
PLUG_UP_MM = 38.0  # from the floor of a lane to the plugs of its boards, or to the bend of a sensor's wires
STEP_MM = 50  # lengths are whole steps: they are cut with a ruler
FUNNEL = "queue"
SENSOR = "rail_head"


def refuse_faults(numbers: Numbers, wiring: Wiring) -> None:
    """Raise BadSpec with every cable at the gate that does not reach, each with its build."""
    if found := [f"{build}: {fault}" for build in BUILDS for fault in faults(numbers, wiring, build)]:
        raise BadSpec("\n".join(["the cables do not reach at the gate:", *found]))


def faults(numbers: Numbers, wiring: Wiring, build: str) -> Iterator[str]:
    """Yield each cable that is shorter than its way as a sentence."""
    for name, needed in needed_mm(numbers, wiring, build).items():
        cable = wiring.cable[name]
        if needed > (long := cable.long_m(build) * 1000) + 1e-6:
            yield f"{cable.title}: the cable is {long:.0f} mm long, its way needs {needed} mm."


def needed_mm(numbers: Numbers, wiring: Wiring, build: str) -> dict[str, int]:
    """Return the length in mm that each cable needs: along the edges of a box, as a tidy hand lays it."""
    cube, half = max(numbers.cubes.sizes_mm), max(plan(wiring, "gate").size) / 2
    found: dict[str, int] = {}
    for name in wiring.cables(build):
        kind, _, number = name.partition("_")
        if name == SENSOR:
            found[name] = ceil((_to_the_sensor(numbers, cube) + half) / STEP_MM) * STEP_MM
        if name != FUNNEL and kind != "lane":
            continue
        gate = Gate(numbers, cube, "queue" if name == FUNNEL else "catch")
        across = 0.0 if name == FUNNEL else gate.lanes_at[int(number) - 1]
        x, z = gate.on_lane(sum(gate.beams) / 2, numbers.lane.floor_mm + PLUG_UP_MM)
        way = abs(gate.head_middle - x) + abs(across) + abs(z - STAND_OFF_MM) + half
        found[name] = ceil(way / STEP_MM) * STEP_MM
    return found


def _to_the_sensor(numbers: Numbers, cube: float) -> float:
    """Return the way to the sensor from the middle of the gate board behind six lanes. Wires leave under the stop."""
    own, six = Gate(numbers, cube, "queue"), Gate(numbers, cube, "catch")
    _, up = own.on_rail(own.window_at)
    return (own.base[2] + six.base[2]) / 2 + own.window_at + abs(up - STAND_OFF_MM)
