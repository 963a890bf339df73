"""The figures of those who have played: the question of which game, or of all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from umpi.display.menu import Choice, Dialogue, Menu
from umpi.i18n.translate import tr


@dataclass(frozen=True, slots=True)
class Statistics:
    """Show the figures of a game by its id, None: of all."""

    game: str | None = None


STATISTICS = object()  # the choice that leads here


def ask_statistics(titles: Mapping[str, str]) -> Dialogue[Statistics]:
    """Ask of which game; `titles` are told, by the games' ids."""
    games = (Choice(title, Statistics(id)) for id, title in titles.items())
    chosen = yield Menu(tr("Statistics"), (Choice(tr("All games"), Statistics()), *games), rows=True)
    assert isinstance(chosen, Statistics)
    return chosen
