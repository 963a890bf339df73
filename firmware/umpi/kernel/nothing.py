"""The callback of a caller that wants to hear of nothing."""

from __future__ import annotations


def nothing(*_: object) -> None:
    """Do nothing."""
