"""The revision of the drawings, by the letter of their numbers. Raise it when a part changes its shape."""

from __future__ import annotations

from typing import NamedTuple


class Revision(NamedTuple):
    """A revision and its date."""

    name: str
    date: str


REVISIONS = {
    "B": Revision("C", "2026-11-28"),  # printed circuit boards: plug for the colour sensor, second ground
    "C": Revision("D", "2026-11-28"),  # case: no gate board in it, the cable of the colour sensor leaves at the rear
    "G": Revision("C", "2026-11-28"),  # gate: holes for the gate board; pocket of the beam boards 0.2 mm deeper
    "W": Revision("A", "2026-11-22"),  # wall
}
DRAFT = Revision("–", "draft")


def revision_of(number: str) -> Revision:
    """Return the revision of a sheet's number, such as C-3."""
    return REVISIONS.get(number.partition("-")[0], DRAFT)
