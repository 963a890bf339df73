"""Lessons as written games: each is legal to its end, teaches its rulings, and a wrong answer changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from umpi.i18n.translate import tr
from umpi.kernel.game import Act
from umpi.kernel.match import Refused
from umpi.kernel.misshapen import Misshapen
from umpi.kernel.record import dump
from umpi.kernel.registry import find
from umpi.lessons import LESSONS, found
from umpi.lessons.course import AnotherMove, Course

RULED = {
    "battledodes": {"struck", "scored", "over"},
    "dodeka": {"scored", "pairtraiz", "play-off", "part", "over"},
    "dodekka": {"bust", "no-bust", "over"},
    "dohdles": {"guess", "over"},
    "dudab-buba": {"request", "taken"},
}


def course_of(game: str) -> Course:
    return Course(LESSONS[game], find(game))


def played(course: Course) -> Iterator[str]:
    """Play a lesson to its end with the right answers; yield the kinds of its calls."""
    while course.step:
        calls = course.answer(course.expected) if course.asking else course.proceed()
        yield from (call.kind for call in calls)


@pytest.mark.parametrize("game", LESSONS)
def test_a_lesson_is_legal_to_its_end_and_has_the_games_rulings(game: str) -> None:
    course = course_of(game)
    assert {*played(course)} >= RULED[game]
    steps = LESSONS[game].steps
    assert all(step.acts for step in steps if step.yours)
    assert 6 <= sum(len(step.acts) for step in steps if step.yours) <= 25
    assert len(course.match.acts) >= 12
    assert steps[0].text.startswith("You are {red}"), "it says who the learner is"


@pytest.mark.parametrize("game", LESSONS)
def test_another_answer_changes_nothing(game: str) -> None:
    """Every act of the lesson is tried at every question: only the written one counts."""
    course = course_of(game)
    acts = [act for step in LESSONS[game].steps for act in step.acts]
    tried = 0
    while course.step:
        if not course.asking:
            course.proceed()
            continue
        before = course.match.now, course.index, course.expected
        for act in acts:
            if act != course.expected[0]:
                try:
                    course.answer([act])
                except Refused:
                    tried += 1
                assert (course.match.now, course.index, course.expected) == before, act
        course.answer(course.expected)
    assert tried > 20


def test_a_legal_answer_differs_from_one_that_the_rules_refuse() -> None:
    course = course_of("dodeka")
    course.proceed()
    with pytest.raises(AnotherMove):
        course.answer([Act("throw", {"keep": (), "dice": (1, 1, 1)})])
    with pytest.raises(Refused) as refused:
        course.answer([Act("stop")])
    assert not isinstance(refused.value, AnotherMove)


def test_the_order_in_which_dice_are_entered_does_not_count() -> None:
    course = course_of("dodeka")
    course.proceed()
    course.answer([Act("throw", {"keep": (), "dice": (11, 3, 4)})])
    assert course.index == 2


def test_one_answer_may_contain_all_acts_of_a_step_or_only_the_first() -> None:
    whole, single = course_of("dohdles"), course_of("dohdles")
    for course in (whole, single):
        while not (course.asking and len(course.expected) == 2):
            course.answer(course.expected) if course.asking else course.proceed()
    whole.answer(whole.expected)
    single.answer(single.expected[:1])
    assert single.asking
    assert not single.opened
    single.answer(single.expected)
    assert single.opened
    assert whole.match.now == single.match.now
    assert whole.index == single.index


def told(game: str) -> Iterator[str]:
    """Tell a lesson: each comment, who acts, the acts, and what the position and the referee say of them."""
    course = course_of(game)
    yield f"# {game}, {course.lesson.seats} seats, {dump(course.lesson.options)}"
    while step := course.step:
        yield f"{'You' if course.asking else 'Watch'}: {tr(course.lesson.comment(step), course.lesson.players)}"
        calls = course.answer(course.expected) if course.asking else course.proceed()
        yield from (f"    {dump(act.line())}" for act in step.acts)
        yield from (f"    says {call.kind}: {call.text}" for call in calls)
        yield f"    then {course.match.now.phase}, seat {course.match.seat}, {list(course.match.now.scores())}"


def test_each_lesson_is_told_as_somebody_has_read_it() -> None:
    """After a change on purpose: read whether the acts are what the comments say, then copy the new lines."""
    lines = [line for game in LESSONS for line in told(game)]
    assert lines == Path(__file__).with_name("lessons.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("content", "why"),
    [({}, r"owls has no LESSON = Lesson\(…\)"),
     ({"LESSON": LESSONS["dodeka"]}, 'the LESSON of owls is for "dodeka", not for "quiz"')],
)  # fmt: skip
def test_a_module_without_a_lesson_of_its_game_is_named(
    content: dict[str, object], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("owls")
    vars(module).update(content)
    monkeypatch.setattr(found, "_module", lambda name: module)
    with pytest.raises(Misshapen, match=why):
        found.whole_lesson(find("quiz"))
    assert found.lesson_of(find("quiz")) is None
