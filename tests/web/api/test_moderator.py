"""A moderator judges and does not play: the start, the page's document, the box and the record name them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.at_table import Table
from tests.kit.rig import Rigs

PLAYERS = [{"button": colour, "name": ""} for colour in ("red", "blue", "yellow")]


@pytest.fixture
def table(rigs: Rigs) -> Table:
    return Table(rigs())


@pytest.mark.parametrize("game", ["quiz", "dohdles"])
def test_a_moderator_judges_and_the_record_says_so(table: Table, game: str) -> None:
    referee = table.paired()
    assert referee.post("start", game=game, players=PLAYERS, moderator=" Mia ").status_code == 200
    match = table.document["match"]
    assert (match["moderator"], match["judge"]) == ("Mia", "Mia judges the answers.")
    assert json.loads(referee.get("record").text.splitlines()[0])["moderator"] == "Mia"
    assert table.rig.referee.session.table.moderator == "Mia"
    table.rig.press("back", ms=1000)
    table.rig.choose("Where are we?")
    assert "Mia judges the answers." in table.rig.referee.panel._notice.text


def test_without_one_the_table_says_who_judges(table: Table) -> None:
    referee = table.paired()
    assert referee.post("start", game="quiz", players=PLAYERS).status_code == 200
    assert table.document["match"]["judge"] == "The referee judges the answers on their phone."
    assert "moderator" not in json.loads(referee.get("record").text.splitlines()[0])
    assert referee.post("unpair").status_code == 200
    table.rig.press("up down")
    assert table.document["match"]["judge"] == "Judge the answers together, at the box."


def test_the_moderator_stays_for_another_game_and_through_a_restart(table: Table, rigs: Rigs) -> None:
    referee = table.paired()
    quiz = {"game": "quiz", "players": PLAYERS, "options": {"target": 1}, "moderator": "Mia"}
    assert referee.post("start", **quiz).status_code == 200
    for verb, given in (("open", {}), ("buzz", {"seat": 1}), ("judge", {"right": True})):
        assert referee.act(verb, **given).status_code == 200, verb
    assert referee.get("games").json()["last"]["moderator"] == "Mia"
    assert referee.post("rematch").status_code == 200
    table.rig.close()
    assert Table(rigs()).document["match"]["moderator"] == "Mia"


@pytest.mark.parametrize(("more", "status"), [
    ({"moderator": "red"}, 422), ({"moderator": "x" * 25}, 422), ({"moderator": 1}, 400),
    ({"game": "dodeka", "moderator": "Mia"}, 422),
])  # fmt: skip
def test_an_invalid_moderator_is_refused(table: Table, more: dict[str, Any], status: int) -> None:
    answer = table.paired().post("start", **{"game": "quiz", "players": PLAYERS, **more})
    assert answer.status_code == status
    assert answer.json()["error"]
    assert table.document["match"] is None


def test_the_box_asks_for_the_moderator_too(table: Table) -> None:
    table.rig.start("quiz", "red blue ok")
    table.rig.choose("moderator: nobody")
    table.rig.choose("Moderator")
    table.rig.press("down")  # the options of the quiz fill two pages
    assert table.rig.shows("moderator: Moderator"), table.rig.screen
    table.rig.press("ok")
    assert table.document["match"]["judge"] == "Moderator judges the answers."


def test_a_game_without_judgements_has_none(table: Table) -> None:
    judged_by_game = {game["game"]: game["judged"] for game in table.phone().get("games").json()["games"]}
    assert [game for game, judged in judged_by_game.items() if judged] == ["dohdles", "quiz"]
    table.rig.start("scorepad", "red blue ok ok")
    assert table.document["match"]["judge"] == ""
