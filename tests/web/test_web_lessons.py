"""Lessons on the page: the document of each, and a lesson played to its end in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.kit.at_table import Table, laid
from tests.kit.browsing import Phone, Sim, chromium
from tests.kit.page_faults import check_suits
from tests.kit.rig import Rigs
from umpi.i18n.translate import ENGLISH, set_language
from umpi.lessons import LESSONS
from umpi.web.openapi import description


def checked(path: str, reply: Any) -> Any:
    """Check a document against the description of the API."""
    answered = description()["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    jsonschema.validate(reply, {**answered, "components": description()["components"]})
    return reply


def test_the_games_with_a_lesson_are_listed(rigs: Rigs) -> None:
    reply = checked("/api/lessons", Table(rigs()).phone().get("lessons").json())
    assert [each["game"] for each in reply] == sorted(LESSONS)
    assert reply[1] == {"game": "dodeka", "title": "Dodéka dice"}


@pytest.mark.parametrize("game", LESSONS)
def test_a_lesson_has_all_its_steps_with_the_right_answer_among_others(rigs: Rigs, game: str) -> None:
    reply = checked("/api/lessons/{game}", Table(rigs()).phone().get(f"lessons/{game}").json())
    steps = LESSONS[game].steps
    assert len(reply["steps"]) == len(steps)
    for step, shown in zip(steps, reply["steps"], strict=True):
        assert bool(shown["answers"]) == bool(shown["question"]) == step.yours
        assert not step.yours or shown["expected"] in shown["answers"]
        assert len({*shown["answers"]}) == len(shown["answers"])
    assert any(len(shown["answers"]) > 1 for shown in reply["steps"])
    assert any(shown["calls"] for shown in reply["steps"])


def test_a_lesson_is_in_the_language_of_the_box(rigs: Rigs) -> None:
    phone = Table(rigs()).phone()
    try:
        set_language("fr")
        reply = phone.get("lessons/dodeka").json()
    finally:
        set_language(ENGLISH)
    assert [player["name"] for player in reply["players"]] == ["Rouge", "Bleu"]
    assert any("Rouge marque 100" in call["text"] for step in reply["steps"] for call in step["calls"])


def test_there_is_no_lesson_of_another_game(rigs: Rigs) -> None:
    answer = Table(rigs()).phone().get("lessons/chess")
    assert (answer.status_code, answer.json()) == (404, {"error": "There is no such lesson."})


def test_phones_have_no_part_in_a_lesson_at_the_box(rigs: Rigs) -> None:
    """The match that was left stays as it was, although its question has the same name."""
    table = laid(rigs, "dodekka", ["Rosie", "Tom"], [{"do": "deal", "cards": ["air-4", "fire-4", "water-4"]}])
    phone, question = table.paired(), table.question
    table.rig.press("back", ms=1000)
    table.rig.choose("Exit game")
    table.rig.press("white")
    table.rig.choose("Learn")
    table.rig.choose("Dodekka cards")
    assert table.rig.shows("Lesson 1/14")
    assert (table.document["screen"], table.document["match"]) == ("welcome", None)
    reply = phone.post("act", question=question, act={"do": "take"})
    assert (reply.status_code, reply.json()["error"]) == (409, "No game in progress.")
    assert table.rig.acts == ["deal"]
    assert table.rig.shows("Lesson 1/14")


@pytest.mark.slow
def test_a_lesson_is_played_to_its_end_in_the_browser(tmp_path: Path) -> None:
    with Sim(tmp_path / "games.db") as sim, chromium(tmp_path / "chromium") as browser:
        phone = Phone(browser, sim.address(6))
        phone.go("table")
        phone.tap("#turn a")
        phone.reads("#learn", "Dodéka dice", "Nothing of it is saved.")
        phone.tap("#learn a[href='#learn/dodeka']")
        phone.reads("#learn", "Step 1 of 14", "You are Red")
        phone.tap("#learn button")
        phone.reads("#learn", "Step 2 of 14")
        wrong = "#learn button:not([data-key='Red: roll 3, 4, 11'])"
        phone.tap(wrong)
        phone.reads("#learn", "Step 2 of 14", "In this lesson: Red: roll 3, 4, 11")
        check_suits(phone)
        for number, step in enumerate(sim.get("api/lessons/dodeka")["steps"][1:], 3):
            key = f"[data-key='{step['expected']}']" if step["answers"] else ""
            phone.tap(f"#learn button{key}")
            phone.reads("#learn", f"Step {number} of 14" if number <= 14 else "The lesson is finished.")
        assert not phone.complaints()
