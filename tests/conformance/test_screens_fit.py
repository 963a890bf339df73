"""The fitting check follows the screens: rows with names, tiles of three seats, what is live."""

from __future__ import annotations

from random import Random

from planted.bag import Bag

from umpi.conformance import texts
from umpi.kernel import Match, Row, View
from umpi.kernel.messages import Who, message


def cuts(view, players, score=0):
    """What the kit finds cut where a game shows this view and the same score for all."""
    members = {"view": lambda self: view, "scores": lambda self: (score,) * len(players), "seats": range(2, 7)}
    match = Match(type("Shown", (Bag,), members), players)
    return " ".join(flaw.why for flaw in texts.fitting(match, Random(1).random))


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
