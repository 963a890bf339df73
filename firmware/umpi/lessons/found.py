"""Find the lesson of a game: one that comes with Umpi, or the module `lesson` in the package of the game."""

from __future__ import annotations

import logging
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from umpi.kernel.expansions import packages_of
from umpi.kernel.game import Game
from umpi.kernel.misshapen import Misshapen
from umpi.lessons import LESSONS
from umpi.lessons.lesson import Lesson

log = logging.getLogger(__name__)
MODULE = "lesson"


def lesson_of(game: type[Game]) -> Lesson | None:
    """Return the lesson of a game, None if it has none. A module that does not load is logged, and costs the lesson."""
    try:
        return whole_lesson(game)
    except Exception:
        log.warning("The lesson of %s does not load", game.id, exc_info=True)
        return None


def whole_lesson(game: type[Game]) -> Lesson | None:
    """Return the lesson of a game that comes with Umpi, else `LESSON` of the module `lesson` beside its own, or None.

    Raises Misshapen if it is no lesson of this game, and whatever the module raises.
    """
    if game.id in LESSONS:
        return LESSONS[game.id]
    beside = next(filter(None, (_module(f"{package}.{MODULE}") for package in packages_of(game))), None)
    if beside is None:
        return None
    lesson = vars(beside).get("LESSON")
    if not isinstance(lesson, Lesson):
        raise Misshapen(f"{beside.__name__} has no LESSON = Lesson(…)")
    if lesson.game != game.id:
        raise Misshapen(f'the LESSON of {beside.__name__} is for "{lesson.game}", not for "{game.id}"')
    return lesson


@cache
def _module(name: str) -> ModuleType | None:
    return import_module(name) if find_spec(name) else None
