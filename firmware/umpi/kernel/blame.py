"""Blame: find the code that raised an error. The author of a game reads the result in `umpi check` and in the log."""

from __future__ import annotations

import sys
import traceback
from dataclasses import FrozenInstanceError
from types import CodeType, FrameType
from typing import Any

from umpi.kernel.game import Game
from umpi.kernel.misshapen import Misshapen

KERNEL = "umpi.kernel"
RENAMED = {  # parts of an Ask and of fields, by their earlier names
    "then": "followed_by", "kinds": "all_values", "why": "objection", "check": "objection", "aside": "in_menu",
    "unheard": "note_if_no_hit",
}  # fmt: skip


def blame(fault: BaseException, game: type[Any], name: str = "the game") -> str:
    """Return whose code raised a fault, with its file and line.

    If any of the game's code was running, the game's code is blamed. If a fault was raised from another fault, the
    first cause decides. A strategy of the laboratory can be blamed in the same way, with its `name`.
    """
    while fault.__cause__:
        fault = fault.__cause__
    return _where(fault, game, name) + cure(fault)


def cure(fault: BaseException) -> str:
    """Return what to change for some mistakes that Python reports in its own words, "" for all others."""
    text = str(fault)
    if isinstance(fault, FrozenInstanceError):
        return ". A position never changes: return replace(self, …) with the new value."
    if isinstance(fault, RecursionError):
        return ". Two of its methods call each other without an end."
    if isinstance(fault, MemoryError):
        return ". It takes more memory than there is. Does one of its loops never end?"
    if isinstance(fault, NameError):
        return ". Import the name, or correct its spelling."
    for old, new in RENAMED.items():
        if f"unexpected keyword argument '{old}'" in text:
            return f". Write {new} in place of {old}."
    if "mutable default" in text:
        return ". A position never changes: use a tuple, such as ()."
    if "unhashable" in text:
        return ". Use a tuple in place of a list, and frozenset in place of a set."
    return ""


def _where(fault: BaseException, game: type[Any], name: str) -> str:
    if isinstance(fault, Misshapen) and fault.code:
        return f"{name}'s code: {_at(fault.code, fault.code.co_firstlineno)}"
    rooms = rooms_of(game)
    frames = list(traceback.walk_tb(fault.__traceback__))
    for frame, line in reversed(frames):
        made = frame.f_code.co_filename.startswith("<")  # code that a dataclass generates
        if not made and within(str(frame.f_globals.get("__name__")), rooms):
            return f"{name}'s code: {_at(frame.f_code, line)}"
    if isinstance(fault, Misshapen):  # Umpi has found it later
        return f"{name}'s code"
    for frame, line in reversed(frames):
        if not _library(frame):
            return f"Umpi's own code: {_at(frame.f_code, line)}"
    return "nobody's code"


def rooms_of(game: type[Any]) -> set[str]:
    """Return the packages that contain an engine's classes; a module outside a package counts as a package.

    >>> from umpi.games.dodeka import Dodeka
    >>> rooms_of(Dodeka)
    {'umpi.games.dodeka'}
    """
    dealer = game.dealer if issubclass(game, Game) else None
    kinds = [*game.__mro__, *(dealer.__mro__ if isinstance(dealer, type) else ())]
    modules = {kind.__module__ for kind in kinds}
    return {name.rpartition(".")[0] or name for name in modules if not _foreign(name)}


def within(module: str, rooms: set[str]) -> bool:
    """Check whether a module is in one of these packages."""
    return any(module == room or module.startswith(f"{room}.") for room in rooms)


def _foreign(module: str) -> bool:
    """Check whether a class's module belongs to the kernel or to Python instead of an engine."""
    return f"{module}.".startswith(f"{KERNEL}.") or module.partition(".")[0] in sys.stdlib_module_names


def _library(frame: FrameType) -> bool:
    return not str(frame.f_globals.get("__name__")).startswith("umpi.")


def _at(code: CodeType, line: int) -> str:
    return f"{code.co_filename}, line {line}, in {code.co_name}"
