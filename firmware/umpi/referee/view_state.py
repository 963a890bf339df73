"""The view state: one frozen value from which the OLED, the lamps, the page for phones and the status are made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from umpi.display.menu import Menu
from umpi.display.screen import Screen
from umpi.display.screen_saver import DisplayState
from umpi.frozen import frozen
from umpi.kernel.calls import Call
from umpi.kernel.match import Match
from umpi.referee.transcript import Transcript
from umpi.table.seating import Seating
from umpi.table.state import TableState
from umpi.timing.race import Race

START, BRIGHT = Screen(TableState(), Menu("", ())), DisplayState()


@frozen
class ViewState:
    """What the box shows.

    - `state`: the state of the table.
    - `screen`, `look`: what is on the OLED, and how bright it is.
    - `lit`, `blinking`: the lamps, by their seats.
    - `match`: the match in play, None if there is none.
    - `table`: its table, or that of the last match. `on` is whether the match has not been left.
    - `number`, `question`: the number of the match in the journal, and the name of its question.
    - `saved`: the match in play as far as it is on disk. Nothing else of it may be read as a record.
    - `last`: the last line of its record and who wrote it, None if nothing was done.
    - `calls`: what the referee says about the last answer, in order. `question` changes with every answer.
    - `race`: the race in play or just run, None if nothing has arrived.
    - `broken`: the devices with an error, by their names in `umpi.toml`.
    """

    screen: Screen = START
    state: TableState = START.state
    look: DisplayState = BRIGHT
    lit: tuple[int, ...] = ()
    blinking: tuple[int, ...] = ()
    match: Match | None = None
    table: Seating | None = None
    on: bool = False
    number: int = 0
    question: str = ""
    saved: Transcript | None = None
    last: tuple[Mapping[str, Any], str] | None = None
    calls: tuple[Call, ...] = ()
    race: Race | None = None
    broken: frozenset[str] = frozenset()

    @property
    def playing(self) -> bool:
        """Whether a match is on the screen, and not a lesson."""
        return self.screen.match is not None and not self.screen.lesson
