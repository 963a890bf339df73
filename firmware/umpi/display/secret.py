"""Secret answers by buttons: who answers, a cover until the others look away, and then the question."""

from __future__ import annotations

from collections.abc import Collection

from umpi.display.cover import cover, privately
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
    yield cover(asker.players[seat])
    own = changed(ask, fields=(changed(field, pool=(seat,), source="will"), *others))
    return (yield from privately(asker.fill(own)))
