"""The checks of the panel: what they find when presses enter an act, and when the screen shows a position."""

from __future__ import annotations

from typing import Any

from made_bags import NAMES, asking, draw, reasons
from planted.bag import Bag

from umpi.conformance import presses, texts
from umpi.kernel import Act, Ask, Each, Forms, Match, Number, Pick, Some, Text


def bag(**members: Any) -> type[Any]:
    """Make the bag with some members of its own."""
    return type("Made", (Bag,), {"__doc__": "A bag of its own.", **members})


def match_of(*acts: Act, players=NAMES, **members: Any) -> Match:
    match = Match(bag(**members), players)
    for act in acts:
        match.play(act)
    return match


def test_the_screen_shows_a_game_of_one_colour_too_many_nowhere():
    """Seven do not sit at the box; nothing is measured for them."""
    many = match_of(draw(1), players=tuple("ABCDEFG"), seats=range(2, 9))
    count = presses.Presses()
    assert reasons(texts.fitting, many) == reasons(count.look, many) == ""
    assert count.counts == []


def test_presses_of_what_takes_long_to_search_are_counted_apart():
    """presses: wheels, texts, lists of answers and small objects are counted part by part."""
    parts = {
        "wheel": (Number("x", 0, 999), 107), "low": (Number("x", 5, 5), 5),
        "none": (Number("x", 0, 999, null=True), None),
        "word": (Text("x", 1, 3), "AB"), "full": (Text("x", 3, 3), "ABC"), "letter": (Text("x", 1, 1), "Q"),
        "pair": (Each("x", (Number("a", 0, 5), Number("b", 0, 999))), (3, 100)),
        "hand": (Each("x", (Some("a", (1, 2, 3), 0, 3),)), ((3, 1),)),
        "forms": (Forms("x", (Pick("a", (1, 2, 3)), Number("b", 0, 5)), 0, 2), ({"a": 3, "b": 1},)),
        "all": (Forms("x", (Pick("a", (1, 2, 3)), Number("b", 0, 5)), 0, 1), ({"a": 3, "b": 1},)),
    }  # fmt: skip
    costs = {
        name: presses.cost([Ask("say", "Say", (field,))], NAMES, Act("say", {"x": value}))
        for name, (field, value) in parts.items()
    }
    assert costs["wheel"] == costs["pair"] + 2  # 100, 5, 1, 1 and OK; a key, 100 and OK
    assert {name: costs[name] for name in costs if name not in ("wheel", "pair")} == {
        "low": 1, "none": 1, "word": 5, "full": 6, "letter": 2, "hand": 3, "forms": 3, "all": 2,
    }  # fmt: skip
    unknown = Each("x", (Text("a", 1, 1),))
    assert presses.cost([Ask("say", "Say", (unknown,))], NAMES, Act("say", {"x": ("é",)})) is None


def test_wheels_follow_from_what_went_before():
    """presses: fields that depend on others are counted apart as well."""
    ask = Ask("say", "Say", (Pick("bet", (True, False)),), more=lambda given: (Number("stake", 0, 999),))
    act = Act("say", {"bet": True, "stake": 100})
    assert presses.cost([ask], NAMES, act) == 3


def test_acts_of_the_menu_or_of_a_device_need_no_presses():
    """typist.py: rare acts stand in the menu; what differs from the usual is a key away."""
    usual = Ask("draw", "Draw", (Pick("stone", (1, 2)), Pick("loud", (True, False))), 0, usual={"stone": 1})
    aside = Ask("draw", "Draw", (Pick("stone", (1, 2)), Pick("loud", (True, False), optional=True, in_menu=True)), 0)
    cube = Ask("draw", "Draw", (Pick("stone", (1, 2), source="cube"), Pick("loud", (True, False))), 0)
    rare = Ask("draw", "Draw", (Pick("stone", (1, 2)), Pick("loud", (True, False))), 0, weight=0.01, rare=True)
    loud = Act("draw", {"stone": 2, "loud": True})
    for ask in (usual, aside, cube, rare):
        count = presses.Presses()
        assert reasons(count.look, match_of(loud, asks=asking(ask))) == ""
        assert count.counts == []
    count = presses.Presses()
    assert reasons(count.look, match_of(Act("draw", {"stone": 1, "loud": True}), asks=asking(usual))) == ""
    assert count.counts == [1]


def test_an_act_without_a_press_is_reported(monkeypatch):
    """presses: nobody could answer it."""
    monkeypatch.setattr(presses, "presses", lambda *given, **more: [])
    assert "costs no press: the panel asks nothing" in reasons(presses.Presses().look, match_of(draw(3)))
