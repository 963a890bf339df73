"""Lessons in words: the games that have one, its steps, and what it expects."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.i18n.translate import Translated, tr
from umpi.kernel.calls import Call
from umpi.kernel.game import Game
from umpi.lessons.course import Course
from umpi.lessons.found import lesson_of
from umpi.table.telling import tell_act


def taught(games: Sequence[type[Game]]) -> list[type[Game]]:
    """Return the games that have a lesson."""
    return [game for game in games if lesson_of(game)]


def tell_step(course: Course) -> tuple[Translated, Translated]:
    """Return the title of the current step and its comment."""
    assert course.step
    title = tr("Lesson {number}/{count}", number=course.index + 1, count=len(course.lesson.steps))
    return title, tr(course.lesson.comment(course.step), course.match.players)


def tell_expected(course: Course) -> Translated:
    """Describe the acts that the lesson has here."""
    match, first = course.match.copy(), len(course.match.acts)
    for act in course.expected:
        match.play(act)
    return Translated("; ".join(tell_act(match, index) for index in range(first, len(match.acts))))


def tell_another_move(course: Course) -> Translated:
    """Return the hint after an answer that the rules allow, but the lesson has not here."""
    return tr("Now enter: {act}", act=tell_expected(course))


def tell_calls(calls: Sequence[Call]) -> Translated:
    """Return the calls of the referee, one per line."""
    return Translated("\n".join(tr(call.text) for call in calls))
