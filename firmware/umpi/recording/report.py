"""Reports: session files beside the journal, of which the newest are kept."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from umpi.box.config import Config
from umpi.kernel.record import dump
from umpi.recording.recorder import Recorder
from umpi.recording.session_file import sealed
from umpi.recording.values import dumped, plain
from umpi.referee.transcript import Transcript

KEPT = 5
PRIVATE = 0o600  # as the journal, since it has the names and the moves, too
NAME = "session-{number}.jsonl"
SQLITE = b"SQLite format 3\0"  # how every file of SQLite begins
DATABASE = "a database is there, such as a journal. Name another file"
HIDDEN = (
    "The events are left out: they tell what only one player may know, or the password of a Wi-Fi. Save a report after "
    "the match, and after the next start of the box."
)


class Reporter:
    """Write what a box has recorded to the folder beside its journal. `messages` are its log messages."""

    def __init__(self, config: Config, recorder: Recorder, messages: Iterable[str] = ()) -> None:
        self._config, self._recorder, self._messages = config, recorder, messages

    def prepare(self, why: str, saved: Transcript | None) -> Callable[[], Path]:
        """Return a function that writes what has been recorded until now, on any thread. It may raise OSError."""
        lines = report_lines(self._recorder, why, self._config, tuple(self._messages), saved)
        return partial(write_report, reports_folder(self._config.journal), lines)


def report_lines(
    recorder: Recorder, why: str, config: Config, messages: Iterable[str] = (), saved: Transcript | None = None
) -> Iterator[bytes]:
    """Return the lines of a session file: settings, messages, the match in play, and all that was recorded."""

    def lines() -> Iterator[str]:
        yield recorder.header(why)
        yield dumped({"config": _settings(config)})
        for message in messages:
            yield dumped({"log": message})
        for line in _record(saved):
            yield dumped({"record": line})
        if hidden:
            yield dumped({"hidden": HIDDEN})
        else:
            yield from recorded

    recorded = recorder.lines()  # now: the box goes on while the file is written
    hands = saved is not None and saved.record.match.hands_hidden  # also those dealt before the box was switched on
    hidden = recorder.secret or hands
    return sealed(lines())


def write_file(path: Path, lines: Iterable[bytes], mode: int = 0o666) -> None:
    """Write a file, all of it or nothing. A link stays one, and a pipe or a device is written to.

    `mode` is who may use a new file, without those whom the system excludes. Raises OSError, also if a database is
    there: no file of matches or events is worth a journal.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    path = path.resolve()
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            file.writelines(lines)
        return
    if _is_database(path):
        raise FileExistsError(errno.EEXIST, DATABASE, str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    try:
        part.touch(mode)
        with part.open("wb") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _is_database(path: Path) -> bool:
    if not path.exists():
        return False
    with path.open("rb") as file:
        return file.read(len(SQLITE)) == SQLITE


def write_report(folder: Path, lines: Iterable[bytes]) -> Path:
    """Write a report under the next number, and remove the oldest ones. Raises OSError."""
    there = reports(folder)
    path = folder / NAME.format(number=_number(there[-1]) + 1 if there else 1)
    write_file(path, lines, PRIVATE)
    for old in [*there, path][:-KEPT]:
        old.unlink(missing_ok=True)
    return path


def reports(folder: Path) -> list[Path]:
    """List the reports in a folder, oldest first."""
    return sorted((path for path in folder.glob(NAME.format(number="*")) if _number(path)), key=_number)


def reports_folder(journal: Path) -> Path:
    """Return the folder of the reports of a box."""
    return journal.parent / "reports"


def _number(path: Path) -> int:
    number = path.stem.partition("-")[2]
    return int(number) if number.isdecimal() and number.isascii() else 0


def _settings(config: Config) -> dict[str, Any]:
    return {name: plain(_listed(value)) for name, value in asdict(config).items()}


def _listed(value: Any) -> Any:
    """Return a setting in the types that JSON has."""
    if isinstance(value, dict):
        return {str(key): _listed(item) for key, item in value.items()}
    return value if isinstance(value, (str, int, float, list, tuple, type(None))) else str(value)


def _record(saved: Transcript | None) -> Iterator[str]:
    if saved:
        yield dump(saved.record.header.line())
        for line in saved.shown_lines():
            yield dump(line)
