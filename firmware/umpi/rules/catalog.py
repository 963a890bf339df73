"""Finds the installed games by entry point; one that does not load is listed with its reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from umpi.rules.game import API, Game, defaults
from umpi.rules.match import Refused

GROUP = "umpi.games"


@dataclass(frozen=True, slots=True)
class Entry:
    """An installed game: its engine, or why it cannot be had."""

    id: str
    game: type[Game] | None
    error: str = ""


def catalog() -> list[Entry]:
    """List all installed games by id, the broken ones with their reason."""
    return [_load(id, points) for id, points in sorted(_points().items())]


def games() -> list[type[Game]]:
    """List the games that can be played."""
    return [entry.game for entry in catalog() if entry.game]


def find(id: str) -> type[Game]:
    """Find the engine of an id; raises Refused, listing the installed ids, where there is none that loads."""
    points = _points()
    if id not in points:
        raise Refused(f'No game "{id[:40]}" is installed; there are: {", ".join(sorted(points)) or "none"}.')
    entry = _load(id, points[id])
    if entry.game is None:
        raise Refused(f"{id} does not load: {entry.error}")
    return entry.game


def flaw(id: str, game: Any) -> str:
    """Say what makes `game` unfit to be the engine of `id`, "" where nothing does."""
    if not isinstance(game, type):
        return "the entry point is no class"
    missing = [
        name
        for name in ("title", "seats", "options", "setup", "phase", "asks", "scores", "result", "facts")
        if not hasattr(game, name)
    ]
    if missing:
        return f"the class {game.__name__} has no {', '.join(missing)}"
    api = getattr(game, "umpi_api", API)
    if api != API:
        return f"it is written to version {api} of the kernel, this Umpi has {API}"
    if getattr(game, "id", None) != id:
        return f'its id is "{getattr(game, "id", None)}", its entry point says "{id}"'
    try:
        engine: type[Game] = game
        engine.setup(engine.seats[0], **defaults(engine)).asks()
    except Exception as fault:
        return f"its first position cannot be set up: {_told(fault)}"
    return ""


def _points() -> dict[str, list[EntryPoint]]:
    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        known = found.setdefault(point.name, [])
        if all(other.value != point.value for other in known):
            known.append(point)
    return found


def _load(id: str, points: Iterable[EntryPoint]) -> Entry:
    values = [point.value for point in points]
    if len(values) > 1:
        return Entry(id, None, f"two packages bring it: {' and '.join(values)}")
    try:
        game = next(iter(points)).load()
    except (Exception, SystemExit) as fault:
        return Entry(id, None, _told(fault))
    if error := flaw(id, game):
        return Entry(id, None, error)
    return Entry(id, game)


def _told(fault: BaseException) -> str:
    return " ".join(f"{type(fault).__name__}: {fault}".split())
