"""What the settings of a box have for single games: without those, umpi.toml would not be valid any more."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.box.config import Config
from umpi.kernel.registry import games, options_of_expansions
from umpi.shelf.package_names import id_of_expansion


def settings_for(config: Config) -> list[tuple[str, tuple[str, ...]]]:
    """Return what the settings have for single games, each with the ids of the games or expansions that it is for."""
    rules = [(f"[rules.{name}]", (str(own["game"]),)) for name, own in config.rules.items()]
    of_expansions = [
        (f"[rules.{name}]", (_owner(str(own["game"]), option),))
        for name, own in config.rules.items()
        for option in own.get("options", {})
    ]
    options = [
        (
            f"[options] {name}",
            tuple(_owner(game.id, name) for game in games() if any(each.name == name for each in game.options)),
        )
        for name in config.options
    ]
    left_out = [(each.setting, each.owners) for each in config.left_out]  # without them, a start would refuse it
    return [*rules, *of_expansions, *options, *left_out]


def _owner(game: str, option: str) -> str:
    """Return the id of what brings an option to a game: that of an expansion, or of the game itself."""
    package = options_of_expansions(game).get(option)
    return id_of_expansion(package) if package else game


def needed_by(settings: Sequence[tuple[str, Sequence[str]]], ids: Sequence[str]) -> str:
    """Return what the settings have for these games alone, "" if nothing.

    >>> needed_by([("[rules.owls]", ["night-owls"])], ["night-owls"])
    '[rules.owls]'
    """
    return next((what for what, owners in settings if {*owners} <= {*ids}), "")
