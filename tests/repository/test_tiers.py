"""The quick tier is a part of the tests: some cases of each, none that is slow, and hardware/ after a change."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.hardware_inputs import fingerprint

ROOT = Path(__file__).parents[2]
TESTS = """
import pytest

@pytest.mark.parametrize("case", range(17))
def test_cases(case):
    pass

def test_alone():
    pass

@pytest.mark.slow
def test_slow():
    pass
"""


def collected(tmp_path: Path, tier: str) -> list[str]:
    """Return the tests that a tier runs of a small file, collected as ours are."""
    (tmp_path / "test_it.py").write_text(TESTS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "tests.kit.collecting", str(tmp_path)]
    asked = subprocess.run(
        [*command, "-c", os.devnull, "-p", "no:schemathesis", "-p", "no:cacheprovider"],
        env=os.environ | {"UMPI_TESTS": tier, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [line.partition("::")[2] for line in asked.stdout.splitlines() if "::" in line]


@pytest.mark.slow
def test_the_quick_tier_runs_one_case_of_sixteen_and_nothing_slow(tmp_path: Path) -> None:
    """What is slow would alone take a part of its minute; the full tier runs all."""
    assert collected(tmp_path, "quick") == ["test_cases[0]", "test_cases[16]", "test_alone"]
    assert collected(tmp_path, "full") == [
        *(f"test_cases[{case}]" for case in range(17)), "test_alone", "test_slow",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "counts"),
    [
        ("hardware/case/case.toml", True),
        ("hardware/case/out/front.png", True),
        ("tests/hardware/test_case.py", True),
        ("tests/kit/meshes.py", True),
        ("firmware/umpi/box/config.py", True),
        ("firmware/umpi/table/__init__.py", True),
        ("firmware/umpi/table/seats.py", True),
        ("pyproject.toml", True),
        ("firmware/umpi/box/numbers.py", False),
        ("firmware/umpi/web/app.py", False),
        ("hardware/case/__pycache__/form.cpython-311.pyc", False),
    ],
)
def test_hardware_is_tested_again_when_something_it_reads_has_changed(
    tmp_path: Path, changed: str, counts: bool
) -> None:
    """What an imported module imports in turn does not count: the full tier always draws everything."""
    texts = {
        "hardware/case/form.py": "from umpi.box.config import Config\n",
        "hardware/case/case.toml": "", "hardware/case/out/front.png": "", "pyproject.toml": "",
        "hardware/case/__pycache__/form.cpython-311.pyc": "",
        "tests/hardware/test_case.py": "import tests.kit.meshes\nfrom umpi.table import seats\n",
        "tests/kit/meshes.py": "",
        "firmware/umpi/box/config.py": "from umpi.box import numbers\n", "firmware/umpi/box/numbers.py": "",
        "firmware/umpi/table/seats.py": "", "firmware/umpi/table/__init__.py": "", "firmware/umpi/web/app.py": "",
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    before = fingerprint(tmp_path)
    assert fingerprint(tmp_path) == before
    (tmp_path / changed).write_text("# changed\n")
    assert (fingerprint(tmp_path) != before) == counts
