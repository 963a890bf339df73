"""Dodekka: a card game about a line of cards whose total may be at most 12."""

from umpi.games.dodekka.rules import Dodekka

__all__ = ["Dodekka"]
