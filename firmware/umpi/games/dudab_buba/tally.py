"""Tallies of Dudab Buba: the entries of the seats at the end of a round, if the box does not follow every card."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import cast

from umpi.games.dudab_buba.cards import BABY, HELD, JUNGLE, KINDS, is_special, without
from umpi.games.dudab_buba.help import count_help
from umpi.games.dudab_buba.numbers import Numbers
from umpi.kernel import Ask, Each, Field, Given, Number, Pick, Some, Who, message, replace

NUMBERS = ("ones", "twos", "threes", "fours")
COUNTS = (8, 8, 8, 8, 16, 16, 16, 16)  # dudabs, shamans, jungles, babies, and numbers of each value


@dataclass(frozen=True, slots=True)
class Tally:
    """The seats entered so far with their points, and the cards or the counts that they have entered."""

    entries: tuple[tuple[int, int], ...] = ()
    cards: tuple[str, ...] = ()
    counts: tuple[int, ...] = (0,) * len(COUNTS)

    @property
    def points(self) -> dict[int, int]:
        """Return the points of each seat that has been entered."""
        return dict(self.entries)

    def with_cards(self, seat: int, points: int, cards: tuple[str, ...]) -> Tally:
        """Return the tally with a seat's cards added."""
        return replace(self, entries=(*self.entries, (seat, points)), cards=self.cards + cards)

    def counted(self, seat: int, points: int, counts: tuple[int, ...]) -> Tally:
        """Return the tally with a seat's number of cards of each kind added, in the order of `COUNTS`."""
        total = tuple(map(int.__add__, self.counts, counts))
        return replace(self, entries=(*self.entries, (seat, points)), counts=total)

    def left(self, kind: int) -> int:
        """Return the number of cards of a kind that have not been entered yet."""
        return COUNTS[kind] - self.counts[kind]


NOTHING = Tally()  # no seat has been entered yet


def ask_tally(tally: Tally, seats: int, cards: tuple[str, ...], numbers: Numbers) -> Ask:
    """Return the ask for a seat's hand and pile; `cards` are all cards of the game."""
    left = without(cards, tally.cards)
    held = tuple(card for card in left if not is_special(card))
    why = partial(_why_counted, tally, cards)
    hand = Some("hand", held, 0, len(held), HELD, why, text=message("cards in hand"))

    def more(given: Given) -> tuple[Field, ...]:
        pool = without(left, cast(tuple[str, ...], given["hand"]))
        return (Some("pile", pool, 0, len(pool), KINDS, why, text=message("pile")),)

    seat = _seat_to_count(tally, seats)
    return Ask("tally", "Count", (seat, hand), None, count_help(numbers), more, usual={"seat": seat.pool[0]})


def ask_counts(tally: Tally, seats: int, cards: tuple[str, ...], numbers: Numbers) -> Ask:
    """Return the ask for the number of cards of each kind that a seat has; `cards` are all cards of the game."""

    def more(given: Given) -> tuple[Field, ...]:
        dudabs = tally.left(0) - cast(int, given["hand"])
        who = Who(cast(int, given["seat"]))
        values = tuple(
            Number(name, 0, tally.left(4 + index), text=message("{who}: value {value}", who=who, value=index + 1))
            for index, name in enumerate(NUMBERS)
        )
        return (
            Number("dudabs", 0, dudabs, text=message("dudabs in pile")),
            Number("shamans", 0, tally.left(1), text=message("shamans")),
            Number("jungles", 0, tally.left(2) if JUNGLE in cards else 0, text=message("jungles")),
            Number("babies", 0, tally.left(3) if BABY in cards else 0, text=message("babies")),
            Each("numbers", values),
        )

    seat, hand = _seat_to_count(tally, seats), Number("hand", 0, tally.left(0), text=message("dudabs in hand"))
    return Ask("counts", "Count", (seat, hand), None, count_help(numbers), more, usual={"seat": seat.pool[0]})


def _seat_to_count(tally: Tally, seats: int) -> Pick:
    """Return the field for a seat that has not been counted, the lowest such seat first."""
    counted = tally.points
    left = tuple(seat for seat in range(seats) if seat not in counted)

    def why(seat: object) -> str:
        return message("{who} has counted.", who=Who(cast(int, seat)))

    return Pick("seat", left, tuple(range(seats)), why, text=message("Whose cards?"))


def _why_counted(tally: Tally, cards: tuple[str, ...], card: object) -> str:
    """Return why a card cannot be counted, "" if it can."""
    if is_special(card) and card not in cards:
        return message("{card}: this expansion is not in this match.", card=card)
    if card in tally.cards:
        return message("{card} has been counted already.", card=card)
    return ""
