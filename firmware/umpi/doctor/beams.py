"""Guided checks of the beams: alignment, each beam blocked, and each emitter switched off."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from umpi.doctor.bench import Typed
from umpi.doctor.finding import Finding
from umpi.doctor.resolution import resolution
from umpi.doctor.visit import PATIENCE_S, Task, Visit
from umpi.drivers.head import prove
from umpi.timing.units import S

LIGHT_NS = 3 * S  # all beams light for so long count as aligned
LOOK_NS = S // 2
GATHER_S = 0.3  # beams that become dark within it count as dark together with the blocked one
CLEAR_S = 10.0  # for people to remove their hands
SETTLE_MS = 100  # receivers have followed their emitter by then


def beams(visit: Visit) -> Iterator[Task]:
    """Align the beams, block each one, switch their emitters, and measure the resolution of their time stamps."""
    needs = "head" if visit.config.head else ""
    if visit.config.beam_lines:
        yield Task("beams", partial(_align, visit), needs)
        for line in visit.config.beam_lines:
            yield Task(f"beam {line}", partial(_block, visit, line), needs)
        yield Task("emitters", partial(_emitters, visit), needs)
        yield Task("resolution", partial(resolution, visit), needs)


def _align(visit: Visit) -> Iterator[Finding]:
    lines = visit.beams
    visit.say("Align the beams, until all are light for three seconds; Enter goes on as they are.")
    shown, since_ns = "", visit.clock()
    while True:
        dark = visit.dark()
        state = "  ".join(f"{line} {'DARK' if line in dark else 'light'}" for line in lines)
        if state != shown:
            visit.say(state, live=True)
            shown, since_ns = state, visit.clock()
        until_ns = visit.clock() + LOOK_NS if dark else since_ns + LIGHT_NS
        event = visit.next_input(until_ns, enter=True)
        if event == Typed("") or (event is None and not dark):
            break
    visit.say(shown)
    if dark := visit.dark():
        names = ", ".join(line for line in lines if line in dark)
        other = "low" if (visit.config.head or visit.config).dark_low is False else "high"
        section = "head" if visit.config.head else "beams"
        do = "Align them; look at the receiver's supply and pull-up."
        if len(dark) == len(lines):
            do += f' Where they are dark the wrong way round, write dark = "{other}" under [{section}] of umpi.toml.'
        yield Finding("beams", "failed", f"dark: {names}", do)
    else:
        yield Finding("beams", "ok", "all are light")


def _block(visit: Visit, line: str) -> Iterator[Finding]:
    if line in visit.box.device_errors:
        yield Finding(f"beam {line}", "failed", visit.box.device_errors[line])
        return
    if visit.still_dark((line,), CLEAR_S):
        yield Finding(f"beam {line}", "failed", "it stayed dark", "Take out what stands in it, and align it.")
        return
    lines = visit.beams
    visit.forget()
    visit.say(f"Block {line} alone, with something narrow.")
    first = next((edge for edge in visit.edges(lines, PATIENCE_S) if edge.active), None)
    if first is None:
        do = "Look whether light comes past what blocks it, at the receiver's wire: a torn one reads light."
        yield Finding(f"beam {line}", "failed", "nothing went dark", do)
        return
    edges = [first, *visit.edges(lines, GATHER_S)]
    seen = list(dict.fromkeys(edge.line for edge in edges if edge.active))
    visit.say("Take it out.")
    stuck = visit.still_dark((line,), CLEAR_S)
    others = ", ".join(other for other in seen if other != line)
    if line not in seen:
        what = f"{others} went dark instead: are {line} and {seen[0]} exchanged?"
        yield Finding(f"beam {line}", "failed", what, "Exchange their wires, or their pins in umpi.toml.")
    elif others:
        do = "Block one beam only. If it was: let each receiver see its own emitter alone, by a tube or a wall."
        yield Finding(f"beam {line}", "warning", f"{others} went dark with it", do)
    elif stuck:
        yield Finding(f"beam {line}", "failed", "it did not become light again", "Take it out, and align it.")
    else:
        yield Finding(f"beam {line}", "ok", "it goes dark alone, and light again")


def _emitters(visit: Visit) -> Iterator[Finding]:
    visit.say("Keep the beams clear.")
    if dark := visit.still_dark(visit.beams, CLEAR_S):
        yield Finding("emitters", "not tested", f"{dark} stayed dark", "Clear the beams, align them.")
        return
    if visit.box.head and visit.config.head:
        for line, trouble in prove(visit.box.head, visit.config.head.lanes).items():
            yield Finding(f"beam {line}", "failed" if trouble else "ok", trouble or "it goes dark with its emitter off")
        return
    emitters = visit.box.emitters
    if visit.config.emitters is None:
        yield Finding(
            "emitters",
            "not tested",
            "nothing switches them, so that a receiver with a torn wire reads light for ever",
            "Switch them by a transistor at a free pin, and write emitters = PIN under [beams] of umpi.toml.",
        )
        return
    if emitters is None:
        yield Finding("emitters", "failed", visit.box.device_errors.get("emitters", "their pin could not be had"))
        return
    try:
        emitters.off()
        visit.pass_ms(SETTLE_MS)
        off = visit.dark()
    finally:
        emitters.on()
    visit.pass_ms(SETTLE_MS)
    on = visit.dark()
    for line in visit.beams:
        if line not in off:
            what = "light although its emitter is off: daylight, a torn wire, or an emitter that is not switched"
            yield Finding(f"beam {line}", "failed", what, "Look at its wires; shade it.")
        elif line in on:
            yield Finding(f"beam {line}", "failed", "dark although its emitter is on again", "Align it.")
        else:
            yield Finding(f"beam {line}", "ok", "it goes dark with its emitter off")
