"""How tests are collected: each worker does it alone, so that it must be quick.

tests/conftest.py registers this module, because the hooks of a conftest.py are asked about files beside it only, and
doctests are in firmware/umpi, too.
"""

from __future__ import annotations

import gc
import re
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from types import FunctionType

import pytest
from _pytest.doctest import DoctestModule

from tests.kit.sampling import QUICK, some

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


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Generator[None, object, object]:
    """In the quick tier, make items of some cases only: the items of all would take as long as all imports.

    A test that is marked `every_case` has all of them there, too.
    """
    made = yield
    if QUICK and not metafunc.definition.get_closest_marker("every_case"):
        metafunc._calls[:] = some(metafunc._calls)
    return made


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(obj: object) -> list[pytest.Item] | None:
    """In the quick tier, make no items of a slow function: they would only be left out again."""
    if QUICK and isinstance(obj, FunctionType) and any(mark.name == "slow" for mark in vars(obj).get("pytestmark", ())):
        return []
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In the quick tier, leave out what is slow. Where workers share tests, begin with the files that take longest."""
    if QUICK:
        config.hook.pytest_deselected(items=[item for item in items if is_slow(item)])
        items[:] = [item for item in items if not is_slow(item)]
    elif hasattr(config, "workerinput"):
        slow = Counter(item.path for item in items if is_slow(item))
        items.sort(key=lambda item: -slow[item.path])


def is_slow(item: pytest.Item) -> bool:
    """Tell whether a test is marked as slow."""
    return item.get_closest_marker("slow") is not None
