"""Lessons as documents: each step with its comment, its question, the answers to choose from, scores and calls."""

from __future__ import annotations

from random import Random
from typing import Any

from umpi.i18n.translate import tr
from umpi.kernel.game import full_title
from umpi.kernel.match import Match, Refused
from umpi.kernel.random_games import NeverEnds, sample
from umpi.kernel.registry import find, games
from umpi.lessons import LESSONS
from umpi.lessons.course import Course
from umpi.table.lessons import taught, tell_expected, tell_step
from umpi.table.telling import tell_act
from umpi.web.table import players_of

Json = dict[str, Any]
ANSWERS = 3  # to choose from, the right one among them
TRIES = 20  # draws for the others


def lessons() -> list[Json]:
    """List the games that have a lesson."""
    return [{"game": game.id, "title": tr(full_title(game))} for game in taught(games())]


def lesson(game: str) -> Json:
    """Return the lesson of a game with all its steps. Raises Refused if the game is not installed."""
    course = Course(LESSONS[game], find(game))
    players = course.match.players
    steps = []
    while course.step:
        step = _step(course)
        calls = course.answer(course.expected) if course.asking else course.proceed()
        steps.append(step | {"calls": [{**call.line(), "text": tr(call.text)} for call in calls]})
    title = tr(full_title(course.match.game))
    return {"game": game, "title": title, "players": players_of(players, range(len(players))), "steps": steps}


def _step(course: Course) -> Json:
    """Return the current step before its acts: `answers` is empty if the learner only watches."""
    assert course.step
    match = course.match
    question = " / ".join(tr(ask.text, match.players) for ask in match.asks if not ask.rare)
    return {
        "text": tell_step(course)[1],
        "question": question if course.asking else "",
        "expected": tell_expected(course),
        "answers": _answers(course) if course.asking else [],
        "scores": list(match.now.scores()),
    }


def _answers(course: Course) -> list[str]:
    """Return the lesson's answer among others, which are drawn from the offer; the same step has the same answers."""
    match, chance = course.match, Random(course.index).random
    found = {str(tell_expected(course))}
    for _ in range(TRIES):
        if len(found) < ANSWERS:
            found |= _drawn(match.copy(), chance)
    return sorted(found)


def _drawn(match: Match, chance: Any) -> set[str]:
    try:
        match.play(sample(match.asks, chance))
    except (NeverEnds, Refused):
        return set()
    return {str(tell_act(match, len(match.acts) - 1))}
