"""The installed packages of a computer: one folder per package and version beside the journal, and the list of them.

The list is replaced in one step. So a process that is killed leaves the old packages or the new ones; a folder that is
not in the list counts for nothing, and the next change removes it. Nobody needs to be root, and the Python packages of
Umpi itself stay as they are.

No update and no removal changes a match in play. A box notes in the list with which folders it has started. While
the match that is on its table then is of such a game, it starts with the same folder again, and so does every other
command. That also holds for a match that begins after the removal and before the next start.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import secrets
import shutil
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, field, replace
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from umpi.frozen import frozen
from umpi.kernel.messages import message
from umpi.kernel.registry import EXPANSIONS, GROUP, look_again
from umpi.shelf.disk import replace_file, sync_folder
from umpi.shelf.faults import why_not
from umpi.shelf.package_names import canonical

FOLDER = "packages"  # beside the journal
LIST, LOCK = "packages.json", "lock"
FORMAT = 1
INHERITED = "PYTHONPATH"  # where a process that is started, such as that of a review, looks for modules too
NEW = ".new-"  # the name of a folder that is not complete yet begins so

log = logging.getLogger(__name__)


class BadList(ValueError):
    """Report a list of the installed packages that cannot be read; `reason` names the file and a way out."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class InPlay(Exception):
    """Report a package whose game is on the table."""


class NotKnown(Exception):
    """Report that a journal does not say which game is on the table."""


class Expanded(Exception):
    """Report a package whose game another package expands: `expansion` is its id."""

    def __init__(self, expansion: str) -> None:
        super().__init__(expansion)
        self.expansion = expansion


@frozen
class Installed:
    """An installed package: its version, its folder, the checksum of its wheel, its shelf, and the ids of its games.

    An expansion has one id, that of itself, and `expands` is that of the game.
    """

    version: str
    folder: str
    sha256: str
    shelf: str
    games: tuple[str, ...]
    expands: str = ""

    def is_part_of(self, game: str) -> bool:
        """Check whether it brings a game, or expands it."""
        return game in self.games or game == self.expands


@frozen
class OnTable:
    """The match on the table of a box: its game, and the packages that expanded the game when it started."""

    game: str
    expansions: frozenset[str] = frozenset()


@frozen
class State:
    """The packages by their names, and for each journal the folders with which its box has started, by package."""

    packages: Mapping[str, Installed] = field(default_factory=dict)
    used: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def name_of(self, game: str) -> str:
        """Return the name of the package that brings a game, "" if none does."""
        return next((name for name, each in self.packages.items() if game in each.games), "")

    def expansions_of(self, games: Collection[str]) -> dict[str, Installed]:
        """Return the packages that expand one of these games, by their names."""
        return {name: each for name, each in self.packages.items() if each.expands in games}


class Packages:
    """The packages that are installed in a folder; it need not exist yet."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def read(self) -> State:
        """Return what is installed. Raises BadList, or PermissionError if only another user may read it."""
        file = self.root / LIST
        try:
            return _read(json.loads(file.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return State()
        except PermissionError:
            raise
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as fault:
            why = why_not(fault) if isinstance(fault, OSError) else str(fault)
            raise BadList(
                message(
                    "{file}: the list of installed games cannot be read ({why}). Delete the file, and install them "
                    "again", file=file, why=why,
                )
            ) from None  # fmt: skip

    def owners(self, game: str = "") -> tuple[str, ...]:
        """Return the ids of the game and the expansions by which packages bring or expand a game, by default any game.

        If the list cannot be read, each game may be one of a shelf: then it is a name that nothing installed has.
        """
        try:
            state = self.read()
        except (BadList, OSError):
            return ("?",)
        found = [each for each in state.packages.values() if not game or each.is_part_of(game)]
        return tuple(id for each in found for id in each.games)

    def has(self, installed: Installed) -> bool:
        """Check whether the files of a package are there."""
        return (self.root / installed.folder).is_dir()

    @contextmanager
    def in_use(self, journal: Path) -> Iterator[dict[str, str]]:
        """Let Python find the installed packages inside, and yield their folders by package.

        They come last on the path. A process that is started inside finds them too, before the packages of Umpi; so a
        wheel is not installed if Python or Umpi has one of its modules. If the list cannot be read, there are none, and
        the log says why.
        """
        try:
            state = self.read()
        except PermissionError:
            log.warning("The installed games are left out: only the user of the box may read %s", self.root)
            state = State()
        except BadList as fault:
            log.error("The installed games are left out: %s", fault)
            state = State()
        chosen: dict[str, str] = {}
        for name, folder in self._needed(state, journal).items():
            if (self.root / folder).is_dir():
                chosen[name] = folder
            else:
                log.error("%s is not there, so its game is left out. Install it again: umpi install %s",
                          self.root / folder, " ".join(state.packages[name].games))  # fmt: skip
        places = [str(self.root / folder) for folder in chosen.values()]
        if not places:
            yield chosen
            return
        before = os.environ.get(INHERITED)
        sys.path += places
        os.environ[INHERITED] = os.pathsep.join([*filter(None, [before]), *places])
        look_again()
        try:
            yield chosen
        finally:
            sys.path[:] = [place for place in sys.path if place not in places]
            if before is None:
                del os.environ[INHERITED]
            else:
                os.environ[INHERITED] = before
            look_again()

    def _needed(self, state: State, journal: Path) -> dict[str, str]:
        """Return the folders with which a process starts, by package: those that a match in play needs come first.

        The match keeps what it started with. So a package that came later brings or expands its game only from the
        end of the match on.
        """
        listed = {name: each.folder for name, each in state.packages.items()}
        noted = state.used.get(str(journal.absolute()), {})
        begun = {name: folder for name, folder in noted.items() if (self.root / folder).is_dir()}
        if begun == listed:
            return listed
        try:
            match = on_table(journal)
        except NotKnown as fault:
            log.warning("%s: the match in play is not known, so no game is updated or removed: %s", journal, fault)
            return begun | {name: folder for name, folder in listed.items() if name not in begun}
        if match is None:
            return listed
        kept, own = dict[str, str](), False
        for name, folder in begun.items():
            try:
                brings, expands = points_of(self.root / folder)
            except Exception:
                log.exception("%s cannot be read, so the match in play does not keep it", self.root / folder)
                continue
            if match.game in brings | expands:
                kept[name] = folder
                own |= match.game in brings
        for name, each in state.packages.items():
            later = name not in kept and each.is_part_of(match.game)
            if not later or (not own if match.game in each.games else name in match.expansions):
                kept.setdefault(name, each.folder)
        return kept

    def note(self, journal: Path, used: Mapping[str, str]) -> None:
        """Note with which folders the box of a journal has started. If that cannot be written, the log says so."""
        if not (self.root / LIST).exists():
            return
        try:
            with self._changing() as state:
                others = {name: folders for name, folders in state.used.items() if Path(name).exists()}
                now = {**others, str(journal.absolute()): dict(used)}
                if now != state.used:
                    self._write(replace(state, used=now))
        except (BadList, OSError) as fault:
            log.warning("The next start may update a game in mid-match: %s", fault)

    def add(self, name: str, installed: Installed, new: Path, why_not: Callable[[State], str]) -> str:
        """List a package whose files are in `new`, in place of its installed version; return why not, "" if it is done.

        `why_not` judges what is installed by now: another process may have changed it. Raises BadList, OSError.
        """
        with self._changing() as state:
            if why := why_not(state):
                return why
            new.rename(self.root / installed.folder)
            sync_folder(self.root)
            self._write(replace(state, packages={**state.packages, name: installed}))
            return ""

    def remove(self, name: str, journal: Path) -> None:
        """Take a package off the list. Raises InPlay if its game is on the table, Expanded, BadList, OSError."""
        with self._changing() as state:
            own = state.packages[name]
            with suppress(NotKnown):  # a damaged journal: its match cannot be resumed anyway
                if (match := on_table(journal)) and own.is_part_of(match.game):
                    raise InPlay
            for other in state.expansions_of(own.games).values():
                raise Expanded(other.games[0])
            self._write(
                replace(state, packages={each: state.packages[each] for each in state.packages if each != name})
            )

    @contextmanager
    def new_folder(self) -> Iterator[Path]:
        """Make an empty folder for the files of a package, and remove it if it is still there. Raises OSError."""
        self.root.mkdir(parents=True, exist_ok=True)
        folder = self.root / f"{NEW}{secrets.token_hex(6)}"
        folder.mkdir()
        opened = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX)  # until this process ends: nobody takes it for one that was left
            yield folder
        finally:
            os.close(opened)
            shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def _changing(self) -> Iterator[State]:
        """Yield the state while no other process changes it; afterwards remove the folders that nobody needs."""
        self.root.mkdir(parents=True, exist_ok=True)
        with (self.root / LOCK).open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield self.read()
            self._tidy()

    def _write(self, state: State) -> None:
        packages = {  # an older Umpi reads the list too, if it has no expansions
            name: {key: value for key, value in asdict(each).items() if key != "expands" or value}
            for name, each in state.packages.items()
        }
        listed = {"format": FORMAT, "packages": packages, "used": state.used}
        replace_file(self.root / LIST, json.dumps(listed, indent=1).encode())

    def _tidy(self) -> None:
        """Remove the folders that no list names, apart from those that another process fills just now."""
        state = self.read()
        needed = {each.folder for each in state.packages.values()}
        needed |= {folder for used in state.used.values() for folder in used.values()}
        for each in self.root.iterdir():
            if each.is_dir() and each.name not in needed and not (each.name.startswith(NEW) and _is_filled(each)):
                shutil.rmtree(each, ignore_errors=True)


def points_of(folder: Path) -> tuple[set[str], set[str]]:
    """Return the ids of the games that the package in a folder brings, and of those that it expands."""
    points = [point for each in distributions(path=[str(folder)]) for point in each.entry_points]
    brings, expands = ({each.name for each in points if each.group == group} for group in (GROUP, EXPANSIONS))
    return brings, expands


def on_table(journal: Path) -> OnTable | None:
    """Return the match that is on the table of a box, None if there is none. Raises NotKnown."""
    import sqlite3

    from umpi.journal import Foreign
    from umpi.journal.queries import open_to_read, read_match, read_on

    if not journal.exists():
        return None
    try:
        with closing(open_to_read(journal)) as file:
            number = read_on(file)
            kept = None if number is None else read_match(file, number)
        if kept is None:
            return None
        header = json.loads(kept.header)
        expansions = (canonical(str(each).partition(" ")[0]) for each in header.get("expansions", ()))
        return OnTable(str(header["game"]), frozenset(expansions))
    except (OSError, ValueError, LookupError, TypeError, Foreign, sqlite3.Error) as fault:
        raise NotKnown(str(fault)) from None


def _is_filled(folder: Path) -> bool:
    """Check whether a process fills a new folder: it holds a lock on it for as long as it runs."""
    try:
        opened = os.open(folder, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(opened)
    return False


def _read(given: Any) -> State:
    """Return the state that a list contains. Raises ValueError, LookupError, TypeError or AttributeError."""
    if given["format"] != FORMAT:
        raise ValueError(f"its format is {given['format']}, this Umpi reads {FORMAT}")
    packages = {
        name: Installed(**{**each, "games": tuple(map(str, each["games"]))}) for name, each in given["packages"].items()
    }
    used = {journal: dict(folders) for journal, folders in given["used"].items()}
    folders = [
        *(each.folder for each in packages.values()),
        *(name for each in used.values() for name in each.values()),
    ]
    if any(Path(folder).name != folder for folder in folders):
        raise ValueError("a folder in it is elsewhere")
    return State(packages, used)
