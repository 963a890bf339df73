"""Check of the table setup: it is a few short messages, and the screen shows them whole."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from umpi.conformance.flaws import Flaw
from umpi.conformance.texts import collect_cuts
from umpi.display.menu import Menu
from umpi.display.screens import question
from umpi.display.setup import card_pages, lines_of
from umpi.i18n.translate import tr
from umpi.kernel.fields import Chance
from umpi.kernel.match import Match
from umpi.kernel.messages import Message, named
from umpi.kernel.table_setup import table_setup_of

LINES = 3  # of one sentence in English; another language needs more


def table(match: Match) -> Hashable:
    """Return the number of players and the options, which decide how a table is set up."""
    return len(match.players), repr(sorted(match.options.items()))


def described(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check what the engine says about setting up the table of a match."""
    players = match.players
    sentences = table_setup_of(match.game, len(players), match.options)
    for sentence in sentences:
        text = named(sentence, players)
        if not isinstance(sentence, Message) or not text.strip():
            yield Flaw(f'table_setup returns "{text}"; expected a sentence made by message().')
        elif lines_of(text) > LINES:
            yield Flaw(f'table_setup returns "{text}", which needs more than {LINES} lines of the screen.')
    pages = card_pages([tr(sentence, players) for sentence in sentences])
    with collect_cuts() as cuts:
        for page in range(len(pages)):
            question(Menu("", (), texts=pages), page)
    for cut in cuts:
        yield Flaw(f'The screen cuts "{cut.text}" of table_setup to "{cut.left}".')
