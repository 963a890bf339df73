"""Check of the lesson: the rules allow its moves to its last step, and each comment can be shown."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from umpi.conformance.flaws import Flaw
from umpi.i18n.translate import tr
from umpi.kernel.game import Game
from umpi.kernel.match import Refused
from umpi.lessons.course import Course
from umpi.lessons.found import whole_lesson
from umpi.lessons.lesson import Lesson

log = logging.getLogger(__name__)


def has_lesson(game: type[Game]) -> bool:
    """Check whether the package of a game has a lesson, also one that does not load."""
    try:
        return whole_lesson(game) is not None
    except Exception:  # `followed` reports it
        return True


def steps(game: type[Game]) -> int:
    """Count the steps of the lesson of a game, 0 if it does not load."""
    try:
        return len(lesson.steps) if (lesson := whole_lesson(game)) else 0
    except Exception:  # `followed` reports it
        return 0


def followed(game: type[Game]) -> Iterator[Flaw]:
    """Follow the lesson of a game to its end."""
    try:
        lesson = whole_lesson(game)
    except Exception as fault:  # the author's own code runs
        log.debug("the lesson of %s does not load", game.id, exc_info=True)
        yield Flaw(f"Its lesson does not load: {type(fault).__name__}: {fault}.")
        return
    if lesson:
        yield from _steps(lesson, game)


def _steps(lesson: Lesson, game: type[Game]) -> Iterator[Flaw]:
    if not lesson.steps:
        yield Flaw("Its lesson has no steps: nobody learns anything.")
        return
    try:
        course = Course(lesson, game)
    except Refused as refusal:
        yield Flaw(f"The match of its lesson cannot begin: {refusal}")
        return
    while step := course.step:
        where = f"Step {course.index + 1} of its lesson"
        try:
            tr(lesson.comment(step), lesson.players)
            if step.yours and not step.acts:
                yield Flaw(f"{where} is the learner's, but has no act to enter.")
                return
            course.answer(course.expected) if course.asking else course.proceed()
        except Refused as refusal:
            yield Flaw(f"{where} is refused by the rules: {refusal}")
            return
        except (KeyError, IndexError, ValueError) as fault:
            yield Flaw(f"{where} cannot be shown: {type(fault).__name__}: {fault}.")
            return
