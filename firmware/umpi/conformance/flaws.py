"""Flaws: what the author of a game reads: the check, a sentence, and a record that shows the flaw."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from umpi.frozen import frozen
from umpi.kernel.blame import blame
from umpi.kernel.fields import Chance
from umpi.kernel.game import Act, Game
from umpi.kernel.match import Match
from umpi.kernel.misshapen import Misshapen
from umpi.kernel.record import Header

SHOWN = 60  # lines of a record in a message


@frozen
class Flaw:
    """A flaw in a position.

    `act` is the act with the flaw, if it is not in the match. `crash` is true if the engine failed during the look.
    """

    why: str
    act: Act | None = None
    crash: bool = False


Look = Callable[[Match, Chance], Iterator[Flaw]]  # examines the current position of a match; it may play and undo acts


class Flawed(AssertionError):
    """Report that an engine fails a check; `record` is the shortest record found that shows it, or empty."""

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
    """Yield a game as the lines of a record; values that are not JSON are written as their `repr`."""
    for line in [header.line(), *(act.line() for act in acts)]:
        yield _json(line).encode() + b"\n"


def shown(act: Act) -> str:
    """Return an act as its line in a record."""
    return _json(act.line())


def fault_words(fault: BaseException) -> str:
    """Return the type and the text of an exception on one line."""
    kind = "" if isinstance(fault, Misshapen) else f"{type(fault).__name__}: "
    return " ".join(f"{kind}{fault}".split())


def at_fault(fault: BaseException, game: type[Game]) -> str:
    """Return the type and the text of an exception, and whose code raised it, with its file and line."""
    return f"{fault_words(fault)} [{blame(fault, game)}]"


def missing(value: object) -> str:
    """Return a wrong value, and for None the likely cause."""
    return "None: perhaps a `return` is missing" if value is None else repr(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=repr)
