"""The kernel: what a game is. Pure: no clock, no chance of its own, no input or output."""

from umpi.rules.fields import Dice, Draw, Each, Field, Forms, Given, Number, Pick, Profile, Some, Text
from umpi.rules.game import Act, Ask, Dealer, Game, NamedSeat, Result, Row, View, placed, replace
from umpi.rules.match import Match, Refused
from umpi.rules.words import Who, Words, words

__all__ = [
    "Act", "Ask", "Dealer", "Dice", "Draw", "Each", "Field", "Forms", "Game", "Given", "Match", "NamedSeat", "Number",
    "Pick", "Profile", "Refused", "Result", "Row", "Some", "Text", "View", "Who", "Words", "placed", "replace", "words",
]  # fmt: skip
