"""Secret answers by buttons: who answers, a cover until the others look away, and then the question."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from umpi.display.entering import Asker
from umpi.display.menu import Choice, Dialogue, Menu
from umpi.i18n.translate import player_label, tr
from umpi.kernel.fields import Pick
from umpi.kernel.game import Act, Ask
from umpi.kernel.game import replace as changed
from umpi.table.secret import seats_of


def secretly(asker: Asker, ask: Ask, sealed: Collection[int]) -> Dialogue[Act]:
    """Ask who answers, show a cover, then ask that seat. A seat that has answered is marked, and may answer again."""
    field, *others = ask.fields
    assert isinstance(field, Pick)
    seats = seats_of(ask)
    seat: object = seats[0]
    if len(seats) > 1:
        names = [player_label(asker.players[each]) for each in seats]
        pairs = zip(names, seats, strict=True)
        choices = tuple(Choice(name, each, "", each in sealed, asker.buttons[each]) for name, each in pairs)
        seat = yield Menu(tr("{what}: who?", what=tr(ask.text, asker.players)), choices, help=tr(ask.help))
    assert isinstance(seat, int)
    name = player_label(asker.players[seat])
    text = tr("{who} only: the others look away.", who=name)
    yield Menu(name, (Choice(tr("ready"), _READY),), _READY, tr("ready"), text=text)
    own = changed(ask, fields=(changed(field, pool=(seat,), source="will"), *others))
    return (yield from _private(asker.fill(own)))


_READY = object()


def _private(dialogue: Dialogue[Act]) -> Dialogue[Act]:
    """Mark each question of a dialogue as private."""
    given: object = None
    while True:
        try:
            menu = dialogue.send(given)
        except StopIteration as end:
            act: Act = end.value
            return act
        given = yield replace(menu, private=True)
