"""Names each test as soon as it fails: a run that is cut off has no summary."""

from __future__ import annotations

import signal
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

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object | None) -> None:
        """Say how the process of a worker has ended that broke off: only its parent can know which signal it was."""
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if error and terminal is not None:
            terminal.write_line(f"\nWORKER {node.gateway.id} has broken off: {_end_of(node.gateway._io.popen)}")


def _end_of(process: Popen[bytes]) -> str:
    try:
        status = process.wait(ENDS_S)
    except TimeoutExpired:
        return "its process still runs"
    return signal.Signals(-status).name if status < 0 else f"exit status {status}"
