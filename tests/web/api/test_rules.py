"""The rules on phones: the document of a game's rules, and the page that steps through its examples."""

from __future__ import annotations

import jsonschema
import pytest

from tests.kit.at_table import Table
from tests.kit.rig import Rigs
from umpi.i18n.translate import set_language
from umpi.web.app import description

GAMES = ["battledodes", "dodeka", "dodekka", "dohdles", "dudab-buba"]


def test_the_desk_lists_the_games_with_rules(rigs: Rigs) -> None:
    reply = Table(rigs()).phone().get("rules").json()
    assert [one["game"] for one in reply] == GAMES
    assert reply[1]["title"] == "Dodéka dice"


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_a_document_as_described(rigs: Rigs, game: str) -> None:
    reply = Table(rigs()).phone().get(f"rules/{game}").json()
    path = description()["paths"]["/api/rules/{game}"]["get"]
    shape = path["responses"]["200"]["content"]["application/json"]["schema"]
    jsonschema.validate(reply, {**shape, "components": description()["components"]})
    assert (reply["language"], reply["missing"]) == ("en", "")
    blocks = [block for section in reply["sections"] for block in section["blocks"]]
    assert [block["error"] for block in blocks if block["kind"] == "example" and block["error"]] == []


def test_an_example_has_each_position_with_its_act_its_calls_and_its_scores(rigs: Rigs) -> None:
    reply = Table(rigs()).phone().get("rules/dodekka").json()
    blocks = [block for section in reply["sections"] for block in section["blocks"]]
    bust = next(block for block in blocks if block.get("name") == "bust")
    assert bust["players"] == ["Ann", "Ben", "Cleo", "Dan"]
    assert bust["steps"][0]["act"] == ""
    sixth = bust["steps"][6]
    assert (sixth["act"], sixth["calls"]) == ("Ann flips air-3.", ["DODEKKA! Ann takes 4 cards and deals three"])
    assert sixth["scores"] == [5, 2, 0, 2]
    assert bust["steps"][1]["rows"] == [["8 of 12", "🔥2", "⛰2", "💨4"]]
    assert bust["steps"][1]["turn"] == 0


@pytest.mark.parametrize("game", ["quiz", "nope", "x" * 500])
def test_a_game_without_rules_is_not_found(rigs: Rigs, game: str) -> None:
    answer = Table(rigs()).phone().get(f"rules/{game}")
    assert (answer.status_code, answer.json()["error"]) == (404, "This game has no rules.")


def test_the_acts_of_an_example_are_in_the_boxs_language(rigs: Rigs) -> None:
    phone = Table(rigs()).phone()
    set_language("fr")
    reply = phone.get("rules/dodekka").json()
    blocks = [block for section in reply["sections"] for block in section["blocks"]]
    bust = next(block for block in blocks if block.get("name") == "bust")
    assert bust["steps"][6]["calls"] == ["DODEKKA\N{NO-BREAK SPACE}! Ann ramasse 4 cartes. Nouvelle ligne de trois"]
