"""Acts in the words of the players: those of a match, and those that somebody entered by itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from umpi.i18n.translate import Translated, player_label, tr, tr_context
from umpi.kernel.fields import Field, Forms, Pick, Some, Value, show
from umpi.kernel.game import Act, Ask
from umpi.kernel.match import Match
from umpi.table.faults import broke

ACT = "act"  # the translation context of verbs


def sentence_of(match: Match, index: int) -> Translated:
    """Tell a valid act in the sentence of its game, as in "Red flips fire-2."; without one, as `tell_act` does.

    That then has the names of the fields, if there are several.
    """
    return Translated(tr(match.told(index))) or _described(match, index, labelled=True)


def tell_act(match: Match, index: int) -> Translated:
    """Describe a valid act as short as a key or a line of the menu needs it, as in "Red: turn fire-2"."""
    return _described(match, index)


def _described(match: Match, index: int, labelled: bool = False) -> Translated:
    ask = match.asked(index)
    fields = {field.name: field for field in ask.walk(match.acts[index].given)}
    return act_text(match, match.shown(index), ask.seat, fields, labelled)


def act_text(
    match: Match, act: Act, seat: int | None = None, fields: Mapping[str, Field] = MappingProxyType({}),
    labelled: bool = False,
) -> Translated:  # fmt: skip
    """Describe an act of a seat, or of the seat that it names; `fields` are the fields that it answered."""
    named = act.given.get("seat")
    who = named if seat is None and isinstance(named, int) else seat
    given = [(name, value) for name, value in act.given.items() if (name != "seat" or value != who) and value != ()]
    given = [(name, value) for name, value in given if not _in_order(fields.get(name))]
    if labelled and len(given) > 1:
        values = [
            _numbered(field := fields.get(name), value) or f"{tr(name)} {_labelled(field, value)}"
            for name, value in given
        ]
        what = f"{tr_context(ACT, act.verb)}, {'; '.join(values)}"
    else:
        values = [_numbered(field := fields.get(name), value) or _labelled(field, value) for name, value in given]
        what = " ".join([tr_context(ACT, act.verb), *values])
    return Translated(what if who is None else f"{player_label(match.players[who])}: {what}")


def _numbered(field: Field | None, value: Value) -> str:
    """Return a value that players count from 1 and records from 0, as in "column 1"; "" for any other value."""
    label = field.label(value) if isinstance(field, Pick) and type(value) is int else ""
    return f"{tr(field.name)} {label}" if field and label.isdecimal() and label != str(value) else ""


def _in_order(field: Field | None) -> bool:
    return isinstance(field, Pick) and field.in_order


def _labelled(field: Field | None, value: Value) -> str:
    """Return a number as its button names it, such as a die by its face; any other value as it is written."""
    if isinstance(field, Some) and isinstance(value, tuple):
        return ", ".join(_labelled(Pick(field.name, field.pool, label=field.label), one) for one in value)
    if isinstance(field, Forms) and isinstance(value, tuple):
        each = (" ".join(_labelled(part, form[part.name]) for part in field.fields) for form in value)
        return ", ".join(each)
    if isinstance(field, Pick) and type(value) is int:
        return tr(field.label(value))
    return _shown(value)


def _shown(value: Value) -> str:
    if isinstance(value, Mapping):
        return " ".join(map(_shown, value.values()))
    return ", ".join(map(_shown, value)) if isinstance(value, tuple) and value else tr(show(value))


def entered(match: Match, index: int, joined: Collection[int]) -> bool:
    """Return whether somebody entered an act by itself: the box did not do it, nor did it follow the act before.

    `joined` contains the acts that were entered in one answer with the act before, by index. If the engine fails to say
    what was asked, somebody may have: an undo then takes back this act.
    """
    try:
        act, ask = match.acts[index], match.asked(index)
        if ask.of_box or (ask.at_ms is not None and act.at is not None and act.at >= ask.at_ms):
            return False
        return not (index in joined and match.asked(index - 1).followed_by == act.verb)
    except Exception as fault:  # the game's own code may raise anything
        broke(match, "nobody knows who entered an act", fault)
        return True


def of_players(asks: Sequence[Ask]) -> list[Ask]:
    """List the asks that players answer: all but those that only the box does."""
    return [ask for ask in asks if not ask.of_box]
