"""The events that the referee takes: plain values, so that an evening can be written to a file and replayed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from umpi.frozen import frozen
from umpi.kernel.game import Act
from umpi.kernel.kept import MatchNews
from umpi.referee.remote import RemoteRequest, Withdrawn
from umpi.table.card import CardStage, FoundNetwork
from umpi.table.puzzle import Puzzle
from umpi.table.shelf_work import KnownShelf, OnShelf, ShelfStage
from umpi.timing.edge import Edge
from umpi.timing.events import Lost, QueueDetection, Scan, Until

NO_NEWS = MatchNews()


@frozen
class DeviceStatus:
    """The status of a device: `reason` is its device error, "" if it works again; `dark` are its dark beams then."""

    device: str
    reason: str
    dark: tuple[str, ...] = ()


@frozen
class Reach:
    """The box's Wi-Fi, with the passphrase if it is the box's own, and the page; or in `trouble` why it is unknown.

    `hello` is whether a new box shows it by itself.
    """

    wifi: str = ""
    passphrase: str = ""
    trouble: str = ""
    page: str = ""
    hello: bool = False


@frozen
class HintFound:
    """What a strategy would answer to a question: its `act` without dice and cards.

    Without an act, `why` is "nothing" if there is nothing to decide, "hidden" if it depends on hidden cards, or
    "failed".
    """

    question: str
    act: Act | None = None
    why: Literal["", "nothing", "hidden", "failed"] = ""


@frozen
class StatisticsCounted:
    """The statistics of a game, of all games if None, as lines for the panel; or `why` they cannot be read."""

    game: str | None
    lines: tuple[str, ...] = ()
    why: str = ""


@frozen
class ReviewFound:
    """The review of a match as lines for the panel, in the language of the box; none if it cannot be reviewed."""

    lines: tuple[str, ...] = ()


@frozen
class PuzzleFound:
    """The puzzle that is due, in the language of the box, or in `why` that there is none; neither if that failed."""

    puzzle: Puzzle | None = None
    why: str = ""


@frozen
class PuzzleJudged:
    """What is said about the answer to a puzzle, in the language of the box; nothing if it could not be judged."""

    lines: tuple[str, ...] = ()


@frozen
class ReportWritten:
    """The recorded session is in a `file`, "" if it cannot be written."""

    file: str


@frozen
class CardNews:
    """How far the task of the card is, or what has become of it; see `CardWork`.

    Once the networks are found, `networks` has them, the strongest first, and `country` where the box is, "" if nobody
    has said so.
    """

    stage: CardStage
    text: str
    percent: int | None = None
    agree: str = ""
    networks: tuple[FoundNetwork, ...] = ()
    country: str = ""


@frozen
class LastUpdate:
    """What has become of the last update, told once after the restart: whether the new version works, and a text."""

    worked: bool
    text: str
    at_ns: int


@frozen
class ShelfNews:
    """How far the task of the shelves is, or what has become of it.

    At its end, `shelves` and `games` are all that there are; None if they are as before.
    """

    stage: ShelfStage
    text: str
    percent: int | None = None
    shelves: tuple[KnownShelf, ...] | None = None
    games: tuple[OnShelf, ...] | None = None


@frozen
class PictureShown:
    """The display shows the picture that `TimePicture` followed, since `at_ns`; None if it did not in time."""

    at_ns: int | None


@frozen
class PhonesKnown:
    """The paired phones, oldest first: number, button (None for the referee) and name."""

    phones: tuple[tuple[int, int | None, str], ...]


@frozen
class SwitchedOn:
    """The box is switched on: its device errors, and the buttons that are down and beams that are dark."""

    at_ns: int
    device_errors: Mapping[str, str] = field(default_factory=dict)
    held: tuple[str, ...] = ()


@frozen
class Tick:
    """All events stamped before `at_ns` have been given, as far as the kernel reports them in time: process them."""

    at_ns: int


@frozen
class Answered:
    """A request was performed: its `value`, or the `fault` that prevented it.

    After a call of the journal, `saved` is whether everything is on disk, `trouble` why the journal cannot write,
    `notice` what the players must read, and `news` what has become of matches since the call before.
    """

    at_ns: int
    value: Any = None
    fault: str = ""
    saved: bool = True
    trouble: str = ""
    notice: str = ""
    news: MatchNews = NO_NEWS


# what the referee has asked for
Found = (
    Reach | HintFound | StatisticsCounted | ReviewFound | PuzzleFound | PuzzleJudged | ReportWritten | PictureShown
    | CardNews | LastUpdate | ShelfNews
)  # fmt: skip
DeviceEvent = Edge | Lost | Until | Scan | QueueDetection | DeviceStatus | Found
Event = DeviceEvent | RemoteRequest | Withdrawn | PhonesKnown | SwitchedOn | Tick | Answered
