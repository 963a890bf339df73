"""Packages of strangers, installed by pip and found by the registry."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.foreign_table import PACKAGES
from umpi.kernel import registry


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which pip has installed the packages, as it does on a box."""
    folder = tmp_path_factory.mktemp("foreign")
    copies = [folder / "source" / each.name for each in PACKAGES]
    for package, copy in zip(PACKAGES, copies, strict=True):  # a build writes into its source
        copy.mkdir(parents=True)
        for file in package.glob("*.*"):
            (copy / file.name).write_bytes(file.read_bytes())
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", folder / "site", *copies], check=True, capture_output=True, timeout=300)
    return folder / "site"


@pytest.fixture
def foreign(installed: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The packages are found by the registry, as after a restart of the box."""
    monkeypatch.syspath_prepend(installed)
    registry.look_again()
    yield
    monkeypatch.undo()
    registry.look_again()
