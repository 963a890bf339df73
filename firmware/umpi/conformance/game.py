"""The function `check_game(game)`: check in a test, in one line, that an engine meets the contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from umpi.conformance.examine import CheckResult, examine
from umpi.frozen import frozen
from umpi.kernel.fields import Value
from umpi.kernel.game import Game


@frozen
class Report:
    """An engine that passes all checks, and the result of each check."""

    game: type[Game]
    findings: tuple[CheckResult, ...]


def check_game(
    game: type[Any], games: int = 2, seed: int = 0, options: Sequence[Mapping[str, Value]] | None = None
) -> Report:
    """Run all checks on an engine and return the report.

    It plays `games` random games for each number of seats with each of `options`. If `options` is None, it plays them
    with the usual options. It also plays one game with each option's other values. The same seed gives the same games.
    Raises Flawed, with the shortest record found that shows the flaw, if a check fails.
    """
    findings = tuple(examine(game, games, seed, options))
    for finding in findings:
        if finding.flaw:
            raise finding.flaw
    return Report(game, findings)
