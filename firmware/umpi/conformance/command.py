"""The command `umpi check GAME`: run the checks of an engine, and print one line per check."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable

from umpi.conformance.examine import examine
from umpi.conformance.flaws import told
from umpi.kernel.game import Game
from umpi.kernel.match import Refused
from umpi.kernel.registry import find

EVERY_S = 5


def run(spec: str, games: int = 2, seed: int = 0) -> int:
    """Check an installed game, or the class of `module:Class`, and print one line per check, with the record of a flaw.

    Returns the exit status: 0, or 1 if a check fails, or 2 if the game cannot be found.
    """
    try:
        game = _loaded(spec) if ":" in spec else find(spec)
    except Refused as refusal:
        print(f"umpi: {refusal}", file=sys.stderr)
        return 2
    status = 0
    for finding in examine(game, games, seed, progress=Progress()):
        if finding.flaw:
            status = 1
            print(f"FAILED {finding.flaw}")
        else:
            print(f"ok  {finding.check:12} {finding.figures}")
    return status


class Progress:
    """Print the progress of a long check on stderr, every EVERY_S seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._due_s = clock, clock() + EVERY_S

    def __call__(self, told: str) -> None:
        """Print the progress if it is due."""
        if self._clock() >= self._due_s:
            self._due_s = self._clock() + EVERY_S
            print(f"umpi: {told} …", file=sys.stderr, flush=True)


def _loaded(spec: str) -> type[Game]:
    """Import the class of `module:Class`, also from the current folder; raises Refused if it does not load."""
    module, _, name = spec.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        game: type[Game] = getattr(importlib.import_module(module), name)
    except (Exception, SystemExit) as fault:
        raise Refused(f"{spec} does not load: {told(fault)}") from None
    return game
