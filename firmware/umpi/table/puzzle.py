"""A puzzle as the screens ask it: a position of an own match, and the choices that there were."""

from __future__ import annotations

from umpi.frozen import frozen


@frozen
class Puzzle:
    """The decision before an act of a match, by its uid and counted from 0, with its texts in the language of the box.

    `title` says the game and who is to move, `situation` what that player sees.
    """

    match: str
    move: int
    title: str
    situation: str
    options: tuple[str, ...]
