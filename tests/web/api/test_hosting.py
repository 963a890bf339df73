"""What the referee's phone does for the table: it opens joining, leaves a match and resumes it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.at_table import Table, laid, replayed, session
from tests.kit.rig import Rigs

RED, BLUE = "192.168.4.21", "192.168.4.22"
BODIES = [("joining", {"open": True}), ("leave", {"match": 1}), ("resume", {"match": 1})]


@pytest.fixture
def table(rigs: Rigs) -> Table:
    return laid(rigs, "scorepad", ["Ann", "Ben"], [{"do": "score", "seat": 0, "points": 5}])


def test_the_referees_phone_lets_players_join_and_ends_that(table: Table) -> None:
    referee, red = table.paired(), table.phone(address=RED)
    assert referee.post("joining", open=True).status_code == 200
    assert table.document["joining"] == []
    assert red.post("join", button="red", name="Ann").status_code == 200
    assert referee.post("joining", open=True).status_code == 200
    assert [claim["name"] for claim in table.document["joining"]] == ["Ann"], "who waits already still waits"
    assert referee.post("joining", open=False).status_code == 200
    assert table.document["joining"] is None
    assert red.get("me").json()["waiting"] is False


def test_it_leaves_the_match_and_resumes_it(table: Table) -> None:
    referee = table.paired()
    assert [match["open"] for match in referee.get("matches").json()] == [True]
    assert referee.post("resume", match=1).status_code == 409
    assert referee.post("leave", match=2).status_code == 409
    assert table.document["match"]["scores"] == [5, 0]
    assert referee.post("leave", match=1).status_code == 200
    assert table.document["match"] is None
    assert referee.post("leave", match=1).status_code == 409
    assert referee.post("resume", match=9).status_code == 422
    assert referee.post("resume", match=1).status_code == 200
    assert (table.document["match"]["id"], table.document["match"]["scores"]) == (1, [5, 0])
    assert [text.split()[2] for text in replayed(session(table)) if text.startswith("reply")].count("done") == 3


def test_an_earlier_match_goes_on_while_another_waits(table: Table) -> None:
    referee = table.paired()
    players = [{"button": "red", "name": "Cleo"}, {"button": "blue", "name": ""}]
    referee.post("leave", match=1)
    assert referee.post("start", game="scorepad", players=players).status_code == 200
    referee.post("leave", match=2)
    assert referee.post("resume", match=1).status_code == 200
    assert [player["name"] for player in table.document["match"]["players"]] == ["Ann", "Ben"]
    assert [(match["id"], match["open"]) for match in referee.get("matches").json()] == [(2, True), (1, True)]


@pytest.mark.parametrize(("path", "body"), BODIES)
def test_only_the_referees_phone_may_host(table: Table, path: str, body: dict[str, Any]) -> None:
    assert table.phone().post(path, **body).status_code == 401
    assert table.paired(1, address=BLUE).post(path, **body).status_code == 403
    assert (table.document["joining"], table.document["match"]["id"]) == (None, 1)


def test_a_box_without_an_address_for_phones_says_so(table: Table) -> None:
    referee = table.paired()
    table.codes._address = str
    refused = referee.post("joining", open=True)
    assert refused.status_code == 422
    assert refused.json()["error"].startswith("Phones cannot reach this page. Connect the box to a network, or ")


def test_a_player_gives_the_seat_back(table: Table) -> None:
    red = table.paired(0, address=RED)
    assert red.post("name", name="Zoë").status_code == 200
    assert table.document["joined"] == [{"button": 0, "name": "Zoë"}]
    assert red.post("unpair").status_code == 200
    assert table.document["joined"] == []
    assert red.get("me").json() == {"who": None, "waiting": False, "claim": ""}
    assert red.act("score", seat=0, points=1).status_code == 401
    assert table.document["match"]["players"][0]["name"] == "Zoë", "the match keeps the name"
