"""Printing: write what is for paper as PDF or braille: stickers, rules, and the sheets of a game."""
