"""The names of players that the box offers, and those that phones gave for their buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from umpi.i18n.translate import player_label
from umpi.table.seats import COLOURS


@dataclass(frozen=True, slots=True)
class PlayerNames:
    """The `known` names, and by button those that phones gave: their `own` for the next match.

    >>> names = PlayerNames(("Ann",)).given(0, "Zoë")
    >>> names.known, dict(names.own), names.taken(1, "zoë"), names.taken(0, "Zoë")
    (('Zoë', 'Ann'), {0: 'Zoë'}, True, False)
    """

    known: tuple[str, ...] = ()
    own: Mapping[int, str] = field(default_factory=dict)

    def given(self, button: int, name: str) -> PlayerNames:
        """Return the names after a phone gave one for its button."""
        return PlayerNames(tuple(dict.fromkeys((name, *self.known))), {**self.own, button: name})

    def freed(self, button: int) -> PlayerNames:
        """Return the names after the phone of a button has given its seat back."""
        return PlayerNames(self.known, {other: name for other, name in self.own.items() if other != button})

    def played(self, players: Sequence[str]) -> PlayerNames:
        """Return the names after a match of these players: new ones come first."""
        new = tuple(name for name in players if name not in self.known)
        return PlayerNames((*new, *self.known), self.own)

    def begun(self, buttons: Sequence[int], players: Sequence[str]) -> PlayerNames:
        """Return the names after a match has begun, because the players may have chosen others at the box."""
        seated = dict(zip(buttons, players, strict=True))
        return PlayerNames(self.known, {button: seated.get(button, name) for button, name in self.own.items()})

    def taken(self, button: int, name: str, others: Sequence[str] = ()) -> bool:
        """Return whether a name, as players read it, is that of another button or of one of the `others`."""
        buttons = [self.own.get(other, colour) for other, colour in enumerate(COLOURS) if other != button]
        return player_label(name).casefold() in {player_label(each).casefold() for each in (*buttons, *others)}
