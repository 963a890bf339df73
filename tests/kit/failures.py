"""Names each test as soon as it fails: a run that is cut off has no summary."""

from __future__ import annotations

import pytest
from _pytest._code.code import ExceptionRepr


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
