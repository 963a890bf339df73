"""The screen: one frozen value of all that the display shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from umpi.display.device_check import DeviceCheck
from umpi.display.hint import Hint
from umpi.display.house import House
from umpi.display.joining import Joining
from umpi.display.menu import Menu
from umpi.display.notice import Notice
from umpi.display.pairing import Code, Phones
from umpi.display.player_names import PlayerNames
from umpi.display.screens import Seen
from umpi.display.setup import TableSetup
from umpi.kernel.calls import Call
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.rulebook.shelf import NO_RULES, Shelf


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the panel shows beside the match and its question.

    - `unsaved`: why nothing can be written; every screen then shows NOT SAVED.
    - `device_errors`: each device with the reason and what to do instead; every screen then shows a small sign.
    - `ignored`: whether a press has just been ignored, because it was meant for the question before.
    - `clock`: the text of the turn timer. While the game is `paused`, any press asks to resume it.
    - `phones`: the paired phones, None on a box without a phone page.
    - `code`: the code that pairs a phone; while it is on the screen, any press invalidates it.
    - `joining`: the phones that ask for seats, None unless players have opened that.
    - `check`: the state of the inputs, None unless players check the devices.
    - `names`: the names that it offers for players.
    - `later`: the acts that wait while forgotten ones are entered before them.
    - `rules`: the rules of the games, for the menu.
    - `hint`: the last hint, None on a box that gives none.
    - `house`: how games begin at this box.
    - `next`: the table of the match that a club offers next, None if it offers none.
    - `sealed`: the seats that have answered the secret question in play.
    """

    unsaved: str = ""
    device_errors: Mapping[str, str] = field(default_factory=dict)
    ignored: bool = False
    clock: str = ""
    paused: bool = False
    phones: Phones | None = None
    code: Code | None = None
    joining: Joining | None = None
    check: DeviceCheck | None = None
    later: tuple[Act, ...] = ()
    rules: Shelf = NO_RULES
    hint: Hint | None = None
    names: PlayerNames = field(default_factory=PlayerNames)
    house: House = field(default_factory=House)
    next: TableSetup | None = None
    sealed: frozenset[int] = frozenset()

    @property
    def offered(self) -> tuple[Phones | None, PlayerNames, TableSetup | None]:
        """What the menu before a match depends on."""
        return self.phones, self.names, self.next


@dataclass(frozen=True, slots=True)
class Screen:
    """All that the display shows.

    `match` is None at the start screen. `large` is the seat with its score in large digits. `seen` is what the funnel
    saw. A `private` screen contains a passphrase or a code. A `call` of the referee passes over the question.
    With `lesson`, the match is that of a lesson.
    """

    beside: Surroundings
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
