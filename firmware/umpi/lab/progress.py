"""Games that have been played already: a file to which they are added, so that an experiment can be resumed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from umpi import __version__
from umpi.kernel.registry import find, origin
from umpi.lab.course import Course
from umpi.lab.games import Experiment, Played
from umpi.lab.probe import Probed
from umpi.lab.strategies import Choice, packages_of


class WrongFile(ValueError):
    """Report a file that does not contain games of the laboratory."""


class PlayedFile:
    """The games of a file by experiment and number.

    Each game is a line with a checksum, so that a changed line is found. A game stopped at its limit is null.
    """

    def __init__(self, path: Path) -> None:
        """Read the file; if there is none, it is made with the first game.

        Raises WrongFile with the line that cannot be read, OSError if the file cannot be read. Only the last line may
        be incomplete, because the power failed: it is cut off.
        """
        self._path = path
        self._found: dict[tuple[str, int], Played | None] = {}
        if not path.exists():
            return
        whole = path.read_bytes()
        text, newline, rest = whole.rpartition(b"\n")
        for number, line in enumerate(text.splitlines(), 1):
            try:
                key, game, played, check = json.loads(line)
                if check != _digest([key, game, played]):
                    raise ValueError("another checksum")
                self._found[key, game] = None if played is None else _played(played)
            except (ValueError, TypeError, KeyError):
                raise WrongFile(f"{path}: line {number} is not a game of umpi lab, or it was changed") from None
        if rest and not (newline or rest.startswith(b'["')):
            raise WrongFile(f"{path}: line 1 is not a game of umpi lab")
        if rest:
            with path.open("rb+") as file:
                file.truncate(len(whole) - len(rest))

    def games(self, experiment: Experiment) -> dict[int, Played | None]:
        """Return the games of an experiment that have been played, by their numbers.

        Games of which a decision was examined are those of an experiment without a probe, too.
        """
        if experiment.probe:
            return self._of(experiment)
        examined = self._of(replace(experiment, probe=True))
        plain = {number: played and replace(played, probed=None) for number, played in examined.items()}
        return plain | self._of(experiment)

    def _of(self, experiment: Experiment) -> dict[int, Played | None]:
        key = key_of(experiment)
        return {number: played for (other, number), played in self._found.items() if other == key}

    def add(self, experiment: Experiment, games: Mapping[int, Played | None]) -> None:
        """Add games to the file. Raises OSError with its name."""
        key = key_of(experiment)
        lines = [[key, number, _plain(played)] for number, played in games.items()]
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write("".join(f"{json.dumps([*line, _digest(line)])}\n" for line in lines))
        except OSError as fault:  # that of a full card names no file
            raise OSError(fault.errno, fault.strerror, str(self._path)) from None


def key_of(experiment: Experiment) -> str:
    """Return a short text that differs between experiments, and if rules or strategies may have changed.

    That is between versions of Umpi, and of the packages of the game and of the strategies, and between revisions of
    the game. A change without a new number is not seen.
    """
    game, names = experiment.game, [Choice.read(each).name for each in experiment.strategies]
    return _digest([__version__, find(game).revision, origin(game), packages_of(names), asdict(experiment)])


def _digest(plain: Any) -> str:
    return sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:16]


def _plain(played: Played | None) -> dict[str, Any] | None:
    return asdict(played) if played else None


def _played(plain: dict[str, Any]) -> Played:
    high, low = plain["high"], plain["low"]
    return Played(
        plain["acts"],
        tuple(plain["places"]),
        tuple(plain["scores"]),
        (high[0], high[1]),
        (low[0], low[1]),
        plain["calls"],
        Course(**plain["course"]) if plain["course"] else None,
        Probed(**plain["probed"]) if plain["probed"] else None,
        plain.get("together", False),
    )
