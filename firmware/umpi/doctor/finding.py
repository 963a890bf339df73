"""The finding: one result of the doctor."""

from __future__ import annotations

from typing import Literal

from umpi.frozen import frozen

Status = Literal["ok", "failed", "warning", "not tested"]


@frozen
class Finding:
    """Describe the status of a device: `what` was found, and what to `do` if anything.

    "failed" does not work. "warning" works, but has a fault. For "not tested" a person must press, look or listen.
    """

    device: str
    status: Status
    what: str
    do: str = ""
