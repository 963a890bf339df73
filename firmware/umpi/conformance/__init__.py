"""The kit that says whether an engine holds: `check_game(game)`."""

from umpi.conformance.examine import CheckResult, examine
from umpi.conformance.flaws import Flawed
from umpi.conformance.game import Report, check_game

__all__ = ["CheckResult", "Flawed", "Report", "check_game", "examine"]
