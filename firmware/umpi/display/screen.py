"""The screen: one frozen value of all that the display shows."""

from __future__ import annotations

from umpi.display.menu import Menu
from umpi.display.notice import Notice
from umpi.display.screens import Seen
from umpi.frozen import frozen
from umpi.kernel.calls import Call
from umpi.kernel.match import Match
from umpi.table.state import TableState


@frozen
class Screen:
    """All that the display shows.

    `match` is None at the start screen. `large` is the seat with its score in large digits. `seen` is what the funnel
    saw. A `private` screen contains a passphrase or a code. A `call` of the referee passes over the question.
    With `lesson`, the match is that of a lesson. Several phones ask for the seat of the button `rivals`: the players
    choose one. The menu is the match's own question, or a part of it, if `answering`.
    """

    state: TableState
    menu: Menu
    page: int = 0
    notice: Notice | None = None
    match: Match | None = None
    buttons: tuple[int, ...] = ()
    seen: Seen = ""
    large: int | None = None
    private: bool = False
    call: Call | None = None
    lesson: bool = False
    rivals: int | None = None
    answering: bool = False
