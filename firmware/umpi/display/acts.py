"""Past acts: describe each in one line, correct one, or enter a forgotten act before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from umpi.display.answer import ACT
from umpi.display.entering import Asker
from umpi.display.menu import Choice, Dialogue, Menu
from umpi.i18n.translate import Translated, player_label, tr, tr_context, tr_n
from umpi.kernel.fields import Field, Pick, Value, show
from umpi.kernel.game import Act
from umpi.kernel.match import Match, Refused


@dataclass(frozen=True, slots=True)
class Correct:
    """Replace the act at `index`, and keep the later acts that are still valid.

    With `trying`, only list the acts that would be lost.
    """

    index: int
    act: Act
    trying: bool = False


@dataclass(frozen=True, slots=True)
class GoBack:
    """Undo the acts from `index` on; they wait until the forgotten acts have been entered."""

    index: int


@dataclass(frozen=True, slots=True)
class PutBack:
    """Restore the acts that wait, as far as they are still valid."""


@dataclass(frozen=True, slots=True)
class Say:
    """Show a text; only the panel handles this choice."""

    title: str
    text: str


def correct(match: Match, buttons: Sequence[int]) -> Dialogue[Correct | GoBack | Say | None]:
    """Ask which act to correct, and how; before the change, show the later acts that would become invalid."""
    indexes = reversed(range(len(match.acts)))
    acts = tuple(Choice(tell_act(match, index), index) for index in indexes if entered(match, index))
    index = yield Menu(tr("Which move?"), acts, rows=True)
    assert isinstance(index, int)
    ways = (Choice(tr("edit"), True), Choice(tr("insert"), False))
    help = tr("Insert: enter what was forgotten before it. Later moves wait; the menu restores them.")
    change = yield Menu(tr("Edit"), ways, text=tell_act(match, index), help=help)
    if not change:
        return GoBack(index)
    act = yield from _instead(match, index, buttons)
    try:
        _, lost = match.amended(index, act)
    except Refused as refusal:
        return Say(tr("Not allowed"), tr(refusal.reason, match.players))
    sure = yield from _sure(match, lost)
    return Correct(index, act) if sure else None


def entered(match: Match, index: int) -> bool:
    """Return whether somebody entered an act by itself: the box did not do it, nor did it follow the act before."""
    act, ask = match.acts[index], match.asked(index)
    if ask.of_box or (ask.at_ms is not None and act.at is not None and act.at >= ask.at_ms):
        return False
    before = match.acts[index - 1] if index else None
    return not (before and before.at == act.at is not None and match.asked(index - 1).followed_by == act.verb)


def put_back(match: Match, later: Sequence[Act]) -> Dialogue[PutBack | None]:
    """Ask whether to restore the acts that wait; show which of them would become invalid."""
    _, lost = match.followed(later)
    return PutBack() if (yield from _sure(match, lost)) else None


def put_back_choice(later: Sequence[Act]) -> tuple[Choice, ...]:
    """Return the choice that restores the acts that wait, if there are any."""
    return (Choice(tr_n("Restore {number} move", "Restore {number} moves", len(later)), PUT_BACK),) if later else ()


NAMED = 3  # the most invalid acts that are listed; of the others only the number is shown
CORRECT, PUT_BACK = object(), object()  # the choices that lead here


def _instead(match: Match, index: int, buttons: Sequence[int]) -> Dialogue[Act]:
    """Ask for another act in place of a past one."""
    asks, verb = match.offered(index), match.acts[index].verb
    if len(asks) > 1:
        verbs = tuple(Choice(tr_context(ACT, ask.verb), ask.verb, marked=ask.verb == verb) for ask in asks)
        chosen = yield Menu(tr("Change to?"), verbs, rows=True)
        assert isinstance(chosen, str)
        verb = chosen
    ask = next(ask for ask in asks if ask.verb == verb)
    return (yield from _apart(Asker(match.players, None, buttons, whole=True).fill(ask), tell_act(match, index)))


def _apart(dialogue: Dialogue[Act], instead: str) -> Dialogue[Act]:
    """Show each question on its own screen, with the act that it replaces, because the table shows another turn."""
    answered: object = None
    while True:
        try:
            menu = dialogue.send(answered)
        except StopIteration as end:
            act: Act = end.value
            return act
        own = menu.rows or menu.text or menu.wheel is not None
        text = menu.note or tr("Instead of {act}", act=Translated(instead))
        answered = yield menu if own else replace(menu, text=text)


def _sure(match: Match, lost: Sequence[Act]) -> Dialogue[bool]:
    """Show which acts would become invalid, and ask whether to continue."""
    few = ", ".join(_act_text(match, act) for act in lost[:NAMED]) + " \N{HORIZONTAL ELLIPSIS}" * (len(lost) > NAMED)
    text = tr("All later moves stay valid.")
    if lost:
        text = tr_n("{number} now invalid: {acts}", "{number} now invalid: {acts}", len(lost), acts=Translated(few))
    sure = yield Menu(tr("Sure?"), (Choice(tr("yes"), True), Choice(tr("no"), False)), text=text)
    return sure is True


def tell_act(match: Match, index: int, labelled: bool = False) -> Translated:
    """Describe a valid act, as in "Red: turn fire-2"; `labelled` adds the names of its fields if it has several."""
    act, ask = match.acts[index], match.asked(index)
    return _act_text(match, act, ask.seat, {field.name: field for field in ask.walk(act.given)}, labelled)


def _act_text(
    match: Match, act: Act, seat: int | None = None, fields: Mapping[str, Field] = MappingProxyType({}),
    labelled: bool = False,
) -> Translated:  # fmt: skip
    """Describe an act of a seat, or of the seat that it names; `fields` are the fields that it answered."""
    named = act.given.get("seat")
    who = named if seat is None and isinstance(named, int) else seat
    given = [(name, value) for name, value in act.given.items() if (name != "seat" or value != who) and value != ()]
    if labelled and len(given) > 1:
        values = [_numbered(fields.get(name), value) or f"{tr(name)} {_shown(value)}" for name, value in given]
        what = f"{tr_context(ACT, act.verb)}, {'; '.join(values)}"
    else:
        values = [_numbered(fields.get(name), value) or _shown(value) for name, value in given]
        what = " ".join([tr_context(ACT, act.verb), *values])
    return Translated(what if who is None else f"{player_label(match.players[who])}: {what}")


def _numbered(field: Field | None, value: Value) -> str:
    """Return a value that players count from 1 and records from 0, as in "column 1"; "" for any other value."""
    label = field.label(value) if isinstance(field, Pick) and type(value) is int else ""
    return f"{tr(field.name)} {label}" if field and label.isdecimal() and label != str(value) else ""


def _shown(value: Value) -> str:
    if isinstance(value, Mapping):
        return " ".join(map(_shown, value.values()))
    return ", ".join(map(_shown, value)) if isinstance(value, tuple) and value else tr(show(value))
