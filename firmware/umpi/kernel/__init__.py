"""The kernel: the contract of a game, its fields, matches and records.

The kernel is pure: it reads no clock, has no source of chance, and does no input or output.
"""

from umpi.kernel.calls import Call
from umpi.kernel.fields import Dice, Draw, Each, Field, Forms, Given, Number, Pick, Profile, Some, Text
from umpi.kernel.game import Act, Ask, Dealer, Game, NamedSeat, Result, Row, View, override, placed, replace
from umpi.kernel.match import Match, Refused
from umpi.kernel.measured import Measured, tied
from umpi.kernel.messages import Figure, Member, Message, Who, message, message_n
from umpi.kernel.now import Now
from umpi.kernel.rounds import rounds_of
from umpi.kernel.scope import Scope
from umpi.kernel.strategy import Strategy
from umpi.kernel.teams import Teams, across, shared, team_of
from umpi.kernel.worths import ToWin, Worth, Worths

__all__ = [
    "Act",
    "Ask",
    "Call",
    "Dealer",
    "Dice",
    "Draw",
    "Each",
    "Field",
    "Figure",
    "Forms",
    "Game",
    "Given",
    "Match",
    "Measured",
    "Member",
    "Message",
    "NamedSeat",
    "Now",
    "Number",
    "Pick",
    "Profile",
    "Refused",
    "Result",
    "Row",
    "Scope",
    "Some",
    "Strategy",
    "Teams",
    "Text",
    "ToWin",
    "View",
    "Who",
    "Worth",
    "Worths",
    "across",
    "message",
    "message_n",
    "override",
    "placed",
    "replace",
    "rounds_of",
    "shared",
    "team_of",
    "tied",
]  # fmt: skip
