"""Dudab Buba (cards): lay cards or draw them; what you hold and collect are points, and fewest win."""

from umpi.games.dudab_buba.rules import DudabBuba

__all__ = ["DudabBuba"]
