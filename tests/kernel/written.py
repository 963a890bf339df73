"""Records for tests: a header, two actions, and what replaying some lines gives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from umpi.kernel.record import Step, replay
from umpi.kernel.registry import find

HEADER = {"umpi": 1, "game": "dodekka", "players": ["Ann", "Ben"]}
DEAL = {"do": "deal", "cards": ["fire-2", "earth-2", "air-4"]}
TAKE = {"do": "take"}


def stepping(*lines: Any) -> Iterator[Step]:
    """Replay lines, each an object or the bytes of one."""
    return replay([line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines], find)


def steps(*lines: Any) -> list[Step]:
    return list(stepping(*lines))


def after(*lines: Any) -> Step:
    return steps(HEADER, *lines)[-1]
