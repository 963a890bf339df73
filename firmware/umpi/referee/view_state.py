"""The view state: one frozen value from which the lamps, the page for phones and the status of the service are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from umpi.display.screens import Seen
from umpi.display.setup import TableSetup
from umpi.kernel.match import Match
from umpi.referee.transcript import Transcript


@dataclass(frozen=True, slots=True)
class ViewState:
    """What the box shows.

    - `match`: the match in play, None if there is none; `playing` is whether it is on the screen.
    - `table`: its table, or that of the last match. `on` is whether the match has not been left.
    - `number`, `question`: the number of the match in the journal, and the name of its question.
    - `saved`: the match in play as far as it is on disk. Nothing else of it may be read as a record.
    - `last`: the last line of its record and who wrote it, None if nothing was done.
    - `doubt`: what the players must settle, "" for nothing, with the seats that are too close to call.
    - `unsaved`: why nothing can be written, "" if everything is on disk.
    - `device_errors`: each device, as named for the players, with the reason and what to do instead.
    - `broken`: the devices with an error, by their names in `umpi.toml`.
    - `code`: the digits of the code that pairs a phone, while it is on the screen.
    """

    match: Match | None = None
    playing: bool = False
    table: TableSetup | None = None
    on: bool = False
    number: int = 0
    question: str = ""
    saved: Transcript | None = None
    last: tuple[Mapping[str, Any], str] | None = None
    seen: Seen = ""
    doubt: tuple[str, tuple[int, ...]] = ("", ())
    paused: bool = False
    clock: str = ""
    unsaved: str = ""
    device_errors: Mapping[str, str] = field(default_factory=dict)
    broken: frozenset[str] = frozenset()
    code: str = ""
