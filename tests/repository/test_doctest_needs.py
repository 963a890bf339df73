"""Examples in docstrings run after `./scripts/setup` alone, which does not install every extra."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

OWN = {"umpi", "tests", "scripts", "hardware"}


def installed_by(package: str, extra: str) -> set[str]:
    """Return the packages that a package brings with an extra, as their own metadata say."""
    found: set[str] = set()
    waiting = [(package, extra)]
    while waiting:
        name, with_extra = waiting.pop()
        try:
            needs = requires(name) or []
        except PackageNotFoundError:  # another system's
            continue
        for need in needs:
            marker = re.search(r"extra == [\"']([\w-]+)[\"']", need)
            if marker and marker[1] != with_extra:
                continue
            found_name = re.match(r"[\w.-]+", need)
            assert found_name
            normal = re.sub(r"[-_.]+", "-", found_name[0]).lower()
            if normal not in found:
                found.add(normal)
                waiting.append((normal, ""))
    return found


def imported(file: Path) -> Iterator[str]:
    """Yield the packages that a file imports when it is imported."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        match node:
            case ast.Import(names):
                yield from (name.name.split(".")[0] for name in names)
            case ast.ImportFrom(module=str(module)):
                yield module.split(".")[0]


@pytest.mark.slow
def test_a_module_with_examples_imports_only_what_the_quick_tier_has() -> None:
    has = installed_by("umpi", "dev")
    assert {"pytest", "gpiozero"} <= has
    providers = packages_distributions()
    for file in sorted((ROOT / "firmware" / "umpi").rglob("*.py")):
        if ">>> " in file.read_text(encoding="utf-8"):
            strange = {
                name
                for name in set(imported(file)) - OWN - sys.stdlib_module_names
                if not has & {re.sub(r"[-_.]+", "-", each).lower() for each in providers.get(name, [])}
            }
            assert not strange, f"{file.relative_to(ROOT)} has examples, and imports what no quick tier has: {strange}"
