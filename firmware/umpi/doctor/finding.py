"""One thing the doctor has found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["well", "out", "doubtful", "unproven"]


@dataclass(frozen=True, slots=True)
class Finding:
    """How it stands with a device: `what` in words, and what to `do` where something is to be done.

    "out" does not work; "doubtful" works, but not as it should; "unproven" cannot be told without somebody's hands.
    """

    device: str
    status: Status
    what: str
    do: str = ""
