"""Dodéka: a game of three twelve-sided dice, three throws and one combination."""

from umpi.games.dodeka.rules import Dodeka

__all__ = ["Dodeka"]
