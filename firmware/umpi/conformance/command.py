"""`umpi check GAME`: the checks of an engine on the terminal, a line each."""

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
    """Check an installed game, or that of `module:Class`, and print a line a check, the records of flaws after it.

    Returns the exit status: 0, 1 where a check fails, 2 where the game cannot be found.
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
    """Prints on stderr how far a long check has come, every few seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._due_s = clock, clock() + EVERY_S

    def __call__(self, told: str) -> None:
        """Hear how far it has come."""
        if self._clock() >= self._due_s:
            self._due_s = self._clock() + EVERY_S
            print(f"umpi: {told} …", file=sys.stderr, flush=True)


def _loaded(spec: str) -> type[Game]:
    """Import the class of `module:Class`, from the current folder too."""
    module, _, name = spec.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        game: type[Game] = getattr(importlib.import_module(module), name)
    except (Exception, SystemExit) as fault:
        raise Refused(f"{spec} does not load: {told(fault)}") from None
    return game
