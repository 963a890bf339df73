"""The registry: the installed games, found by entry point. A game that does not load is listed with the reason.

The list is read once. A package that is installed later is found after a restart, or after `look_again`.
"""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, fields, is_dataclass
from difflib import get_close_matches
from functools import cache
from importlib.metadata import Distribution, EntryPoint, distributions, entry_points
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from typing import Any, overload

from umpi.frozen import frozen
from umpi.kernel.blame import blame
from umpi.kernel.expansions import combined
from umpi.kernel.fields import Value
from umpi.kernel.game import API, Game, full_title, offer_of
from umpi.kernel.match import Refused, made
from umpi.kernel.misshapen import Misshapen
from umpi.kernel.options import set_up
from umpi.kernel.record import dump
from umpi.kernel.schema import options_schema, schema

log = logging.getLogger(__name__)

GROUP = "umpi.games"
EXPANSIONS = "umpi.expansions"  # the names are the ids of the games that they extend
SHIPPED = "umpi.games."  # the package of the engines that Umpi contains
CHANGES = {
    2: ". Set `umpi_api: ClassVar = 3` in the class, and derive it from umpi.kernel.Game",
    1: ". Set `umpi_api: ClassVar = 3`, derive the class from umpi.kernel.Game, and rename: after_ms of an Ask is "
    "at_ms; check of an Ask, why of a field "
    "and flaw of a Profile are objection; an act in the menu needs rare=True; live of a View "
    "is large; aside of a field is in_menu; then of an Ask is followed_by; kinds of a field is all_values; "
    "unheard of an Ask is note_if_no_hit",
}  # what an older engine changes
_loaded: dict[str, list[GameEntry]] = {}
_loading = threading.RLock()  # loading replaces sys.stdout: only one game loads at a time, so that it is restored


@frozen
class GameEntry:
    """An installed game: its engine, or the reason why it is unavailable.

    `brought_by` says in the header of a record which packages the game needs beside Umpi. `expansions` are the entry
    points of those that expand it.
    """

    id: str
    game: type[Game] | None
    error: str = ""
    brought_by: Mapping[str, Value] = field(default_factory=dict)
    expansions: Sequence[EntryPoint] = ()


def catalog() -> list[GameEntry]:
    """Return all installed games by id, the unavailable ones with their reason."""
    found, unreadable = _points()
    return [entry for id in sorted(found) for entry in _load(id)] + unreadable


def games() -> list[type[Game]]:
    """Return the engines of the games that can be played."""
    return [entry.game for entry in catalog() if entry.game]


class InstalledGames(Sequence[type[Game]]):
    """The engines that `games` returns, loaded when somebody first looks at one: loading all delays a start."""

    @overload
    def __getitem__(self, at: int) -> type[Game]: ...
    @overload
    def __getitem__(self, at: slice) -> list[type[Game]]: ...
    def __getitem__(self, at: int | slice) -> type[Game] | list[type[Game]]:
        return games()[at]

    def __iter__(self) -> Iterator[type[Game]]:
        return iter(games())

    def __len__(self) -> int:
        return len(games())


def games_so_far() -> list[type[Game]]:
    """Return the engines that have been loaded so far."""
    return [entry.game for entries in list(_loaded.values()) for entry in entries if entry.game]


def find(id: str) -> type[Game]:
    """Return the engine of an id; raises Refused if the id is not installed or its engine does not load."""
    points, _ = _points()
    if id not in points:
        why = f'No game "{id[:40]}" is installed.'
        why += "".join(f" Did you mean {close}?" for close in get_close_matches(id[:40], points, 1))
        if ":" in id:
            why = f'"{id[:80]}" is a class, and only umpi check takes one. Install its package, as with pip install -e '
            why += "FOLDER, and give the name of the game."
        raise Refused(f"{why} There are: {', '.join(sorted(points)) or 'none'}.")
    entry = _load(id)[0]
    if entry.game is None:
        raise Refused(f"{id} does not load: {entry.error}")
    return entry.game


def own_point(id: str) -> EntryPoint:
    """Return the entry point of the class of a game itself, which expansions extend; raises Refused as `find` does."""
    find(id)
    return _own_point(_points()[0][id])


def origin(id: str) -> dict[str, Value]:
    """Return what a new record says of the packages of a game: the revision, the package, its version, the expansions.

    The result is empty if the game comes with Umpi and has no expansions, and if it is not installed.
    """
    entry = _load(id)[0] if id in _points()[0] else None
    return {"revision": entry.game.revision, **entry.brought_by} if entry and entry.game and entry.brought_by else {}


def options_of_expansions(id: str) -> dict[str, str]:
    """Return the options that a game has from its expansions, each with the name of the package that brings it."""
    entry = _load(id)[0] if id in _points()[0] else None
    if entry is None or not entry.expansions:
        return {}
    own = {option.name for option in own_point(id).load().options}
    return {
        option.name: point.dist.name
        for point in entry.expansions
        if point.dist
        for option in point.load().options
        if option.name not in own
    }


def is_shipped(id: str) -> bool:
    """Check whether Umpi itself contains a game."""
    return any(point.value.startswith(SHIPPED) for point in _points()[0].get(id, ()))


def package_folders() -> dict[str, Path]:
    """Return the folders of the packages that bring games or expansions to Umpi, by the id of the game.

    Nothing of a package runs. A game of a single file has no folder.
    """
    found: dict[str, Path] = {}
    for point in (*_read(GROUP)[0], *_read(EXPANSIONS)[0]):
        if not point.value.startswith(SHIPPED) and (folder := _folder(point.module)):
            found.setdefault(point.name, folder)
    return found


def _folder(module: str) -> Path | None:
    """Return the folder of the innermost package of a module, None if there is no package."""
    top, *inner = module.split(".")
    spec = find_spec(top)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(next(iter(spec.submodule_search_locations)))
    for part in inner:
        if (folder / part).is_dir():
            folder /= part
    return folder


def flaw(id: str, game: Any) -> str:
    """Return why `game` cannot be the engine of `id`, "" if it can."""
    if not isinstance(game, type):
        return "the entry point is not a class"
    api = getattr(game, "umpi_api", 1)  # a class of any earlier contract
    if type(api) is not int:
        return f"its umpi_api must be a whole number, not {api!r}: this Umpi has {API}"
    if api != API:
        return f"it is written to version {api} of the kernel, this Umpi has {API}" + CHANGES.get(api, "")
    if not issubclass(game, Game):
        return f"the class {game.__name__} does not extend umpi.kernel.Game: write class {game.__name__}(Game)"
    named = {*dir(game), *(field.name for field in fields(game))} if is_dataclass(game) else {*dir(game)}
    abstract = {name for name, member in vars(Game).items() if getattr(member, "__isabstractmethod__", False)}
    left_out = {name for name in abstract if getattr(getattr(game, name), "__isabstractmethod__", False)}
    if missing := sorted({"id", "title", "seats", "phase"} - named | left_out):
        return f"the class {game.__name__} has no {', '.join(missing)}"
    if type(game.revision) is not int or game.revision < 1:
        return f"its revision must be a whole number from 1, not {game.revision!r}"
    for name, text in (("id", game.id), ("title", game.title), ("kind", game.kind)):
        if not isinstance(text, str):
            return f"its {name} must be a text, not {text!r}"
    if not isinstance(game.seats, range) or not game.seats:
        return f"its seats must be a range such as range(2, 5), for two to four players; they are {game.seats!r}"
    if game.id != id:
        return f'its id is "{game.id}", its entry point says "{id}"'
    try:
        engine: type[Game] = game
        offer_of(made("setup", set_up(engine, engine.seats[0], {}), engine.setup), engine.seats[0])
        dump([full_title(engine), engine.kind, options_schema(engine), schema(engine)])
    except (Exception, SystemExit) as fault:
        where = blame(fault, game)
        log.warning("%s: its first position cannot be set up and described, by %s", id, where, exc_info=fault)
        return f"its first position cannot be set up and described: {_fault_text(fault)} ({where})"
    return ""


def look_again() -> None:
    """Clear the list of installed games, so that the next call reads it again."""
    _all.cache_clear()
    _read.cache_clear()
    _points.cache_clear()
    _loaded.clear()


@cache
def _points() -> tuple[dict[str, list[EntryPoint]], list[GameEntry]]:
    """Return the entry points by id, and the packages whose entry points cannot be read."""
    found: dict[str, list[EntryPoint]] = {}
    points, unreadable = _read(GROUP)
    for point in points:
        known = found.setdefault(point.name, [])
        if all(other.value != point.value for other in known):
            known.append(point)
    return found, unreadable


@cache
def _all() -> Any:  # typeshed has another type for Python 3.11 than for 3.12
    """Return the entry points of all packages. To find those of one group, Python would read all of them each time."""
    return entry_points()


@cache
def _read(group: str) -> tuple[list[EntryPoint], list[GameEntry]]:
    """Return the entry points of a group, and the packages whose entry points cannot be read."""
    unreadable: list[GameEntry] = []
    try:
        points = list(_all().select(group=group))
    except Exception:  # one package's file is invalid: read each package separately
        log.debug("The entry points cannot be read together", exc_info=True)
        points = []
        for package in distributions():
            try:
                points += package.entry_points.select(group=group)
            except Exception as fault:
                name = _name_of(package)
                log.warning("The entry points of %s cannot be read", name, exc_info=True)
                unreadable.append(GameEntry(name, None, f"its entry points cannot be read: {_fault_text(fault)}"))
    return points, unreadable


def _name_of(package: Distribution) -> str:
    """Return the name of a package, and the folder that it is in if its name cannot be read either."""
    try:
        return str(package.name)
    except Exception:
        log.debug("The name of a package cannot be read", exc_info=True)
        return str(package.locate_file(""))


def _load(id: str) -> list[GameEntry]:
    """Load the game of an id once, and return its entry.

    If several packages claim the id, only a shipped game is loaded. Each other package is listed with the reason.
    """
    if entries := _loaded.get(id):  # a game that is known does not wait for those that load just now
        return entries
    with _loading:
        if id not in _loaded:
            _loaded[id] = _read_game(id)
        return _loaded[id]


def _read_game(id: str) -> list[GameEntry]:
    points = _points()[0][id]
    own = [point for point in points if point.value.startswith(SHIPPED)]
    if len(points) > 1 and not own:
        return [GameEntry(id, None, f"two packages bring it: {' and '.join(point.value for point in points)}")]
    others = [point for point in points if own and point not in own]
    claims = [GameEntry(id, None, f"{point.value} claims the id of a shipped game") for point in others]
    with contextlib.redirect_stdout(sys.stderr):  # standard output is for our own lines
        try:
            game = _own_point(points).load()
        except (Exception, SystemExit) as fault:
            log.warning("The game %s does not load", id, exc_info=True)
            return [GameEntry(id, None, _fault_text(fault)), *claims]
        game, expansions, failed = _expanded(id, game)
        claims += failed
        if error := _damaged(_own_point(points)) or flaw(id, game):
            return [GameEntry(id, None, error), *claims]
        brought_by = _brought_by(_own_point(points), expansions)
    return [GameEntry(id, game, brought_by=brought_by, expansions=expansions), *claims]


def _own_point(points: Sequence[EntryPoint]) -> EntryPoint:
    """Return the entry point that counts if several packages claim an id: that of a shipped game."""
    return next((point for point in points if point.value.startswith(SHIPPED)), points[0])


def _brought_by(point: EntryPoint, expansions: Sequence[EntryPoint]) -> dict[str, Value]:
    """Return the keys of a header that name the packages of a game; none for a game that comes with Umpi."""
    brought: dict[str, Value] = {}
    if point.dist and not point.value.startswith(SHIPPED):
        brought |= {"package": point.dist.name, "version": point.dist.version}
    if expansions:
        brought["expansions"] = tuple(f"{each.dist.name} {each.dist.version}" for each in expansions if each.dist)
    return brought


def _damaged(point: EntryPoint) -> str:
    """Return why the name and the version of a package cannot be read, "" if they can."""
    try:
        _brought_by(point, [point])
    except Exception as fault:
        log.warning("The METADATA of the package of %s cannot be read", point.value, exc_info=True)
        return f"the METADATA of its package cannot be read: {_fault_text(fault)}"
    return ""


def _expanded(id: str, game: Any) -> tuple[Any, list[EntryPoint], list[GameEntry]]:
    """Return a game with its installed expansions, their entry points, and each that cannot be used, with the reason.

    An expansion is a class of another package that extends the class of the game: it adds an option, cards and acts.
    Several are combined in the order of their modules.
    """
    failed, used, whole, points = [], list[Any](), game, list[EntryPoint]()
    for point in sorted((point for point in _read(EXPANSIONS)[0] if point.name == id), key=attrgetter("value")):
        try:
            own = point.load()
            extends = isinstance(own, type) and issubclass(own, game)
            wider = combined(game, [*used, own]) if extends else own
            reason = _damaged(point) or (flaw(id, wider) if extends else f"does not extend {game.__name__}")
        except (Exception, SystemExit) as fault:
            log.warning("The expansion %s does not load", point.value, exc_info=True)
            reason = _fault_text(fault)
        if reason:
            failed.append(GameEntry(id, None, f"the expansion {point.value}: {reason}"))
        else:
            used.append(own)
            points.append(point)
            whole = wider
    return whole, points, failed


def _fault_text(fault: BaseException) -> str:
    kind = "" if isinstance(fault, Misshapen) else f"{type(fault).__name__}: "
    return " ".join(f"{kind}{fault}".split())
