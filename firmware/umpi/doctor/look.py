"""The automatic checks of `umpi doctor`: a finding for each device, without a person."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from umpi.box.box import Box
from umpi.box.config import Config
from umpi.doctor import kept, plugged, spare, wired
from umpi.doctor.finding import Finding
from umpi.doctor.system import System
from umpi.timing.units import S

PATIENCE_NS = 5 * S  # for a device that was just started
LEAST_NS = S // 2  # within it, each device has tried at least once
GLANCE_S = 0.05


def wait_for_devices(
    box: Box, clock: Callable[[], int] = time.monotonic_ns, rest: Callable[[float], object] = time.sleep
) -> None:
    """Show the doctor's picture and wait until all devices answer, or for PATIENCE_NS."""
    began_ns = clock()
    if box.oled:
        box.oled.show(plugged.picture())
    while (passed_ns := clock() - began_ns) < PATIENCE_NS and (passed_ns < LEAST_NS or not _answers(box)):
        rest(GLANCE_S)


def look(config: Config, box: Box, factory: Any, system: System | None = None) -> Iterator[Finding]:
    """Yield findings about each device of a box after `wait_for_devices`. `factory` is its pin factory."""
    system = system or System()
    yield from wired.pins(config, box, factory)
    yield from wired.stamps(config, box)
    yield from wired.buttons(config, box)
    yield from wired.lamps(box)
    yield from wired.sounder(config, box)
    yield from plugged.display(config, box, system)
    yield from plugged.head(config, box)
    yield from spare.boards(config, box)
    yield from wired.beams(config, box)
    yield from plugged.rail(config, box, system)
    yield from plugged.scanner(config, box)
    yield from kept.measures(config, box)
    yield from kept.journal(config, system)
    yield from kept.games(system)
    yield from kept.time(system)


def _answers(box: Box) -> bool:
    """Return whether all plugged-in devices have answered."""
    return (
        (box.oled is None or box.oled.wait_shown(0))
        and (box.head is None or box.head.state.name == "ready")
        and (box.rail is None or (not box.rail.trouble and bool(box.rail.settled)))
        and (box.scanner is None or not box.scanner.trouble)
    )
