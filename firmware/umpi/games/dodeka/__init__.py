"""Dodéka: three twelve-sided dice, three throws, one combination."""

from umpi.games.dodeka.rules import Dodeka

__all__ = ["Dodeka"]
