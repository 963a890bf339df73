"""The quick tier is a part of the tests, and every room keeps some."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.kit.sampling import QUICKER, quick

TESTS = Path("tests").absolute()


def item(room: str, name: str, slow: bool = False) -> Any:
    """Make an item as pytest collects it, with what the choice looks at."""
    return SimpleNamespace(
        nodeid=f"tests/{room}/test_it.py::{name}",
        path=TESTS / room / "test_it.py",
        get_closest_marker=lambda marker: slow and marker == "slow",
    )


def names(items: list[Any]) -> list[str]:
    return [each.nodeid for each in quick(items, TESTS)]


def test_the_quick_tier_keeps_one_case_of_each_parametrized_test() -> None:
    cases = [item("games", f"test_a[{case}]") for case in range(QUICKER + 1)]
    assert names([*cases, item("games", "test_b")]) == [
        cases[0].nodeid, cases[QUICKER].nodeid, "tests/games/test_it.py::test_b",
    ]  # fmt: skip


def test_the_quick_tier_keeps_the_same_slow_test_of_each_room() -> None:
    slow = [item(room, f"test_{number}", slow=True) for room in ("web", "journal") for number in range(5)]
    kept = names(slow)
    assert sorted(name.split("/")[1] for name in kept) == ["journal", "web"]
    assert sorted(names(slow[::-1])) == sorted(kept)
