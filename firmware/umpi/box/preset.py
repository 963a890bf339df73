"""Preset options of umpi.toml and of the command line: check them with each game that has them."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from umpi.box.config import BadConfig
from umpi.kernel.match import Refused
from umpi.kernel.record import check_options
from umpi.kernel.registry import games


class WrongOption(BadConfig):
    """Report a preset option that a game refuses, or that no game has: then `game` is ""."""

    def __init__(self, reason: str, game: str = "") -> None:
        super().__init__(reason)
        self.game = game


def check_preset(name: str, value: Any) -> None:
    """Check a preset option with every game that has it.

    Raises WrongOption with its name, and with the game that refuses it or the nearest option that there is.
    """
    named = {option.name for game in games() for option in game.options}
    if name not in named:
        hint = "".join(f" Did you mean {near}?" for near in get_close_matches(name, sorted(named), 1))
        raise WrongOption(f"{name}: no installed game has such an option.{hint}")
    for game in games():
        if any(option.name == name for option in game.options):
            try:
                check_options({name: value}, game)
            except Refused as refusal:
                raise WrongOption(f"{name}: {game.title} refuses it. {refusal}", game.id) from None
