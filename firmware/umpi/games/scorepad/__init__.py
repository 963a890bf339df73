"""Score pad: keep the score of any game."""

from umpi.games.scorepad.rules import ScorePad

__all__ = ["ScorePad"]
