"""Note which tests of the quick tier run which lines: a run with coverage, kept in .venv until it is made again."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from scripts import REPO

FOLDER = REPO / ".venv" / "umpi-reach"
LINES, TESTS = FOLDER / "lines", FOLDER / "tests.json"
SOURCES = REPO / "firmware" / "umpi"
LEFT_OUT = ("tests/hardware", "tests/hil", "tests/repository")  # they draw, boot machines, or read the source as text


def print_of(file: Path) -> str:
    """Return a hash of a file as it is now, "" if there is none."""
    return sha256(file.read_bytes()).hexdigest() if file.exists() else ""


@dataclass(eq=False)  # so that it can be a key of a cache
class Reach:
    """What a run has noted. Files are relative to the repository.

    `seconds` are of the tests that pass, by their names. `prints` are of the sources and of the files of tests.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    prints: dict[str, str] = field(default_factory=dict)

    def is_as_noted(self, file: str) -> bool:
        """Check whether a file has not changed since."""
        return self.prints.get(file) == print_of(REPO / file)

    def seconds_of(self, file: str) -> float:
        """Return what all tests of a file take, at least a second."""
        return max(1.0, sum(seconds for test, seconds in self.seconds.items() if test.startswith(f"{file}::")))

    @cache  # noqa: B019 - one Reach lives as long as the program
    def lines(self, file: str) -> dict[int, set[str]]:
        """Return the passing tests that run each line of a source; "" is a line that runs as its module loads."""
        from coverage import CoverageData

        data = CoverageData(basename=str(LINES))
        data.read()
        ran = data.contexts_by_lineno(str(REPO / file))
        return {line: {test for test in tests if test in self.seconds or not test} for line, tests in ran.items()}


def noted() -> Reach | None:
    """Return what the last run has noted, None if there was none."""
    return Reach(**json.loads(TESTS.read_text(encoding="utf-8"))) if TESTS.exists() else None


class _Noting:
    """A plugin of pytest: each test is a context of the coverage."""

    def __init__(self, coverage: Any) -> None:
        self._coverage, self.seconds, self._failed = coverage, dict[str, float](), set[str]()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Begin the context of a test, before its fixtures."""
        self._coverage.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Add what a phase of a test took."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if not report.passed:
            self._failed.add(report.nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """End the context of a test, and forget it if it has not passed."""
        self._coverage.switch_context("")
        if nodeid in self._failed:
            self.seconds.pop(nodeid, None)


def note(words: Sequence[str] = ()) -> None:
    """Run the quick tier, and keep what it has noted. Runs in a process of its own: nothing of Umpi may be loaded."""
    import pytest
    from coverage import Coverage

    os.environ.update(UMPI_TESTS="quick", CI="1")
    FOLDER.mkdir(exist_ok=True)
    files = [file for folder in (SOURCES, REPO / "tests") for file in sorted(folder.rglob("*.py"))]
    prints = {str(file.relative_to(REPO)): print_of(file) for file in files}
    LINES.unlink(missing_ok=True)
    coverage = Coverage(data_file=str(LINES), source=[str(SOURCES)], config_file=False, messages=False)
    noting = _Noting(coverage)
    coverage.start()
    left_out = [f"--ignore={folder}" for folder in LEFT_OUT]
    pytest.main(["-p", "no:cacheprovider", "-p", "no:cov", *left_out, *words], plugins=[noting])
    coverage.stop()
    coverage.save()
    kept = {"seconds": {test: round(seconds, 3) for test, seconds in noting.seconds.items()}, "prints": prints}
    TESTS.write_text(json.dumps(kept), encoding="utf-8")


if __name__ == "__main__":
    note(sys.argv[1:])
