"""Dohdles!: a game of riddles in modelling dough; the funnel decides who guesses first."""

from umpi.games.dohdles.rules import Dohdles

__all__ = ["Dohdles"]
