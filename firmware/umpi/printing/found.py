"""Find what can be printed of a game: the module `printables` in the package of the game, and a score sheet."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from importlib import import_module
from importlib.util import find_spec

from umpi.i18n.translate import tr
from umpi.kernel.expansions import packages_of
from umpi.kernel.game import Game
from umpi.kernel.printable import Deck, Needs, Pieces, Scores, Sheet, Thing
from umpi.printing.scores import plain_scores

MODULE = "printables"


def own_sheets(game: type[Game], language: str) -> tuple[Sheet, ...]:
    """Return the sheets that the package of a game contains, () if it has none."""
    for package in packages_of(game):
        if find_spec(f"{package}.{MODULE}"):
            sheets: tuple[Sheet, ...] = import_module(f"{package}.{MODULE}").printables(language)
            return sheets
    return ()


def sheets_of(game: type[Game], language: str) -> tuple[Sheet, ...]:
    """Return all sheets of a game: its own, a plain score sheet if it has none, and a first page if it has others."""
    own = own_sheets(game, language)
    if own and not any(isinstance(sheet, Needs) for sheet in own):
        own = (Needs("needs", tr("What you need")), *own)
    if any(isinstance(sheet, Scores) for sheet in own):
        return own
    return (*own, plain_scores(tr("Score sheet")))


def check_sheets(sheets: Sequence[Sheet], chosen: Collection[str]) -> None:
    """Check the sheets of a game, of which those `chosen` by name are printed, or all if none is.

    Raises ValueError if two have one name, or if there is nothing to print on one that is printed.
    """
    names = [sheet.name for sheet in sheets]
    for sheet in sheets:
        if names.count(sheet.name) > 1:
            raise ValueError(f'two sheets have the name "{sheet.name}".')
        match sheet:
            case Scores(groups=groups, total=""):
                empty = not any(heading or rows for heading, rows in groups)
            case Deck(cards=()) | Pieces(pieces=()):
                empty = True
            case _:
                empty = False
        if empty and (sheet.name in chosen or not chosen):
            raise ValueError(f'the sheet "{sheet.name}" is empty.')


def is_drawing(sheet: Sheet) -> bool:
    """Return whether a sheet is drawn only: large print leaves it as it is, and braille has nothing of it."""
    return isinstance(sheet, Pieces) and not sheet.words


def printables_by_id(game: type[Game], language: str) -> dict[str, Sheet | Thing]:
    """Return the sheets of a game as "GAME/NAME", and the things that it needs as "GAME/needs/NAME"."""
    found: dict[str, Sheet | Thing] = {}
    for sheet in sheets_of(game, language):
        found[f"{game.id}/{sheet.name}"] = sheet
        if isinstance(sheet, Needs):
            found |= {f"{game.id}/{sheet.name}/{thing.name}": thing for thing in sheet.have}
    return found
