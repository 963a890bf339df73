"""The guided checks of `umpi doctor --guide`: a person operates the box step by step."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing

from umpi.box.box import Box
from umpi.box.config import Config
from umpi.doctor.beams import beams
from umpi.doctor.bench import Bench
from umpi.doctor.buttons import buttons
from umpi.doctor.colours import colours
from umpi.doctor.drops import chute
from umpi.doctor.face import display, lamps, sounder
from umpi.doctor.factory import STEPS as FACTORY
from umpi.doctor.finding import Finding
from umpi.doctor.light import light
from umpi.doctor.opaque import cubes
from umpi.doctor.touch import scanner, wall
from umpi.doctor.visit import Ended, Gone, Skipped, Task, Visit

log = logging.getLogger(__name__)

STEPS: dict[str, Callable[[Visit], Iterator[Task]]] = {
    "buttons": buttons, "lamps": lamps, "sounder": sounder, "display": display, "beams": beams, "light": light,
    "cubes": cubes, "chute": chute, "colours": colours, "scanner": scanner, "wall": wall,
}  # fmt: skip


def guide(config: Config, box: Box, bench: Bench, only: Collection[str] = ()) -> Iterator[Finding]:
    """Guide a person through the checks, and yield each finding. `only` selects names of STEPS, or all if empty.

    The guide says what to do and waits for the result. After a fault of a device, it yields a finding and continues. It
    ends early if the person types q. The caller must report the findings and close the box.
    """
    return _walk(Visit(config, box, bench), STEPS, only)


def factory(config: Config, box: Box, bench: Bench) -> Iterator[Finding]:
    """Guide a person through the check of new boards, as `guide` does, with nothing plugged in."""
    bench.say("You need a wire from ground, and a test lamp: an LED with 1 kΩ and two wires, its long leg at 5 V.")
    return _walk(Visit(config, box, bench), FACTORY)


def _walk(
    visit: Visit, steps: Mapping[str, Callable[[Visit], Iterator[Task]]], only: Collection[str] = ()
) -> Iterator[Finding]:
    visit.say("Enter skips what is asked for, s as well where Enter means something; q ends.")
    try:
        for name, step in steps.items():
            if not only or name in only:
                found = False
                with closing(step(visit)) as tasks:  # type: ignore[type-var]
                    for task in tasks:
                        found = True
                        yield from _tried(visit, task)
                if only and not found:
                    yield Finding(name, "not tested", "this box has none, by its umpi.toml")
    except Ended:
        return


def _tried(visit: Visit, task: Task) -> Iterator[Finding]:
    try:
        visit.ready(task.needs)
        yield from task.run()
    except Skipped:
        yield Finding(task.device, "not tested", "skipped")
    except Gone as fault:
        yield Finding(task.device, "failed", str(fault))
    except Ended:
        raise
    except Exception as fault:  # one device's error must not stop the checks of the others
        log.warning("The step %r of the guide failed", task.device, exc_info=True)
        yield Finding(task.device, "failed", f"{type(fault).__name__}: {fault}")
