"""Collect the texts for players, compile their translations, and find those that do not fit."""
