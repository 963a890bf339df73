"""The rules of Dodekka (cards): take the card nearest the deck, or turn the next card.

If the line's total passes 12, the active seat collects the line, unless the turned card has the value of the previous
card. Option `track`: with "all" the box follows every card. With "hands" players enter only the final hands. With
"sums" they enter only the number of cards and the sum of each element. With the last two, the box only counts scores.
Options `limit`, `line` and `minus` are experiments with the numbers of the rule sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, Self, cast

from umpi.games.dodekka.alike import merged
from umpi.games.dodekka.cards import (
    DECK,
    ELEMENTS,
    KINDS,
    LIMIT,
    MINUS,
    POINTS,
    SIGNS,
    VALUES,
    Card,
    best,
    score_of_hand,
    sign,
    sums_of_hand,
    sums_with,
    value_of,
)
from umpi.games.dodekka.told import decided, told
from umpi.kernel import (
    Act,
    Ask,
    Call,
    Draw,
    Each,
    Field,
    Game,
    Given,
    NamedSeat,
    Now,
    Number,
    Pick,
    Result,
    Row,
    Scope,
    Some,
    View,
    Who,
    message,
    message_n,
    override,
    placed,
    replace,
)
from umpi.kernel.messages import Figure, listed

SHOWN = 7  # cards of the line that fit on the screen
LINE = 3  # cards dealt for a new line
LONGEST_LINE = 6  # the most that an experiment deals for one

FIVE = range(5, 6)  # one number per element
Counts = Annotated[tuple[Annotated[int, range(len(VALUES) + 1)], ...], FIVE]
Sums = Annotated[tuple[Annotated[int, range(POINTS + 1)], ...], FIVE]
Track = Literal["all", "hands", "sums"]

DEAL = (
    "Lay cards from the deck face up in a line beside it: {line} in all. Enter them by element and value, the card "
    "nearest the deck first. After a bust, the player who collected the line deals."
)
TAKE = (
    "Take the card nearest the deck into your hand, keep it hidden, and close the gap. Only this card can be taken. "
    "Taking never busts, even if the line stays over {limit}."
)
TURN = (
    "Turn the deck’s top card, lay it at the far end, and enter it by its element. Over {limit} you bust and collect "
    "the whole line, unless the card has the same value as the card before it. Then the line stays, and the next "
    "player must match the new last card or take. A bust can pay: look at the cards that you would collect."
)
ELEMENT = message("Flip: which element?")
COUNT = (
    "Your score is the sum of one element, less {minus} for each card of another element, whatever its value. The box "
    "picks the best element. If players are tied, the one with the most cards in hand wins."
)

ENTERED: dict[Track, str] = {
    "hands": message("Play to the end. Then enter each player’s cards."),
    "sums": message("Play to the end. Then enter the number and sum of each element’s cards."),
}

OPTION_HELP = {
    "track": message(
        "Every card: the box follows the line and the deck. Final hands: after the last turn, enter the cards of each "
        "hand. Final sums: enter only how many cards of each element there are, and their sum."
    ),
    "scores": message(
        "Shown: everybody sees the scores all the time. Hidden: only at the end, because hands are secret."
    ),
    "limit": message("The highest total that a line may have without going bust."),
    "line": message("How many cards start a new line."),
    "minus": message("How many points each card of another element costs at the end."),
}


@dataclass(frozen=True, slots=True)
class Dodekka(Game):
    """A position of Dodekka, with its rules.

    >>> game = Dodekka.setup(2).do_deal(None, ("fire-2", "earth-2", "air-4")).do_turn(0, "earth-2")
    >>> game.facts()["total"], game.do_turn(1, "air-3").facts()["bust"]
    (10, 1)
    """

    id: ClassVar = "dodekka"
    title: ClassVar = "Dodekka"
    umpi_api: ClassVar = 3
    wins: ClassVar = "highest"
    kind: ClassVar = "cards"
    pieces: ClassVar = {"card": "card", "cards": "card"}
    seats: ClassVar = range(2, 7)
    options: ClassVar[tuple[Field, ...]] = (
        Pick("track", ("all", "hands", "sums")),
        Pick("scores", ("hidden", "shown")),
        Number("limit", 1, 60),
        Number("line", 1, LONGEST_LINE),
        Number("minus", 0, 4),
    )
    experiments: ClassVar = ("limit", "line", "minus")
    option_help: ClassVar = OPTION_HELP
    longest: ClassVar = 120  # each card is turned or dealt once, and taken at most once
    scopes: ClassVar = (
        Scope(
            2, {"limit": 6},
            {
                "card": ("fire-1", "fire-4", "water-1", "air-4", "earth-3"),
                "cards": (("fire-1", "water-2", "air-3"), ("fire-2", "water-3", "earth-1")),
            },
            acts=5,
        ),
        Scope(
            2, {},
            {
                "card": tuple(f"{element}-{value}" for element in ELEMENTS for value in (2, 4)),
                "cards": tuple((f"{element}-4", f"{element}-3", f"{element}-2") for element in ELEMENTS),
            },
            acts=6, merged=merged,
        ),
        Scope(3, {"track": "hands"}, {"cards": ((), ("fire-1", "air-2"), ("ether-0", "ether-3", "water-1"))}),
    )  # fmt: skip

    hands: tuple[tuple[str, ...], ...]  # the cards of each seat, in the order gained
    deck: tuple[str, ...] = DECK  # the cards that nobody has seen yet, unordered
    line: tuple[str, ...] = ()  # the card nearest the deck first
    turn: int = 0
    bust: int | None = None  # the seat that has just busted
    track: Track = "all"
    entered: tuple[int, ...] = ()  # seats whose hand or sums have been entered
    counts: tuple[tuple[int, ...], ...] = ()  # track "sums": one row per seat, the number of cards of each element
    sums: tuple[tuple[int, ...], ...] = ()  # track "sums": one row per seat, the sum of each element
    limit: int = LIMIT  # the most that a line may total
    dealt: int = LINE  # the cards of a new line
    minus: int = MINUS  # the points that each card of another element costs
    hidden: bool = True  # whether the scores are shown only at the end, because players hide their cards

    @classmethod
    @override
    def setup(
        cls, seats: int, track: Track = "all", scores: Literal["hidden", "shown"] = "hidden",
        limit: int = LIMIT, line: int = LINE, minus: int = MINUS,
    ) -> Self:  # fmt: skip
        """Return the first position: nobody has seen a card, and the hands are empty."""
        none = ((0,) * 5,) * seats if track == "sums" else ()
        return cls(
            ((),) * seats, track=track, counts=none, sums=none, limit=limit, dealt=line, minus=minus,
            hidden=scores == "hidden",
        )  # fmt: skip

    @classmethod
    @override
    def table_setup(cls, seats: int, track: Track, line: int, **_: object) -> tuple[str, ...]:
        """Return how to set the table up; unless the box follows every card, players enter only the result."""
        first = message("Enter the card nearest the deck first.")
        return (
            message("Shuffle the 60 cards."),
            message("Deal a line of {line} face up beside the deck.", line=line),
            first if track == "all" else ENTERED[track],
            message("Keep your hand hidden."),
            message("{who} starts. The rule sheet does not say who.", who=Who(0)),
        )

    @property
    @override
    def phase(self) -> Literal["deal", "turn", "hands", "over"]:
        """Return the current step of the game."""
        if self.track != "all":
            return "over" if len(self.entered) == len(self.hands) else "hands"
        if not self.deck:
            return "over"
        return "turn" if self.line else "deal"

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer the deal, or take and turn, or the entry of a missing hand."""
        match self.phase:
            case "deal":
                cards = Draw("cards", self.deck, self._to_deal, KINDS, self._gone, label=sign)
                question, help = _deals(self.bust, self.dealt)
                return (Ask("deal", question, (cards,), None, help),)
            case "turn":
                card = Pick("card", self.deck, KINDS, self._gone, "table", label=sign, text=ELEMENT)
                take, help = _take(self.turn, self.limit)
                return take, Ask("turn", "Flip", (card,), self.turn, help, question=self._question())
            case "hands":
                seat = Pick("seat", self._missing, range(len(self.hands)), _why_entered, text="Whose final hand?")
                count = message(COUNT, minus=self.minus)
                if self.track == "hands":
                    cards = Some("cards", self.deck, 0, len(self.deck), KINDS, self._gone, label=sign)
                    return (Ask("hand", "Final hand", (seat, cards), None, count),)
                return (Ask("sums", "Final hand", (seat, self._ask_counts()), None, count, self._ask_sums),)
            case "over":
                return ()

    def do_deal(self, seat: None, cards: Annotated[tuple[Card, ...], range(1, LONGEST_LINE + 1)]) -> Self:
        """Deal the cards of a new line."""
        return replace(self, line=cards, deck=_without(self.deck, cards), bust=None)

    def do_take(self, seat: int) -> Self:
        """Move the card nearest the deck to the seat's hand."""
        return replace(self, hands=self._gains(seat, self.line[:1]), line=self.line[1:], turn=self._next(seat))

    def do_turn(self, seat: int, card: Card) -> Self:
        """Add the deck's top card to the far end of the line; the seat may bust."""
        line, deck = (*self.line, card), _without(self.deck, (card,))
        total = sum([value_of[each] for each in line])
        if total > self.limit and value_of[card] != value_of[line[-2]]:
            hands = self._gains(seat, line)
            return replace(self, hands=hands, deck=deck, line=(), turn=self._next(seat), bust=seat)
        return replace(self, deck=deck, line=line, turn=self._next(seat))

    def do_hand(self, seat: NamedSeat, cards: Annotated[tuple[Card, ...], range(len(DECK) + 1)]) -> Self:
        """Enter a seat's final hand."""
        deck = _without(self.deck, cards)
        return replace(self, hands=self._gains(seat, cards), deck=deck, entered=(*self.entered, seat))

    def do_sums(self, seat: NamedSeat, counts: Counts, sums: Sums) -> Self:
        """Enter a seat's final hand as one count and one sum per element."""
        return replace(
            self,
            counts=(*self.counts[:seat], counts, *self.counts[seat + 1 :]),
            sums=(*self.sums[:seat], sums, *self.sums[seat + 1 :]),
            entered=(*self.entered, seat),
        )

    @override
    def scores(self) -> tuple[int, ...]:
        """Return the current score of each hand."""
        if self.track != "sums":
            return tuple([score_of_hand(hand, self.minus) for hand in self.hands])
        return tuple(best(*each, self.minus)[0] for each in self._counted())

    @override
    def result(self) -> Result | None:
        """Return the ranking by score, tied seats by the number of cards in hand; None until the game ends."""
        if self.phase != "over":
            return None
        counted = self._counted()
        merits = tuple((best(*each, self.minus)[0], sum(each[0])) for each in counted)
        return Result(placed(merits), _why(merits, counted[merits.index(max(merits))], self.minus))

    @override
    def facts(self) -> dict[str, Any]:
        """Return the line, the deck and the hands."""
        left = len(self.deck)
        if self.track == "sums":
            left -= sum(map(sum, self.counts))
        return {
            "line": self.line,
            "total": self._total(),
            "deck": left,
            "hands": self.hands,
            "suits": tuple(best(*each, self.minus)[1] for each in self._counted()),
            "bust": self.bust,
        }

    @override
    def shown_facts(self) -> dict[str, Any]:
        """Return the line, the deck and the number of cards in each hand; of hands that are hidden, no card.

        If only final hands are entered, nothing is known of the line and the deck.
        """
        shown = not self.hidden or self.phase == "over"
        facts = {**self.facts(), "limit": self.limit, "held": tuple(sum(counts) for counts, _ in self._counted())}
        if self.track != "all":
            return {name: facts[name] for name in ("hands", "suits", "held")} if shown else {}
        if not shown:
            del facts["hands"], facts["suits"]
        return facts

    @override
    def own_hand(self, seat: int) -> tuple[str, ...] | None:
        """Return the cards of a hand by element and its score; None unless the box follows every card."""
        if self.track != "all":
            return None
        hand = self.hands[seat]
        if not hand:
            return (message("Your hand is empty."),)
        count = message_n("You hold {number} card.", "You hold {number} cards.", len(hand))
        values = {name: sorted(value_of[card] for card in hand if card.startswith(name)) for name in ELEMENTS}
        cards = (
            message("{element}: {values}.", element=element, values=listed([str(value) for value in own]))
            for element, own in values.items()
            if own
        )
        return (count, *cards, message("Your hand scores {points} now.", points=self.scores()[seat]))

    @override
    def view(self) -> View:
        """Return the size of the deck, the line and its total; at the end, what each score is made of."""
        if self.phase == "over":
            return View(message("final hands"), tuple(_score_parts(*each, self.minus) for each in self._counted()))
        if self.track != "all":
            return View(message("final hands"), hidden=self.hidden)
        total = message("{total} of {limit}", total=self._total(), limit=self.limit)
        line = (Row(total, self._shown_line()),) if self.line else ()
        return View(message("deck {left}", left=len(self.deck)), rows=line, hidden=self.hidden)

    @override
    def told(self, act: Act) -> str:
        """Return what somebody does, in a sentence."""
        return told(act, self.turn, self.line)

    @override
    def decided(self, act: Act) -> str:
        """Return what hands do for somebody who flips."""
        return decided(self.turn)

    @override
    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Return the ruling on a turned card that takes the line over 12, and what becomes of the line at the end."""
        said = self._turned(before, act) if act.verb == "turn" else ()
        if self.line and self.phase == "over":
            text = message("The deck is empty: the line is discarded")
            said = (*said, Call("discarded", text, {"cards": len(self.line)}))
        return said

    def _turned(self, before: Self, act: Act) -> tuple[Call, ...]:
        seat, line = before.turn, (*before.line, str(act.given["card"]))
        total = sum(value_of[card] for card in line)
        if self.bust is not None:
            text = _shouted(seat, len(line), self._to_deal)
            return (Call("bust", text, {"seat": seat, "total": total, "cards": len(line)}),)
        if total <= self.limit:
            return ()
        value = value_of[line[-1]]
        text = message("No bust at {total}: {who} matches the {value}", total=total, who=Who(seat), value=value)
        return (Call("no-bust", text, {"seat": seat, "total": total, "value": value}),)

    @override
    def now(self) -> Now | None:
        """Return what the next person must do; over the limit, which flipped card is safe."""
        match self.phase:
            case "deal":
                return _deal_now(self.bust, self._to_deal)
            case "turn":
                over = self._total() > self.limit
                return _turn_now(self.turn, self.line[0], value_of[self.line[-1]] if over else None)
            case "hands":
                if self.entered:
                    return Now(message("Enter the next final hand. Whose is it?"))
                return Now(message("Play until the deck is empty. Then enter the hands. Whose is first?"))
            case "over":
                return None

    @override
    def odds(self) -> tuple[Row, ...]:
        """Return the chance that a turned card busts, and how a bust changes the seat's score on average."""
        if self.phase != "turn":
            return ()
        seat, score = self.turn, self.scores()[self.turn]
        busts = [after for card in self.deck if (after := self.do_turn(seat, card)).bust == seat]
        share = message("{cards} of {deck}", cards=len(busts), deck=len(self.deck))
        chance = Row(message("flip busts"), (Figure(f"{len(busts) / len(self.deck):.1%}"), share))
        if not busts:
            return (chance,)
        change = sum(after.scores()[seat] - score for after in busts) / len(busts)
        return (chance, Row(message("if bust"), (message("{change} points", change=Figure(f"{change:+z.1f}")),)))

    @override
    def audit(self) -> str:
        """Check that each of the sixty cards is in exactly one place."""
        if self.track == "sums":
            return ""
        cards = sorted(sum(self.hands, self.line + self.deck))
        return "" if cards == sorted(DECK) else "the sixty cards are not all there once"

    def _question(self) -> str:
        """Return the question of a turn; over the limit, it names the only value that does not bust."""
        return _either(self.line[0], value_of[self.line[-1]] if self._total() > self.limit else None)

    def _shown_line(self) -> tuple[str, ...]:
        """Return the short forms of the line's cards; of a long line, only the first card and the last ones."""
        cards = tuple(map(sign, self.line))
        return cards if len(cards) <= SHOWN else (cards[0], "…", *cards[2 - SHOWN :])

    @property
    def _to_deal(self) -> int:
        """Return how many cards a new line has: fewer if the deck does not have as many."""
        return min(self.dealt, len(self.deck))

    def _total(self) -> int:
        return sum([value_of[card] for card in self.line])

    def _next(self, seat: int) -> int:
        return (seat + 1) % len(self.hands)

    def _gains(self, seat: int, cards: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        return (*self.hands[:seat], self.hands[seat] + cards, *self.hands[seat + 1 :])

    def _counted(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        if self.track == "sums":
            return list(zip(self.counts, self.sums, strict=True))
        return [sums_of_hand(hand) for hand in self.hands]

    @property
    def _missing(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(len(self.hands)) if seat not in self.entered)

    def _ask_counts(self) -> Each:
        return Each("counts", tuple(map(self._count_field, range(5), ELEMENTS)))

    def _count_field(self, element: int, name: str) -> Pick:
        left, points = self._left(element)
        fits = tuple(count for count in range(left + 1) if sums_with(count)[0] <= points)
        few = message("{element}: only {left} of {all} cards are left.", element=name, left=left, all=len(VALUES))
        poor = message("{element}: too many cards for the {points} points left.", element=name, points=points)
        return Pick(
            name,
            fits,
            range(len(VALUES) + 1),
            lambda count: few if cast(int, count) > left else poor,
        )

    def _ask_sums(self, given: Given) -> tuple[Field, ...]:
        counts = given["counts"]
        assert isinstance(counts, tuple)
        return (Each("sums", tuple(map(self._sum_field, range(5), ELEMENTS, counts))),)

    def _sum_field(self, element: int, name: str, count: int) -> Pick:
        _, points = self._left(element)
        fits = tuple(total for total in sums_with(count) if total <= points)
        why = message(
            "{count} {element} cards cannot have that sum with {points} points left.",
            count=count, element=name, points=points,
        )  # fmt: skip
        return Pick(name, fits, range(POINTS + 1), lambda total: why, in_order=len(fits) == 1)

    def _left(self, element: int) -> tuple[int, int]:
        """Return how many cards and points of an element remain for the hands that are not entered yet."""
        return (
            len(VALUES) - sum(row[element] for row in self.counts),
            POINTS - sum(row[element] for row in self.sums),
        )

    def _gone(self, card: object) -> str:
        """Return where the copies of a card are that have left the deck, "" if there are none."""
        places: list[str] = ["in the line"] if card in self.line else []
        places += [message("in {who}’s hand", who=Who(seat)) for seat, hand in enumerate(self.hands) if card in hand]
        copies, left = DECK.count(str(card)), self.deck.count(str(card))
        if left and not places:
            return ""
        if left:
            template = "{card}: only {left} of its {copies} copies left; the others are {places}."
            return message(template, card=card, left=left, copies=copies, places=listed(places))
        template = "{card} is already {places}."
        if copies > 1:
            template = "No {card} left: its {copies} copies are {places}."
        return message(template, card=card, copies=copies, places=listed(places))


def _score_parts(counts: tuple[int, ...], sums: tuple[int, ...], minus: int = MINUS) -> str:
    """Return what a score is made of: the best element with its sum, minus the cards of the others.

    >>> _score_parts((4, 0, 11, 3, 2), (7, 0, 19, 10, 6))
    '💨19-9'
    """
    element = best(counts, sums, minus)[1]
    if element is None:
        return ""
    scored = ELEMENTS.index(element)
    return f"{SIGNS[element]}{sums[scored]}-{minus * (sum(counts) - counts[scored])}"


def _why(merits: tuple[tuple[int, int], ...], won: tuple[tuple[int, ...], tuple[int, ...]], minus: int) -> str:
    """Return why the best seat wins, and what decided a tie.

    `merits` are the score and the number of cards of each seat; `won` are the counts and sums of the best seat.
    """
    score, cards = max(merits)
    if sum(own == score for own, _ in merits) == 1:
        element = best(*won, minus)[1]
        if element is None:
            return message("highest score")
        scored = ELEMENTS.index(element)
        others = minus * (sum(won[0]) - won[0][scored])
        template = "highest score: {element} {sum}, minus {others} for other elements"
        return message(template, element=element, sum=won[1][scored], others=others)
    if merits.count((score, cards)) == 1:
        return message_n(
            "tied for the highest score, won with one card in hand",
            "tied for the highest score, won with {number} cards in hand",
            cards,
        )
    return message("tied for the highest score, also in cards")


@lru_cache
def _deals(bust: int | None, line: int) -> tuple[str, str]:
    """Return the question of a deal, which names who deals after a bust, and its rule."""
    question = "Deal a new line" if bust is None else message("{who} deals a new line", who=Who(bust))
    return question, message(DEAL, line=line)


@lru_cache
def _take(seat: int, limit: int) -> tuple[Ask, str]:
    """Return the ask for taking a card, and the rule of the other choice: to flip one."""
    return Ask("take", "Take", (), seat, message(TAKE, limit=limit)), message(TURN, limit=limit)


@lru_cache(maxsize=256)
def _either(first: str, value: int | None) -> str:
    """Return the question of a turn; `value` is the only one that does not bust, None if the line is low enough."""
    if value is not None:
        return message("Take, or flip? Only a {value} is safe", value=value)
    return message("Take {card} or flip: which element?", card=sign(first))


def _shouted(seat: int, cards: int, deals: int) -> str:
    """Return what the table shouts at a bust, and how many cards the seat takes and deals."""
    if not deals:
        return message("DODEKKA! {who} takes {cards} cards", who=Who(seat), cards=cards)
    template = "DODEKKA! {who} takes {cards} cards and deals {number}"
    if deals == LINE:
        template = "DODEKKA! {who} takes {cards} cards and deals three"
    return message(template, who=Who(seat), cards=cards, number=deals)


@lru_cache
def _deal_now(bust: int | None, cards: int) -> Now:
    """Return who deals and how the cards are entered."""
    if bust is None:
        template = "Deal {number}, nearest the deck first: which element?"
        if cards == LINE:
            template = "Deal three, nearest the deck first: which element?"
        return Now(message(template, number=cards))
    template = "{who}: deal {number}, nearest the deck first"
    if cards == LINE:
        template = "{who}: deal three, nearest the deck first"
    return Now(message(template, who=Who(bust), number=cards), bust)


@lru_cache(maxsize=256)
def _turn_now(seat: int, first: str, value: int | None) -> Now:
    """Return the choice of a turn; `value` is the only one that does not bust, None if the line is low enough."""
    if value is not None:
        template = "{who}: take, or flip and press its element. Only a {value} is safe"
        voice = "{who}: take {card}, or flip? Only a {value} is safe. After a flip, press its element."
    else:
        template = "{who}: take {sign}, or flip and press its element"
        voice = "{who}: take {card}, or flip. After a flip, press its element."
    text = message(template, who=Who(seat), sign=sign(first), value=value)
    return Now(text, seat, message(voice, who=Who(seat), card=first, value=value))


def _why_entered(seat: object) -> str:
    return message("{who}’s hand has been entered already.", who=Who(seat))  # type: ignore[call-overload]


def _without(deck: Sequence[str], cards: Sequence[str]) -> tuple[str, ...]:
    left = list(deck)
    for card in cards:
        left.remove(card)
    return tuple(left)
