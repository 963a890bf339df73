"""Dudab Buba: a card game of laying and drawing; the cards in hand and pile are points, and the fewest points win."""

from umpi.games.dudab_buba.rules import DudabBuba

__all__ = ["DudabBuba"]
