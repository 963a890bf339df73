"""A flaw to what its author reads: the check, a sentence, and a record that shows it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from umpi.kernel.blame import blame
from umpi.kernel.fields import Chance
from umpi.kernel.game import Act, Game
from umpi.kernel.match import Match
from umpi.kernel.record import Header

SHOWN = 60  # lines of a record in a message


@dataclass(frozen=True, slots=True)
class Flaw:
    """What is wrong in a position.

    `act` is the act it is about where that has not been played; `crash` that the engine failed while it was looked at.
    """

    why: str
    act: Act | None = None
    crash: bool = False


Look = Callable[[Match, Chance], Iterator[Flaw]]  # looks at where a match stands, and may play on and undo


class Flawed(AssertionError):
    """A check that an engine fails; `record` is the shortest found that shows it, empty where no game is needed."""

    def __init__(self, check: str, why: str, header: Header | None = None, seed: int = 0, record: bytes = b"") -> None:
        self.check, self.why, self.header, self.seed, self.record = check, why, header, seed, record
        super().__init__("\n".join([f"{check}: {why}", *self._shown()]))

    def _shown(self) -> Iterator[str]:
        if self.header is None:
            return
        options = _json(dict(self.header.options))
        yield f"{self.header.game.title}, {len(self.header.players)} seats, options {options}, seed {self.seed}:"
        lines = self.record.decode().splitlines()
        yield from lines[:SHOWN]
        if len(lines) > SHOWN:
            yield f"… and {len(lines) - SHOWN} lines more, in the error's `record`."


def written(header: Header, acts: Sequence[Act]) -> Iterator[bytes]:
    """Write a game as the lines of a record; what is no JSON stands there as Python writes it."""
    for line in [header.line(), *(act.line() for act in acts)]:
        yield _json(line).encode() + b"\n"


def shown(act: Act) -> str:
    """Write an act as its line."""
    return _json(act.line())


def told(fault: BaseException) -> str:
    """Say what an engine raised."""
    return " ".join(f"{type(fault).__name__}: {fault}".split())


def at_fault(fault: BaseException, game: type[Game]) -> str:
    """Say what was raised, and whose code raised it in which file and line."""
    return f"{told(fault)} [{blame(fault, game)}]"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=repr)
