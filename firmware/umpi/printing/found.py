"""Find what can be printed of a game: the module `printables` in the package of the game, and a score sheet."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec

from umpi.i18n.translate import tr
from umpi.kernel.game import Game
from umpi.kernel.printable import Scores, Sheet
from umpi.printing.scores import plain_scores

MODULE = "printables"


def own_sheets(game: type[Game], language: str) -> tuple[Sheet, ...]:
    """Return the sheets that the package of a game contains, () if it has none."""
    module = sys.modules[game.__module__]
    package = module.__package__ if module.__spec__ else ""
    if not package or find_spec(f"{package}.{MODULE}") is None:
        return ()
    sheets: tuple[Sheet, ...] = import_module(f"{package}.{MODULE}").printables(language)
    return sheets


def sheets_of(game: type[Game], language: str) -> tuple[Sheet, ...]:
    """Return all sheets of a game: its own, and a plain score sheet if it has none of its own."""
    own = own_sheets(game, language)
    if any(isinstance(sheet, Scores) for sheet in own):
        return own
    return (*own, plain_scores(tr("Score sheet")))
