"""The document and its forms: any game can be played from the JSON alone, and unavailable choices are never legal."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.kit.driven import drive
from tests.kit.seen import check_seen
from umpi.display.panel import Panel
from umpi.journal import Journal
from umpi.kernel.fields import Draw, Each, Forms, Number, Pick, Profile, Some, Text
from umpi.kernel.game import Act, Ask, View
from umpi.kernel.match import Match
from umpi.kernel.random_games import play
from umpi.kernel.registry import find, games
from umpi.referee.session import MatchSession
from umpi.referee.view_state import ViewState
from umpi.table.seating import Seating
from umpi.web.app import description
from umpi.web.forms import ask_form, field_form, following
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


FIELDS = (
    Pick("card", ("fire-2",), ("fire-2", "fire-3"), lambda card: f"{card} is gone", in_menu=True, text="Which card?"),
    Pick("n", (1, True), (1, True, 0, False), in_order=True, optional=True), Pick("take", (True,), (True, False)),
    Pick("seat", (0, None), (0, 1, None), source="cube"), Pick("seat", (7,)), Pick("own", (3, 3, None), label=str),
    Number("few", 1, 6, text="How many?"), Number("many", -5, 20, null=True, source="table", optional=True),
    Some("list", (1, 1, 2), 0, 2, until=lambda value: value == 2), Some("dice", (1, 2), 2, 3, again=True, in_menu=True),
    Some("gone", ("a",), 1, 1, ("a", "b"), lambda value: "" if value == "a" else f"no {value}", text="Which?"),
    Some("out", ("a",), 1, 1, ("a", "b")), Text("word", 1, 9, text="Word?"), Text("name", 0, 3, null=True),
    Each("both", (Number("a", 0, 1), Pick("b", ("x-y",)))), Profile("cube", lambda value: "", optional=True),
    Forms("throws", (Pick("dode", (1, 2)), Number("hex", 0, 5)), 1, 2, in_menu=True), Forms("f", (), 0, 1, text="Of?"),
)  # fmt: skip
OPEN, OWN, HAND = Number("points", 0, 3), Draw("drawn", (5, 6), 1, source="box"), Pick("card", (7, 8), to=1)
HIDDEN = Draw("dealt", (5, 6), 1, source="box", to=1)
ASKS = {
    "plain": Ask("roll", "{who} rolls", (OPEN,), 1, help="Roll.", rare=True, usual={"points": 2}, followed_by="stop"),
    "asked of nobody": Ask("deal", "Deal", (OWN, OPEN._replace(optional=True))),
    "a hand": Ask("play", "Play", (OPEN, HAND), 1, usual={"points": 2}),
    "a hand of the box": Ask("see", "See", (HIDDEN,)),
    "a secret": Ask("bid", "Bid", (Pick("seat", (0, 1)),), secret=True, more=lambda given: (HAND,)),
    "more": Ask("add", "Add", (OPEN,), 0, more=lambda given: (Number("next", 0, given["points"]),),
                objection=lambda given: "Too many." if given.get("next") == 2 else ""),
}  # fmt: skip
ANSWERS: tuple[dict[str, Any], ...] = (
    {}, {"points": 2}, {"points": 4}, {"card": 7}, {"points": 2, "card": 7}, {"points": 2, "card": 9}, {"seat": 1},
    {"seat": 1, "card": 8}, {"points": 2, "next": 1}, {"points": 2, "next": 2},
)  # fmt: skip


def forms() -> Iterator[str]:
    """Yield the form of each kind of field, and of asks with what each phone may see of them, answer by answer."""
    for field in FIELDS:
        form = field_form(field, PLAYERS[:2])
        options = form.pop("options", [])  # type: ignore[typeddict-item]
        yield f"{type(field).__name__} {json.dumps(form)}"
        yield from (f"    {json.dumps(option)}" for option in options)
    for title, ask in ASKS.items():
        form = ask_form(ask, PLAYERS[:2])
        yield f"{title}: {json.dumps({**form, 'fields': [each['name'] for each in form['fields']]})}"
        ways: dict[tuple[str, ...], list[str]] = {}
        for seat in (None, 0, 1):
            found: dict[str, list[str]] = {}
            for given in ANSWERS:
                after = following(ask, given, PLAYERS[:2], seat)
                said = f"{', '.join(each['name'] for each in after['fields'])}; {after['refusal'] or 'allowed'}"
                found.setdefault(said, []).append(json.dumps(given))
            lines = tuple(f"    {' '.join(givens)}: {said}" for said, givens in found.items())
            ways.setdefault(lines, []).append(str(seat))
        for lines, seats in ways.items():
            yield from (f"  phones of {', '.join(seats)}", *lines)


def test_each_field_and_each_ask_has_its_form() -> None:
    """After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed."""
    check_seen(Path(__file__).with_name("forms.txt"), forms())


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
