"""Games of other people: what the shelves of the box offer, and how far the installing or removing of one is.

The service does not fetch anything. A program of its own does, and tells how far it is. What it changes counts from the
next start of the box, so a match in play stays as it is.
"""

from __future__ import annotations

from typing import Literal

from umpi.frozen import frozen
from umpi.kernel.messages import message

ShelfTask = Literal["look", "add", "forget", "install", "remove"]
ShelfStage = Literal["idle", "busy", "done", "failed"]

BEGINNING = message("One moment …")


@frozen
class OnShelf:
    """A game that a shelf has, or an installed one that no shelf has any more; then `version` is "".

    `installed` is its version on this box, "" if it is not there. `minutes` is the length of a match in the laboratory,
    `equal` whether no difference between its seats was shown; None if that is not known. `check` is the report of
    `umpi check`. For an expansion, `expands` is the title of the game, "" for a game.
    """

    shelf: str
    game: str
    title: str
    package: str
    version: str
    installed: str = ""
    newer: bool = False
    low: int = 0
    high: int = 0
    languages: tuple[str, ...] = ()
    minutes: float | None = None
    equal: bool | None = None
    licence: str = ""
    check: tuple[str, ...] = ()
    expands: str = ""


@frozen
class KnownShelf:
    """A shelf of this box: its address or its folder, the key of its owner, and why it cannot be read, "" if it can."""

    where: str
    key: str
    trouble: str = ""


@frozen
class ShelfWork:
    """The last task of the shelves, and how far it is: `percent` of a file, in `text` what is done or what happened.

    `looks` counts how often the shelves and their games have been read.
    """

    task: ShelfTask | None = None
    stage: ShelfStage = "idle"
    text: str = ""
    percent: int | None = None
    looks: int = 0
    shelves: tuple[KnownShelf, ...] = ()
    games: tuple[OnShelf, ...] = ()

    @property
    def line(self) -> str:
        """What people read: the text, with the percentage if there is one."""
        if self.percent is None:
            return self.text
        return message("{what} {percent} %", what=self.text, percent=self.percent)
