"""Start a Dohdles on a box with a sensor head, up to the first question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.kit.rig import Rig, Rigs
from umpi.box.config import Config
from umpi.simulator.virtual import with_head

DOHDLES = "red blue yellow ok ok red"  # the presses up to the first question: Red has moved B1, so Blue may not guess
BOARD = {"board": json.loads((Path(__file__).parents[1] / "scenarios" / "board.json").read_text())}


def first_question(rigs: Rigs, lanes: int, **devices: Any) -> Rig:
    """Return a box with so many lanes at its head, and other devices, at the first question of a Dohdles."""
    rig = rigs(head=with_head(Config(), lanes).head, options=BOARD, **devices)
    rig.wait_ms(1000)
    rig.start("dohdles", DOHDLES)
    return rig


def toss(rig: Rig, *cubes: str, gap_ms: float = 60) -> None:
    """Toss cubes and wait until they are certain."""
    rig.box.toss(cubes, gap_ms=gap_ms)
    rig.wait_ms(1500)
