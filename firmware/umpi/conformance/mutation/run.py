"""Change an engine in one place after the other, and look whether a record or a random game notices."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from math import ceil
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from umpi.conformance import offers
from umpi.conformance.edges import edge_act
from umpi.conformance.examine import unlogged
from umpi.conformance.flaws import Flawed, at_fault, fault_words
from umpi.conformance.mutation.changed import changed
from umpi.conformance.mutation.changes import Change, changes_of
from umpi.conformance.mutation.lines import Line, Ran, noted
from umpi.conformance.mutation.question import Played, Question, first_difference, said, shortened
from umpi.conformance.mutation.trial import TOO_LONG, Noticed, Open, Outcome, Same, tried
from umpi.conformance.patience import Stuck
from umpi.conformance.purity import own_modules
from umpi.conformance.records import mismatches, records_of
from umpi.conformance.shortest import found
from umpi.conformance.tables import tables, variants
from umpi.kernel import stuck
from umpi.kernel.game import Game
from umpi.kernel.match import Match
from umpi.kernel.random_games import Draw, NeverEnds, play
from umpi.kernel.record import Header, replay

WHOLE = 400  # acts of a random game with the usual options, at most
PART = 40  # acts of a game of edge values, or with other options, at most
NEAR = 4  # acts to a position that is near enough to the start
LIMIT_S, SLOWER = 10, 2  # a change may take ten seconds, and twice as long as the preparation
CALL_S = 2.0  # of processor time: the most that one call of changed rules may take

Progress = Callable[[str, float], object]


class Found(NamedTuple):
    """A change, and what was found with it."""

    change: Change
    outcome: Outcome


class _Record(NamedTuple):
    """A record of the author, and the lines of the engine that run for it."""

    name: str
    content: list[bytes]
    ran: Ran


class Mutation:
    """Try changes of one engine. `changes` are those to try, `left` is the number of others."""

    def __init__(
        self, game: type[Any], folder: Path | None, games: int, seed: int, limit: int | None, limit_s: int | None,
        progress: Progress,
    ) -> None:  # fmt: skip
        """Replay the records of a folder, play random games, and choose at most `limit` changes with the seed.

        `limit_s` is in seconds of processor time; by default it depends on how long the rules take without a change.
        Raises Flawed if the rules fail without a change.
        """
        begun_s = time.process_time()
        self.game, self._seed, self._progress = game, seed, progress
        self._modules = own_modules(game)
        self._headers = list(tables(game, [{}]))
        self.records: list[_Record] = []
        self._played: list[Played] = []
        with unlogged():
            for path, content in records_of(game, folder) if folder else ():
                self.add(str(path), content)
            self.games = 0
            for header, number, most, draw in self._plans(games):
                self._play(header, number, most, draw)
            if why := self._fault(game):
                raise Flawed("random games", f"{why} Run umpi check without --mutate first.")
        self._played.sort(key=lambda played: len(played.acts))
        kept = [each.ran for each in self.records] + [each.ran for each in self._played]
        ran = {line for each in kept for line in each.ruling}
        files = {file for file, _ in ran}
        ruling = [module for module in self._modules if module.__file__ in files]
        all_changes = [change for module in ruling for change in changes_of(module) if _runs(change, ran)]
        self.left = max(0, len(all_changes) - limit) if limit else 0
        chosen = Random(seed).sample(range(len(all_changes)), len(all_changes) - self.left)
        self._limit_s = limit_s or ceil(SLOWER * (time.process_time() - begun_s)) + LIMIT_S
        self.changes = [all_changes[number] for number in sorted(chosen)]

    def add(self, name: str, content: list[bytes]) -> None:
        """Add a record that the rules must meet from now on; raises Flawed if they do not without a change."""
        with noted(self._modules) as ran:
            for why in mismatches(content, self.game):
                raise Flawed("records", f"{name}, {why}")
        self.records.append(_Record(name, content, ran))
        *_, last = replay(content, lambda _: self.game)
        assert last.record is not None
        self._observe(last.record.match)

    def found(self) -> Iterator[Found]:
        """Try each change, and yield what was found."""
        for number, change in enumerate(self.changes):
            self._progress(f"change {number + 1:,} of {len(self.changes):,}", number / len(self.changes))
            yield Found(change, tried(partial(self._outcome, change), self._limit_s))

    def _plans(self, games: int) -> Iterator[tuple[Header, int, int, Draw | None]]:
        """Yield the random games to play: the table, the seed, the most acts, and who draws them."""
        for number in range(games):
            yield from ((header, self._seed + number, WHOLE, None) for header in self._headers)
        if not self.game.dealer:
            yield from ((header, self._seed, PART, edge_act) for header in self._headers)
        for number, header in enumerate(tables(self.game, list(variants(self.game)))):
            yield header, self._seed + number, PART, None

    def _play(self, header: Header, seed: int, most: int, draw: Draw | None) -> None:
        match = header.match()
        try:
            for _ in play(match, seed, audited=False, draw=draw):
                if len(match.acts) >= most:
                    break
        except NeverEnds:
            pass  # umpi check reports it
        self.games += 1
        self._observe(match)

    def _observe(self, match: Match) -> None:
        """Note what the rules say in each position of a match."""
        chance = Random(self._seed).random
        header = Header(match.game, match.players, match.options)
        with noted(self._modules) as ran:
            again = header.match()
            positions = []
            for act in (*match.acts, None):
                positions.append(said(again, chance, act))
                if act:
                    again.play(act)
        self._played.append(Played(header, tuple(match.acts), positions, ran))

    def _outcome(self, change: Change) -> Outcome:
        """Return what notices a change. The modules of this process change, so it must be a copy."""
        with unlogged():
            try:
                game = changed(self.game, self._modules, change)
            except Exception as fault:  # the engine's own code runs
                return Noticed("load", fault_words(fault))
            try:
                with stuck.watched(lambda: [game], Stuck, CALL_S, "umpi.conformance."):
                    return self._judged(game, change)
            except Stuck:
                return Noticed("limit", TOO_LONG)
            except MemoryError:
                raise
            except Exception as fault:  # the engine's own code runs
                return Noticed("random games", at_fault(fault, game))

    def _judged(self, game: type[Game], change: Change) -> Outcome:
        for record in self.records:
            if _runs(change, record.ran.every):
                for why in mismatches(record.content, game):
                    return Noticed("records", f"{record.name}, {why}")
        question: Question | None = None
        most = WHOLE
        for played in self._played:
            if not _runs(change, played.ran.every):
                continue
            if nearer := first_difference(played, game, most, self._seed):
                question, most = nearer, nearer.acts - 1
        if not question:
            return Same()
        if why := self._fault(game):
            return Noticed("random games", why)
        return Open(shortened(question, self.game, game, self._seed) if question.acts > NEAR else question)

    def _fault(self, game: type[Game]) -> str:
        """Play a random game at each table, and return its first fault, "" if it has none."""
        for header in self._headers:
            match = Match(game, header.players, header.options)
            try:
                for wrong in play(match, self._seed):
                    if wrong:
                        return f"Its audit says: {wrong}."
                    if flaw := found(offers.sound, match, self._seed):
                        return flaw.why
                    if len(match.acts) >= WHOLE:
                        break
            except NeverEnds as fault:
                return str(fault)
        return ""


def _runs(change: Change, ran: set[Line]) -> bool:
    """Check whether a changed expression is computed as the module loads, or by lines that run."""
    return not change.lines or any((change.file, line) in ran for line in change.lines)
