"""Check of every position: the panel draws its question, and the page describes it as a form."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

from umpi.conformance.flaws import Flaw, at_fault
from umpi.conformance.keyed import keys_of
from umpi.display.panel import Panel
from umpi.kernel.fields import Chance
from umpi.kernel.match import Match
from umpi.table.seating import Seating
from umpi.table.seats import COLOURS
from umpi.web.forms import ask_form, following

log = logging.getLogger(__name__)


def shown_everywhere(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether the panel and the form on a phone show a position, and a key leads on."""
    players = match.players
    for ask in match.asks:
        try:
            form = following(ask, {}, players)  # it contains the fields of `ask_form` too
            json.dumps([ask_form(ask, players, form["fields"]), form["refusal"]])
        except Exception as fault:  # the engine's own code runs
            log.debug("the form of %s fails", ask.verb, exc_info=True)
            yield Flaw(f'The form of "{ask.verb}" on a phone fails: {at_fault(fault, match.game)}.', crash=True)
    if len(players) > len(COLOURS):
        return
    panel = Panel([match.game])
    panel.show(match, Seating(match.game, players, tuple(range(len(players)))))
    panel.picture()
    if panel.fault:
        yield Flaw(f"The panel fails: {at_fault(panel.fault, match.game)}.", crash=True)
    elif not all(ask.of_box for ask in match.asks) and not keys_of(panel):
        yield Flaw("The panel shows the question, but no button answers it.", crash=True)
