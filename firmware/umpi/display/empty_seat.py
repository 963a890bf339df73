"""A seat that the box plays: the choice in the list of names, and the question for its level."""

from __future__ import annotations

from umpi.display.menu import Choice, Dialogue, Menu
from umpi.i18n.translate import tr
from umpi.kernel.game import Game
from umpi.table.empty_seat import LABELS, UMPI, why_not
from umpi.table.seating import LEVELS, Level, is_level

UMPI_PLAYS = object()  # the answer of the choice


def umpi_choice(game: type[Game], now: Level | None = None) -> Choice:
    """Return the choice that lets the box play a seat, off if it cannot play the game; `now` is its level."""
    return Choice(tr("Umpi plays"), UMPI_PLAYS, tr(why_not(game)), marked=now is not None)


def ask_level(now: Level | None = None) -> Dialogue[Level]:
    """Ask how well the box plays a seat."""
    help = tr("Easy: every second decision is left to chance. Medium: every fifth. Strong: none.")
    choices = tuple(Choice(tr(LABELS[level]), level, marked=level == now) for level in LEVELS)
    level = yield Menu(UMPI, choices, rows=True, help=help)
    assert is_level(level)
    return level
