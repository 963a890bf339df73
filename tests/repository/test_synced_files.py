"""What the package syncs to the disk is there: fsync(2) knows nothing of what a file of Python holds back."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "firmware" / "umpi"


def called(statement: ast.stmt) -> str:
    """Return the call that a statement is, as text; "" if it is none."""
    return ast.unparse(statement.value) if isinstance(statement, ast.Expr) else ""


def unflushed(source: str) -> Iterator[int]:
    """Yield the lines that sync a file which may hold back what was written to it."""
    tree = ast.parse(source)
    direct = {
        ast.unparse(item.optional_vars)
        for node in ast.walk(tree) if isinstance(node, ast.With)
        for item in node.items if item.optional_vars
        if any(part in ast.unparse(item.context_expr) for part in ("buffering=0", "'rb'"))
    }  # fmt: skip
    for node in ast.walk(tree):
        for block in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            for before, statement in zip([None, *block], block, strict=False) if isinstance(block, list) else ():
                file, synced, _ = called(statement).removeprefix("os.fsync(").partition(".fileno()")
                flushed = before is not None and called(before) == f"{file}.flush()"
                if synced and called(statement).startswith("os.fsync(") and not flushed and file not in direct:
                    yield statement.lineno


def test_a_file_is_flushed_before_it_is_synced() -> None:
    found = {str(file.relative_to(PACKAGE)): [*unflushed(file.read_text("utf-8"))] for file in PACKAGE.rglob("*.py")}
    assert {file: lines for file, lines in found.items() if lines} == {}
    writes = "with open('a', 'w') as file:\n    file.write('x')\n    {}os.fsync(file.fileno())\n"
    assert ([*unflushed(writes.format(""))], [*unflushed(writes.format("file.flush()\n    "))]) == ([3], [])
