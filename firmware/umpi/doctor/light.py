"""Guided check of foreign light: with the emitters off no receiver may see light, nor the emitter of another lane.

A sensor head lets each lane shine alone. One pin switches all emitters together, so the person covers them instead.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial

from umpi.doctor.bench import Typed
from umpi.doctor.finding import Finding
from umpi.doctor.visit import PATIENCE_S, Task, Visit
from umpi.timing.units import S

WATCH_NS = 5 * S  # for the person to switch lamps on and to draw curtains
LOOK_NS = S // 5
SETTLE_MS = 100  # receivers have followed their emitter by then
WATCHED_S = 1.0  # light that comes and goes shows in that time
CLEAR_S = 10.0  # for people to remove the cover
SHADE = "Shade it: a tube before the receiver, black tape over its back, or another place for the box."
WALL = "Put a wall between the lanes, or let emitters and receivers of neighbouring lanes alternate."


def light(visit: Visit) -> Iterator[Task]:
    """Watch the receivers while the emitters are off, then look for light from the emitters of other lanes."""
    if visit.config.beam_lines:
        yield Task("light", partial(_light, visit), "head" if visit.config.head else "")


def _light(visit: Visit) -> Iterator[Finding]:
    if visit.config.head and visit.box.head:
        yield from _at_head(visit, visit.config.head.lanes)
    elif visit.box.emitters:
        yield from _at_pins(visit)
    else:
        yield Finding("light", "not tested", "nothing switches the emitters, so foreign light looks like their own")


def _at_pins(visit: Visit) -> Iterator[Finding]:
    emitters = visit.box.emitters
    try:
        emitters.off()
        visit.pass_ms(SETTLE_MS)
        sunny = _watched(visit, visit.dark)
    finally:
        emitters.on()
    visit.pass_ms(SETTLE_MS)
    yield from _sun(sunny)
    yield from _crossed(visit, sunny)


def _crossed(visit: Visit, sunny: Collection[str]) -> Iterator[Finding]:
    """Let the person cover one lane's emitters at a time: a receiver that stays light then sees another lane's."""
    lanes = sorted({line[-1] for line in visit.beams})
    for lane in lanes if len(lanes) > 1 else ():
        own = [line for line in visit.beams if line[-1] == lane and line not in sunny]
        visit.say(f"Cover every emitter of lane {lane} with something opaque, right before it. Then press Enter.")
        until_ns = visit.clock() + round(PATIENCE_S * S)
        while (event := visit.next_input(until_ns, enter=True)) != Typed(""):
            if event is None:
                yield Finding("light", "not tested", f"nobody covered the emitters of lane {lane}")
                return
        seen, edges = set(own) - visit.dark(), list(visit.edges(own, WATCHED_S))
        seen |= {edge.line for edge in edges}
        if seen:
            what = f"{', '.join(sorted(seen))} saw light although every emitter of lane {lane} was covered"
            yield Finding("light", "failed", f"{what}: it comes from another lane", WALL)
        visit.say("Uncover them.")
        visit.still_dark(own, CLEAR_S)


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
            on = head.emit(lane, True)
            head.emit(lane, False)
            if on is None:
                yield Finding("light", "not tested", "the head did not answer")
                return
            seen = [line for line in visit.beams if int(line[-1]) != lane and line not in on and line not in sunny]
            if seen:
                yield Finding("light", "failed", f"{', '.join(seen)} see the emitter of lane {lane}", WALL)
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
        yield Finding("light", "failed", what, SHADE)
    else:
        yield Finding("light", "ok", "no receiver sees light while the emitters are off")
