"""The rules behind the questions of Dudab Buba, in the chosen readings and numbers of the sheet."""

from __future__ import annotations

from functools import lru_cache

from umpi.games.dudab_buba.numbers import Numbers
from umpi.games.dudab_buba.readings import Readings
from umpi.kernel import message
from umpi.kernel.messages import spaced

REVEAL = "Enter a card for each column. A jungle or a baby goes back into the deck, and another card is revealed."
PLAY = (
    "A number goes on a number that is one higher or lower and differs in colour and symbol. It also goes on a dudab, "
    "or on a shaman of its colour that needs no answer. A shaman goes on a number of its colour. A dudab goes on "
    "anything. If a column has {length} cards, the player who adds the next one takes them."
)
REQUEST = message(
    "A dudab asks for a colour, a symbol or a value. Until somebody plays a card that has it, play only such a card or "
    "another dudab. A new dudab replaces the request, or ends it."
)
SECOND = {
    "any": message("The new dudab goes on any column. The request moves there; below a jungle it ends."),
    "same": message("The new dudab goes only on the one that asks."),
}
DRAW = message("If you can’t or won’t play, draw.")
DRAW_ASKED = {
    "must": message(
        "If you cannot meet the request: show your hand, then draw. You need not enter the cards. To enter them: hold "
        "Back, then choose Draw."
    ),
    "trust": message(
        "Draw only if you cannot meet the request. You may show your hand. To enter it, hold Back, then choose Draw: "
        "details."
    ),
    "may": message("You may draw, even if you could meet the request."),
}
FULL = (
    "With {most} cards in hand, draw only if you can play none. Show them to the others, put one on your own pile, "
    "draw one. You enter only the card for the pile."
)
BELOW = message(
    "Below a jungle, each card must also share a colour, symbol or value with the card at the same distance above it. "
    "If you lay more cards below than there are above, you take the column."
)
SHEDS = "Then shed down to {least} cards."
SHEDS_NOT = message("You shed nothing.")
JUNGLE = message("A jungle that is drawn goes across a column without one. If every column has one, discard it.")
BABY = message("A baby that is drawn covers a column. If a number is turned onto it, everybody draws that many.")
PLACE = {
    "any": message("On an open request or a waiting shaman, it ends the request, or the shaman needs no answer."),
    "free": message("It cannot go on an open request or a waiting shaman."),
}
COVER = {
    "as-is": message("A jungle or baby turned onto it is the column’s first card: any card may follow or mirror it."),
    "number": message("A jungle or baby turned onto it is covered by the next card."),
}
ANSWER = "Answer a shaman with another or a dudab, or face it."
FACE = "Turn over cards from the deck until a number appears, then draw that many."
OWED = "Draw until you hold {least} cards, or as many as a shaman or a baby’s number demands."
ABOVE = "If you hold more than {most} cards, put the extras on your pile."
COUNT = (
    "A dudab in hand counts {dudab} points and is removed; all other cards join the pile. There, each dudab cancels a "
    "shaman, a spare dudab makes a number negative, a spare shaman counts {shaman} points, and each jungle removes the "
    "lowest value left. 1 to 8 babies score {babies}."
)
SHED = "If you take a column, shed down to {least} cards, all to the discard pile or all to your own pile."


@lru_cache
def play_help(readings: Readings, numbers: Numbers, asked: bool, jungle: bool) -> str:
    """Return what may be played now; `asked` is whether a request is open, `jungle` whether jungles are in the game."""
    if asked:
        return spaced([REQUEST, SECOND[readings.second_dudab]])
    play = message(PLAY, length=numbers.column_length)
    sheds = message(SHEDS, least=numbers.hand_least) if readings.jungle_shed else SHEDS_NOT
    return spaced([play, BELOW, sheds]) if jungle else play


@lru_cache
def draw_help(readings: Readings, numbers: Numbers, asked: bool, jungle: bool, baby: bool) -> str:
    """Return when a seat may draw, and what happens to a jungle or a baby."""
    full = message(FULL, most=numbers.hand_most)
    return spaced([DRAW_ASKED[readings.request] if asked else DRAW, full, *_specials(readings, jungle, baby)])


@lru_cache
def owed_help(readings: Readings, numbers: Numbers, jungle: bool, baby: bool) -> str:
    """Return why a seat draws outside its own choice."""
    return spaced([message(OWED, least=numbers.hand_least), *_specials(readings, jungle, baby)])


@lru_cache
def shed_help(numbers: Numbers, took: bool) -> str:
    """Return how many cards a seat sheds, and where they go; `took` is whether it has taken a column."""
    return message(SHED, least=numbers.hand_least) if took else message(ABOVE, most=numbers.hand_most)


@lru_cache
def count_help(numbers: Numbers) -> str:
    """Return how a seat's cards score."""
    babies = ", ".join(map(str, numbers.baby_points))
    return message(COUNT, dudab=numbers.dudab_points, shaman=numbers.shaman_points, babies=babies)


def _specials(readings: Readings, jungle: bool, baby: bool) -> list[str]:
    """Return the rules for drawn jungles and babies, as far as they are in the game."""
    parts = [JUNGLE] * jungle + [BABY, COVER[readings.cover]] * baby
    return [*parts, PLACE[readings.jungle_place]] if parts else []


OPTION_HELP = {
    "track": message(
        "Every card: the box follows each turn. Cards at end: after each round, enter the cards of each hand and pile. "
        "Counts at end: enter only how many there are of each kind."
    ),
    "jungle": message("First expansion: eight jungle cards. Add it once the base game runs without questions."),
    "baby": message("Second expansion: eight baby cards. Add it once the base game runs without questions."),
    "columns": message("Auto: two columns with 2 or 3 players, three with more."),
    "request": message(
        "What if a dudab asks for a card? Show, draw: a player who has none shows the hand, then draws. Only draw: "
        "without showing it. Free: anybody may draw. The rule sheet says: show, draw."
    ),
    "second_dudab": message(
        "Any column: while a dudab asks for a card, another dudab goes on any column. Same column: only on that dudab. "
        "The rule sheet says: any column."
    ),
    "jungle_place": message(
        "Any column: a drawn jungle or baby may end an open request, or the wait for an answer to a shaman. Free "
        "column: it goes elsewhere. The rule sheet says: any column."
    ),
    "cover": message(
        "What if a jungle or baby is turned onto a baby? Any card: it stays, and any card may follow it. Another: "
        "turn over the next card, until neither appears. The rule sheet says: any card."
    ),
    "jungle_shed": message(
        "Does a player who takes a column with a jungle also shed down to two cards, as with a sixth card? The rule "
        "sheet says no."
    ),
    "hand_least": message(
        "The fewest cards in a hand after a turn. A player who takes a column sheds down to this number."
    ),
    "hand_most": message("The most cards in a hand after a turn."),
    "column_length": message("How many cards fill a column. The player who adds the next card takes them."),
    "dudab_points": message("What a dudab in hand costs."),
    "shaman_points": message("What a shaman in a pile costs if no dudab cancels it."),
    "baby_points": message("The points of 1 to 8 babies in a pile."),
}
