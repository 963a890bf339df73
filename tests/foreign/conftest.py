"""Packages of strangers, installed by pip and found by the registry."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from tests.kit.foreign_table import FOREIGN, PACKAGES
from umpi.kernel import registry


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which pip has installed the packages, as it does on a box.

    Pip takes seconds, so the folder is kept in the environment, until a package or this Python is another.
    """
    sources = {file: file.read_bytes() for package in PACKAGES for file in sorted(package.glob("*.*"))}
    whole = sha256(sys.version.encode())
    for file, source in sources.items():
        whole.update(f"{file.relative_to(FOREIGN)}\n{sha256(source).hexdigest()}\n".encode())
    environment = Path(sys.prefix)
    kept = environment / "umpi-foreign" / whole.hexdigest()
    if kept.exists():
        return kept
    folder = tmp_path_factory.mktemp("foreign")
    for file, source in sources.items():  # a build writes into its source
        copy = folder / "source" / file.relative_to(FOREIGN)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(source)
    copies = [folder / "source" / package.name for package in PACKAGES]
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", folder / "site", *copies], check=True, capture_output=True, timeout=300)
    if sys.prefix == sys.base_prefix:  # in no environment of its own
        return folder / "site"
    for old in {*kept.parent.glob("*")} - {kept, *kept.parent.glob("*.new")}:
        shutil.rmtree(old, ignore_errors=True)
    new = shutil.copytree(folder / "site", kept.with_name(f"{os.getpid()}.new"))
    try:
        new.rename(kept)
    except OSError:  # another worker was faster
        shutil.rmtree(new)
    return kept


@pytest.fixture
def foreign(installed: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The packages are found by the registry, as after a restart of the box."""
    monkeypatch.syspath_prepend(installed)
    registry.look_again()
    yield
    monkeypatch.undo()
    registry.look_again()
