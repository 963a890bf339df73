"""Guided checks of the card scanner and the wall."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from umpi.box.config import WALL
from umpi.doctor.finding import Finding
from umpi.doctor.visit import PATIENCE_S, Task, Visit
from umpi.timing.events import Scan
from umpi.timing.units import S


def scanner(visit: Visit) -> Iterator[Task]:
    """Ask for a scan of any code."""
    if visit.config.scanner is not None:
        yield Task("scanner", partial(_scan, visit), "scanner")


def wall(visit: Visit) -> Iterator[Task]:
    """Ask for a knock on the wall."""
    if visit.config.head and visit.config.head.wall:
        yield Task("wall", partial(_knock, visit), "head")


def _scan(visit: Visit) -> Iterator[Finding]:
    lines = visit.box.scanner.lines if visit.box.scanner else None
    assert lines
    garbled = lines.garbled
    visit.forget()
    visit.say("Scan any code.")
    until_ns = visit.clock() + round(PATIENCE_S * S)
    while (event := visit.next_input(until_ns)) is not None:
        if isinstance(event, Scan):
            yield Finding("scanner", "ok", f'it read "{event.code}"')
            return
    if lines.garbled > garbled:
        yield Finding(
            "scanner",
            "failed",
            f"{lines.garbled - garbled} lines came that are not codes",
            "Set its speed and the shape of its lines: baud and pattern under [scanner] of umpi.toml.",
        )
    else:
        yield Finding(
            "scanner",
            "failed",
            "nothing came of a scan",
            "Switch the reader to USB serial (its manual has a code for that), with a line end after each code.",
        )


def _knock(visit: Visit) -> Iterator[Finding]:
    visit.forget()
    visit.say("Knock on the wall.")
    if any(edge.active for edge in visit.edges((WALL,), PATIENCE_S)):
        yield Finding("wall", "ok", "it was felt")
    else:
        do = "Look at the piezo: glued flat, wires, 470 kΩ across it, 100 kΩ in series to GP14 (pin 19 of the Pico)."
        yield Finding("wall", "failed", "a knock was not felt", do)
