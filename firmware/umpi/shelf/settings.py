"""What the settings of a box have for single games: without those, umpi.toml would not be valid any more."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.box.config import Config
from umpi.kernel.registry import games


def settings_for(config: Config) -> list[tuple[str, tuple[str, ...]]]:
    """Return what the settings have for single games, each with the ids of the games that it is for."""
    rules = [(f"[rules.{name}]", (str(own["game"]),)) for name, own in config.rules.items()]
    options = [
        (f"the option {name}", tuple(game.id for game in games() if any(each.name == name for each in game.options)))
        for name in config.options
    ]
    return [*rules, *options]


def needed_by(settings: Sequence[tuple[str, Sequence[str]]], ids: Sequence[str]) -> str:
    """Return what the settings have for these games alone, "" if nothing.

    >>> needed_by([("[rules.owls]", ["night-owls"])], ["night-owls"])
    '[rules.owls]'
    """
    return next((what for what, owners in settings if {*owners} <= {*ids}), "")
