"""How tests are collected: each worker does it alone, so that it must be quick.

tests/conftest.py registers this module, because the hooks of a conftest.py are asked about files beside it only, and
doctests are in firmware/umpi, too.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

from tests.kit.sampling import QUICK

SLOW = re.compile(r"^pytestmark = .*\bpytest\.mark\.slow\b", re.MULTILINE)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without looking for garbage, because what is collected stays; later looks leave it out, too."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Search only files with doctests for doctests. In the quick tier, leave out files whose tests are all slow.

    So what only those import is not imported, either.
    """
    made = yield
    if not made:
        return made
    text = file_path.read_text(encoding="utf-8", errors="replace")
    if QUICK and SLOW.search(text):
        return []
    return made if ">>> " in text else [each for each in made if not isinstance(each, DoctestModule)]
