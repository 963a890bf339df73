"""The command `umpi check GAME --mutate`: print the changes of a game that nothing notices, and write records."""

from __future__ import annotations

import logging
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import chain, count, groupby
from pathlib import Path
from typing import Any

from umpi.conformance.command import INCOMPLETE, Progress, found_game, playable
from umpi.conformance.elsewhere import importable
from umpi.conformance.flaws import Flawed, at_fault
from umpi.conformance.mutation.changes import Change
from umpi.conformance.mutation.question import Question
from umpi.conformance.mutation.run import Mutation
from umpi.conformance.mutation.trial import Noticed, Open, Same
from umpi.conformance.patience import Stuck, watched
from umpi.kernel.blame import blame
from umpi.kernel.output import put

log = logging.getLogger(__name__)

UNNOTICED = 4  # the exit status if a change was noticed by nothing
SHOWN = 12  # lines of a record that are printed
YES, NO, QUIT = "y", "n", "q"
ANSWERS = "y: yes, write this record. n: no. Return: leave it open. q: end. "


def run_mutate(
    spec: str, games: int, seed: int, records: Path | None, limit: int | None, limit_s: int | None, confirm: bool
) -> int:
    """Try changes of a game as `Mutation` does, and print each that nothing notices with a question to its author.

    With `confirm`, ask each question on the terminal, and write its record into `records` after a yes.
    Returns the exit status: 0; or 1 if the rules fail without a change; or 2 if the game cannot be found or changed;
    or UNNOTICED; or INCOMPLETE if all changes were noticed, but not all were tried.
    """
    if (game := found_game(spec)) is None:
        return 2
    if not playable(game):
        return 1
    if not importable(game):
        print(f"umpi: {spec} has no file of its own, so it cannot be changed.", file=sys.stderr)
        return 2
    progress = Progress()
    try:
        with watched(game):
            mutation = Mutation(game, records, games, seed, limit, limit_s, progress)
    except Flawed as flaw:
        put(f"FAILED {flaw}")
        return 1
    except Stuck as fault:
        put(f"FAILED legality: {fault} [{blame(fault, game)}].")
        return 1
    except Exception as fault:  # the engine's own code runs
        log.debug("the rules of %s fail", game.id, exc_info=True)
        put(f"FAILED legality: The rules fail: {at_fault(fault, game)}. Run umpi check without --mutate first.")
        return 1
    known = f"records: {len(mutation.records)}; random games: {mutation.games}"
    put(f"{game.title}: {len(mutation.changes):,} changes of its rules; {known}.")
    return _Trials(mutation, records if confirm else None).run()


class _Trials:
    """Try changes, print what is found, and count it. `folder` is where confirmed records go, None if none is asked."""

    def __init__(self, mutation: Mutation, folder: Path | None) -> None:
        self._mutation, self._folder = mutation, folder
        self._noticed = Counter[str]()
        self._same: list[Change] = []
        self._open = self._confirmed = self._tried = 0

    def run(self) -> int:
        """Try all changes and return the exit status."""
        for change, outcome in self._mutation.found():
            self._tried += 1
            match outcome:
                case Noticed(by):
                    self._noticed[by] += 1
                case Same():
                    self._same.append(change)
                case Open(question):
                    if not self._doubted(change, question):
                        break
        for place, changes in groupby(self._same, where):
            first, *more = changes
            put(f"no difference   {place}: {f'{1 + len(more)} changes of the line' if more else first.text}")
        put(*self._figures())
        return UNNOTICED if self._open else INCOMPLETE if self._left else 0

    @property
    def _left(self) -> int:
        """Return how many changes were not tried: those above the limit, and those after somebody ended it."""
        return self._mutation.left + len(self._mutation.changes) - self._tried

    def _doubted(self, change: Change, question: Question) -> bool:
        """Print a change that nothing has noticed, ask for the truth, and return whether to go on."""
        put(f"NOT NOTICED     {where(change)}: {change.text}", *_shortened(question.lines), question.text)
        answer = self._answer() if self._folder else ""
        if answer == YES and self._folder and self._confirm(question, self._folder):
            return True
        if answer == NO:
            put(f"Then the rules are not what you mean. Look at {where(change)}.")
        self._open += 1
        put("")
        return answer != QUIT

    def _confirm(self, question: Question, folder: Path) -> bool:
        """Write the record of a question, and return whether that was possible; later changes must pass it."""
        try:
            path = written(question, folder)
        except OSError as fault:
            put(f"The record was not written: {fault.filename}: {fault.strerror}.")
            return False
        self._mutation.add(str(path), path.read_bytes().splitlines(keepends=True))
        self._confirmed += 1
        put(f"Wrote {path}.", "")
        return True

    def _answer(self) -> str:
        try:
            return input(ANSWERS).strip().lower()[:1]
        except EOFError:
            put("")
            return QUIT

    def _figures(self) -> Iterator[str]:
        by = ", ".join(f"{number} by {name}" for name, number in self._noticed.most_common())
        counts = [
            f"noticed {self._noticed.total()}{f' ({by})' if by else ''}", f"not noticed {self._open}",
            f"without a difference {len(self._same)}", *([f"confirmed {self._confirmed}"] if self._confirmed else ()),
            *([f"not tried {self._left}"] if self._left else ()),
        ]  # fmt: skip
        yield f"Changes: {'; '.join(counts)}."
        if self._same:
            yield "A change without a difference changes no move, total or fact in these games, as with texts."


def where(change: Change) -> str:
    """Return the file and the line of a change, as short as the current folder allows."""
    file, here = Path(change.file), Path.cwd()
    return f"{file.relative_to(here) if file.is_relative_to(here) else file}:{change.line}"


def written(question: Question, folder: Path) -> Path:
    """Write the record of a question into a new file of a folder, and return the file; raises OSError."""
    names = chain([question.name], (f"{question.name}-{number}" for number in count(2)))
    path = next(path for name in names if not (path := folder / f"{name}.jsonl").exists())
    path.write_text("".join(f"{line}\n" for line in question.lines), encoding="utf-8", newline="\n")
    return path


def _shortened(lines: tuple[str, ...]) -> Iterator[Any]:
    """Yield a record, a long one without its middle."""
    if len(lines) <= SHOWN:
        yield from lines
        return
    yield lines[0]
    yield f"… {len(lines) - SHOWN} lines …"
    yield from lines[1 - SHOWN :]
