"""A file of numbers is read typed: what is misspelled, missing or of another kind is refused with its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from hardware.spec import BadSpec, typed


@dataclass(frozen=True, slots=True)
class Leg:
    size: tuple[float, float]
    side: Literal["left", "right"] = "left"


@dataclass(frozen=True, slots=True)
class Table:
    legs: Mapping[str, Leg]
    screws: tuple[int, ...]
    name: str | None = None


GOOD = {"legs": {"a": {"size": [1, 2.5]}}, "screws": [3, 4]}


def test_tables_become_dataclasses_and_lists_tuples() -> None:
    assert typed(Table, GOOD, "table.toml:") == Table({"a": Leg((1, 2.5))}, (3, 4))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"legz": {}}, r"table\.toml: legz: missing, or not known"),
        ({"legs": {"a": {"sice": [1, 2]}}}, r"table\.toml: \[legs\] \[a\] sice, size: missing, or not known"),
        ({"legs": {"a": {"size": [1]}}}, r"\[legs\] \[a\] \[size\] \[1\] is no"),
        ({"legs": {"a": {"size": [1, True]}}}, r"\[size\] True is no float"),
        ({"legs": {"a": {"size": [1, 2], "side": "top"}}}, r"\[side\] 'top' is no"),
        ({"screws": [1.5]}, r"\[screws\] 1.5 is no int"),
        ({"name": 3}, r"\[name\] 3 is no str"),
        ({"legs": 3}, r"\[legs\] 3 is no"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(change: dict[str, Any], words: str) -> None:
    with pytest.raises(BadSpec, match=words):
        typed(Table, {**GOOD, **change}, "table.toml:")
