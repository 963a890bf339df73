"""Learning: choose a lesson, and describe its moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from umpi.display.acts import tell_act
from umpi.display.menu import Choice, Dialogue, Menu
from umpi.i18n.translate import Translated, game_label, tr
from umpi.kernel.calls import Call
from umpi.kernel.game import Game
from umpi.lessons import LESSONS
from umpi.lessons.course import Course

LEARN = object()  # the choice that leads here


@dataclass(frozen=True, slots=True)
class Learn:
    """Begin the lesson of a game; only the panel handles this command."""

    game: type[Game]


def taught(games: Sequence[type[Game]]) -> list[type[Game]]:
    """Return the games that have a lesson."""
    return [game for game in games if game.id in LESSONS]


def learn_choices(games: Sequence[type[Game]]) -> tuple[Choice, ...]:
    """Return the choice that leads to the lessons, if there are any."""
    return (Choice(tr("Learn"), LEARN),) if taught(games) else ()


def ask_lesson(games: Sequence[type[Game]]) -> Dialogue[Learn]:
    """Ask for the game to learn."""
    choices = tuple(Choice(game_label(game), game) for game in taught(games))
    game = yield Menu(tr("Which lesson?"), choices, rows=True)
    assert isinstance(game, type)
    return Learn(game)


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
    return tr("In this lesson: {act}", act=tell_expected(course))


def tell_calls(calls: Sequence[Call]) -> Translated:
    """Return the calls of the referee, one per line."""
    return Translated("\n".join(tr(call.text) for call in calls))
