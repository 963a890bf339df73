"""The finding: one result of the doctor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["well", "out", "doubtful", "unproven"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Describe the status of a device: `what` was found, and what to `do` if anything.

    "out" does not work. "doubtful" works, but has a fault. "unproven" needs a person to check it.
    """

    device: str
    status: Status
    what: str
    do: str = ""
