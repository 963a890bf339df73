"""The guide to writing a game says what is so: its excerpts stand in the engine, its examples make fields."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import umpi.games
from umpi import kernel as rules
from umpi.kernel import Ask, Dealer, Game

GAMES = Path(umpi.games.__file__).parent
GUIDE = (GAMES / "README.md").read_text(encoding="utf-8")
ENGINE = (GAMES / "scorepad" / "rules.py").read_text(encoding="utf-8")
EXCERPTS = re.findall(r"^```python\n(.*?)^```", GUIDE, re.M | re.S)
FIELDS = dict(re.findall(r"^\| (\w+) \| `(.+?)` \| .* \|$", GUIDE, re.M))


@pytest.mark.parametrize("excerpt", EXCERPTS, ids=lambda text: text.split("\n")[0].strip())
def test_an_excerpt_stands_in_the_engine(excerpt: str) -> None:
    assert f"\n{excerpt}" in ENGINE


@pytest.mark.parametrize("kind", FIELDS)
def test_the_example_of_a_field_makes_one(kind: str) -> None:
    field = eval(FIELDS[kind], vars(rules))
    assert type(field).__name__ == {"Dice": "Some", "Draw": "Some"}.get(kind, kind)


def test_every_kind_of_field_and_every_part_of_an_ask_is_explained() -> None:
    assert set(FIELDS) == {kind.__name__ for kind in rules.Field.__args__} | {"Dice", "Draw"}
    parts = re.findall(r"^\| `(\w+)(?:\(given\))?` \|", GUIDE, re.M)
    assert sorted(parts) == sorted(Ask._fields)


def test_every_word_of_the_kernel_is_named() -> None:
    members = [name for kind in (Game, Dealer) for name in dir(kind) if not name.startswith("_")]
    words = [*members, "view", "odds", "audit", "calls", "at_buttons", "objection", "dealer", "longest", "kind"]
    assert [word for word in [*words, "source"] if not re.search(rf"`{word}\b|\*\*{word}\*\*", GUIDE)] == []
    sources = rules.fields.Source.__args__
    assert [source for source in sources if f"`{source}`" not in GUIDE] == []
