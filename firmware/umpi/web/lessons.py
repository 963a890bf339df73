"""Lessons as documents: each step with its position and its question as in a match, and how an answer is judged."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.i18n.translate import game_label, tr
from umpi.kernel.calls import Call
from umpi.kernel.drawn import chosen_alone
from umpi.kernel.fields import Given
from umpi.kernel.game import Act
from umpi.kernel.match import Match, Refused
from umpi.kernel.messages import message
from umpi.kernel.registry import find, games
from umpi.lessons.course import AnotherMove, Course
from umpi.lessons.found import lesson_of
from umpi.table.lessons import taught, tell_another_move, tell_expected, tell_step
from umpi.table.seating import Seating
from umpi.table.telling import of_players
from umpi.web import documents
from umpi.web.forms import following
from umpi.web.shown import call_json, match_json, now_json, players_of, question_json

NUMBER = -1  # of the match of a lesson, which is in no journal


def lessons() -> list[documents.Title]:
    """List the games that have a lesson."""
    return [{"game": game.id, "title": game_label(game)} for game in taught(games())]


def lesson(game: str) -> documents.Lesson:
    """Return the lesson of a game with all its steps. Raises Refused if the game is not installed."""
    course = _begun(game)
    steps: list[documents.LessonStep] = []
    while course.step:
        step = _step(course)
        steps.append({**step, "calls": list(map(call_json, _advance(course)))})
    match = course.match
    return {
        "game": game,
        "title": game_label(match.game),
        "players": players_of(match.players, range(len(match.players))),
        "comments": len(course.lesson.steps),
        "steps": steps,
        "end": _match(match),
    }


def lesson_form(game: str, step: int, verb: str, given: Given) -> documents.LessonForm | None:
    """Return the form of an answer to the question of a step, and the hint if the lesson has another answer there.

    Returns None if the lesson asks nothing there, or nothing with this verb.
    """
    course = _begun(game)
    for _ in range(step):
        if course.step:
            _advance(course)
    match = course.match
    ask = next((ask for ask in match.asks if ask.verb == verb), None)
    if not course.asking or ask is None:
        return None
    form = following(ask, given, match.players, chosen_alone(ask, given))  # who learns sees all hands
    return {**form, "hint": form["refusal"] or _hint(course, Act(verb, given))}


def _hint(course: Course, act: Act) -> str:
    """Return what the lesson has in place of an act that the rules allow, "" if the lesson has this act."""
    try:
        course.answer((act,))
    except AnotherMove:
        return tell_another_move(course)
    except Refused as refusal:
        return tr(refusal.reason, course.match.players)
    return ""


def _begun(game: str) -> Course:
    engine = find(game)
    if not (lesson := lesson_of(engine)):
        raise Refused(message("There is no such lesson."))
    return Course(lesson, engine)


def _advance(course: Course) -> Sequence[Call]:
    """Go to the next step of the page: a learner gives one act at a time."""
    return course.answer(course.expected[:1]) if course.asking else course.proceed()


def _step(course: Course) -> documents.LessonStep:
    """Return the current step before its acts."""
    match = course.match
    asks = of_players(match.asks)
    return {
        "number": course.index + 1,
        "text": tell_step(course)[1],
        "match": _match(match),
        "question": question_json(match, asks, str(len(match.acts))) if course.asking else None,
        "now": now_json(match),
        "verb": course.expected[0].verb if course.asking else "",
        "expected": tell_expected(course),
        "calls": [],
    }


def _match(match: Match) -> documents.Match:
    table = Seating(match.game, match.players, tuple(range(len(match.players))), match.options)
    return match_json(match, table, NUMBER, match.now.shown_facts(), "")
