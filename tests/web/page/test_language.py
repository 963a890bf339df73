"""The box changes its language in a match: each page speaks it too, without a reload, and loses nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.browsing import Phone, Sim, pair
from tests.kit.speaking import speak_german

pytestmark = pytest.mark.slow  # each needs a browser

RED, BLUE, REFEREE, ONLOOKER = 2, 3, 4, 5  # the hosts of these phones: cookies are kept by address
CHIPS = "return [...document.querySelectorAll('.chip')].map((one) => one.innerText)"
REQUESTS = "return performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('events')).length"


def keep(phone: Phone) -> None:
    phone.here.execute_script("window.kept = true")


def is_kept(phone: Phone) -> bool:
    return bool(phone.here.execute_script("return window.kept"))


def test_a_begun_answer_its_focus_and_the_connection_outlast_a_change_of_language(sim: Sim, phones: Any) -> None:
    red, television = phones(sim, RED, 0), phones(sim, ONLOOKER)
    television.go("tv")
    red.tap("[data-value='\"fire-1\"']")
    red.tap("[data-value='\"water-2\"']")
    red.wait("return document.querySelectorAll('.chip').length === 2")
    red.here.execute_script("document.querySelector('[data-key=back]').focus()")
    assert [chip.split() for chip in red.here.execute_script(CHIPS)] == [
        ["1", "fire", "1", "✕"],
        ["2", "water", "2", "✕"],
    ]
    streams = red.here.execute_script(REQUESTS)
    for phone in (red, television):
        keep(phone)
    speak_german(sim)
    red.reads("nav", "Tisch", "Regeln")
    red.reads("#question .foot", "Senden")
    red.reads("#question", "Feuer")
    assert red.focus == "Rückgängig"
    assert [chip.split()[1:3] for chip in red.here.execute_script(CHIPS)] == [["Feuer", "1"], ["Wasser", "2"]]
    assert red.here.execute_script(REQUESTS) == streams
    television.reads("#scores", "Rot")
    for phone in (red, television):
        assert is_kept(phone)
        assert not phone.complaints()


def test_the_virtual_box_and_the_form_of_a_game_keep_what_is_entered(fresh: Sim, phones: Any) -> None:
    referee = phones(fresh, REFEREE)
    pair(fresh, referee, None)
    referee.tap("[data-key='game quiz']")
    referee.here.execute_script("document.querySelector(\"[data-key='name 1']\").focus()")
    referee.type(*"Cleo")
    keep(referee)
    fresh.choose("Language: English")
    fresh.sees("Deutsch")
    fresh.choose("Deutsch")
    referee.reads("form.start", "Eine Partie starten")
    form = "return [...document.querySelector('form.start').elements].filter(({ checked }) => checked)"
    assert "game quiz" in referee.here.execute_script(form + ".map((one) => one.dataset.key)")
    assert referee.here.execute_script("return document.activeElement.value") == "Cleo"
    referee.go("box")
    referee.reads(".virtual .hint", "Tasten unter dem Bildschirm")
    assert referee.here.execute_script("return document.querySelector('[data-button=back]').ariaLabel") == "zurück"
    assert is_kept(referee)
    assert not referee.complaints()


def test_a_lesson_continues_in_the_other_language_at_its_step_with_its_begun_answer(fresh: Sim, phones: Any) -> None:
    learner = phones(fresh, ONLOOKER)
    learner.go("learn/dodeka")
    learner.tap("#learn [data-key=continue]")
    learner.find("#learn [data-field=dice]")
    step = learner.text("#learn .head .when")
    assert step.startswith("Step 2 ")
    for face in (3, 12):
        learner.tap(f"#learn [data-field=dice] [data-value='{face}']")
    learner.wait("return document.querySelectorAll('#learn .chip').length === 2")
    learner.here.execute_script("document.querySelector('#learn [data-key=back]').focus()")
    keep(learner)
    fresh.choose("Language: English")
    fresh.sees("Deutsch")
    fresh.choose("Deutsch")
    learner.reads("#learn .head .when", step.replace("Step", "Schritt").replace("of", "von"))
    learner.reads("#learn .question", "Senden")
    learner.reads("#learn .comment", "Wurf")
    assert len(learner.here.execute_script(CHIPS)) == 2
    assert learner.focus == "Rückgängig"
    assert is_kept(learner)
    learner.go("learn")
    learner.reads("#learn h2", "Lernen")
    assert not learner.complaints()
