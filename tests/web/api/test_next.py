"""The match that a club offers next: on the box's start screen, in the state, and gone once it is played."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.at_table import Table
from tests.kit.rig import Rigs

PLAYERS = [{"button": "red", "name": "Ann"}, {"button": "blue", "name": "Ben"}]
OFFER = {"game": "dodeka", "players": PLAYERS}


def test_the_box_shows_what_is_offered_and_starts_it_with_one_press(rigs: Rigs) -> None:
    table = Table(rigs())
    phone = table.paired()
    assert phone.post("next", offer=OFFER).status_code == 200
    assert [player["name"] for player in table.document["next"]["players"]] == ["Ann", "Ben"]
    menu, _ = table.referee.panel.question
    assert (menu.choices[0].label, menu.text) == ("next match", "Next: Ann, Ben")
    table.rig.press("red")
    assert table.referee.session.match.players == ("Ann", "Ben")
    assert table.document["next"] is None


def test_an_empty_offer_withdraws_it_and_another_match_leaves_it(rigs: Rigs) -> None:
    table = Table(rigs())
    phone = table.paired()
    phone.post("next", offer=OFFER)
    others = [{"button": "red", "name": "Cid"}, {"button": "blue", "name": "Dora"}]
    assert phone.post("start", game="scorepad", players=others).status_code == 200
    assert table.document["next"], "the club's match is still to be played"
    assert phone.post("next", offer={}).status_code == 200
    assert table.document["next"] is None


@pytest.mark.parametrize(
    ("offer", "status"),
    [
        ({"game": "dodeka"}, 400),
        ({**OFFER, "x": 1}, 400),
        ({**OFFER, "game": "chess"}, 422),
        ({**OFFER, "players": []}, 422),
    ],
)
def test_an_offer_that_cannot_be_played_is_refused_and_changes_nothing(rigs: Rigs, offer: Any, status: int) -> None:
    table = Table(rigs())
    phone = table.paired()
    assert phone.post("next", offer=offer).status_code == status
    assert table.document["next"] is None


def test_a_player_s_phone_offers_nothing(rigs: Rigs) -> None:
    table = Table(rigs())
    assert table.paired(0).post("next", offer=OFFER).status_code == 403
    assert table.phone().post("next", offer=OFFER).status_code == 401
