"""Labels: options, rule sets and times in the words of the players."""

from __future__ import annotations

from collections.abc import Mapping

from umpi.i18n.translate import Translated, tr, tr_context
from umpi.kernel.fields import Profile, Value, show


def value_label(option: str, value: Value) -> Translated:
    """Return the label of an option's value; a list, such as the points of a table, is too long for a row."""
    return tr("own") if isinstance(value, tuple) else tr_context(option, show(value))


def rules_label(name: str | None) -> Translated:
    """Return the label of a rule set: "" is the rule sheet, None are options that no set has."""
    return Translated(name) if name else tr("own") if name is None else tr("by the sheet")


def profile_label(option: Profile, value: Value) -> Translated:
    """Return the label of a profile, with its code: none, one that comes with the game, or the box's own."""
    known = option.called(value)
    if known is None:
        return tr("ask each time")
    if not isinstance(known, Mapping):
        return tr("{code} unknown", code=known)
    name = tr(next((name for name, ready in option.ready.items() if ready == known), "own"))
    return tr("{name} {code}", name=name, code=option.code(known)) if option.code else name


def clock_time(seconds: int) -> str:
    """Format seconds as minutes and seconds.

    >>> clock_time(95)
    '1:35'
    """
    return f"{seconds // 60}:{seconds % 60:02}"
