"""The matches that people have played: read from a journal, and measured like simulated games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from umpi.journal import open_to_read, read_lines, read_matches
from umpi.kernel.match import Refused
from umpi.kernel.options import defaults
from umpi.kernel.record import Find, Record, dump, read_line, replay
from umpi.lab.games import Experiment, Played, measured

PEOPLE = "people"  # who decides, in place of a strategy


@dataclass
class Evenings:
    """The matches of one game with the same options and number of players.

    `matches` counts those that are not over too. `paces` contains the seconds per act of each match that has times.
    """

    experiment: Experiment
    matches: int = 0
    played: list[Played] = field(default_factory=list)
    paces: list[float] = field(default_factory=list)

    @property
    def seconds(self) -> float | None:
        """Return the median seconds per act, None if no match has times."""
        return median(self.paces) if self.paces else None


def read_evenings(path: Path, find: Find, game: str | None, seed: int) -> tuple[list[Evenings], list[str]]:
    """Return the matches of a journal, of one game or of all, and why some cannot be counted.

    Raises the exceptions of `open_to_read`, and sqlite3.Error if the file is damaged.
    """
    found: dict[str, Evenings] = {}
    unread = []
    for kept in records_of(path, find, game):
        if isinstance(kept, str):
            unread.append(kept)
        else:
            _add(found, kept, seed)
    return list(found.values()), unread


def records_of(path: Path, find: Find, game: str | None = None) -> Iterator[Record | str]:
    """Yield the records of a journal, of one game or of all, replayed; for one that cannot be, the reason.

    Raises the exceptions of `open_to_read`, and sqlite3.Error if the file is damaged.
    """
    with closing(open_to_read(path)) as file:
        for kept in list(read_matches(file)):
            try:
                header = read_line(kept.header.encode()) or {}
                if game is None or header.get("game") == game:
                    yield _replayed([kept.record_header, *read_lines(file, kept.id)], find)
            except ValueError as fault:  # invalid JSON, an invalid record, or moves that today's rules refuse
                yield f"Match {kept.id} is not counted: {fault}"


def _replayed(lines: list[str], find: Find) -> Record:
    *_, step = replay((line.encode() for line in lines), find)
    if step.error or step.record is None:
        raise Refused(f"line {step.line}: {step.error}")
    return step.record


def _add(found: dict[str, Evenings], record: Record, seed: int) -> None:
    match = record.match
    options = {**defaults(match.game), **match.options}
    experiment = Experiment(match.game.id, options, (PEOPLE,) * len(match.players), seed)
    evenings = found.setdefault(dump([match.game.id, len(match.players), options]), Evenings(experiment))
    evenings.matches += 1
    if match.asks:
        return
    evenings.played.append(measured(match))
    if record.at_ms and match.acts:
        evenings.paces.append(record.at_ms / 1000 / len(match.acts))
