"""The dealer of Dudab Buba: a shuffled deck, real hands, and acts that real players could choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from umpi.games.dudab_buba.cards import (
    BABY,
    DUDAB,
    JUNGLE,
    REQUESTS,
    SHAMANS,
    VALUES,
    deck,
    is_number,
    is_special,
    value_of,
    without,
)
from umpi.games.dudab_buba.numbers import DEALT
from umpi.kernel import Act, Dealer, override
from umpi.kernel.fields import Chance, Value
from umpi.kernel.random_games import USUAL

if TYPE_CHECKING:
    from umpi.games.dudab_buba.rules import DudabBuba

SHOWS = 0.7  # how often a hand is shown without its cards being entered
T = TypeVar("T")


class DudabTable(Dealer):
    """Play random games with real hidden cards; each act is possible with these cards."""

    def __init__(self, chance: Chance, position: DudabBuba) -> None:
        self._chance = chance
        self._deck: list[str] = []
        self._hands: list[list[str]] = [[] for _ in position.piles]

    @override
    def act(self, position: DudabBuba) -> Act:
        """Return an act of the phase; laying a card is more likely than drawing one."""
        phase, seat = position.phase, position.actor
        if phase == "tally":
            return self._count(position)
        if phase == "reveal":
            return self._open(position)
        if seat is None:
            return Act("hands", {"hands": tuple(map(tuple, self._hands))})
        if phase == "shed":
            return self._shed(position, seat)
        if phase == "draw":
            return self._draw(position, seat)
        hand, fits = self._hands[seat], position.fitting()
        goes = [(card, column) for card in hand for column, cards in enumerate(fits) if card in cards]
        meets = position.must_meet() and any(card != DUDAB for card, _ in goes)
        full = len(hand) == position.numbers.hand_most
        must = phase == "turn" and (full or meets)
        if goes and (must or self._chance() < 0.85):
            return self._play(position, seat, *self._one(goes))
        if phase == "answer":
            return self._face(seat)
        return self._draw(position, seat, full, position.must_meet(), position.must_show())

    @override
    def audit(self, position: DudabBuba) -> str:
        """Return where the real cards differ from the position's knowledge of them, "" if they agree."""
        if position.track != "all" or not position.columns:
            return ""
        hidden = position.hidden
        if hidden.deck != len(self._deck) or hidden.hands != tuple(map(len, self._hands)):
            return "the deck or a hand holds another number of cards"
        if sorted(hidden.unseen + sum(hidden.known, ())) != sorted(sum(self._hands, self._deck)):
            return "the cards nobody has seen are others"
        return ""

    @override
    def redrawn(self, position: DudabBuba, seat: int, chance: Chance) -> DudabTable:
        """Return a table as a seat may imagine it: the cards that it cannot know are drawn again."""
        other = DudabTable(chance, position)
        if position.track != "all" or not position.columns:
            return other
        hidden, own = position.hidden, self._hands[seat]
        left = list(without(hidden.unseen, without(own, hidden.known[seat])))
        shuffled = [left.pop(int(chance() * len(left))) for _ in range(len(left))]
        for each, hand in enumerate(other._hands):
            places = 0 if each == seat else hidden.places(each)
            plain = [card for card in shuffled if not is_special(card)][:places]  # nobody holds a special card
            for card in plain:
                shuffled.remove(card)
            hand[:] = own if each == seat else [*hidden.known[each], *plain]
        other._deck = shuffled
        return other

    def _shuffle(self, position: DudabBuba) -> None:
        cards = list(deck(position.jungle, position.baby))
        self._deck = [cards.pop(int(self._chance() * len(cards))) for _ in range(len(cards))]

    def _count(self, position: DudabBuba) -> Act:
        """Return the count of a seat, usually of the next one: a hand, and at most its share of the other cards."""
        counted, seats = position.tally.points, len(position.piles)
        if not counted:
            self._shuffle(position)
        left = [seat for seat in range(seats) if seat not in counted]
        held = [card for card in self._deck if not is_special(card)]
        hand = tuple(self._take(held.pop()) for _ in range(2 + int(self._chance() * 4)))
        pile = tuple(self._deck.pop() for _ in range(int(self._chance() * (len(self._deck) // len(left) + 1))))
        given: dict[str, Value] = {"seat": left[0] if self._chance() < USUAL else self._one(left)}
        if position.track == "score":
            return Act("tally", {**given, "hand": hand, "pile": pile})
        cards = [*pile, *(card for card in hand if card != DUDAB)]
        values = [value_of[card] for card in cards if card in value_of]
        given |= {"hand": hand.count(DUDAB), "dudabs": cards.count(DUDAB)}
        given |= {"shamans": sum(card in SHAMANS for card in cards)}
        given |= {"jungles": cards.count(JUNGLE), "babies": cards.count(BABY)}
        return Act("counts", {**given, "numbers": tuple(map(values.count, VALUES))})

    def _open(self, position: DudabBuba) -> Act:
        """Shuffle, deal the hands and open the columns, all of them without jungles and babies."""
        self._shuffle(position)
        held = [card for card in self._deck if not is_special(card)]
        for hand in self._hands:
            hand[:] = [self._take(held.pop()) for _ in range(DEALT)]
        return Act("reveal", {"cards": tuple(self._take(held.pop()) for _ in range(position.wide))})

    def _play(self, position: DudabBuba, seat: int, card: str, column: int) -> Act:
        self._hands[seat].remove(card)
        given: dict[str, Value] = {"card": card, "column": column}
        if card == DUDAB and not position.columns[column].jungle and self._chance() < 0.7:
            given["ask"] = self._one(REQUESTS)
        return Act("play", given)

    def _draw(
        self, position: DudabBuba, seat: int, sheds: bool = False, may_show: bool = False, must_show: bool = False
    ) -> Act:
        """Return a draw; a hand that must be shown is shown by the verb, and sometimes by its cards."""
        given: dict[str, Value] = {}
        verb = "show" if (sheds or must_show) and self._chance() < SHOWS else "draw"
        if verb == "show":
            if sheds:
                given["shed"] = self._from_hand(seat)
        elif sheds:
            given["shown"] = tuple(self._hands[seat])
            given["shed"] = self._from_hand(seat)
        elif must_show or (may_show and self._chance() < 0.3):
            given["shown"] = tuple(self._hands[seat])
        card = self._deck.pop()
        if not is_special(card):
            self._hands[seat].append(card)
            return Act(verb, given)
        given["card"] = card
        if columns := position.free_for(card):
            given["column"] = self._one(columns)
        if card == BABY:
            as_is = position.readings.cover == "as-is"
            given["turned"] = self._turn_up_to(lambda card: as_is or not is_special(card))
        return Act(verb, given)

    def _face(self, seat: int) -> Act:
        return Act("face", {"turned": self._turn_up_to(is_number)})

    def _shed(self, position: DudabBuba, seat: int) -> Act:
        keeps = position.numbers.hand_least if position.took else position.numbers.hand_most
        cards = tuple(self._from_hand(seat) for _ in range(len(self._hands[seat]) - keeps))
        return Act("shed", {"cards": cards, "to": "discard" if position.took and self._chance() < 0.5 else "pile"})

    def _turn_up_to(self, until: Callable[[object], bool]) -> tuple[str, ...]:
        turned: list[str] = []
        while self._deck and not (turned and until(turned[-1])):
            turned.append(self._deck.pop())
        return tuple(turned)

    def _from_hand(self, seat: int) -> str:
        hand = self._hands[seat]
        return hand.pop(int(self._chance() * len(hand)))

    def _take(self, card: str) -> str:
        self._deck.remove(card)
        return card

    def _one(self, choices: Sequence[T]) -> T:
        return choices[int(self._chance() * len(choices))]
