"""Checks of stored data: calibration, journal, games, and the time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from umpi.box.box import Box
from umpi.box.config import Config
from umpi.doctor.finding import Finding, Status
from umpi.doctor.system import System
from umpi.journal import Foreign, open_to_read, read_matches

MB = 1_000_000
SCANTY_MB, FULL_MB = 20, 1  # a game takes far less than one MB
FIRST_YEAR = 2025  # an earlier year means that the clock was never set
NOT_OURS = "Whose is it, and is the disk mounted to be read only? Games would be played under the sign NOT SAVED."


def measures(config: Config, box: Box) -> Iterator[Finding]:
    """Report the calibration of this box. A damaged file is not used at all."""
    measured, path = box.calibration, config.calibration
    if trouble := box.device_errors.get("measures"):
        yield Finding("measures", "failed", trouble, "umpi doctor --guide measures again and writes a new file.")
    elif measured.resolution_us or measured.colours:
        parts = [f"stamps fine to {measured.resolution_us} µs"] if measured.resolution_us else []
        parts += [f"{len(measured.colours.colours)} colours"] if measured.colours else []
        yield Finding("measures", "ok", f"{', '.join(parts)}, in {path}")
    elif config.beam_lines or config.rail is not None:
        yield Finding("measures", "not tested", f"nothing has been measured yet; {path} will keep it")


def journal(config: Config, system: System) -> Iterator[Finding]:
    """Report whether games can be saved.

    The check creates no journal, and opens an existing one only for reading.
    """
    path = config.journal
    try:
        folder = next(folder for folder in path.absolute().parents if folder.exists())
        closed = [place for place in (path, folder) if place.exists() and not system.may_write(place)]
        left_mb = system.free_bytes(folder) // MB
        if path.is_dir():
            yield Finding("journal", "failed", f"{path} is a folder", "Name a file under [box] of umpi.toml.")
        elif closed:
            yield Finding("journal", "failed", f"{closed[0]} may not be written", NOT_OURS)
        elif left_mb < SCANTY_MB:
            status: Status = "failed" if left_mb < FULL_MB else "warning"
            do = "Make room: sudo apt-get clean is a beginning."
            yield Finding("journal", status, f"only {left_mb} MB are free in {folder}", do)
        else:
            yield Finding("journal", "ok", _kept(path))
    except PermissionError as fault:
        yield Finding("journal", "failed", f"{fault.filename or path} may not be looked into", NOT_OURS)
    except (Foreign, OSError) as fault:
        reason = f"{path}: {fault.strerror}" if isinstance(fault, OSError) and fault.strerror else str(fault)
        yield Finding("journal", "failed", reason)
    except (sqlite3.Error, ValueError) as fault:
        do = "Start the box: it keeps the file, and saves what can be read."
        yield Finding("journal", "failed", f"{path} is damaged: {fault}", do)


def games(system: System) -> Iterator[Finding]:
    """Report how many games load, and why the others do not."""
    entries = system.games()
    yield Finding("games", "ok", f"{sum(entry.game is not None for entry in entries)} can be played")
    for entry in entries:
        if entry.game is None:
            yield Finding(f"game {entry.id}", "failed", entry.error, "Update its package, or uninstall it.")


def time(system: System) -> Iterator[Finding]:
    """Report the wall-clock time. A Pi without a battery has no valid time until it gets the time from the network."""
    now = system.now()
    if now.year < FIRST_YEAR:
        do = "It sets itself where there is a network. Only the dates of games are wrong until then."
        yield Finding("time", "not tested", f"{now:%Y-%m-%d %H:%M}: nobody has set the clock", do)
    else:
        yield Finding("time", "ok", f"{now:%Y-%m-%d %H:%M}")


def _kept(path: Path) -> str:
    try:
        with closing(open_to_read(path)) as file:
            return f"{path}, games in it: {len(list(read_matches(file)))}"
    except FileNotFoundError:
        return f"{path} begins with the first game"
