"""The guide to writing a game says what is so: its excerpts stand in the engine, its examples make fields."""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import pytest

import umpi.games
from scripts import REPO
from umpi import kernel as rules
from umpi.conformance.exhaustive import enumerate_scopes
from umpi.conformance.new_game import _texts
from umpi.kernel import Ask, Dealer, Game
from umpi.kernel.record import replay

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


@pytest.fixture
def snake_eyes(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The game that `umpi new-game` writes."""
    module: Any = types.ModuleType("snake_eyes")
    monkeypatch.setitem(sys.modules, "snake_eyes", module)
    exec(_texts("snake-eyes")["snake_eyes/rules.py"], vars(module))
    return module.SnakeEyes


def test_the_record_of_the_guide_passes(snake_eyes: Any) -> None:
    lines = re.findall(r"^    (\{.*\})$", GUIDE.partition("A record is a game as text")[2], re.M)[:6]
    steps = list(replay((f"{line}\n".encode() for line in lines), lambda name: snake_eyes))
    assert [(step.n, step.error) for step in steps] == [(0, ""), (1, ""), (2, ""), (2, ""), (0, ""), (0, "")]


def test_the_scopes_of_the_guide_have_no_fault(snake_eyes: Any) -> None:
    page = (REPO / "firmware" / "docs" / "add-a-game.md").read_text("utf-8")
    ((merged,),) = [re.findall(r"^    (def merged.*?\n)\n", page, re.M | re.S)]
    names: dict[str, Any] = {**vars(rules), "Hashable": Hashable, "SnakeEyes": snake_eyes}
    exec(merged.replace("\n    ", "\n"), names)
    scopes = [eval(text, names) for text in re.findall(r"^ +(Scope\(.*\))", page, re.M) if "questions" not in text]
    snake_eyes.scopes = tuple(scopes)
    assert [(each.flaw, each.left) for each in enumerate_scopes(snake_eyes)] == [(None, 0)] * 2
