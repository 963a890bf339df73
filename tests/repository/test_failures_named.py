"""A run side by side names what fails at once, and says how a worker has ended that broke off."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONFTEST = """
from tests.kit.failures import Failures

def pytest_configure(config):
    config.pluginmanager.register(Failures(config))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "named"),
    [
        ("assert 1 == 2", "FAILED test_it.py::test_it (call): assert 1 == 2"),
        ("os.kill(os.getpid(), signal.SIGUSR1)", "WORKER gw0 has broken off: SIGUSR1"),
        (
            "ctypes.CDLL(None).signal(signal.SIGPIPE, 0)",
            "FAILED test_it.py::test_it (teardown): Failed: SIGPIPE has its default again",
        ),
        ("os._exit(7)", "WORKER gw0 has broken off: exit status 7"),
    ],
)
def test_what_fails_is_named(tmp_path: Path, test: str, named: str) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (tmp_path / "test_it.py").write_text(f"import ctypes, os, signal\ndef test_it():\n    {test}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-n", "1", "--max-worker-restart=0", "--dist", "loadfile"]
    ran = subprocess.run(
        [*command, "-c", os.devnull, "--rootdir", str(tmp_path), "-p", "no:cacheprovider", str(tmp_path)],
        env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert named in ran.stdout.splitlines(), ran.stdout
    assert ran.returncode != 0
