"""Starting by the API: what can be started, a start, a rematch, and who may."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.at_table import Phone, Table, replayed, session
from tests.kit.rig import Rigs

RULES = {"short": {"game": "dodeka", "options": {"target": 300, "parts": 1}}}
ANN, BEN = {"button": "red", "name": " Ann "}, {"button": "yellow", "name": ""}
BOTH = [BEN, ANN]  # whatever their order, they sit by their buttons


@pytest.fixture
def table(rigs: Rigs) -> Table:
    """A box at its start screen, with a rule set of its own."""
    return Table(rigs(rules=RULES, options={"parts": 2}))


def started(table: Table) -> tuple[list[str], Any]:
    match = table.document["match"]
    return ([player["name"] for player in match["players"]], match["options"]) if match else ([], None)


def starts(phone: Phone, **more: Any) -> int:
    return phone.post("start", **{"game": "dodeka", "players": BOTH, **more}).status_code


def test_the_games_their_options_and_rule_sets_are_listed_for_everybody(table: Table) -> None:
    reply = table.phone().get("games").json()
    assert reply["last"] is None
    dodeka = next(game for game in reply["games"] if game["game"] == "dodeka")
    assert (dodeka["title"], dodeka["seats"], dodeka["chooses_first"]) == ("Dodéka dice", [2, 3, 4, 5, 6], True)
    assert (dodeka["about"][:22], dodeka["lesson"]) == ("Roll good combinations", True)
    quiz = next(game for game in reply["games"] if game["game"] == "quiz")
    assert (quiz["about"], quiz["lesson"]) == ("", False), "it has no rule sheet"
    assert [(rules["name"], rules["label"]) for rules in dodeka["rules"]] == [("", "By the sheet"), ("short", "short")]
    assert dodeka["rules"][1]["options"]["target"] == 300
    assert (dodeka["usual"]["rules"], dodeka["usual"]["options"]["parts"]) == (None, 2)
    options = {option["name"]: option for option in dodeka["options"]}
    assert options["minutes"] == {
        "name": "minutes", "label": "Minutes", "help": "", "experiment": False, "kind": "number", "low": 1,
        "high": 600, "null": True, "none": "no limit",
    }  # fmt: skip
    assert (options["scale"]["experiment"], len(options["scale"]["fields"])) == (True, 7)


@pytest.mark.slow
def test_every_game_starts_by_each_of_its_listed_rules(table: Table, rigs: Rigs) -> None:
    for number, game in enumerate(table.phone().get("games").json()["games"]):
        other = Table(rigs(rules=RULES, journal=rigs.folder / f"{number}.db"))
        players = [{"button": colour, "name": ""} for colour in ("red", "blue", "yellow")][: game["seats"][-1]]
        for rules in (game["usual"], game["rules"][0]):
            answer = other.paired().post("start", game=game["game"], players=players, options=rules["options"])
            assert answer.status_code == 200, answer.text
            other.rig.press("back", ms=1000)
            other.rig.choose("Exit match")


def test_the_referees_phone_starts_what_it_asks_for(table: Table) -> None:
    referee = table.paired()
    answer = referee.post("start", game="dodeka", players=BOTH, rules="short", first="yellow")
    assert answer.json() == {"version": table.document["version"]}
    assert started(table) == (["Yellow", "Ann"], {"target": 300, "parts": 1})
    assert starts(referee) == 409
    assert "Exit match" in referee.post("rematch").json()["error"]


def test_without_rules_it_is_what_the_box_offers_first(table: Table) -> None:
    assert starts(table.paired()) == 200
    assert started(table) == (["Ann", "Yellow"], {"parts": 2})


def test_the_last_table_plays_again(table: Table) -> None:
    referee = table.paired()
    assert referee.post("rematch").status_code == 422
    assert starts(referee, game="scorepad", options={"target": 5}) == 200
    assert referee.act("score", seat=1, points=7).status_code == 200
    assert table.document["match"]["over"]
    last = referee.get("games").json()["last"]
    assert (last["game"], [player["name"] for player in last["players"]]) == ("scorepad", ["Ann", "Yellow"])
    assert referee.post("rematch").status_code == 200
    assert (table.document["match"]["over"], table.document["match"]["id"]) == (None, 2)


def test_names_that_phones_gave_are_in_the_document(table: Table) -> None:
    seat = table.paired(2)
    assert table.document["joined"] == []
    assert seat.post("name", name="Zoë").status_code == 200
    assert table.document["joined"] == [{"button": 2, "name": "Zoë"}]


def test_only_the_referees_phone_may_start_a_match(table: Table) -> None:
    assert starts(table.phone()) == 401
    seat = table.paired(1, address="192.168.4.30")
    assert starts(seat) == 403
    assert seat.post("rematch").status_code == 403
    assert started(table) == ([], None)


@pytest.mark.parametrize(("more", "status", "why"), [
    ({"game": "chess"}, 422, "There is no game chess."),
    ({"players": [ANN]}, 422, "2–6 players."),
    ({"players": [ANN, ANN]}, 422, "share a button"),
    ({"players": [ANN, {"button": "pink", "name": ""}]}, 400, 'black for "players.1.button", got "pink".'),
    ({"players": [ANN, {"button": ["red"], "name": ""}]}, 400, 'for "players.1.button", got a list.'),
    ({"players": [ANN, {"button": "blue"}]}, 400, '"players.1.name" is missing.'),
    ({"players": [ANN, "blue"]}, 400, 'Expected an object for "players.1", got "blue".'),
    ({"players": [ANN, {"button": "blue", "name": "x" * 25}]}, 422, "1 to 24 characters"),
    ({"players": [ANN, {"button": "blue", "name": "<b>\n"}, {"button": "green", "name": "a\0"}]}, 422, "1 to 24"),
    ({"first": "blue"}, 422, "one of the players"),
    ({"first": 1}, 400, "first"),
    ({"rules": "hard"}, 422, "no rules called hard."),
    ({"rules": None}, 400, "rules"),
    ({"options": {"target": True}}, 422, "target"),
    ({"options": {"x" * 900: 1}}, 422, "no option"),
    ({"options": []}, 400, "options"),
    ({"game": "dohdles", "options": {"board": {"start": 3}}, "players": [ANN, BEN, {"button": "blue", "name": ""}]},
     422, "board"),
])  # fmt: skip
def test_a_wrong_start_says_why_and_starts_nothing(table: Table, more: Any, status: int, why: str) -> None:
    referee = table.paired()
    answer = referee.post("start", **{"game": "dodeka", "players": BOTH, **more})
    assert (answer.status_code, why in answer.json()["error"]) == (status, True), answer.text
    assert started(table) == ([], None)


def test_a_start_and_a_rematch_are_in_the_session_and_replay(table: Table) -> None:
    referee = table.paired()
    assert starts(referee, game="scorepad", options={"target": 5}) == 200
    assert referee.act("score", seat=1, points=7).status_code == 200
    assert referee.post("rematch").status_code == 200
    assert [text.split()[2] for text in replayed(session(table)) if text.startswith("reply")] == ["done"] * 4
