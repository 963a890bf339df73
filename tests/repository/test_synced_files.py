"""What the package syncs to the disk is there: fsync(2) knows nothing of what a file of Python holds back."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "firmware" / "umpi"
DIRECT = ("buffering=0", "'rb'")  # files that hold nothing back


def called(statement: ast.stmt) -> str:
    """Return the call that a statement is, as text; "" if it is none."""
    return ast.unparse(statement.value) if isinstance(statement, ast.Expr) else ""


def unflushed(source: str) -> Iterator[int]:
    """Yield the lines that sync a file which may hold back what was written to it."""
    for opened in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.With)):
        for item in opened.items:
            if item.optional_vars and not any(each in ast.unparse(item.context_expr) for each in DIRECT):
                yield from _synced_at_once(opened, ast.unparse(item.optional_vars))


def _synced_at_once(opened: ast.With, file: str) -> Iterator[int]:
    for node in ast.walk(opened):
        blocks = [getattr(node, name, None) for name in ("body", "orelse", "finalbody")]
        for block in (each for each in blocks if isinstance(each, list)):
            calls = [called(statement) for statement in block]
            for before, call, statement in zip(["", *calls], calls, block, strict=False):
                if call == f"os.fsync({file}.fileno())" and before != f"{file}.flush()":
                    yield statement.lineno


def test_a_file_is_flushed_before_it_is_synced() -> None:
    found = {str(file.relative_to(PACKAGE)): [*unflushed(file.read_text("utf-8"))] for file in PACKAGE.rglob("*.py")}
    assert {file: lines for file, lines in found.items() if lines} == {}
    writes = "with open('a', 'w') as file:\n    file.write('x')\n    {}os.fsync(file.fileno())\n"
    assert ([*unflushed(writes.format(""))], [*unflushed(writes.format("file.flush()\n    "))]) == ([3], [])
