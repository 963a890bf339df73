"""Print a hash of what the tests of hardware/ read: while it is the same, the quick tier leaves them out.

That is every file of hardware/ and of its tests, and each module of the package, the scripts and the kit that one of
them imports by name. What those import in turn is left to the full tier, because otherwise each change would count.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("hardware", "tests/hardware")
SOURCES = {"umpi": "firmware", "scripts": ".", "tests": "."}  # the folder of each package


def inputs(root: Path) -> list[Path]:
    """List the files that the tests of hardware/ read."""
    own = {file for folder in FOLDERS for file in (root / folder).rglob("*") if file.is_file()}
    own = {file for file in own if "__pycache__" not in file.parts}
    modules = {name for file in own if file.suffix == ".py" for name in _imported(file)}
    return sorted(own | {file for name in modules for file in _files(root, name)} | {root / "pyproject.toml"})


def fingerprint(root: Path) -> str:
    """Return a hash of these files, their names and this Python."""
    whole = sha256(sys.version.encode())
    for file in inputs(root):
        whole.update(f"{file.relative_to(root)}\n{sha256(file.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


def _imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


def _files(root: Path, module: str) -> Iterator[Path]:
    """Yield the file of a module; none for one of another package, and for a name in a module."""
    first, *rest = module.split(".")
    if first in SOURCES:
        at = (root / SOURCES[first]).joinpath(first, *rest)
        yield from (each for each in (at.with_suffix(".py"), at / "__init__.py") if each.is_file())


if __name__ == "__main__":
    print(fingerprint(ROOT))
