"""The locks hold what pyproject.toml asks for, each file with its hash, and one version of a package everywhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.kit.locks import BILL, LOCKS, SETS, WHOLE, locked, written_bill

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def asked(extras: tuple[str, ...]) -> list[Requirement]:
    """Return what the project asks for with these extras, those of "umpi[dev]" included."""
    lines, found = list(PROJECT["dependencies"]), []
    for extra in extras:
        lines += PROJECT["optional-dependencies"][extra]
    for line in lines:
        one = Requirement(line)
        found += asked(tuple(one.extras)) if one.name == "umpi" else [one]
    return found


@pytest.mark.parametrize("name", SETS)
def test_a_lock_has_what_the_project_asks_for(name: str) -> None:
    held = locked(name)
    for one in asked(SETS[name]):
        versions = [each.version for each in held if each.name == canonicalize_name(one.name)]
        assert versions, f"{one} is not in {name}.lock: ./scripts/dev lock"
        assert all(one.specifier.contains(version) for version in versions), f"{one}: {versions}. ./scripts/dev lock"


@pytest.mark.parametrize("name", SETS)
def test_each_line_of_a_lock_is_read_and_each_package_has_hashes(name: str) -> None:
    text = (LOCKS / f"{name}.lock").read_text(encoding="utf-8")
    held = locked(name)
    assert len(held) == len(re.findall("^[a-z0-9]", text, re.M))
    assert all(each.hashes for each in held)
    assert "setuptools" in {each.name for each in held}, "umpi itself is built without fetching anything"


@pytest.mark.parametrize("name", [name for name in SETS if name != WHOLE])
def test_what_two_set_ups_share_has_the_same_files(name: str) -> None:
    whole = {(each.name, each.version): each.hashes for each in locked(WHOLE)}
    for each in locked(name):
        assert whole.get((each.name, each.version)) == each.hashes, each.name


def test_the_bill_of_materials_is_that_of_the_lock() -> None:
    assert BILL.read_text(encoding="utf-8") == written_bill(), "./scripts/dev lock"
