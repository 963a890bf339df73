"""Names: choose the name of a player from a list, or type it letter by letter."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from umpi.display.letters import type_text
from umpi.display.menu import KEYS, Choice, Dialogue, Menu
from umpi.display.symbols import SPACE
from umpi.i18n.translate import player_label, tr
from umpi.kernel.messages import Name
from umpi.table.seats import COLOURS

LONGEST = 24  # letters of a name in a record
GROUPS = {  # by the label of the key: the letters, then on further pages those with accents, the frequent ones first
    "A-F": "ABCDEFÉÁÄÈÇÊÀÂËÆ",
    "G-L": "GHIJKLÍÎÏ",
    "M-R": "MNOPQRÖÓŐÔŒÑ",
    "S-X": "STUVWXÜÚŰßÙÛ",
    "Y-Z": f"YZ-'{SPACE}&.",  # & is between the names of two people at one button
}


def ask_name(
    title: str,
    first: Choice,
    colour: str,
    known: Sequence[str],
    taken: Collection[str],
    now: str = "",
    more: Sequence[Choice] = (),
) -> Dialogue[object]:
    """Ask for the name of a player: known names first, which nobody has `taken`; OK leads to the letters.

    The list starts with another choice, `first`, and the colour of the button. `more` choices are at the end of its
    first page. `now` is the present name. Return the name, or the value of another choice.
    """
    others = (name for name in known if name not in COLOURS)
    names = [name for name in dict.fromkeys([colour, *others]) if name not in taken]
    listed = [first, *(Choice(player_label(name), name, marked=name == now) for name in names)]
    listed[KEYS - len(more) : KEYS - len(more)] = more
    chosen = yield Menu(title, tuple(listed), _TYPE, tr("type"), rows=True)
    if chosen is _TYPE:
        return (yield from type_name({*taken, *COLOURS}))
    return chosen


def type_name(taken: Collection[str]) -> Dialogue[str]:
    """Ask for a name letter by letter: first the group, then the letter. A name that somebody has taken is refused."""
    text = yield from type_text(
        tr("Name"),
        GROUPS,
        lambda text: _refusal(text.strip(), taken),
        tr("A name has at most {number} letters.", number=LONGEST),
        LONGEST,
        help=tr("Press the group, then the letter. Down shows accents. Back deletes."),
        done=tr("done"),
        next=lambda text, letter: letter if text[-1:].strip(" -'&") == "" else letter.lower(),
    )
    return text.strip()


def _refusal(name: str, taken: Collection[str]) -> str:
    """Return why a name cannot be used, "" if it can."""
    if not name:
        return tr("Type at least one letter.")
    return tr("{name} is taken: choose another name.", name=Name(name)) if name in taken else ""


_TYPE = object()
