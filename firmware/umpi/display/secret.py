"""Secret answers by buttons: who answers, a cover until the others look away, and then the question."""

from __future__ import annotations

from collections.abc import Collection

from umpi.display.cover import cover, privately
from umpi.display.entering import Asker
from umpi.display.menu import Choice, Dialogue, Menu
from umpi.i18n.translate import Translated, player_label, tr
from umpi.kernel.game import Act, Ask
from umpi.kernel.teams import Teams, team_of
from umpi.table.secret import own_ask, seats_of


def secretly(asker: Asker, ask: Ask, sealed: Collection[int], together: Teams = ()) -> Dialogue[Act]:
    """Ask who answers, show a cover, then ask that seat. A seat that has answered is marked, and may answer again.

    The cover names all seats that give one answer `together`.
    """
    seats = seats_of(ask)
    seat: object = seats[0]
    if len(seats) > 1:
        names = [player_label(asker.players[each]) for each in seats]
        pairs = zip(names, seats, strict=True)
        choices = tuple(Choice(name, each, "", each in sealed, asker.buttons[each]) for name, each in pairs)
        seat = yield Menu(tr("{what}: who?", what=tr(ask.text, asker.players)), choices, help=tr(ask.help))
    assert isinstance(seat, int)
    party = Translated(" & ".join(player_label(asker.players[each]) for each in team_of(together, seat)))
    yield cover(asker.players[seat], party)
    return (yield from privately(asker.fill(own_ask(ask, seat))))
