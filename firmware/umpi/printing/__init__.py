"""Printing: write what is for paper as PDF: stickers, rules, and the sheets of a game."""
