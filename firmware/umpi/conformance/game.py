"""`check_game(game)`: whether an engine holds what every engine must, for a test of one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from umpi.conformance.examine import CheckResult, examine
from umpi.kernel.fields import Value
from umpi.kernel.game import Game


@dataclass(frozen=True, slots=True)
class Report:
    """An engine that holds, and the figures of each check."""

    game: type[Game]
    findings: tuple[CheckResult, ...]


def check_game(
    game: type[Any], games: int = 2, seed: int = 0, options: Sequence[Mapping[str, Value]] | None = None
) -> Report:
    """Run all checks on an engine; raises Flawed, with the shortest record that shows it, where one fails.

    Plays `games` random games for each number of seats at each of `options`; without these at the usual ones, and one
    at each option's other values. The same seed, the same games.
    """
    findings = tuple(examine(game, games, seed, options))
    for finding in findings:
        if finding.flaw:
            raise finding.flaw
    return Report(game, findings)
