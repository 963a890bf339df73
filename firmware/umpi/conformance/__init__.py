"""Conformance: `check_game(game)` checks whether an engine meets the contract of a game."""

from umpi.conformance.examine import CheckResult, examine
from umpi.conformance.flaws import Flawed
from umpi.conformance.game import Report, check_game

__all__ = ["CheckResult", "Flawed", "Report", "check_game", "examine"]
