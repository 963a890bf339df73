"""What all commands share: read options and files, print lines, and report a problem in one line."""

from __future__ import annotations

import argparse
import logging
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from umpi.box.config import BadConfig, Config, LeftOut
from umpi.box.config_file import OPTIONS, Owners, find_journal, of_no_shelf, place_of, read_config, read_option
from umpi.box.preset import WrongOption, check_preset
from umpi.kernel.extras import needs
from umpi.kernel.game import Game
from umpi.kernel.output import put
from umpi.kernel.record import dump
from umpi.shelf.installed import FOLDER, Packages

log = logging.getLogger(__name__)

INSTALLED = Path("/etc/umpi/umpi.toml")  # where scripts/install puts it


class Problem(Exception):
    """An error that ends a command: one line to print, and the exit status."""

    def __init__(self, why: str, status: int = 2) -> None:
        super().__init__(why)
        self.status = status


@contextmanager
def needing(what: str, extra: str) -> Iterator[None]:
    """Import the packages of an extra inside. Raises Problem with the command that installs them if one is missing."""
    try:
        yield
    except ModuleNotFoundError as fault:
        if (fault.name or "").partition(".")[0] == "umpi":
            raise
        raise Problem(needs(what, extra)) from None


def check_folder(option: str, file: Path) -> None:
    """Raise Problem if a command could not write this file. Check it before the long work."""
    if file.is_dir():
        raise Problem(f"{option} {file}: this is a folder.")
    if not file.absolute().parent.is_dir():
        raise Problem(f"{option} {file}: there is no folder {file.parent}.")


def why_not(fault: Exception, file: object = "") -> str:
    """Return why a file cannot be used; on an installed box name the command that runs as the box's user.

    Raises the fault itself if it is a broken pipe: nobody reads what the command prints, and `main` ends it quietly.
    """
    if isinstance(fault, BrokenPipeError):
        raise fault
    if not isinstance(fault, OSError) or not fault.strerror:
        return f"{file}: {fault}" if file else str(fault)
    place = file or fault.filename
    why = f"{place}: {fault.strerror}" if place else fault.strerror
    if isinstance(fault, PermissionError) and INSTALLED.exists():
        return f"{why}. Run the command as the box's user: sudo -u umpi umpi {' '.join(sys.argv[1:])}"
    return why


@contextmanager
def using(file: object = "") -> Iterator[None]:
    """Use a file inside. Raises Problem with the reason if that is not possible."""
    try:
        yield
    except OSError as fault:
        raise Problem(why_not(fault, file)) from None


@contextmanager
def reading(journal: Path) -> Iterator[None]:
    """Read a journal inside. Raises Problem with the reason, and with what saves the matches of a damaged one."""
    from umpi.journal import Foreign

    try:
        with using():
            yield
    except Foreign as fault:
        raise Problem(str(fault)) from None
    except sqlite3.Error as fault:
        remedy = f"To keep it and save what can be read: umpi sim --journal {journal}"
        raise Problem(f"{journal}: {fault}. The file is damaged. {remedy}") from None


@contextmanager
def drawing(file: object, option: str = "") -> Iterator[None]:
    """Write a new PDF inside. Raises Problem if that is not possible; `option` names another file."""
    from umpi.printing.fonts import MissingFont  # reportlab takes long to import on a Pi

    try:
        yield
    except FileExistsError:
        another = f"name another file with {option}" if option else "name another file"
        raise Problem(f"{file} exists already. Replace it with --replace, or {another}.") from None
    except OSError as fault:
        raise Problem(why_not(fault, file)) from None
    except MissingFont as fault:
        raise Problem(str(fault)) from None


def put_json(value: object) -> None:
    """Print one JSON line."""
    put(dump(value))


def for_people() -> bool:
    """Check whether standard output is a terminal, which people read."""
    return sys.stdout is not None and sys.stdout.isatty()


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    >>> counted(1, "match", "matches"), counted(0, "move")
    ('1 match', '0 moves')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def opened(file: str) -> IO[bytes]:
    """Open a file, or for "-" standard input, which stays open when the result is closed; raises OSError."""
    if file != "-":
        return open(file, "rb")
    if sys.stdin is None:
        raise OSError("there is no standard input")
    return open(sys.stdin.fileno(), "rb", closefd=False)


def random_players(game: type[Game], number: int | None) -> tuple[str, ...]:
    """Name so many players of a random match, the fewest if the number is None; raises Problem if it is wrong."""
    number = game.seats[0] if number is None else number
    if number not in game.seats:
        least, most = game.seats[0], game.seats[-1]
        allowed = f"{least} to {most}" if least < most else str(least)
        raise Problem(f"{game.title} is for {allowed} players, not {number}.")
    return tuple(f"P{seat + 1}" for seat in range(number))


def read_options(options: argparse.Namespace) -> dict[str, Any]:
    """Read all --option KEY=VALUE; raises Problem if one cannot be read or is given twice."""
    found: dict[str, Any] = {}
    for text in options.option:
        try:
            key, value = read_option(text)
        except BadConfig as fault:
            raise Problem(f"--option {fault}") from None
        if key in found:
            raise Problem(f"--option {key} is given twice.")
        found[key] = value
    return found


def settings_of(options: argparse.Namespace) -> Path | None:
    """Return the umpi.toml of a command, None if there is none: that of --config, or of the box installed here."""
    given: Path | None = options.config if "config" in options else None
    virtual = "virtual" in options and options.virtual
    return given or (INSTALLED if INSTALLED.exists() and not virtual else None)


@contextmanager
def installed_games(options: argparse.Namespace) -> Iterator[None]:
    """Let a command find the games that are installed beside the journal: `installed`, and what is `in_use` of them."""
    if _without_games(options):
        yield
        return
    settled = find_journal(settings_of(options))
    options.installed = Packages(settled.parent / FOLDER)
    journal = options.journal if "journal" in options else None
    with options.installed.in_use(journal or settled) as options.in_use:
        yield


def _without_games(options: argparse.Namespace) -> bool:
    """Check whether a command needs no game, and may be run by a user who cannot read those beside the journal."""
    return "without_games" in options


def config_of(options: argparse.Namespace) -> Config:
    """Read umpi.toml and, if the command has it, --option; raises Problem if a setting is wrong."""
    path = settings_of(options)
    owners: Owners = options.installed.owners if "installed" in options else of_no_shelf
    try:
        config = read_config(path, games=not _without_games(options), owners=owners)
    except BadConfig as fault:
        raise Problem(str(fault)) from None
    if _without_games(options):
        return config
    left_out = [*config.left_out]
    for name, value in config.options.items():
        try:
            check_preset(name, value)
        except WrongOption as fault:
            its, why = owners(fault.game), f"{path and place_of(path, OPTIONS, name)}: [{OPTIONS}] {fault}"
            if not its:
                raise Problem(why) from None
            left_out.append(LeftOut(f"[{OPTIONS}] {name}", its, why))
    for each in left_out:
        log.warning("This setting is left out. %s", each.why)
    house = read_options(options) if "option" in options else {}
    for name, value in house.items():
        try:
            check_preset(name, value)
        except WrongOption as fault:
            raise Problem(f"--option {fault}") from None
    without = {each.setting for each in left_out}
    kept = {name: value for name, value in config.options.items() if f"[{OPTIONS}] {name}" not in without}
    return replace(config, options={**kept, **house}, left_out=tuple(left_out))
