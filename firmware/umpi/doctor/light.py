"""Guided check of foreign light: with the emitters off no receiver may see light, nor the emitter of another lane."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from umpi.doctor.bench import Typed
from umpi.doctor.finding import Finding
from umpi.doctor.visit import SECOND, Task, Visit

WATCH_NS = 5 * SECOND  # for the person to switch lamps on and to draw curtains
LOOK_NS = SECOND // 5
SETTLE_MS = 100  # receivers have followed their emitter by then
SHADE = "Shade it: a tube before the receiver, black tape over its back, or another place for the box."
WALL = "Put a wall between the lanes, or let emitters and receivers of neighbouring lanes alternate."


def light(visit: Visit) -> Iterator[Task]:
    """Watch the receivers while the emitters are off, and let each lane of a sensor head shine alone."""
    if visit.config.beam_lines:
        yield Task("light", partial(_light, visit), "head" if visit.config.head else "")


def _light(visit: Visit) -> Iterator[Finding]:
    if visit.config.head and visit.box.head:
        yield from _at_head(visit, visit.config.head.lanes)
    elif visit.box.emitters:
        yield from _at_pins(visit)
    else:
        yield Finding("light", "unproven", "nothing switches the emitters, so foreign light looks like their own")


def _at_pins(visit: Visit) -> Iterator[Finding]:
    emitters = visit.box.emitters
    try:
        emitters.off()
        visit.pass_ms(SETTLE_MS)
        yield from _sun(_watched(visit, visit.dark))
    finally:
        emitters.on()
    visit.pass_ms(SETTLE_MS)


def _at_head(visit: Visit, lanes: int) -> Iterator[Finding]:
    head = visit.box.head
    assert head
    every = range(1, lanes + 1)
    try:
        for lane in every:
            head.emit(lane, False)
        sunny = _watched(visit, lambda: set(head.emit(1, False) or ()))
        yield from _sun(sunny)
        for lane in every:
            on = head.emit(lane, True, mute=False)
            head.emit(lane, False)
            if on is None:
                yield Finding("light", "unproven", "the head did not answer")
                return
            seen = [line for line in visit.beams if int(line[-1]) != lane and line not in on and line not in sunny]
            if seen:
                yield Finding("light", "out", f"{', '.join(seen)} see the emitter of lane {lane}", WALL)
    finally:
        for lane in every:
            head.emit(lane, True)


def _watched(visit: Visit, dark: Callable[[], set[str]]) -> list[str]:
    """Show the levels live until Enter or for WATCH_NS; return the beams that saw light at any moment."""
    visit.say("The emitters are off. Switch on every lamp, let the sun in. Enter ends.")
    until_ns, seen, shown = visit.clock() + WATCH_NS, set[str](), ""
    while True:
        now = dark()
        seen |= set(visit.beams) - now
        state = "  ".join(f"{line} {'dark' if line in now else 'LIGHT'}" for line in visit.beams)
        if state != shown:
            visit.say(state, live=True)
            shown = state
        if visit.clock() >= until_ns:
            break
        if visit.next_input(min(visit.clock() + LOOK_NS, until_ns), enter=True) == Typed(""):
            break
    visit.say(shown)
    return [line for line in visit.beams if line in seen]


def _sun(seen: list[str]) -> Iterator[Finding]:
    if seen:
        what = f"{', '.join(seen)} saw light although all emitters were off: sun, a lamp, or a torn wire"
        yield Finding("light", "out", what, SHADE)
    else:
        yield Finding("light", "well", "no receiver sees light while the emitters are off")
