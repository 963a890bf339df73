"""Which positions of Dudab Buba are alike, for `umpi check dudab-buba --exhaustive`."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import TYPE_CHECKING

from umpi.games.dudab_buba.cards import COLOURS, SYMBOLS

if TYPE_CHECKING:
    from umpi.games.dudab_buba.rules import DudabBuba

WORD = re.compile("|".join((*COLOURS, *SYMBOLS)))
NUMBER = {word: number for words in (COLOURS, SYMBOLS) for number, word in enumerate(words)}


def merged(game: DudabBuba) -> Hashable:
    """Return what decides how a round goes on: colours and symbols by the order in which they appear on the table.

    The first colour that appears takes its symbol with it: blue and hand, red and mammoth, and so on. The cards that
    nobody has seen are all others.
    """
    suits: dict[int, str] = {}

    def renamed(match: re.Match[str]) -> str:
        word = match.group()
        return ("colour" if word in COLOURS else "symbol") + suits.setdefault(NUMBER[word], str(len(suits)))

    return WORD.sub(
        renamed,
        repr((
            game.phase, game.actor, game.turn, game.columns, game.request, game.spot, game.waits, game.took, game.owed,
            game.hidden.known, game.hidden.hands, game.hidden.deck, game.piles, game.discard, game.round, game.rounds,
        )),
    )  # fmt: skip
