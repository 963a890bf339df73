"""The kit's own validation agrees with a JSON Schema library on every schema that umpi.kernel.schema writes."""

from __future__ import annotations

import json
from random import Random

import jsonschema
import pytest
from planted.bag import Bag

from umpi.conformance.fit import misfit
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import games
from umpi.kernel.schema import schema

WRONG = (
    None,
    True,
    0,
    -1,
    99,
    10**9,
    "",
    "?",
    "A1",
    "long text",
    [],
    [1],
    [[1]],
    [None],
    ["a", "b", "c"] * 9,
    {},
    {"a": 1},
)


@pytest.mark.parametrize("game", [Bag, *games()], ids=lambda game: game.id)
def test_it_says_what_the_library_says(game):
    """jsonschema is no dependency of the product; it is of its tests."""
    made = json.loads(json.dumps(schema(game)))
    library, chance = jsonschema.Draft202012Validator(made), Random(2)
    acts = play_out(game, [f"P{seat}" for seat in range(game.seats[-1])], seed=2).acts
    for act in chance.sample(acts, min(12, len(acts))):
        line = json.loads(json.dumps(act.line()))
        tries = [line, line | {"odd": 1}, line | {"do": "no-such-act"}, line | {"by": 0}, line | {"at": 5}]
        for name in line:
            if name != "do":
                tries.append({key: value for key, value in line.items() if key != name})
                tries += [line | {name: wrong} for wrong in WRONG]
                if isinstance(line[name], list):
                    tries += [line | {name: [*line[name], wrong]} for wrong in WRONG]
                    tries += [line | {name: [wrong, *line[name][1:]]} for wrong in WRONG if line[name]]
        for tried in tries:
            assert (misfit(tried, made) == "") is library.is_valid(tried), tried


@pytest.mark.parametrize(
    ("value", "form", "why"),
    [
        (True, {"type": "integer"}, "True is no integer"), ("", {"type": "string", "minLength": 1}, "0 is less than 1"),
        ("ab", {"maxLength": 1}, "2 is more than 1"), (1, {"const": True}, "1 is not True"),
        (3, {"enum": [1, 2]}, "3 is not in 1, 2"), ([1, 2], {"maxItems": 1}, "2 is more than 1"),
        (["a"], {"items": {"type": "integer"}}, "'a' is no integer"),
        ([1, "a"], {"prefixItems": [{"type": "integer"}] * 2}, "'a' is no integer"),
        ("a", {"anyOf": [{"type": "integer"}, {"type": "null"}]}, "'a' is none of what may stand there"),
        ({"a": 1}, {"properties": {}, "additionalProperties": False}, '"a" is too much'),
        ({}, {"required": ["a"]}, '"a" is missing'),
        ({"a": 0}, {"properties": {"a": {"minimum": 1}}}, "a: 0 is less than 1"),
        (None, {}, ""), ({"a": 1}, {"properties": {}}, ""),
    ],
)  # fmt: skip
def test_it_says_where_and_why(value, form, why):
    """A schema that does not fit is the author's to mend: the reason names the place."""
    assert misfit(value, form) == why
