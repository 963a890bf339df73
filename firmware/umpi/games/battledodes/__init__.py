"""Battledodes: twelve-sided dice thrown off a wall onto numbered hexagons, first to 144."""

from umpi.games.battledodes.rules import Battledodes

__all__ = ["Battledodes"]
