"""The checks of the panel: what they find when presses enter an act, and when the screen shows a position."""

from __future__ import annotations

from typing import Any

from made_bags import NAMES, asking, draw, reasons
from planted.bag import Bag

from umpi.conformance import presses, texts
from umpi.kernel import Act, Ask, Match, Number, Pick


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
