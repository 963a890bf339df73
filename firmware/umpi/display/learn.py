"""Learning: choose a lesson, and describe its moves."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.display.menu import Choice, Dialogue, Menu
from umpi.i18n.translate import game_label, tr
from umpi.kernel.game import Game
from umpi.table.commands import Learn
from umpi.table.lessons import taught

LEARN = object()  # the choice that leads here


def learn_choices(games: Sequence[type[Game]]) -> tuple[Choice, ...]:
    """Return the choice that leads to the lessons, if there are any."""
    return (Choice(tr("Learn"), LEARN),) if taught(games) else ()


def ask_lesson(games: Sequence[type[Game]]) -> Dialogue[Learn]:
    """Ask for the game to learn."""
    choices = tuple(Choice(game_label(game), game) for game in taught(games))
    game = yield Menu(tr("Which lesson?"), choices, rows=True)
    assert isinstance(game, type)
    return Learn(game)
