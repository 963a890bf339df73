"""What tests share is in tests/kit or in a conftest: a test can be read, moved and deleted by itself."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


def imported(source: str) -> set[str]:
    """Return the modules that a source imports, and what it imports from them."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module or ''}.{alias.name}" for alias in node.names}
    return found


@cache
def forbidden() -> set[str]:
    """List the modules that nobody may import."""
    return {path.stem for path in TESTS.rglob("test_*.py")} | {"conftest"}


def of_a_test(source: str) -> set[str]:
    """Return what a source imports of a test or of a conftest."""
    return {name for name in imported(source) if forbidden().intersection(name.split("."))}


@pytest.mark.slow
def test_nobody_imports_a_test_or_a_conftest() -> None:
    paths = [path for path in TESTS.rglob("*.py") if path != Path(__file__)]
    found = {path.relative_to(TESTS): of_a_test(path.read_text(encoding="utf-8")) for path in paths}
    assert {str(path): names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "source",
    [
        "from test_patience import short",
        "from tests.repository.test_patience import short",
        "from tests.repository import test_patience",
        "import test_patience",
        "from conftest import rigs",
        "from tests import conftest",
        "def f():\n    from tests.conftest import rigs",
    ],
)
def test_an_import_of_a_test_is_found_however_it_is_written(source: str) -> None:
    assert of_a_test(source)


def same_names(paths: Iterable[Path]) -> dict[str, list[Path]]:
    """Return the names that two of the test files outside packages share: pytest loads them as the same module."""
    found: dict[str, list[Path]] = {}
    for path in sorted(paths):
        if not (path.parent / "__init__.py").exists():
            found.setdefault(path.name, []).append(path)
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def test_no_two_files_are_the_same_module() -> None:
    assert same_names(TESTS.rglob("test_*.py")) == {}


def test_two_files_that_are_the_same_module_are_found(tmp_path: Path) -> None:
    paths = [tmp_path / folder / "test_panel.py" for folder in ("display", "hardware", "package")]
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    assert same_names(paths) == {"test_panel.py": paths[:2]}
