"""Choose the tests that could know of a change: those of the quick tier that run its line, the nearest first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from scripts import REPO
from scripts.mutate.reach import LEFT_OUT, Reach
from umpi.conformance.mutation.changes import Change

STEPS = ((2.0, 2), (8.0, 12))  # so many seconds and files of tests first, then so many, then the rest
MOST_S = 60.0  # of tests per change, apart from those of near files that have changed since the last run with coverage


@dataclass(frozen=True, slots=True)
class Batch:
    """Tests that run together: their files, in order, and their names. A file as a name stands for all its tests."""

    files: list[str]
    tests: list[str]
    seconds: float


def source_of(change: Change) -> str:
    """Return the file of a change, from the top of the repository."""
    return str(Path(change.file).relative_to(REPO))


def room_of(file: str) -> str:
    """Return the room of a source."""
    return Path(file).parts[2]


def nearness(file: str, test_file: str) -> int:
    """Return 0 for a file of tests named like a source, 1 for one of its room, 2 for another."""
    if test_file == file or Path(test_file).name == f"test_{Path(file).stem}.py":
        return 0
    room = room_of(file)
    return 1 if test_file.startswith((f"tests/{room}/", f"firmware/umpi/{room}/")) else 2


def reaching(change: Change, reach: Reach) -> set[str]:
    """Return the tests that run a change, as far as the last run with coverage knows.

    A line that runs as its module loads is for all tests that run any line of the module.
    """
    file = source_of(change)
    lines = reach.lines(file)
    found: set[str] = set()
    if reach.is_as_noted(file):
        for line in change.lines or (change.line,):
            found |= lines.get(line, set())
    if "" in found or not found:
        found = set().union(*lines.values())
    return found - {""}


def unnoted(reach: Reach) -> list[str]:
    """List the files of tests that have changed since the last run with coverage."""
    files = (str(file.relative_to(REPO)) for file in sorted((REPO / "tests").rglob("test_*.py")))
    return [file for file in files if not file.startswith(LEFT_OUT) and not reach.is_as_noted(file)]


def batches(change: Change, reach: Reach) -> tuple[list[Batch], int]:
    """Choose the tests for a change; return also how many more would run it that take too long together."""
    file = source_of(change)
    if file.endswith(".js"):
        whole, tests = near_javascript(file), set[str]()
    else:
        whole, tests = [each for each in unnoted(reach) if nearness(file, each) < 2], reaching(change, reach)
        whole = whole if tests else of_room(file)  # other processes may run it
    by_file: dict[str, list[str]] = {each: [each] for each in whole}
    for test in tests:
        if (test_file := test.partition("::")[0]) not in whole and (REPO / test_file).exists():
            by_file.setdefault(test_file, []).append(test)
    return _packed(file, by_file, reach)


def of_room(file: str) -> list[str]:
    """List the files of the tests of a source's room."""
    return [str(each.relative_to(REPO)) for each in sorted((REPO / "tests" / room_of(file)).rglob("test_*.py"))]


def near_javascript(file: str) -> list[str]:
    """List the files of tests that could know of a change of a page's module: those that name it, and the units."""
    stem = Path(file).stem
    folder = REPO / "tests" / room_of(file)
    named = [each for each in sorted(folder.rglob("test_*.py")) if f"{stem}.js" in each.read_text("utf-8")]
    units = [each for each in folder.rglob("test_units.py") if each not in named]
    return [str(each.relative_to(REPO)) for each in units + named]


def _packed(file: str, by_file: dict[str, list[str]], reach: Reach) -> tuple[list[Batch], int]:
    def cost(tests: Iterable[str]) -> float:
        return sum(reach.seconds[test] if test in reach.seconds else reach.seconds_of(test) for test in tests)

    order = sorted(by_file, key=lambda each: (nearness(file, each), cost(by_file[each]), each))
    made, left, spent = [Batch([], [], 0.0)], 0, 0.0
    for test_file in order:
        kept = []
        for test in sorted(by_file[test_file], key=lambda test: (cost([test]), test)):
            if spent + cost([test]) > MOST_S and not (test == test_file and nearness(file, test_file) < 2):
                left += 1
                continue
            kept.append(test)
            spent += cost([test])
        if not kept:
            continue
        last = made[-1]
        if len(made) <= len(STEPS) and last.files:
            seconds, files = STEPS[len(made) - 1]
            if len(last.files) >= files or last.seconds + cost(kept) > seconds:
                made.append(last := Batch([], [], 0.0))
        made[-1] = Batch([*last.files, test_file], [*last.tests, *kept], last.seconds + cost(kept))
    return [each for each in made if each.files], left
