"""The kit's own validation agrees with a JSON Schema library on every schema that umpi.kernel.schema writes."""

from __future__ import annotations

import json
from random import Random

import jsonschema
import pytest
from planted.bag import Bag

from umpi.conformance import texts
from umpi.conformance.fit import misfit
from umpi.display import screens
from umpi.display.menu import Choice, Menu
from umpi.kernel import Match, Row, View
from umpi.kernel.messages import Who, message
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


# The fitting check follows the screens: rows with names, tiles of three seats, what is live.


def cuts(view, players, score=0):
    """What the kit finds cut where a game shows this view and the same score for all."""
    members = {"view": lambda self: view, "scores": lambda self: (score,) * len(players), "seats": range(2, 7)}
    match = Match(type("Shown", (Bag,), members), players)
    return " ".join(flaw.why for flaw in texts.fitting(match, Random(1).random))


def test_the_screen_shows_the_same_while_cuts_are_collected():
    """What a font is given while it is watched is what it draws and returns."""
    match = Match(Bag, ("Red", "Ferdinand the Great", "Ferdinand the Small", "B\N{SNOWMAN}"))
    labels = ("a far too long label", "\N{SNOWMAN}", "b")
    menu = Menu(match.asks[0].text, tuple(Choice(label, label) for label in labels))
    plain = screens.table(match, menu, 0)
    with texts.collect_cuts() as found:
        assert screens.table(match, menu, 0) == plain
    assert {cut.text: cut.left for cut in found} == {
        "Ferdinand the Great": "FerdinG", "Ferdinand the Small": "FerdinS", "B\N{SNOWMAN}": "B", "\N{SNOWMAN}": "",
        "A far too long label": "A far too…",
    }  # fmt: skip
    assert screens.table(match, menu, 0) == plain


def test_rows_name_players_as_shortly_as_they_must():
    """Six names that have no room in a row are cut to three letters each; a row too long for that is a flaw."""
    players = ("Red", "Blue", "Yellow", "Green", "White", "Black")

    def look(label):
        cells = tuple(message("{who}", who=Who(seat)) for seat in range(6))
        view = View(rows=(Row(label, cells),))
        return cuts(view, players)

    assert look("order") == ""
    assert 'The screen cuts "in this order Red Blu Yel' in look("in this order")


def test_a_score_too_long_for_its_tile_is_reported():
    """Three seats share the width; what is beside is not drawn into the next tile either."""

    def look(beside, live=False):
        view = View(beside=(beside,) * 3, large=live)
        return cuts(view, ("Red", "Blue", "Green"), 99_999)

    assert look("1234") == look("1234", live=True) == ""
    assert 'cuts "99999" to' in look("1234567")
    assert 'cuts "1234567" to' in look("1234567", live=True)
