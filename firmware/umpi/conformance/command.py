"""The command `umpi check GAME`: run the checks of an engine, and print one line per check."""

from __future__ import annotations

import importlib
import logging
import sys
import time
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

from umpi.conformance.declaration import declared
from umpi.conformance.examine import CheckResult, examine
from umpi.conformance.exhaustive import LIMIT, enumerate_scopes
from umpi.conformance.flaws import Flawed, at_fault, fault_words
from umpi.conformance.patience import Stuck, watched
from umpi.conformance.records import check_records
from umpi.conformance.snapshot import check_snapshot, renew_snapshot
from umpi.conformance.unrun import unrun
from umpi.kernel.blame import blame, cure
from umpi.kernel.game import Game
from umpi.kernel.match import Refused
from umpi.kernel.output import put
from umpi.kernel.registry import find

log = logging.getLogger(__name__)

EVERY_S = 5
INCOMPLETE = 3


UNRUN = "neither random games nor records reach these lines, so write a record that does"


def run(
    spec: str, games: int, seed: int = 0, records: Path | None = None, snapshot: Path | None = None,
    renew: bool = False,
) -> int:  # fmt: skip
    """Check an installed game, or the class of `module:Class`, and print one line per check, with the record of a flaw.

    `records` and `snapshot` are folders to compare with the rules. `renew` writes the snapshot and checks nothing.
    Returns the exit status: 0, or 1 if a check fails, or 2 if the game cannot be found.
    """
    if (game := found_game(spec)) is None:
        return 2
    if renew and snapshot:
        if not playable(game):
            return 1
        try:
            renewed = renew_snapshot(game, snapshot, seed)
        except OSError as fault:
            put(f"FAILED snapshot: {fault.filename}: {fault.strerror}.")
            return 1
        except Exception as fault:  # the engine's own code runs
            log.debug("the rules of %s fail", game.id, exc_info=True)
            put(f"FAILED snapshot: the rules fail: {at_fault(fault, game)}. Run umpi check without --renew first.")
            return 1
        put(*renewed)
        return 0
    status = 0
    for finding in chain(examine(game, games, seed, progress=Progress()), _compared(game, records, snapshot)):
        if finding.flaw:
            status = 1
            put(f"FAILED {finding.flaw}")
        else:
            put(f"{'-' if finding.absent else 'ok':3} {finding.check:12} {finding.figures}")
    if not status:
        try:
            left = unrun(game, seed, records, Progress())
        except Flawed as flaw:
            put(f"FAILED {flaw}")
            return 1
        if left:
            put(f"    not run      {left}: {UNRUN}")
    return status


def run_exhaustive(spec: str, limit: int | None = None) -> int:
    """Enumerate the scopes of a game as `enumerate_scopes` does, and print one line per scope, or the first flaw.

    Returns the exit status: 0, or 1 if there is a flaw, or 2 if the game cannot be found, or INCOMPLETE if positions
    are left.
    """
    if (game := found_game(spec)) is None:
        return 2
    if not playable(game):
        return 1
    if not game.scopes:
        put(f"{game.title} names no scope: this is the whole game with the fewest players and its usual options.")
    status = 0
    for found in enumerate_scopes(game, limit or LIMIT, Progress()):
        put(found.text)
        if found.flaw:
            put(f"FAILED {found.flaw}")
            return 1
        status = INCOMPLETE if found.left else status
    return status


def _compared(game: type[Game], records: Path | None, snapshot: Path | None) -> Iterator[CheckResult]:
    """Compare the folders that are given with the rules, and yield a result for each."""
    for name, folder, look in (("records", records, check_records), ("snapshot", snapshot, check_snapshot)):
        if folder:
            try:
                with watched(game):
                    figures = look(game, folder)
                yield CheckResult(name, None, figures)
            except Stuck as fault:
                yield CheckResult(name, Flawed(name, f"{fault} [{blame(fault, game)}]."), "")
            except Flawed as flaw:
                yield CheckResult(name, flaw, "")
            except Exception as fault:  # the engine's own code runs
                log.debug("the rules of %s fail", game.id, exc_info=True)
                yield CheckResult(name, Flawed(name, f"The rules fail: {at_fault(fault, game)}."), "")


class Progress:
    """Print the progress of a long check on stderr, every EVERY_S seconds, with the time left if it can be known."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._begun_s = clock, clock()
        self._due_s = self._begun_s + EVERY_S

    def __call__(self, text: str, share: float = 0.0) -> None:
        """Print the progress if it is due; `share` is how much is done, from 0 to 1."""
        now_s = self._clock()
        if now_s < self._due_s:
            return
        self._due_s = now_s + EVERY_S
        left_s = round((now_s - self._begun_s) * (1 / share - 1)) if share else 0
        print(f"umpi: {text}{f', about {left_s} s left' if left_s else ''} …", file=sys.stderr, flush=True)


def found_game(spec: str) -> type[Game] | None:
    """Return an installed game or the class of `module:Class`; None if there is none, and print why."""
    try:
        return _loaded(spec) if ":" in spec else find(spec)
    except Refused as refusal:
        print(f"umpi: {refusal}", file=sys.stderr)
        return None


def playable(game: type[Game]) -> bool:
    """Return whether a class is a game that can be played; if not, print why."""
    flaw = next(iter(declared(game)), None)
    if flaw:
        put(f"FAILED {Flawed('declaration', flaw.why)}")
    return flaw is None


def _loaded(spec: str) -> type[Game]:
    """Import the class of `module:Class`, also from the current folder; raises Refused if it does not load."""
    module, _, name = spec.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        game: type[Game] = getattr(importlib.import_module(module), name)
    except (Exception, SystemExit) as fault:
        raise Refused(f"{spec} does not load: {fault_words(fault)}{cure(fault)}") from None
    return game
