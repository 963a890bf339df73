"""What is tried in which guest, in what order: all of it, or the short form."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

# In virtual time, so that tosses have their true gaps. The short form is what has its marks.
SHORT = ("dohdles-one-lane", "dohdles-six-lanes", "dohdles-head", "dodeka")
LONG = (
    "dohdles-rail", "dohdles-no-funnel", "battledodes", "dodekka", "dodekka-scanner", "dudab-buba", "quiz", "scorepad",
    "set-up", "learn-battledodes", "learn-dodeka", "learn-dodekka", "learn-dohdles", "learn-dudab-buba",
    "dohdles-one-lane on lgpio", "dodeka on rpigpio",
)  # fmt: skip
FAULTS = ("lines stuck", "panel unplugged", "service killed", "engine fails")
# On two processors, in time as it comes
STOCK = "stock gpiozero devices"
REAL_PINS = {"gpiozero's own tests of pins": "umpi", "gpiozero's own tests of pins on lgpio": "lgpio"}  # by factory
EXACT, ORDINARY = "exact", "ordinary"  # the time of a guest, as it is told
SESSIONS = "sessions"  # the folder, beside the results, of what a box recorded while a scenario was played
CUT_LINE = "Cut the power."  # says the guest when it may be
CUT = ("before the power cut", "after the power cut")


@dataclass(frozen=True, slots=True)
class Part:
    """What is tried in one guest; `exact` in virtual time, `disk` with a disk that lives on."""

    title: str
    names: Sequence[str]
    exact: bool = False
    disk: bool = False


def plan(short: bool = False, only: Collection[str] = ()) -> list[Part]:
    """List the guests; with `only` what is named, and guests in which that is nothing are left out."""
    boxes = (*SHORT, *FAULTS) if short else (*SHORT, *LONG, *FAULTS)
    parts = [
        Part("boxes in virtual time", boxes, exact=True),
        Part("pins, and a box until the power is cut", (STOCK, *(() if short else REAL_PINS), CUT[0]), disk=True),
        Part("that box after the power cut", CUT[1:], exact=True, disk=True),
    ]
    kept = [replace(part, names=[name for name in part.names if not only or name in only]) for part in parts]
    return [part for part in kept if part.names]
