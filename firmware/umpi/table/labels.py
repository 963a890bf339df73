"""Labels: options, rule sets and times in the words of the players."""

from __future__ import annotations

from umpi.i18n.translate import Translated, tr, tr_context
from umpi.kernel.fields import Profile, Value, show


def value_label(option: str, value: Value) -> Translated:
    """Return the label of an option's value; a list, such as the points of a table, is too long for a row."""
    return tr("own") if isinstance(value, tuple) else tr_context(option, show(value))


def rules_label(name: str | None) -> Translated:
    """Return the label of a rule set: "" is the rule sheet, None are options that no set has."""
    return Translated(name) if name else tr("own") if name is None else tr("by the sheet")


def profile_label(option: Profile, value: Value) -> Translated:
    """Return the label of a profile: none, one that comes with the game, or the box's own."""
    if value is None:
        return tr("by the table")
    return tr(next((name for name, ready in option.ready.items() if ready == value), "own"))


def clock_time(seconds: int) -> str:
    """Format seconds as minutes and seconds.

    >>> clock_time(95)
    '1:35'
    """
    return f"{seconds // 60}:{seconds % 60:02}"
