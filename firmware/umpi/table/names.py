"""The names of players that the box offers, and those that phones gave for their buttons."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from itertools import groupby

from umpi.frozen import frozen
from umpi.i18n.translate import player_label
from umpi.table.seats import COLOURS

UNSEEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}  # categories of Unicode: nothing that a player sees
ALPHABETS = {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"}  # with letters that look alike
ACCENTS = 2  # on one letter, as in Vietnamese


@frozen
class PlayerNames:
    """The `known` names, and by button those that phones gave: their `own` for the next match.

    >>> names = PlayerNames(("Ann",)).given(0, "Zoë")
    >>> names.known, dict(names.own), names.taken(1, "zoë"), names.taken(1, "ＺＯË"), names.taken(0, "Zoë")
    (('Zoë', 'Ann'), {0: 'Zoë'}, True, True, False)
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

    def usual(self, button: int, taken: Collection[str]) -> str:
        """Return a name for a button that is not taken: that of its phone, or else its colour."""
        names = (self.own.get(button), COLOURS[button])
        return next((name for name in names if name and name not in taken), f"{COLOURS[button]} {button + 1}")

    def begun(self, seated: Mapping[int, str]) -> PlayerNames:
        """Return the names after a match has begun with these people: they may have chosen others at the box."""
        return PlayerNames(self.known, {button: seated.get(button, name) for button, name in self.own.items()})

    def taken(self, button: int, name: str, others: Sequence[str] = ()) -> bool:
        """Return whether a name looks like the colour or the name of another button, or like one of the `others`."""
        colours = [colour for other, colour in enumerate(COLOURS) if other != button]
        own = [name for other, name in self.own.items() if other != button]
        return _looks(name) in map(_looks, (*colours, *own, *others))


def disguised(name: str) -> bool:
    r"""Return whether a name contains something invisible, too many accents, or letters of several alphabets.

    So it could look like another name, or spoil the line that it is in.

    >>> [disguised(each) for each in ("Zoë", "Ngô Thế", "Бен")]
    [False, False, False]
    >>> [disguised(each) for each in ("B\u0435n", "Ben\u200b", "\u202eneB", "A" + 3 * "\u0301")]
    [True, True, True, True]
    """
    spelled = unicodedata.normalize("NFD", name)
    letters = [unicodedata.name(each, "").partition(" ")[0] for each in spelled if each.isalpha()]
    marks = [len([*run]) for mark, run in groupby(spelled, key=lambda each: bool(unicodedata.combining(each))) if mark]
    unseen = any(unicodedata.category(each) in UNSEEN for each in name)
    return unseen or len(ALPHABETS & {*letters}) > 1 or max(marks, default=0) > ACCENTS


def _looks(name: str) -> str:
    return unicodedata.normalize("NFKC", player_label(name)).casefold().strip()
