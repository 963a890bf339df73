"""A scope: a part of a game that is small enough to enumerate."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import field
from typing import Any

from umpi.frozen import frozen
from umpi.kernel.fields import Value


@frozen
class Scope:
    """A part of a game for `umpi check --exhaustive`: all positions that so many seats can reach with these options.

    `values` has the answers that stand for all others of a field, by the name of the field: two throws in place of
    1,728. `acts` is the number of acts from the start, None for whole games. `alike` says that the rules treat all
    seats alike. If the seats change places, the ends of the game then change places too, and nothing else.
    """

    seats: int
    options: Mapping[str, Value] = field(default_factory=dict)
    values: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    acts: int | None = None
    alike: bool = False
    merged: Callable[[Any], Hashable] | None = None
