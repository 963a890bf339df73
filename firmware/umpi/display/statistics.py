"""The question for which game to show statistics."""

from __future__ import annotations

from collections.abc import Mapping

from umpi.display.menu import Choice, Dialogue, Menu
from umpi.i18n.translate import tr
from umpi.table.commands import Statistics

STATISTICS = object()  # the choice that leads here


def ask_statistics(titles: Mapping[str, str]) -> Dialogue[Statistics]:
    """Ask for the game; `titles` maps the games' ids to their titles."""
    games = (Choice(title, Statistics(id)) for id, title in titles.items())
    chosen = yield Menu(tr("Statistics"), (Choice(tr("All games"), Statistics()), *games), rows=True)
    assert isinstance(chosen, Statistics)
    return chosen
