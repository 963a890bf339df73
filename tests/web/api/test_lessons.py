"""Lessons on the page: the document of each, and a lesson played to its end in the browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.kit.at_table import Table, laid
from tests.kit.browsing import Phone, Sim
from tests.kit.page_faults import check_suits
from tests.kit.rig import Rigs
from umpi.i18n.translate import set_language
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.registry import find
from umpi.lessons import LESSONS
from umpi.web.app import description
from umpi.web.forms import ask_form


def checked(path: str, reply: Any) -> Any:
    """Check a document against the description of the API."""
    answered = description()["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    jsonschema.validate(reply, {**answered, "components": description()["components"]})
    return reply


def test_the_games_with_a_lesson_are_listed(rigs: Rigs) -> None:
    reply = checked("/api/lessons", Table(rigs()).phone().get("lessons").json())
    assert [each["game"] for each in reply] == sorted(LESSONS)
    assert reply[1] == {"game": "dodeka", "title": "Dodéka dice"}


def answered(phone: Any, game: str, step: int, act: Act) -> Any:
    """Return how the lesson judges an act at a step."""
    answer = json.dumps(act.line())
    return checked("/api/lessons/{game}/{step}", phone.get(f"lessons/{game}/{step}", params={"answer": answer}).json())


@pytest.mark.slow
@pytest.mark.parametrize("game", LESSONS)
def test_each_question_of_a_lesson_is_that_of_the_match_and_takes_the_act_of_the_lesson(rigs: Rigs, game: str) -> None:
    phone = Table(rigs()).phone()
    reply = checked("/api/lessons/{game}", phone.get(f"lessons/{game}").json())
    acts = [
        each for step in LESSONS[game].steps for each in ([(act,) for act in step.acts] if step.yours else [step.acts])
    ]
    assert len(reply["steps"]) == len(acts)
    match = Match(find(game), LESSONS[game].players, LESSONS[game].options)
    for index, (step, played) in enumerate(zip(reply["steps"], acts, strict=True)):
        assert step["match"]["facts"] == json.loads(json.dumps(match.now.shown_facts()))
        if step["question"]:
            (act,) = played
            assert step["question"]["asks"] == json.loads(
                json.dumps([ask_form(ask, match.players) for ask in match.asks])
            )
            assert step["verb"] == act.verb
            form = answered(phone, game, index, act)
            assert (form["refusal"], form["hint"]) == ("", "")
            assert {field["name"] for field in form["fields"]} >= set(act.given)
        for act in played:
            match.play(act)
    assert any(step["calls"] for step in reply["steps"])
    assert reply["end"]["facts"] == json.loads(json.dumps(match.now.shown_facts()))
    assert reply["comments"] == len(LESSONS[game].steps)


def test_a_lesson_says_what_it_has_in_place_of_another_act(rigs: Rigs) -> None:
    phone = Table(rigs()).phone()
    another = answered(phone, "dodeka", 1, Act("throw", {"keep": (), "dice": (3, 4, 5)}))
    assert (another["refusal"], another["hint"]) == ("", "Now enter: Red: roll 3, 4, 11")
    order = answered(phone, "dodeka", 1, Act("throw", {"keep": (), "dice": (11, 3, 4)}))
    assert order["hint"] == ""
    against = answered(phone, "dodekka", 4, Act("turn", {"card": "fire-9"}))
    assert against["refusal"] == against["hint"] != ""


ANSWERS = (
    ("lessons/chess/1", '{"do": "stop"}', 404),
    ("lessons/dodeka/0", '{"do": "throw"}', 404),
    ("lessons/dodeka/1", '{"do": "fly"}', 404),
    ("lessons/dodeka/1", "{}", 404),
    ("lessons/dodeka/1", "{", 400),
    ("lessons/dodeka/99999999", '{"do": "stop"}', 404),
    ("lessons/dodeka/1", '{"do": "throw", "dice": {"a": null}, "keep": 7}', 200),
)


def test_an_answer_that_no_lesson_asks_for_is_refused_in_words(rigs: Rigs) -> None:
    phone = Table(rigs()).phone()
    for path, answer, status in ANSWERS:
        reply = phone.get(path, params={"answer": answer})
        assert (reply.status_code, status == 200 or bool(reply.json()["error"])) == (status, True), (path, answer)


def test_titles_of_lessons_are_translated_with_the_kind_of_their_game(rigs: Rigs) -> None:
    phone = Table(rigs()).phone()
    set_language("de")
    titles = {each["game"]: each["title"] for each in phone.get("lessons").json()}
    assert "Karten" in titles["dudab-buba"]
    assert phone.get("lessons/dudab-buba").json()["title"] == titles["dudab-buba"]


def test_a_lesson_is_in_the_language_of_the_box(rigs: Rigs) -> None:
    phone = Table(rigs()).phone()
    set_language("fr")
    reply = phone.get("lessons/dodeka").json()
    assert [player["name"] for player in reply["players"]] == ["Rouge", "Bleu"]
    assert any("Rouge marque 100" in call["text"] for step in reply["steps"] for call in step["calls"])


def test_phones_have_no_part_in_a_lesson_at_the_box(rigs: Rigs) -> None:
    """The match that was left stays as it was, although its question has the same name."""
    table = laid(rigs, "dodekka", ["Rosie", "Tom"], [{"do": "deal", "cards": ["air-4", "fire-4", "water-4"]}])
    phone, question = table.paired(), table.question
    table.rig.press("back", ms=1000)
    table.rig.choose("Exit match")
    table.rig.press("white")
    table.rig.choose("Learn")
    table.rig.choose("Dodekka cards")
    assert table.rig.shows("Lesson 1/14")
    assert (table.document["screen"], table.document["match"]) == ("welcome", None)
    reply = phone.post("act", question=question, act={"do": "take"})
    assert (reply.status_code, reply.json()["error"]) == (409, "No active match.")
    assert table.rig.acts == ["deal"]
    assert table.rig.shows("Lesson 1/14")


@pytest.mark.slow
def test_a_lesson_is_played_to_its_end_with_the_dice_pad_of_a_match(browser: Any, tmp_path: Path) -> None:
    with Sim(tmp_path / "games.db") as sim:
        phone = Phone(browser, sim.address(6))
        phone.go("table")
        phone.tap(".first-time a[href='#learn']")
        phone.reads("#learn", "Dodéka dice", "Nothing of it is saved.")
        phone.tap("#learn a[href='#learn/dodeka']")
        phone.reads("#learn", "Step 1 of 16", "You are Red")
        phone.tap("#learn [data-key=continue]")
        enter(phone, Act("throw", {"dice": (3, 4, 5)}))
        phone.reads("#notice", "Now enter: Red: roll 3, 4, 11")
        phone.reads("#learn", "Step 2 of 16")
        phone.tap("#learn [data-key=back]")
        phone.tap("#learn [data-key=back]")
        phone.tap("#learn [data-key=back]")
        check_suits(phone)
        for number, step in enumerate(LESSONS["dodeka"].steps[1:], 3):
            if step.yours:
                enter(phone, step.acts[0])
            else:
                phone.tap("#learn [data-key=continue]")
            phone.reads("#learn", f"Step {number} of 16" if number <= 16 else "The lesson is finished.")
            phone.find("#learn .b-dodeka")
        assert "390" in phone.text("#learn .standings")
        assert not phone.complaints()


def enter(phone: Phone, act: Act) -> None:
    """Enter an act of Dodéka with the controls of the page."""
    if act.verb == "stop":
        return phone.tap("#learn [data-verb=stop]")
    for name in ("keep", "dice"):
        for value in act.given.get(name, ()):
            phone.tap(f"#learn [data-field={name}] [data-value='{value}']:not([aria-pressed=true])")
    phone.tap("#learn [data-key=send]")
    return None
