"""Check of beam boards: how much light each beam has to spare, from how fast it becomes dark without its emitter.

A beam board averages its light. A beam with k times the light that it needs becomes dark after TAU_US · ln k: see
hardware/beam/README.md. Modules have other delays, so the box must know that there are boards.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp

from umpi.box.box import Box
from umpi.box.config import Config
from umpi.doctor.finding import Finding
from umpi.doctor.light import SHADE
from umpi.drivers.head_protocol import fades

TAU_US = 25.4  # of the load and the capacitors of a board
WEAK_US = 9  # a beam that is dark earlier has less than 1.43 times the light it needs
BRIGHT_US = 95  # no beam is dark later by its own light: the supply limits what the brightest shows
DIRTY = (
    "Clean its aperture with a dry brush. Does the board sit in its slot, down to the end? umpi doctor checks again."
)


def boards(config: Config, box: Box) -> Iterator[Finding]:
    """Report which beams are clear, dirty, or see too much light. `beams` reports those that are dark."""
    plan = config.head
    if not plan or not plan.boards or not box.head or box.head.state.name != "ready":
        return
    if not fades(box.head.about.get("firmware")):
        what = "only a sensor head with firmware 2.2 or newer measures the light of beam boards"
        yield Finding("light to spare", "not tested", what, "Copy firmware/sensor_head to it again.")
        return
    delays: dict[str, int | None] = {}
    for lane in range(1, plan.lanes + 1):
        answer = box.head.fade(lane)
        if answer is None:
            yield Finding("light to spare", "not tested", "the head did not answer")
            return
        delays |= answer
    yield from spare(delays)


def spare(delays_us: dict[str, int | None]) -> Iterator[Finding]:
    """Judge the time that each beam took to become dark, None if it stayed light, 0 if it was dark before."""
    stayed = [line for line, us in delays_us.items() if us is None]
    late = [line for line, us in delays_us.items() if us is not None and us > BRIGHT_US]
    weak = {line: us for line, us in delays_us.items() if us and us < WEAK_US}
    clear = {line: us for line, us in delays_us.items() if us and WEAK_US <= us <= BRIGHT_US}
    if stayed:
        what = f"{', '.join(stayed)} stayed light without an emitter: too much light, or a torn wire"
        yield Finding("light to spare", "failed", what, SHADE)
    if late:
        what = f"{', '.join(late)} became dark late: other light than that of the emitter reaches it"
        yield Finding("light to spare", "warning", f"too much light: {what}", SHADE)
    if weak:
        yield Finding("light to spare", "warning", f"dirty: {_times(weak)} the light that is needed", DIRTY)
    if clear:
        yield Finding("light to spare", "ok", f"clear: {_times(clear)} the light that is needed")


def _times(delays_us: dict[str, int]) -> str:
    """Name each beam with how many times the light it has that it needs.

    >>> _times({"lane_1": 9, "second_1": 77})
    'lane_1 1.4, second_1 21 times'
    """
    found = {line: exp(us / TAU_US) for line, us in delays_us.items()}
    return ", ".join(f"{line} {times:.2g}" for line, times in found.items()) + " times"
