"""List what runs in which guest, in order: everything, or the short form."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

STAMPS, REFUSALS = "stamps on rpigpio", "refusals on rpigpio"
# These run in virtual time, so that tosses have exact gaps
SHORT = ("dohdles-one-lane", "every-button on rpigpio")
LONG = (
    "dohdles-six-lanes", "dohdles-head", "dodeka", "dohdles-rail", "dohdles-no-funnel", "dohdles-printed",
    "battledodes", "dodekka", "dodekka-scanner", "dudab-buba", "quiz", "scorepad", "set-up",
    "learn-battledodes", "learn-dodeka", "learn-dodekka", "learn-dohdles", "learn-dudab-buba",
    "dohdles-one-lane on lgpio", STAMPS, REFUSALS, "every-button", "every-button on rpi-lgpio",
    "dodeka on rpigpio",
)  # fmt: skip
FAULTS = ("lines stuck", "panel unplugged", "service killed", "engine fails")
# These run on two emulated processors, in ordinary time
STOCK = "stock gpiozero devices"
REAL_PINS = {"gpiozero's own tests of pins": "umpi", "gpiozero's own tests of pins on lgpio": "lgpio"}  # by factory
EXACT, ORDINARY = "exact", "ordinary"  # the clock of a guest
SESSIONS = "sessions"  # the folder of the session files, beside the results
CALLS = "calls"  # the folder of the calls of RPi.GPIO, there too
CUT_LINE = "Cut the power."  # the guest prints this line when its power may be cut
CUT = ("before the power cut", "after the power cut")


@dataclass(frozen=True, slots=True)
class Part:
    """What runs in one guest: `exact` in virtual time, `disk` with a disk that is kept between guests."""

    title: str
    names: Sequence[str]
    exact: bool = False
    disk: bool = False


def plan(short: bool = False, only: Collection[str] = ()) -> list[Part]:
    """List the guests; with `only`, list those in which something named runs, and only what is named."""
    boxes = (*SHORT, *FAULTS) if short else (*SHORT, *LONG, *FAULTS)
    parts = [
        Part("boxes in virtual time", boxes, exact=True),
        Part("pins, and a box until the power is cut", (STOCK, *(() if short else REAL_PINS), CUT[0]), disk=True),
        Part("the same box after the power cut", CUT[1:], exact=True, disk=True),
    ]
    kept = [replace(part, names=[name for name in part.names if not only or name in only]) for part in parts]
    return [part for part in kept if part.names]
