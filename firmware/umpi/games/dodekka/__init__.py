"""Dodekka: a line of cards that may total 12 and no more."""

from umpi.games.dodekka.rules import Dodekka

__all__ = ["Dodekka"]
