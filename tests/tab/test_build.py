"""The folder of a box in a tab leaves out only what nothing in it imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.tab.build import UNUSED, _modules

NEVER_RUN = {("umpi/kernel/stuck.py", "ctypes")}  # a tab has no timer that would interrupt another thread


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports by their whole names, also within its functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


@pytest.mark.slow
def test_no_module_of_umpi_imports_what_is_left_out_of_pythons_library() -> None:
    own = [(name, path) for name, path in _modules() if name.startswith("umpi/") and name.endswith(".py")]
    assert len(own) > 200
    asked = [(name, each) for name, path in own for each in imported(path)]
    lacking = {(name, each) for name, each in asked if UNUSED.match(f"{each.replace('.', '/')}/")}
    assert lacking == NEVER_RUN
