"""The quick tier is a part of the tests: some cases of each, none that is slow, and hardware/ after a change."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.kit.hardware_inputs import fingerprint
from tests.kit.sampling import QUICKER, quick


def item(room: str, name: str, slow: bool = False) -> Any:
    """Make an item as pytest collects it, with what the choice looks at."""
    return SimpleNamespace(
        nodeid=f"tests/{room}/test_it.py::{name}",
        get_closest_marker=lambda marker: slow and marker == "slow",
    )


def names(items: list[Any]) -> list[str]:
    return [each.nodeid for each in quick(items)]


def test_the_quick_tier_keeps_one_case_of_each_parametrized_test() -> None:
    cases = [item("games", f"test_a[{case}]") for case in range(QUICKER + 1)]
    assert names([*cases, item("games", "test_b")]) == [
        cases[0].nodeid, cases[QUICKER].nodeid, "tests/games/test_it.py::test_b",
    ]  # fmt: skip


def test_the_quick_tier_leaves_slow_tests_out() -> None:
    """Each alone would take a part of its minute; the full tier runs all."""
    assert names([item("web", "test_a", slow=True), item("web", "test_b"), item("web", "test_c[1]", slow=True)]) == [
        "tests/web/test_it.py::test_b"
    ]


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
