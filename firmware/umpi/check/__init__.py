"""The kit that says whether an engine holds: `check_game(game)`, with a planted fault for each check."""

from umpi.check.examine import Finding, examine
from umpi.check.flaws import Flawed
from umpi.check.game import Report, check_game

__all__ = ["Finding", "Flawed", "Report", "check_game", "examine"]
