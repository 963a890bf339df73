"""The end of a round in Dudab Buba: the asks for the final hands, or for the cards of each seat."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, cast

from umpi.games.dudab_buba.cards import HELD, KINDS, deck, is_special, without
from umpi.games.dudab_buba.numbers import Numbers
from umpi.games.dudab_buba.places import kept, why_not
from umpi.kernel import Ask, Each, Field, Given, Number, Pick, Some, Who, message
from umpi.kernel.messages import spaced

if TYPE_CHECKING:
    from umpi.games.dudab_buba.rules import DudabBuba

NUMBERS = ("ones", "twos", "threes", "fours")
NUMBER = "{who}: value {value}"  # of the number cards, in the question how many there are

COUNT = (
    "A dudab in hand is {dudab} points and gone; all other cards join the pile. There a dudab cancels a shaman, a "
    "spare dudab negates a number, a spare shaman is {shaman}; each jungle removes the lowest value left. 1 to 8 "
    "babies score {babies}."
)


def ask_hands(game: DudabBuba) -> Ask:
    """Return the ask for the cards that each seat still has in hand."""
    hidden = game.hidden
    hands = []
    for seat, number in enumerate(hidden.hands):
        pool = hidden.known[seat] + hidden.unseen
        text, why = message("{who} holds?", who=Who(seat)), partial(why_not, game, seat)
        hands.append(Some(message("{who}", who=Who(seat)), pool, number, number, HELD, why, text=text))

    def check(given: Given) -> str:
        entered = cast(tuple[tuple[str, ...], ...], given["hands"])
        left = list(hidden.unseen)
        for seat, hand in enumerate(entered):
            if reason := kept(game, seat, hand):
                return reason
            for card in without(hand, hidden.known[seat]):
                if card not in left:
                    return message("{card}: more were entered than copies are left.", card=card)
                left.remove(card)
        return ""

    help = spaced([message("The deck is empty: enter what each player still holds."), count_help(game.numbers)])
    return Ask("hands", "Final hands", (Each("hands", tuple(hands)),), None, help, objection=check)


@lru_cache
def count_help(numbers: Numbers) -> str:
    """Return how a seat's cards score."""
    babies = ", ".join(map(str, numbers.baby_points))
    return message(COUNT, dudab=numbers.dudab_points, shaman=numbers.shaman_points, babies=babies)


def _seat_to_count(game: DudabBuba) -> tuple[Pick, dict[str, Any]]:
    """Return the field for a seat that has not been counted, and its usual answer: the lowest such seat."""
    seats, counted = tuple(range(len(game.piles))), game.tally.points
    left = tuple(seat for seat in seats if seat not in counted)

    def why(seat: object) -> str:
        return message("{who} has been counted.", who=Who(cast(int, seat)))

    pick = Pick("seat", left, seats, why, text=message("Whose cards?"))
    return pick, {"seat": left[0]}


def ask_tally(game: DudabBuba) -> Ask:
    """Return the ask for a seat's hand and pile."""
    left = without(deck(game.jungle, game.baby), game.tally.cards)
    held = tuple(card for card in left if not is_special(card))
    why = partial(_counted, game)
    seat, usual = _seat_to_count(game)
    hand = Some("hand", held, 0, len(held), HELD, why, text=message("cards in hand"))

    def more(given: Given) -> tuple[Field, ...]:
        pool = without(left, cast(tuple[str, ...], given["hand"]))
        return (Some("pile", pool, 0, len(pool), KINDS, why, text=message("pile")),)

    return Ask("tally", "Count", (seat, hand), None, count_help(game.numbers), more, usual=usual)


def _counted(game: DudabBuba, card: object) -> str:
    if is_special(card) and card not in deck(game.jungle, game.baby):
        return message("{card}: this expansion is not in the game.", card=card)
    if card in game.tally.cards:
        return message("{card} has been counted already.", card=card)
    return ""


def ask_counts(game: DudabBuba) -> Ask:
    """Return the ask for the number of cards of each kind that a seat has."""
    tally = game.tally
    seat, usual = _seat_to_count(game)

    def more(given: Given) -> tuple[Field, ...]:
        dudabs = tally.left(0) - cast(int, given["hand"])
        who = Who(cast(int, given["seat"]))
        numbers = tuple(
            Number(name, 0, tally.left(4 + index), text=message(NUMBER, who=who, value=index + 1))
            for index, name in enumerate(NUMBERS)
        )
        return (
            Number("dudabs", 0, dudabs, text=message("dudabs in pile")),
            Number("shamans", 0, tally.left(1), text=message("shamans")),
            Number("jungles", 0, tally.left(2) if game.jungle else 0, text=message("jungles")),
            Number("babies", 0, tally.left(3) if game.baby else 0, text=message("babies")),
            Each("numbers", numbers),
        )

    hand = Number("hand", 0, tally.left(0), text=message("dudabs in hand"))
    return Ask("counts", "Count", (seat, hand), None, count_help(game.numbers), more, usual=usual)
