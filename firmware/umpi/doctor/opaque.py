"""Guided checks that cubes block infrared, because some dyed plastics transmit it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from umpi.box.config import COLOURS
from umpi.doctor.finding import Finding
from umpi.doctor.visit import PATIENCE_S, Task, Visit

ARRIVE_MS = 400  # the hand is at rest by then
HELD_MS = 500  # the beam must be dark for so long without a gap
OUT_S = 10.0
CLEAR = "Paint it inside, or put foil into it: by the beam it is as good as not there."


def cubes(visit: Visit) -> Iterator[Task]:
    """Ask for a cube of each colour in a beam: the beam of its own lane if there is one."""
    lines = visit.beams
    for index, colour in enumerate(COLOURS if lines else ()):
        line = own if (own := f"lane_{index + 1}") in lines else lines[0]
        yield Task(f"cube {colour}", partial(_hold, visit, colour, line), "head" if visit.config.head else "")


def _hold(visit: Visit, colour: str, line: str) -> Iterator[Finding]:
    if visit.still_dark((line,), OUT_S):
        yield Finding(f"cube {colour}", "not tested", f"{line} stayed dark", "Align it first.")
        return
    visit.forget()
    visit.say(f"Hold a {colour} cube into {line}, and keep it there.")
    if not any(edge.active for edge in visit.edges((line,), PATIENCE_S)):
        yield Finding(f"cube {colour}", "failed", f"{line} saw nothing: this colour lets infrared through", CLEAR)
        return
    visit.pass_ms(ARRIVE_MS)
    steady = line in visit.dark()
    lights = [edge for edge in visit.edges((line,), HELD_MS / 1000) if not edge.active]
    still = line in visit.dark()
    visit.say("Take it out.")
    visit.still_dark((line,), OUT_S)
    if steady and still and not lights:
        yield Finding(f"cube {colour}", "ok", "dark to infrared")
    elif len(lights) <= 1 and not still:
        what = f"{line} became light again: the cube was taken out too early, or this colour lets infrared through"
        yield Finding(f"cube {colour}", "warning", what, "Hold it again, for a second. " + CLEAR)
    else:
        what = f"{line} flickers, {len(lights)} times: this colour lets infrared through, and the cube will not be seen"
        yield Finding(f"cube {colour}", "failed", what, CLEAR)
