"""Past acts: describe each in one line, correct one, or enter a forgotten act before it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from umpi.display.entering import Asker
from umpi.display.menu import Choice, Dialogue, Menu
from umpi.i18n.translate import Translated, tr, tr_context, tr_n
from umpi.kernel.game import Act
from umpi.kernel.match import Match, Refused
from umpi.table.commands import Correct, GoBack, PutBack, Say
from umpi.table.telling import ACT, act_text, entered, tell_act


def correct(match: Match, buttons: Sequence[int], joined: Collection[int]) -> Dialogue[Correct | GoBack | Say | None]:
    """Ask which act to correct, and how; before the change, show the later acts that would become invalid.

    `joined` contains the acts that were entered in one answer with the act before, by index.
    """
    indexes = reversed(range(len(match.acts)))
    acts = tuple(
        Choice(tell_act(match, index), index)
        for index in indexes
        if entered(match, index, joined) and not match.hides(index)
    )
    index = yield Menu(tr("Which move?"), acts, rows=True)
    assert isinstance(index, int)
    ways = (Choice(tr("edit"), True), Choice(tr("insert"), False))
    help = tr("Insert: enter the move that was forgotten before this one. Later moves wait; the menu restores them.")
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
        chosen = yield Menu(tr("Which move instead?"), verbs, rows=True)
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
    few = ", ".join(act_text(match, act) for act in lost[:NAMED]) + " \N{HORIZONTAL ELLIPSIS}" * (len(lost) > NAMED)
    text = tr("All later moves stay valid.")
    if lost:
        text = tr_n(
            "{number} move becomes invalid: {acts}",
            "{number} moves become invalid: {acts}",
            len(lost),
            acts=Translated(few),
        )
    sure = yield Menu(tr("Sure?"), (Choice(tr("yes"), True), Choice(tr("no"), False)), text=text)
    return sure is True
