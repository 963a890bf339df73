"""The commands to the referee, from buttons, phones, cards, cubes and timers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeGuard

from umpi.display.acts import Correct, GoBack, PutBack
from umpi.display.device_check import CheckDevices, EndCheck
from umpi.display.hint import AskHint
from umpi.display.joining import Admit, AskToJoin, CloseJoin, OpenJoin, TurnAway
from umpi.display.languages import Speak
from umpi.display.learn import Learn
from umpi.display.pairing import AddPhone, InvalidateCode, NamePlayer, PairPhone, UnpairPhone, Where
from umpi.display.resumable import GoOn
from umpi.display.setup import TableSetup
from umpi.display.starting import OfferMatch, Rematch, StartMatch
from umpi.display.statistics import Statistics
from umpi.kernel.game import Act


@dataclass(frozen=True, slots=True)
class Start:
    """Start a match at this table."""

    table: TableSetup


@dataclass(frozen=True, slots=True)
class Do:
    """Play these acts, which are one answer."""

    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Undo the last answer, or the last `count` acts."""

    count: int | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table; a match that is not over can be resumed. A phone says which match it means, by its number."""

    match: int | None = None


@dataclass(frozen=True, slots=True)
class Settle:
    """Settle a doubtful announcement: toss again, order by hand, or accept the order."""

    how: Literal["toss again", "order by hand", "accept"]


@dataclass(frozen=True, slots=True)
class Rename:
    """Rename a seat."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class End:
    """End a match that cannot continue without a seat, and write that down; the other players may start `again`."""

    seat: int
    again: TableSetup | None = None


@dataclass(frozen=True, slots=True)
class Limit:
    """Set the time limit per turn in seconds, None for no limit."""

    seconds: int | None


@dataclass(frozen=True, slots=True)
class Pause:
    """Pause the clocks."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Resume the clocks."""


@dataclass(frozen=True, slots=True)
class Large:
    """Show the score of one seat as large as possible; only the panel handles this choice."""


@dataclass(frozen=True, slots=True)
class Swap:
    """Switch between each throw by itself and the final dice only; only the panel handles this choice."""


@dataclass(frozen=True, slots=True)
class Unplug:
    """Write everything to disk, and show whether the box may be unplugged."""


@dataclass(frozen=True, slots=True)
class Report:
    """Write what has happened at the box to a file, and show its name."""


LEAVE = "leave"  # the verb of a game that continues without a seat
Acts = tuple[Act, ...]
LIMITS_S = (30, 60, 120, 180, 300)  # choices for the time limit per turn
Command = (
    Start | GoOn | Do | TakeBack | Leave | Settle | Rename | End | Speak | Limit | Pause | Resume
    | PairPhone | AddPhone | NamePlayer | UnpairPhone | InvalidateCode | Where | Correct | GoBack | PutBack | Unplug
    | Statistics | Report | Learn | OpenJoin | AskToJoin | Admit | TurnAway | CloseJoin | AskHint
    | StartMatch | Rematch | OfferMatch | CheckDevices | EndCheck
)  # fmt: skip


def is_command(answer: object) -> TypeGuard[Command]:
    """Return whether an answer is a command for the referee."""
    return isinstance(answer, Command)
