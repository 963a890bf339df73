"""Names each test as soon as it fails, as a cut-off run has no summary, and a test that would let a later one die."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from typing import Any

import pytest
from _pytest._code.code import ExceptionRepr

ENDS_S = 5.0  # from the end of its line until a worker's process has ended


class Failures:
    """Write the name of each failed test on a line of its own. A worker of a run side by side shows nothing itself."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Name a test that has failed, with its reason."""
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if report.failed and terminal is not None:
            crash = report.longrepr.reprcrash if isinstance(report.longrepr, ExceptionRepr) else None
            reason = crash.message.splitlines()[:1] if crash else report.longreprtext.splitlines()[-1:]
            terminal.write_line(f"\nFAILED {report.nodeid} ({report.when}): {''.join(reason)}")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self) -> Iterator[None]:
        """Fail a test after which a broken pipe would end its process, and so a later test that is not to blame.

        A library of C can give SIGPIPE its default back, and Python does not notice.
        """
        yield
        if not _ignored() >> (signal.SIGPIPE - 1) & 1:
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
            pytest.fail("SIGPIPE has its default again", pytrace=False)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object | None) -> None:
        """Say how the process of a worker has ended that broke off: only its parent can know which signal it was."""
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if error and terminal is not None:
            terminal.write_line(f"\nWORKER {node.gateway.id} has broken off: {_end_of(node.gateway._io.popen)}")


def _ignored() -> int:
    """Return the signals that this process ignores, as its kernel knows it: a bit for each, from 1."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigIgn"))


def _end_of(process: Popen[bytes]) -> str:
    try:
        status = process.wait(ENDS_S)
    except TimeoutExpired:
        return "its process still runs"
    return signal.Signals(-status).name if status < 0 else f"exit status {status}"
