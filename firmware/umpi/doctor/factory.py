"""The check of new boards, before anything is plugged into them: `umpi doctor --factory`.

A wire from ground takes the place of buttons and receivers, a test lamp with two wires that of lamps and emitters. What
the box cannot measure is named, with what does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from umpi.box.config import COLOURS
from umpi.doctor.buttons import free_pins_watched, judge, one_press, watched_pins
from umpi.doctor.face import display, sounder
from umpi.doctor.finding import Finding
from umpi.doctor.header import place
from umpi.doctor.visit import PATIENCE_S, Task, Visit

SETTLE_MS = 5  # until a line has its new level: 100 nF at the 50 kΩ of a Pi's own pull
LISTEN_S = 0.5  # for other lines that follow the same touch
JOINTS = "Look at the joints of this contact, of its resistors and of the socket, from the plug to the pin."
METER = "The build guide lists what to measure at the socket, with what is right: hardware/guide/README.md."


def rest(visit: Visit) -> Iterator[Task]:
    """Look at all lines while nothing is plugged in: none may be low."""
    yield Task("lines at rest", partial(_rest, visit), needs=_head(visit))


def pull_ups(visit: Visit) -> Iterator[Task]:
    """Pull the line of each seat down by the Pi's own resistor: that of the board is stronger and holds it up."""
    for colour in COLOURS:
        yield Task(f"pull-up {colour}", partial(_pull_up, visit, colour))


def contacts(visit: Visit) -> Iterator[Task]:
    """Ask to touch the contact of each button with a wire from ground: its own pin must follow, alone."""
    with free_pins_watched(visit):
        for name in visit.config.buttons:
            yield Task(f"contact {name}", partial(_contact, visit, name))


def lanes(visit: Visit) -> Iterator[Task]:
    """Ask to touch the contact of each beam likewise, at the box or at its sensor head."""
    for line in visit.beams:
        yield Task(f"contact {line}", partial(_lane, visit, line), needs=_head(visit))


def lamps(visit: Visit) -> Iterator[Task]:
    """Switch each lamp's driver on, and ask where a test lamp is lit."""
    for seat, colour in enumerate(COLOURS):
        yield Task(f"lamp {colour}", partial(_lamp, visit, seat, colour))


def emitters(visit: Visit) -> Iterator[Task]:
    """Ask whether a test lamp is lit at the contact of each lane's emitters, which are on all the time."""
    lanes = visit.config.head.lanes if visit.config.head else int(visit.config.emitters is not None)
    for lane in range(1, lanes + 1):
        yield Task(f"emitters of lane {lane}", partial(_emitters, visit, lane), needs=_head(visit))


def meter(_visit: Visit) -> Iterator[Task]:
    """Name what only a meter can measure."""
    yield Task("supplies", _meter)


STEPS: dict[str, Callable[[Visit], Iterator[Task]]] = {
    "rest": rest, "pull-ups": pull_ups, "contacts": contacts, "lanes": lanes, "emitters": emitters, "lamps": lamps,
    "sounder": sounder, "display": display, "meter": meter,
}  # fmt: skip


def _rest(visit: Visit) -> Iterator[Finding]:
    config = visit.config
    low = [f"{name} on {place(pin)}" for name, pin in config.buttons.items() if name in visit.box.held()]
    dark_low = config.head.dark_low if config.head else config.dark_low
    low += sorted(visit.dark() if dark_low else set(visit.beams) - visit.dark())
    if low:
        what = f"low with nothing plugged in: {', '.join(low)}"
        yield Finding("lines at rest", "failed", what, "Look for solder between its contact and ground.")
    else:
        yield Finding("lines at rest", "ok", f"{len(config.buttons) + len(visit.beams)} high")


def _pull_up(visit: Visit, colour: str) -> Iterator[Finding]:
    line = next((line for line in visit.box.lines if line.name == colour), None)
    if line is None:
        yield Finding(f"pull-up {colour}", "failed", visit.box.device_errors.get(colour, "its pin could not be opened"))
        return
    line.pin.pull = "down"
    try:
        visit.pass_ms(SETTLE_MS)
        held_up = bool(line.pin.state)
    finally:
        line.pin.pull = "up"
        visit.pass_ms(SETTLE_MS)
    here = place(visit.config.buttons[colour])
    if held_up:
        yield Finding(f"pull-up {colour}", "ok", f"the board holds {here} up")
    else:
        yield Finding(f"pull-up {colour}", "failed", f"nothing holds {here} up", JOINTS)


def _contact(visit: Visit, name: str) -> Iterator[Finding]:
    pins = watched_pins(visit.config)
    visit.forget()
    visit.say(f"Touch the contact {name} with the wire from ground, then lift it.")
    found = judge(name, one_press(visit, list(pins)), pins, visit.config.repeat_ms)
    if found.status == "warning":  # a wire held by hand bounces
        found = replace(found, status="ok", do="")
    yield replace(found, device=f"contact {name}", do=JOINTS if found.status == "failed" else "")


def _lane(visit: Visit, line: str) -> Iterator[Finding]:
    visit.forget()
    visit.say(f"Touch the contact {line} with the wire from ground, then lift it.")
    lines = [*visit.beams, *visit.config.buttons]
    first = next(visit.edges(lines, PATIENCE_S), None)
    changed = {first.line, *(edge.line for edge in visit.edges(lines, LISTEN_S))} if first else set()
    if changed == {line}:
        yield Finding(f"contact {line}", "ok", "its own line followed, alone")
    elif line in changed:
        others = ", ".join(sorted(changed - {line}))
        yield Finding(f"contact {line}", "failed", f"{others} followed, too", "Look for solder between the two.")
    elif changed:
        what = f"{', '.join(sorted(changed))} followed in its place"
        yield Finding(f"contact {line}", "failed", what, "Did you touch the right contact? Else look at the joints.")
    else:
        yield Finding(f"contact {line}", "failed", "no line followed", JOINTS)


def _emitters(visit: Visit, lane: int) -> Iterator[Finding]:
    device = f"emitters of lane {lane}"
    if visit.ask(f"Hold the test lamp between 5 V and the contact of the {device}. Is it lit?", "Answer") == "no":
        yield Finding(device, "failed", "the test lamp is dark", JOINTS)
    else:
        yield Finding(device, "ok", "the test lamp is lit")


def _lamp(visit: Visit, seat: int, colour: str) -> Iterator[Finding]:
    lamps, here = visit.box.lamps, place(visit.config.lamps[colour])
    if trouble := lamps.device_errors.get(seat):
        yield Finding(f"lamp {colour}", "failed", trouble)
        return
    try:
        lamps.show({seat})
        question = "Hold the test lamp between 5 V and the contact of each lamp in turn."
        answer = visit.ask(f"{question} Is it lit at {colour} alone?", "Answer")
    finally:
        lamps.show(())
    if answer == "no":
        do = "Look at the joints of the driver, of its resistor and of the contact; at solder between two of them."
        yield Finding(f"lamp {colour}", "failed", f"the test lamp is dark there, or lit elsewhere, by {here}", do)
    else:
        yield Finding(f"lamp {colour}", "ok", here)


def _meter() -> Iterator[Finding]:
    what = "5 V, 3.3 V, ground and the fuses: the box runs on them, but cannot measure them"
    yield Finding("supplies", "not tested", what, METER)


def _head(visit: Visit) -> str:
    return "head" if visit.config.head else ""
