"""The document and its forms: any game can be played from the JSON alone, and unavailable choices are never legal."""

from __future__ import annotations

import inspect
import json
from itertools import islice
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.kit.driven import drive
from umpi.display.panel import Panel
from umpi.journal import Journal
from umpi.kernel.fields import Each, Forms, Number, Pick, Some, Text, holds
from umpi.kernel.game import Act, Ask, View
from umpi.kernel.match import Match
from umpi.kernel.random_games import play
from umpi.kernel.registry import find, games
from umpi.referee.session import MatchSession
from umpi.referee.view_state import ViewState
from umpi.table.seating import Seating
from umpi.web.app import description
from umpi.web.forms import field_form, following
from umpi.web.past import Past
from umpi.web.shown import shown_of

STATE = {"$ref": "#/components/schemas/State", "components": description()["components"]}
ACTS = 150
PLAYERS = ("Rosie", "Tom", "Ann", "Ben", "Eve", "Zoe")


def sat(game: str, folder: Path, seats: int = 0) -> tuple[Journal, MatchSession, Panel]:
    found = find(game)
    journal, session = Journal(folder / "games.db"), MatchSession(find, lambda: 0)
    players = PLAYERS[: seats or found.seats[0]]
    table = Seating(found, players, tuple(range(len(players))))
    drive(journal, session.begin(table, 0))
    panel = Panel([found])
    panel.show(session.match, table)
    return journal, session, panel


def shown(session: MatchSession, panel: Panel) -> dict[str, Any]:
    """The document of what a panel shows."""
    table, number, question = session.table, session.number, session.question
    view = ViewState(panel.screen(), match=session.match, table=table, number=number, question=question)
    return shown_of(view)


def takes(form: dict[str, Any], value: Any) -> bool:
    """Whether a page that knows nothing but the form can give this answer."""
    match form["kind"]:
        case "pick":
            return any(option["value"] == value and not option["off"] for option in form["options"])
        case "number":
            return form["null"] if value is None else form["low"] <= value <= form["high"]
        case "text":
            return form["null"] if value is None else form["least"] <= len(value) <= form["most"]
        case "each":
            return all(takes(each, item) for each, item in zip(form["fields"], value, strict=True))
        case "forms":
            names = {each["name"]: each for each in form["fields"]}
            fits = form["least"] <= len(value) <= form["most"]
            return fits and all(takes(names[name], part) for item in value for name, part in item.items())
    there = {json.dumps(option["value"]): option for option in form["options"] if not option["off"]}
    items = [json.dumps(item) for item in value]
    few = form["again"] or all(items.count(item) <= there[item]["count"] for item in items if item in there)
    return form["least"] <= len(value) <= form["most"] and few and all(item in there for item in items)


def enter(ask: Ask, act: Act, match: Match) -> None:
    """Fill a form in as a page does, field by field as they come, and send it."""
    whole = json.loads(json.dumps(dict(act.given)))
    given: dict[str, Any] = {}
    document: Any = None
    for _ in range(len(whole) + 1):
        document = json.loads(json.dumps(following(ask, {name: act.given[name] for name in given}, match.players)))
        forms = {form["name"]: form for form in document["fields"]}
        ready = [name for name in forms if name in whole and name not in given]
        if not ready:
            break
        assert takes(forms[ready[0]], whole[ready[0]]), (ask.verb, ready[0], whole)
        given[ready[0]] = whole[ready[0]]
    assert given == whole, "each of its fields has been asked for"
    assert document["refusal"] == ""


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("game", [game.id for game in games()])
def test_any_game_is_played_from_its_forms_alone(game: str, seed: int, tmp_path: Path) -> None:
    journal, session, panel = sat(game, tmp_path)
    match = session.match
    assert match
    shadow = Match(match.game, match.players)
    for _ in islice(play(shadow, seed, audited=False), ACTS):
        act = shadow.acts[-1]
        document = {"boot": "b", "version": 1, **shown(session, panel)}
        assert document["troubles"] == []
        jsonschema.validate(json.loads(json.dumps(document)), STATE)
        assert [ask["verb"] for ask in document["question"]["asks"]] == [ask.verb for ask in match.asks]
        enter(next(ask for ask in match.asks if ask.verb == act.verb), act, match)
        drive(journal, session.do([act.line()], 0, "panel"))
        match = session.match
        assert match
    assert match.now == shadow.now


@pytest.mark.parametrize("game", [game.id for game in games()])
def test_an_unavailable_choice_gives_its_reason_and_the_rules_refuse_it(game: str, tmp_path: Path) -> None:
    _, session, _ = sat(game, tmp_path)
    match = session.match
    assert match
    looked = 0
    for _ in islice(play(match, 3, audited=False), ACTS):
        for ask in match.asks:
            for field in ask.fields:
                if isinstance(field, Pick):
                    for option in field_form(field, match.players)["options"]:
                        assert bool(option["off"]) == bool(field.refuse(option["value"]))
                        looked += 1
    assert looked or game == "dodeka"


@pytest.mark.parametrize("game", [game for game in games() if game.pieces], ids=lambda game: game.id)
def test_the_document_names_the_fields_that_are_pieces_and_the_acts_have_them(game: Any, tmp_path: Path) -> None:
    _, session, panel = sat(game.id, tmp_path)
    document = shown(session, panel)["match"]["pieces"]
    assert document == dict(game.pieces)
    assert {*document.values()} <= {"card", "die", "dode"}
    acts = [getattr(game, name) for name in dir(game) if name.startswith("do_")]
    assert document.keys() <= {name.rstrip("_") for act in acts for name in inspect.signature(act).parameters}


def test_a_word_of_several_parts_is_listed_with_its_parts() -> None:
    form = field_form(Pick("card", ("fire-2",), ("fire-2", "fire-3"), lambda card: f"{card} is gone"), PLAYERS)
    assert form["options"] == [
        {"value": "fire-2", "label": "fire-2", "words": ["fire", "2"], "count": 1, "off": ""},
        {"value": "fire-3", "label": "fire-3", "words": ["fire", "3"], "count": 0, "off": "fire-3 is gone"},
    ]


def test_true_is_not_one_in_a_form_either() -> None:
    options = field_form(Pick("n", (1, True), (1, True, 0, False)), PLAYERS)["options"]
    assert [(option["value"], not option["off"]) for option in options] == [
        (1, True), (True, True), (0, False), (False, False),
    ]  # fmt: skip
    assert [type(option["value"]) for option in options] == [int, bool, int, bool]


def test_a_seat_is_called_by_its_player() -> None:
    options = field_form(Pick("seat", (0, None), (0, 1, None), source="cube"), PLAYERS)["options"]
    assert [option["label"] for option in options] == ["Rosie", "Tom", "none"]


def test_each_kind_of_field_has_its_form() -> None:
    fields = (Number("n", 0, 9, null=True), Text("t", 1, 2), Some("s", (1, 1, 2), 0, 2, until=lambda value: value == 2))
    whole = field_form(Forms("f", (Pick("dode", (1, 2)), Number("hex", 0, 5)), 0, 2), PLAYERS)
    assert [form["kind"] for form in field_form(Each("e", fields), PLAYERS)["fields"]] == ["number", "text", "some"]
    some = field_form(fields[2], PLAYERS)
    assert ([option["count"] for option in some["options"]], some["ends"]) == ([2, 1], [2])
    assert [form["name"] for form in whole["fields"]] == ["dode", "hex"]
    assert holds((1, 2), 1)


class Failing(Exception):
    """What the fault of an engine is."""


def test_an_engine_that_fails_costs_its_own_part_of_the_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, session, panel = sat("dodekka", tmp_path)
    assert session.match

    def view(position: object) -> None:
        raise Failing("no view today")

    monkeypatch.setattr(session.match.game, "view", view)
    document = shown(session, panel)
    assert document["match"] is None
    assert document["question"]["asks"][0]["verb"] == "deal"
    assert "no view today" in document["troubles"][0]["text"]


def test_no_phone_gets_a_score_that_the_game_hides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal, session, panel = sat("scorepad", tmp_path, seats=2)
    assert session.match
    monkeypatch.setattr(session.match.game, "view", lambda position: View(hidden=True))
    drive(journal, session.do([{"do": "score", "seat": 0, "points": 7}], 0, "panel"))
    panel.show(session.match, session.table)
    document = shown(session, panel)
    assert (document["match"]["scores"], document["match"]["hidden"]) == ([None, None], True)
    jsonschema.validate(json.loads(json.dumps(document | {"boot": "", "version": 1})), STATE)
    kept = Past(tmp_path / "games.db").match("1")
    assert kept
    assert (kept["scores"], kept["progress"]) == ([None, None], [])
    drive(journal, session.do([{"do": "finish"}], 0, "panel"))
    document = shown(session, panel)
    assert (document["match"]["scores"], document["match"]["hidden"]) == ([7, 0], False)


def test_a_game_that_is_over_says_who_has_won_and_can_be_taken_back(tmp_path: Path) -> None:
    _, session, panel = sat("dodeka", tmp_path)
    match = session.match
    assert match
    for _ in play(match, 1, audited=False):
        pass
    document = shown(session, panel)
    result = match.now.result()
    assert result
    assert document["match"]["over"]["winners"] == list(result.winners)
    assert document["question"] == {
        "id": session.question,
        "title": "",
        "asks": [],
        "answered": [],
        "together": [],
        "again": [],
    }


def test_a_value_is_named_after_its_player() -> None:
    match = Match(find("dohdles"), PLAYERS[:3], {})
    match.play(Act("clue", {"riddle": "B1", "kind": "letter"}))
    match.play(Act("cube", {"seat": 2}))
    (riddle,) = next(ask for ask in match.asks if ask.verb == "hear").fields
    labels = [option["label"] for option in field_form(riddle, PLAYERS[:3])["options"]]
    assert {"Rosie 1", "Tom 1", "Ann 1"} <= {*labels}
    assert not [label for label in labels if "seat" in label]


def test_yes_and_no_have_the_labels_of_the_game() -> None:
    """Whoever judges by phone reads the same two words as at the box."""
    match = Match(find("dohdles"), PLAYERS[:3], {})
    match.play(Act("clue", {"riddle": "B1", "kind": "letter"}))
    labels = []
    cubes = (Act("cube", {"seat": 2}), Act("cube", {"seat": 0}))  # only who has a cube may claim
    for act in (*cubes, Act("hear", {"riddle": "B1"}), Act("claim", {"take": True})):
        match.play(act)
        fields = match.asks[0].fields
        labels.append([option["label"] for option in field_form(fields[0], PLAYERS[:3])["options"]])
    assert labels[2:] == [["guess", "pass"], ["Rosie right", "Rosie wrong"]]
