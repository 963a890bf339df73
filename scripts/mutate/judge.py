"""Try one change: its tests of the quick tier, all their cases, the full tier if asked for it, then mypy."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from scripts.mutate.choice import batches, of_room, source_of
from scripts.mutate.reach import Reach
from scripts.mutate.tree import Tree
from scripts.mutate.trial import Part, ran
from umpi.conformance.mutation.changes import Change

START_S, SLOWER = 30.0, 5.0  # tests may take so long, and so many times as long as without the change
DRAWN = ("mark.slow", "mark.parametrize", "sampled(")  # of these tests, the quick tier runs none, or some cases
CASES_S = 90.0  # of all cases; the nearest tests first
FULL_S, FULL_FILES = 300.0, 8  # of the full tier


@dataclass(frozen=True, slots=True)
class Verdict:
    """What tests have said of a change.

    `by` is the test that failed, or mypy, "" if nothing did. `late`: the tests did not end, though they end in the
    same time without the change, which counts as noticed. `passed` counts tests, `left` those that run the change but
    were not tried.
    """

    change: Change
    by: str = ""
    why: str = ""
    late: bool = False
    part: Part | Literal["types"] = "quick"
    passed: int = 0
    left: int = 0
    files: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def killed(self) -> bool:
        """Whether a test has noticed the change."""
        return bool(self.by) or self.late


def judged(tree: Tree, change: Change, reach: Reach, full: bool, without: frozenset[str] = frozenset()) -> Verdict:
    """Try a change in a copy of the repository; `without` are tests that cannot be trusted."""
    begun_s = time.monotonic()
    chosen, left = batches(change, reach)
    files = tuple(dict.fromkeys(file for batch in chosen for file in batch.files))
    verdict = Verdict(change, left=left, files=files)
    file = source_of(change)
    changed = change.applied((tree.root / file).read_bytes())
    for batch in chosen:
        limit_s = START_S + SLOWER * batch.seconds
        there = [test_file for test_file in batch.files if (tree.root / test_file).exists()]  # as it was copied
        trial = partial(ran, tree.root, there, batch.tests, "quick", limit_s, set(without))
        with tree.changed(file, changed):
            found = trial()
        late = found.late and not trial().late  # on a busy machine, tests may not end without the change either
        passed = verdict.passed + found.passed
        verdict = replace(verdict, by=found.failed, why=found.why, late=late, passed=passed)
        if verdict.killed:
            return replace(verdict, seconds=time.monotonic() - begun_s)
    with tree.changed(file, changed):
        verdict = _by_cases(tree, verdict, [test for batch in chosen for test in batch.tests], without)
        if full and not verdict.killed:
            verdict = _in_full(tree, verdict, without)
        if not verdict.killed and (why := refused_by_types(tree, file)):
            verdict = replace(verdict, by="mypy", why=why, part="types")
    return replace(verdict, seconds=time.monotonic() - begun_s)


def _by_cases(tree: Tree, verdict: Verdict, tests: Sequence[str], without: frozenset[str]) -> Verdict:
    """Run all cases of tests, with as many examples as in the full tier; time that is up proves nothing here."""
    files = [file for file in verdict.files if (tree.root / file).exists()]
    names = list(dict.fromkeys(test.partition("[")[0] for test in tests))
    if not files:
        return verdict
    found = ran(tree.root, files, names, "cases", CASES_S, set(without))
    verdict = replace(verdict, passed=max(verdict.passed, found.passed))
    return replace(verdict, by=found.failed, why=found.why, part="cases") if found.failed else verdict


def _in_full(tree: Tree, verdict: Verdict, without: frozenset[str]) -> Verdict:
    """Run the nearest files of a change in the full tier, then the room's files of which the quick tier draws a part.

    Among those are the tests of what somebody has looked at. Time that is up proves nothing here.
    """
    end_s = time.monotonic() + FULL_S
    room = of_room(source_of(verdict.change))
    drawn = [file for file in room if any(each in (tree.root / file).read_text(encoding="utf-8") for each in DRAWN)]
    for file in dict.fromkeys([*verdict.files[:FULL_FILES], *drawn]):
        if (left_s := end_s - time.monotonic()) <= 0:
            break
        found = ran(tree.root, [file], None, "full", left_s, set(without))
        verdict = replace(verdict, passed=verdict.passed + found.passed)
        if found.failed:
            return replace(verdict, by=found.failed, why=found.why, part="full")
    return verdict


def refused_by_types(tree: Tree, file: str) -> str:
    """Return what mypy says of a Python source; "" if it says nothing. The first call in a copy takes a minute."""
    if not file.endswith(".py"):
        return ""
    mypy = [sys.executable, "-m", "mypy", "--no-error-summary", file]
    read = subprocess.run(mypy, cwd=tree.root, check=False, capture_output=True, text=True)
    return read.stdout.partition("\n")[0] if read.returncode == 1 else ""
