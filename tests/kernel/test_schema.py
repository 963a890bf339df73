"""The schema of a game's action lines: every line of a legal record fits, broken ones do not."""

from __future__ import annotations

import json
from typing import Any, Self

import jsonschema
import pytest
from toy import Toy

from tests.kit.game_tables import OPTIONS, names
from umpi.kernel.fields import Each, Forms, Number, Pick, Profile, Some, Text
from umpi.kernel.game import verbs
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find, games
from umpi.kernel.schema import options_schema, schema


def checker(game: Any) -> jsonschema.Draft202012Validator:
    made = json.loads(json.dumps(schema(game)))
    jsonschema.Draft202012Validator.check_schema(made)
    return jsonschema.Draft202012Validator(made)


def lines(game: str) -> list[dict[str, Any]]:
    """Take a few action lines of each kind from random games."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    seats = find(game).seats
    for seed, options in enumerate(OPTIONS[game] * 3):
        for act in play_out(find(game), names(seats[seed % len(seats)]), options, seed).acts:
            kinds.setdefault(act.verb, []).append(json.loads(json.dumps(act.line())))
    return [line for of in kinds.values() for line in of[:12]]


@pytest.mark.parametrize("game", OPTIONS)
def test_every_action_line_of_random_games_fits(game: str) -> None:
    """Every action line of every legal record fits, with `at` and `by` too."""
    check = checker(find(game))
    assert {line["do"] for line in lines(game)} <= verbs(find(game))
    for line in lines(game):
        check.validate(line)
        check.validate(line | {"at": 2**53})
        if line.get("seat") is not None:
            check.validate(line | {"by": line["seat"]})


@pytest.mark.parametrize("game", ["dodeka", "dodekka"])
def test_broken_lines_do_not_fit(game: str) -> None:
    """Unknown `do`, unknown or missing fields and wrong types do not fit."""
    check = checker(find(game))
    for line in lines(game):
        broken: list[Any] = [line | {"odd": 1}, line | {"do": line["do"] + "x"}, line | {"do": None}, [line], "x", {}]
        broken += [line | {"at": at} for at in (-1, 1.5, "1", None, True)]
        broken += [line | {"by": by} for by in ("0", None, -1, 0.5)]
        for name in line:
            broken.append({key: value for key, value in line.items() if key != name})
            broken += [line | {name: wrong} for wrong in (None, True, 1.5, {}, "?", [None], [True], [[]])]
        for wrong in broken:
            assert not check.is_valid(wrong), wrong


def test_an_object_in_a_line_needs_each_of_its_fields() -> None:
    """Battledodes: each dode that a throw has moved is written with its number and its hexagon."""
    check = checker(find("battledodes"))
    acts = [act for seed in range(3) for act in play_out(find("battledodes"), ["Ann", "Ben"], seed=seed).acts]
    lines = [json.loads(json.dumps(act.line())) for act in acts if act.given.get("moved")]
    assert lines
    for line in lines[:20]:
        check.validate(line)
        (first, *others) = line["moved"]
        for name in first:
            less = {key: value for key, value in first.items() if key != name}
            assert not check.is_valid(line | {"moved": [less, *others]}), less


@pytest.mark.parametrize(("game", "verb"), [("dodeka", "time-up"), ("dodekka", "deal")])
def test_acts_of_no_player_have_no_by(game: str, verb: str) -> None:
    """An action of no player has no `by`."""
    line = next(line for line in lines(game) if line["do"] == verb)
    assert not checker(find(game)).is_valid(line | {"by": 0})


def test_the_hints_of_an_engine_are_its_schema() -> None:
    """schema.py: optional fields, keywords, fixed tuples and named seats are read off the hints."""
    check = checker(Toy)
    good = [
        {"do": "say", "bet": True}, {"do": "say", "bet": True, "with": None, "stake": 3, "sure": False, "by": 2},
        {"do": "point-at", "seat": 0, "marks": [1, 2], "by": 1},
        {"do": "ring-out", "dice": [1, 2], "cards": ["red", "blue"], "left": []},
    ]  # fmt: skip
    bad = [
        {"do": "say"}, {"do": "say", "bet": 1}, {"do": "say", "bet": True, "with_": None},
        {"do": "point_at", "seat": 0},
        {"do": "point-at", "marks": [1, 2]}, {"do": "point-at", "seat": 0, "marks": [1]},
        {"do": "say", "bet": True, "with": 1},
        {"do": "ring-out", "dice": [1], "cards": ["red", "blue"], "left": []},
        {"do": "ring-out", "dice": [1, 2, 3], "cards": ["red", "blue"], "left": []},
        {"do": "ring-out", "dice": [1, 2], "cards": ["red", "blue"], "left": [], "by": 0},
    ]  # fmt: skip
    assert [line for line in good if not check.is_valid(line)] == []
    assert [line for line in bad if check.is_valid(line)] == []


def test_the_schema_of_the_options_takes_exactly_what_the_options_take() -> None:
    """The options are described as JSON Schema."""
    tries = [None, True, 0, 1, 9, 10, 100, 101, 600, 601, 10_000, 10_001, "all", "hands", "sums", "x", []]
    tries += ["ours", "STHW", "sthw"]
    for game in games():
        for option in game.options:
            made = options_schema(game)[option.name]
            check = jsonschema.Draft202012Validator(made)
            assert option.refuse(made["default"]) == ""
            assert [check.is_valid(value) for value in tries] == [option.refuse(value) == "" for value in tries]


class Wide(Toy):
    """Has an option of each kind of field."""

    options = (
        Number("goal", 1, 99), Number("limit", 5, 600, null=True), Pick("mood", ("calm", "wild")),
        Pick("odd", ("a", "b"), ("a", "b", "c")), Text("name", 1, 9), Text("word", 0, 5, null=True),
        Profile("own", lambda _: ""), Profile("coded", lambda _: "", code=lambda _: "x"),
        Some("parts", ("x", "y"), 1, 2),
        Forms("rows", (Number("n", 1, 2),), 0, 3), Each("both", (Number("a", 1, 2), Text("b", 3, 4))),
    )  # fmt: skip
    experiments = ("limit",)

    @classmethod
    def setup(
        cls, seats: int, goal: int = 10, limit: int | None = None, mood: str = "calm", odd: str = "a", name: str = "n",
        word: str | None = None, own: Any = None, coded: Any = None, parts: Any = ("x",), rows: Any = (),
        both: Any = (1, "bbb"),
    ) -> Self:  # fmt: skip
        return super().setup(seats, goal, mood)


def test_an_option_of_each_kind_has_its_schema() -> None:
    assert options_schema(Wide) == {
        "goal": {"type": "integer", "minimum": 1, "maximum": 99, "default": 10},
        "limit": {"type": ["integer", "null"], "minimum": 5, "maximum": 600, "default": None, "experiment": True},
        "mood": {"enum": ["calm", "wild"], "default": "calm"},
        "odd": {"enum": ["a", "b", "c"], "default": "a"},
        "name": {"type": "string", "minLength": 1, "maxLength": 9, "default": "n"},
        "word": {"type": ["string", "null"], "minLength": 0, "maxLength": 5, "default": None},
        "own": {"type": ["object", "null"], "default": None},
        "coded": {"type": ["object", "string", "null"], "pattern": "^(?:[A-Za-z0-9]+)$", "default": None},
        "parts": {"type": "array", "items": {"enum": ["x", "y"]}, "minItems": 1, "maxItems": 2, "default": ("x",)},
        "rows": {"type": "array", "items": {"type": "object"}, "default": ()},
        "both": {
            "type": "array", "minItems": 2, "maxItems": 2, "default": (1, "bbb"),
            "prefixItems": [
                {"type": "integer", "minimum": 1, "maximum": 2}, {"type": "string", "minLength": 3, "maxLength": 4},
            ],
        },
    }  # fmt: skip
