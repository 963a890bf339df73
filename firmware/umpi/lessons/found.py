"""Find the lesson of a game: one that comes with Umpi, or the module `lesson` in the package of the game."""

from __future__ import annotations

import inspect
import logging
import re
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
    known = {option.name for option in game.options}
    for name in lesson.options:
        if name not in known:
            where = _place(beside, name)
            raise Misshapen(f'{where}: the lesson sets the option "{name}", which {game.title} does not have')
    return lesson


def _place(module: ModuleType, word: str) -> str:
    """Return the file of a module, and the last line with a word in quotation marks, where options stand."""
    file = module.__file__ or module.__name__
    lines = enumerate(inspect.getsource(module).splitlines(), 1)
    named = re.compile(rf"""(["']){re.escape(word)}\1|\b{re.escape(word)}=""")
    found = [number for number, line in lines if named.search(line)]
    return f"{file}, line {found[-1]}" if found else file


@cache
def _module(name: str) -> ModuleType | None:
    return import_module(name) if find_spec(name) else None
