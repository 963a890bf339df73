"""The finding: one result of the doctor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "failed", "warning", "not tested"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Describe the status of a device: `what` was found, and what to `do` if anything.

    "failed" does not work. "warning" works, but has a fault. For "not tested" a person must press, look or listen.
    """

    device: str
    status: Status
    what: str
    do: str = ""
