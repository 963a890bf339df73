"""Resumable matches: the open matches and those that are over, and the question which one to resume."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.display.menu import Choice, Dialogue, Menu
from umpi.i18n.translate import Translated, player_label, tr
from umpi.table.commands import GoOn
from umpi.table.state import ResumableMatch

BEFORE = object()  # the choice that leads here


def before_choices(resumable: Sequence[ResumableMatch]) -> tuple[Choice, ...]:
    """Return the choice of past matches, if there are any."""
    return (Choice(tr("Past matches"), BEFORE),) if resumable else ()


def ask_before(resumable: Sequence[ResumableMatch]) -> Dialogue[GoOn]:
    """Ask which match to resume; open matches are marked."""
    choices = tuple(Choice(_called(each), GoOn(each.number), marked=each.open) for each in resumable)
    chosen = yield Menu(tr("Which match?"), choices, rows=True)
    assert isinstance(chosen, GoOn)
    return chosen


def _called(resumable: ResumableMatch) -> Translated:
    names = ", ".join(player_label(name) for name in resumable.players)
    return tr("{game}: {names}", game=resumable.game.title, names=Translated(names))
