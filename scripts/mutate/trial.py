"""Run tests in a copy of this process, in which pytest is loaded and Umpi is not; it may hang or end."""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
import time
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NoReturn, get_args

import hypothesis
import pytest

from scripts import REPO
from tests.kit.collecting import SLOW

Part = Literal["quick", "cases", "full"]  # the quick tier; the full one without its slow tests; the full one
PARTS = get_args(Part)
OURS = ("umpi", "tests", "scripts", "hardware")  # packages that are loaded from the copy of the repository
NOT_BEGUN = (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERNAL_ERROR)  # what conftest.py imports is broken
WARM = (  # what many tests import, loaded once
    "_pytest.doctest", "hypothesis.stateful", "httpx", "starlette.applications", "starlette.testclient", "uvicorn",
    "PIL.Image", "PIL.ImageDraw", "gpiozero.pins.mock", "luma.oled.device", "cryptography.x509", "segno",
    "sqlite3", "asyncio", "jsonschema", "serial",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ran:
    """What tests have shown: the first that failed, "" if none did, and why; how many passed; whether time was up."""

    failed: str
    why: str
    passed: int
    late: bool = False


class _Chosen:
    """A plugin of pytest: only the chosen tests, in their order, and no search for the smallest example."""

    def __init__(self, files: Sequence[str], chosen: Sequence[str] | None, part: Part, without: set[str]) -> None:
        self._part = part
        self._files = {file: place for place, file in enumerate(files)}
        self._chosen = None if chosen is None else {test: place for place, test in enumerate(chosen)}
        self._without = without
        self.failed = self.why = ""
        self.passed = 0

    def pytest_configure(self) -> None:
        """Let Hypothesis stop at the first example that fails."""
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        hypothesis.settings.register_profile("mutate", hypothesis.settings(), phases=phases)
        hypothesis.settings.load_profile("mutate")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
        """Keep the chosen tests, after the tier has made its choice: a case may be chosen by the name of its test."""
        kept = [item for item in items if item.nodeid not in self._without]
        if self._part == "cases":
            kept = [item for item in kept if not item.get_closest_marker("slow")]
        if (chosen := self._chosen) is not None:
            places = [(self._place(item.nodeid, chosen), item) for item in kept]
            kept = [item for place, item in sorted(places, key=lambda each: each[0]) if place[1] >= 0]
        items[:] = kept

    def _place(self, test: str, chosen: dict[str, int]) -> tuple[int, int]:
        """Return the place of a test's file and its own in that; -1 if it is not chosen."""
        file = test.partition("::")[0]
        name = next((name for name in (test, test.partition("[")[0], file) if name in chosen), "")
        return self._files[file], chosen.get(name, -1)

    def pytest_collectreport(self, report: Any) -> None:
        """Note a file that cannot be loaded."""
        if report.failed and not self.failed:
            self.failed, self.why = report.nodeid, _last_line(report)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Count what passes, and note what fails."""
        if report.failed and not self.failed:
            self.failed, self.why = report.nodeid, _last_line(report)
        self.passed += report.when == "call" and report.passed


def _last_line(report: Any) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    lines = (crash.message if crash else str(report.longrepr)).strip().splitlines()
    return lines[0][:200] if lines else ""


def warm_up() -> None:
    """Load what many tests import."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pytest shows them
        for name in WARM:
            with suppress(ImportError):
                import_module(name)
    gc.freeze()


def ran(
    root: Path, files: Sequence[str], tests: Sequence[str] | None, part: Part, limit_s: float, without: set[str]
) -> Ran:
    """Run tests of these files below `root`, all or only those named, until one fails or the time is up."""
    if part == "quick":  # a file whose tests are all slow is not collected there, and would end it
        files = [file for file in files if not SLOW.search((root / file).read_text(encoding="utf-8", errors="replace"))]
        if not files:
            return Ran("", "", 0)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _run(root, files, _Chosen(files, tests, part, without), "quick" if part == "quick" else "full", writing)
    os.close(writing)
    answer, late = b"", False
    try:
        with open(reading, "rb", buffering=0) as pipe:
            end = time.monotonic() + limit_s
            while not late:
                ready, _, _ = select.select([pipe], [], [], max(0.0, end - time.monotonic()))
                if not ready:
                    late = True
                elif piece := pipe.read(65536):
                    answer += piece
                else:
                    break
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # with the programs that its tests have started
        os.waitpid(child, 0)
    if late:
        return Ran("", "", 0, late=True)
    if not answer:
        return Ran(files[0], "Python ends.", 0)
    return Ran(*json.loads(answer))


def _run(root: Path, files: Sequence[str], chosen: _Chosen, tier: str, writing: int) -> NoReturn:
    """Run pytest, write what it has found and end this process."""
    try:
        os.setsid()
        with open(os.devnull, "r+") as nowhere, open(writing, "wb") as pipe:
            for stream in (0, 1, 2):
                os.dup2(nowhere.fileno(), stream)
            os.chdir(root)
            ours = [str(root), str(root / "firmware")]
            os.environ.update(UMPI_TESTS=tier, CI="1", PYTHONPATH=os.pathsep.join(ours))
            sys.path[:] = ours + [path for path in sys.path if path and path not in (str(REPO), str(REPO / "firmware"))]
            for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
                del sys.modules[name]
            status = pytest.main(["-x", "-p", "no:cacheprovider", "-p", "no:cov", *files], plugins=[chosen])
            if status in NOT_BEGUN and not chosen.failed:
                chosen.failed, chosen.why = "tests/conftest.py", "The tests cannot begin."
            pipe.write(json.dumps([chosen.failed, chosen.why, chosen.passed]).encode())
    finally:
        os._exit(0)
