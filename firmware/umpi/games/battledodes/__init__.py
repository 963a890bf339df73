"""Battledodes: a game of twelve-sided dice that bounce off a wall onto numbered hexagons; 144 points win."""

from umpi.games.battledodes.rules import Battledodes

__all__ = ["Battledodes"]
