"""`scripts/setup` shows how far it is: with a Python that only says what venv and pip say."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from tests.kit.patience import limit_s

PYTHON = r"""#!/bin/sh
case "$*" in
  -V | -VV) echo "Python 3.12.1" ;;
  '-m venv --clear '*) mkdir -p "$4/bin" && cp "$0" "$4/bin/python" ;;
  '-m pip install '*)
    echo "asked for $*" >>"$ASKED"
    echo 'Obtaining file:///umpi'
    echo 'Collecting gpiozero>=2.0.1 (from umpi==0.1.0)'
    echo '  Downloading gpiozero-2.0.1-py3-none-any.whl (150 kB)'
    echo 'Collecting Pillow>=10 (from umpi==0.1.0)'
    [ -z "$NO_NETWORK" ] || { echo 'ERROR: no route to the index' >&2; exit 1; }
    echo 'Installing collected packages: gpiozero, Pillow, umpi' ;;
esac
"""
WHOLE = [
    "setup: setting up {venv} with Python 3.12.1 (a minute, once)",
    "setup: 1/3 making the folder",
    "setup: 2/3 downloading packages",
    "setup: 3/3 installing 3 packages",
]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    (python := tmp_path / "python").write_text(PYTHON)
    python.chmod(0o755)
    return {
        **os.environ,
        "UMPI_PYTHON": str(python),
        "UMPI_VENV": str(tmp_path / "venv"),
        "NO_NETWORK": "",
        "ASKED": str(tmp_path / "asked"),
    }


def played(environment: dict[str, str], errors: int, *words: str) -> subprocess.CompletedProcess[str]:
    command = ["scripts/setup", *(words or ("--play",)), "--quiet"]
    return subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True, timeout=limit_s(), check=False
    )


def test_the_first_start_names_its_steps_and_the_second_nothing(environment: dict[str, str]) -> None:
    first = played(environment, subprocess.PIPE)
    lines = [line.format(venv=environment["UMPI_VENV"]) for line in WHOLE]
    assert (first.returncode, first.stdout, first.stderr.splitlines()) == (0, "", lines)
    again = played(environment, subprocess.PIPE)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")


def test_a_terminal_shows_each_package(environment: dict[str, str]) -> None:
    ours, theirs = os.openpty()
    written = b""
    try:
        assert played(environment, theirs).returncode == 0
        os.close(theirs)
        with suppress(OSError):  # at the end; one read may return a part
            while part := os.read(ours, 1 << 16):
                written += part
    finally:
        os.close(ours)
    shown = written.decode()
    cleared = "\r\x1b[K"
    packages = f"{cleared}setup: package 1, gpiozero{cleared}setup: package 2, Pillow{cleared}setup: 3/3"
    assert packages in shown
    assert shown.endswith(cleared)


def test_without_a_network_it_prints_what_pip_says(environment: dict[str, str]) -> None:
    done = played({**environment, "NO_NETWORK": "1"}, subprocess.PIPE)
    assert done.returncode == 1
    assert "ERROR: no route to the index\n" in done.stderr
    assert done.stderr.endswith("setup: the packages could not be installed. Check the network and run it again.\n")
    assert not (Path(environment["UMPI_VENV"]) / "umpi-play").exists()


@pytest.mark.slow
def test_the_quick_tier_has_a_smaller_environment_than_the_full_one(environment: dict[str, str]) -> None:
    """Who has set up the full one needs nothing for the others; the other way round, what is missing is added."""
    assert played(environment, subprocess.PIPE, "--small").returncode == 2
    for word in ("--play", "--play", "--quiet", "--play", "--full", "--quiet", "--full"):
        assert played(environment, subprocess.PIPE, word).returncode == 0
    asked = Path(environment["ASKED"]).read_text().splitlines()
    locks = [line.rpartition("/")[2] for line in asked if "--require-hashes" in line]
    assert locks == ["play.lock", "dev.lock", "full.lock"]
    assert [line.rpartition(" ")[2] for line in asked if "--require-hashes" not in line] == ["."] * 3
