"""The state of the table: one frozen value that the referee changes, and that every screen shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from umpi.frozen import frozen
from umpi.kernel.game import Act, Game
from umpi.kernel.match import Match
from umpi.kernel.messages import message
from umpi.rulebook.shelf import NO_RULES, Shelf
from umpi.table.card import CardWork
from umpi.table.device_check import DeviceCheck
from umpi.table.empty_seat import BoxTurn
from umpi.table.hint import Hint
from umpi.table.house import House
from umpi.table.joining import Joining
from umpi.table.names import PlayerNames
from umpi.table.seating import Seating
from umpi.table.shelf_work import ShelfWork
from umpi.timing.race import Race

NO_PAGE = message("Phones cannot reach this page. Connect the box to a network, or start the virtual box with --lan.")

Phones = Sequence[tuple[int, str]]  # the paired phones: the number and the name of each
Code = tuple[str, str, str, int]  # six digits, the page for them, the owner of the phone, the seconds left


@frozen
class ResumableMatch:
    """A past match: its number in the journal, its game and players, and whether it is open."""

    number: int
    game: type[Game]
    players: tuple[str, ...]
    open: bool


@frozen
class SlowMotion:
    """A race that the television shows once more, during this `question`; `number` counts the requests."""

    race: Race
    question: str
    number: int


@frozen
class TableState:
    """What every screen shows beside the match and its question.

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
    - `again`: the seats that must answer it again, because the rules did not allow their answers beside the others.
    - `match`: the match on the screens, None at the start screen and in a lesson.
    - `doubt`: what the players must settle before anything else, "" for nothing.
    - `heat`: the seats that are too close to call, as far as lanes have owners.
    - `box_turn`: what the box does at the turn of a seat that it plays, None at any other question.
    - `alone`: the acts that the box has done by itself for its own seats, by index.
    - `joined`: the acts that were entered in one answer with the act before, by index.
    - `race`: the last race of the match since it began or was resumed, None if there is none.
    - `slow_motion`: the race that was asked for last on the television.
    - `card`: the last task of the card, None on a box that did not start from a card of Umpi.
    - `shelf`: the last task of the shelves with games of other people, None on a box that installs none.
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
    next: Seating | None = None
    sealed: frozenset[int] = frozenset()
    again: frozenset[int] = frozenset()
    match: Match | None = None
    doubt: str = ""
    heat: tuple[int, ...] = ()
    box_turn: BoxTurn | None = None
    alone: frozenset[int] = frozenset()
    joined: frozenset[int] = frozenset()
    race: Race | None = None
    slow_motion: SlowMotion | None = None
    card: CardWork | None = None
    shelf: ShelfWork | None = None

    @property
    def offered(self) -> tuple[Phones | None, PlayerNames, Seating | None]:
        """What the menu before a match depends on."""
        return self.phones, self.names, self.next

    @property
    def playing(self) -> bool:
        """Whether a match is on the screens."""
        return self.match is not None

    @property
    def asking(self) -> bool:
        """Whether the match on the screens still waits for an answer."""
        return bool(self.match and self.match.asks)


class Table:
    """The table in its present state. Only the referee changes it; the panel reads it."""

    def __init__(self, state: TableState | None = None) -> None:
        self.state = state or TableState()

    def become(self, state: TableState) -> bool:
        """Take a new state; return whether anything is new."""
        before, self.state = self.state, state
        return state != before
