"""The house: how games begin at this box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from umpi.frozen import frozen
from umpi.kernel.fields import Profile, Value
from umpi.kernel.game import Game
from umpi.rulebook.fill import by_the_sheet

SHEET = ""  # the name of the rule sheet among the rule sets


@frozen
class House:
    """The `options` of umpi.toml, its rule `sets` by name, and whether the box shows the set-up `card` of a game."""

    options: Mapping[str, Value] = field(default_factory=dict)
    sets: Mapping[str, Any] = field(default_factory=dict)
    card: bool = False

    def begun_with(self, game: type[Game]) -> dict[str, Value]:
        """Return all options of a game as the box offers them first."""
        sheet = by_the_sheet(game)
        begun = {name: self.options.get(name, value) for name, value in sheet.items()}
        return self.with_profiles(game, begun)

    def with_profiles(self, game: type[Game], options: Mapping[str, Value]) -> dict[str, Value]:
        """Return the options with the profiles that this box knows, in place of their codes."""
        profiles = {option.name: option for option in game.options if isinstance(option, Profile)}
        return {
            name: profiles[name].called(value, self.options.get(name)) if name in profiles else value
            for name, value in options.items()
        }

    def rule_sets(self, game: type[Game]) -> dict[str, dict[str, Value]]:
        """Return the rule sets of a game with all their options, the rule sheet first."""
        sheet = by_the_sheet(game)
        sets = {name: each["options"] for name, each in self.sets.items() if each["game"] == game.id}
        return {SHEET: sheet} | {name: {**sheet, **options} for name, options in sets.items()}

    def name_of(self, game: type[Game], options: Mapping[str, Value]) -> str | None:
        """Return the name of the rule set with these options, None if there is none."""
        return next((name for name, values in self.rule_sets(game).items() if values == options), None)
