"""Try an act in a match, and read an act from its line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from umpi.kernel import Act, Match, Refused


def accepts(match: Match, act: Act) -> bool:
    """Return whether the rules accept an act; the match stays as it was."""
    try:
        match.play(act)
    except Refused:
        return False
    match.undo()
    return True


def act_of(line: Mapping[str, Any]) -> Act:
    """Return the act of a line of a record."""
    return Act(line["do"], {name: value for name, value in line.items() if name != "do"})
