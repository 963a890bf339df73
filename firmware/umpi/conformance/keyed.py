"""Checks with the real panel: press random buttons until there is an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from umpi.conformance.flaws import Flaw, at_fault, shown
from umpi.display.menu import NOTHING
from umpi.display.panel import Key, Panel
from umpi.kernel.drawn import completed, first_of_pool
from umpi.kernel.fields import Chance, Each, Field, Forms
from umpi.kernel.game import Act, no_objection
from umpi.kernel.match import Broken, Match, Refused
from umpi.table.commands import Do
from umpi.table.seating import Seating
from umpi.table.seats import COLOURS

PRESSES = 300  # the most presses for one answer; after them the check stops


def played(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether the panel shows a position and gives an answer that the rules accept."""
    if not match.asks or len(match.players) > len(COLOURS):
        return
    panel = Panel([match.game])
    panel.show(match, Seating(match.game, match.players, tuple(range(len(match.players)))))
    for count in range(PRESSES):
        panel.picture()
        if panel.fault:
            why = at_fault(panel.fault, match.game)
            yield Flaw(f"The panel fails after {count} presses: {why}.", crash=True)
            return
        keys = keys_of(panel)
        command = panel.press(keys[int(chance() * len(keys))]) if keys else None
        if isinstance(command, Do):
            yield from _accepted(match, command.acts[0])
        if command or not keys:  # a menu may have no answer: the Back button leaves it
            return


def keys_of(panel: Panel) -> Sequence[Key]:
    """Return the buttons that lead further; OK is in the list twice, so that list answers end."""
    menu, page = panel.question
    keys: list[Key] = [
        menu.key(index) for index, choice in enumerate(menu.page(page)) if not choice.off and not choice.marked
    ]
    keys += ["ok", "ok"] if menu.ok is not NOTHING else []
    return [*keys, "down"] if menu.pages > 1 or menu.down is not NOTHING else keys


def _accepted(match: Match, act: Act) -> Iterator[Flaw]:
    """Check whether the rules accept the panel's answer; a refusal by rules about the whole act is not a flaw."""
    ask = next(ask for ask in match.asks if ask.verb == act.verb)
    act = Act(act.verb, completed(ask, act.given, first_of_pool))
    try:
        match.play(act)
    except Broken:  # the legality check reports this flaw
        return
    except Refused as fault:
        if ask.objection is no_objection and not any(map(_compared, ask.walk(dict(act.given)))):
            yield Flaw(f"The panel answers {shown(act)}, which is refused: {fault}", act)
    else:
        match.undo()


def _compared(field: Field) -> bool:
    """Check whether a field contains objects that must differ from each other."""
    return isinstance(field, Forms) or (isinstance(field, Each) and any(map(_compared, field.fields)))
