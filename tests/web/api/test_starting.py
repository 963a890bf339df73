"""Starting by the API: what can be started. conversations/starting.txt has the starts themselves."""

from __future__ import annotations

import pytest

from tests.kit.at_table import Table
from tests.kit.rig import Rigs

RULES = {"short": {"game": "dodeka", "options": {"target": 300, "parts": 1}}}


@pytest.fixture
def table(rigs: Rigs) -> Table:
    """A box at its start screen, with a rule set of its own."""
    return Table(rigs(rules=RULES, options={"parts": 2}))


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
    assert [game["game"] for game in reply["games"] if game["judged"]] == ["dohdles", "quiz"]


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
