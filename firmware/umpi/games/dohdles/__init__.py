"""Dohdles!: riddles in modelling dough, and a funnel that says who guesses first."""

from umpi.games.dohdles.rules import Dohdles

__all__ = ["Dohdles"]
