"""The commands to the referee. Each says here, once, which phones may give it, and where the box offers it.

A new command is a class here, its name in the union below, and its case in `CommandHandler.execute`. The permissions of
phones, the recorder and the menus read the rest from the class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar, Literal, TypeGuard

from umpi.frozen import frozen
from umpi.kernel.fields import Value
from umpi.kernel.game import Act, Game
from umpi.kernel.messages import Message, message
from umpi.table.card import CardTask, ChosenNetwork
from umpi.table.joining import Claim
from umpi.table.seating import Level, Seating
from umpi.table.shelf_work import ShelfTask

PhoneRight = Literal["none", "any", "paired", "seat", "referee"]
Acts = tuple[Act, ...]
LIMITS_S = (30, 60, 120, 180, 300)  # choices for the time limit per turn


class Declared:
    """What a command says of itself.

    - `phones`: which phones may give it: none, any, those that are paired, a seat's own, or the referee's alone.
    - `of_question`: whether it counts only for the question that its sender has seen.
    - `label`: the menu of a match offers the command under this label, without asking anything further.
    - `while_asked`: whether the menu offers it only while the match still asks something.
    """

    phones: ClassVar[PhoneRight] = "none"
    of_question: ClassVar[bool] = False
    label: ClassVar[Message | None] = None
    while_asked: ClassVar[bool] = False


# Playing


@frozen
class Do(Declared):
    """Play these acts, which are one answer."""

    phones, of_question = "paired", True
    acts: Acts


@frozen
class TakeBack(Declared):
    """Undo the last answer, or the last `count` acts."""

    phones, of_question = "paired", True
    count: int | None = None


@frozen
class Correct(Declared):
    """Replace the act at `index`, and keep the later acts that are still valid.

    With `trying`, only list the acts that would be lost.
    """

    phones, of_question = "paired", True
    index: int
    act: Act
    trying: bool = False


@frozen
class GoBack(Declared):
    """Undo the acts from `index` on; they wait until the forgotten acts have been entered."""

    index: int


@frozen
class PutBack(Declared):
    """Restore the acts that wait, as far as they are still valid."""


@frozen
class Settle(Declared):
    """Settle a doubtful announcement: toss again, order by hand, or accept the order.

    `doubt` is what its sender has read, "" if that is not known: it settles no other doubt.
    """

    phones, of_question = "paired", True
    how: Literal["toss again", "order by hand", "accept"]
    doubt: str = ""


@frozen
class AskHint(Declared):
    """Ask the box what it would do."""

    phones, of_question = "paired", True
    label, while_asked = message("What would you do?"), True


@frozen
class ShowRace(Declared):
    """Show the last race on the television once more, in slow motion."""

    phones = "referee"
    label = message("Slow motion on TV")


# The match and its table


@frozen
class Start(Declared):
    """Start a match at this table."""

    table: Seating


@frozen
class StartMatch(Declared):
    """Start a match of a game by its id, with these players at these buttons, 0 to 5 from the left.

    `players` are their names, "" for the colour of the button. `first` is the button of the player who starts, None
    for the leftmost. `rules` is the name of a rule set, "" for the rule sheet, None for the options that the box offers
    first. `options` change these rules. `moderator` is who judges the answers and does not play, "" for nobody.
    `levels` contains by button the seats that the box plays.
    """

    phones = "referee"
    game: str
    players: tuple[str, ...]
    buttons: tuple[int, ...]
    first: int | None = None
    rules: str | None = None
    options: Mapping[str, Value] = field(default_factory=dict)
    moderator: str = ""
    levels: Mapping[int, Level] = field(default_factory=dict)


@frozen
class Rematch(Declared):
    """Start a match at the last table."""

    phones = "referee"


@frozen
class OfferMatch(Declared):
    """Offer a match as the next one, for example that of a club's round; None offers none."""

    phones = "referee"
    start: StartMatch | None


@frozen
class GoOn(Declared):
    """Resume a match by its number, None for the match just left."""

    phones = "referee"
    number: int | None = None


@frozen
class Leave(Declared):
    """Leave the table; a match that is not over can be resumed. A phone says which match it means, by its number."""

    phones = "referee"
    label = message("Exit match")
    match: int | None = None


@frozen
class End(Declared):
    """End a match that cannot continue without a seat, and write that down; the other players may start `again`."""

    seat: int
    again: Seating | None = None


@frozen
class Occupy(Declared):
    """Let the box play a seat at a level from now on, or a person if it is None; with the name "", under a free one."""

    phones = "referee"
    seat: int
    name: str
    level: Level | None


@frozen
class Rename(Declared):
    """Rename a seat."""

    seat: int
    name: str


# The clocks


@frozen
class Limit(Declared):
    """Set the time limit per turn in seconds, None for no limit."""

    seconds: int | None


@frozen
class Pause(Declared):
    """Pause the clocks."""

    label, while_asked = message("Pause"), True


@frozen
class Resume(Declared):
    """Resume the clocks."""


# Phones


@frozen
class PairPhone(Declared):
    """Make a code to pair a phone of a button, 0 to 5 from the left, None for the referee."""

    who: int | None


@frozen
class InvalidateCode(Declared):
    """Invalidate the code that was on the screen."""


@frozen
class AddPhone(Declared):
    """Pair a phone that has sent a code: the hash of its secret, its owner ("referee", "red") and its name.

    When the referee takes the request, it asks the service to let the phone act. The code may have expired by then.
    """

    phones = "any"
    hash: str
    who: str
    name: str


@frozen
class UnpairPhone(Declared):
    """Unpair a phone."""

    phones = "paired"
    id: int


@frozen
class OpenJoin(Declared):
    """Let phones ask for seats."""

    phones = "referee"


@frozen
class CloseJoin(Declared):
    """End the joining."""

    phones = "referee"


@frozen
class AskToJoin(Declared):
    """Ask for a seat, from a phone that is not paired. `instead` is the hash with which it asked before, or ""."""

    phones = "any"
    claim: Claim
    instead: str = ""


@frozen
class Withdraw(Declared):
    """Stop asking for a seat, from the phone that asks with this hash."""

    phones = "any"
    hash: str


@frozen
class Admit(Declared):
    """Pair the phone that asks with this hash."""

    phones = "referee"
    hash: str


@frozen
class TurnAway(Declared):
    """Refuse the phone that asks with this hash; it cannot ask again before joining is opened again."""

    phones = "referee"
    hash: str


@frozen
class NamePlayer(Declared):
    """Name the player at the button of a phone."""

    phones = "seat"
    name: str


# The box


@frozen
class Where(Declared):
    """Find out how phones reach the box; `Panel.reach` shows it."""


@frozen
class Speak(Declared):
    """Change the language of the box."""

    code: str


@frozen
class Statistics(Declared):
    """Show the statistics of a game by its id, None for all games."""

    game: str | None = None


@frozen
class Review(Declared):
    """Show how much of the match was luck, and which choices cost most."""


@frozen
class AskPuzzle(Declared):
    """Find the puzzle that is due; `Panel.ask_puzzle` asks it."""


@frozen
class AnswerPuzzle(Declared):
    """Answer the puzzle before an act of a match, by its uid and counted from 0, with a choice, counted from 0."""

    match: str
    move: int
    choice: int


@frozen
class CheckDevices(Declared):
    """Show the state of each input."""


@frozen
class EndCheck(Declared):
    """Return to the start screen."""


@frozen
class Unplug(Declared):
    """Write everything to disk, and show whether the box may be unplugged."""

    label = message("Safe shutdown")


@frozen
class Report(Declared):
    """Write what has happened at the box to a file, and show its name."""

    label = message("Report a problem")


@frozen
class UseCard(Declared):
    """Begin a task of the card, or show the question again that this task has asked."""

    phones = "referee"
    task: CardTask


@frozen
class AgreeToCard(Declared):
    """Agree to what the task of the card asks, so that it continues."""

    phones = "referee"


@frozen
class FindNetworks(Declared):
    """Look for the Wi-Fi networks around, and ask at the box which one to join."""


@frozen
class JoinNetwork(Declared):
    """Join a Wi-Fi. No phone gives this command, so the password is in no message and in no recording."""

    network: ChosenNetwork


@frozen
class NameBox(Declared):
    """Have the box restart with another name in its network, once somebody agrees."""

    name: str


@frozen
class UseShelf(Declared):
    """Begin a task of the shelves. `shelf` is the address of one, `game` the id of a game, "" if it needs none."""

    phones = "referee"
    task: ShelfTask
    shelf: str = ""
    game: str = ""


# What the panel does by itself


@frozen
class Large(Declared):
    """Show the score of one seat as large as possible."""

    label, while_asked = message("Big score"), True


@frozen
class Swap(Declared):
    """Switch between each throw by itself and the final dice only."""


@frozen
class Say(Declared):
    """Show a text."""

    title: str
    text: str


@frozen
class Learn(Declared):
    """Begin the lesson of a game."""

    game: type[Game]


# What the referee executes, for the box and for phones
Command = (
    Do | TakeBack | Correct | GoBack | PutBack | Settle | AskHint | ShowRace
    | Start | StartMatch | Rematch | OfferMatch | GoOn | Leave | End | Occupy | Rename
    | Limit | Pause | Resume
    | PairPhone | InvalidateCode | UnpairPhone | OpenJoin | CloseJoin | Admit | TurnAway
    | Where | Speak | Statistics | Review | AskPuzzle | AnswerPuzzle | CheckDevices | EndCheck | Unplug | Report
    | UseCard | AgreeToCard | FindNetworks | JoinNetwork | NameBox | UseShelf
)  # fmt: skip
RemoteCommand = Command | AddPhone | AskToJoin | Withdraw | NamePlayer  # what phones send; `phones` says which may
PanelChoice = Large | Swap | Say | Learn  # what the panel does by itself


def is_command(answer: object) -> TypeGuard[Command]:
    """Return whether an answer is a command for the referee."""
    return isinstance(answer, Command)
