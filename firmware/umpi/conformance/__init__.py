"""Conformance: `check_game(game)` checks whether an engine meets the contract of a game.

`check_records` compares records with what they expect, and `check_snapshot` recorded play-throughs with the rules.
"""

from umpi.conformance.examine import CheckResult, examine
from umpi.conformance.flaws import Flawed
from umpi.conformance.game import Report, check_game
from umpi.conformance.records import check_records
from umpi.conformance.snapshot import check_snapshot, renew_snapshot

__all__ = [
    "CheckResult",
    "Flawed",
    "Report",
    "check_game",
    "check_records",
    "check_snapshot",
    "examine",
    "renew_snapshot",
]
