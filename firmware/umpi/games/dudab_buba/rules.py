"""The rules of Dudab Buba (cards): lay a card or draw one; the cards in hand and pile are points.

A match has as many rounds as players. Hands are hidden: a drawn card is known only after it is laid, shed or shown. A
card that was seen cannot come again. The rule sheet leaves some cases open. Here, four players use three columns
(option `columns`). Draws take effect in the order of the seats, from the active seat. The box chooses the numbers that
left-over dudabs negate.
Option `track`: with "all" the box follows every card. With "score" players enter only the hands and piles of each
round. With "counts" they enter only the number of cards of each kind. The options of `numbers.py` are experiments.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from typing import Annotated, Any, ClassVar, Literal, Self, TypedDict, Unpack, cast

from umpi.games.dudab_buba.alike import merged
from umpi.games.dudab_buba.cards import (
    BABY,
    COLOURS,
    COPIES,
    DUDAB,
    HELD,
    JUNGLE,
    KINDS,
    REQUESTS,
    SHAMANS,
    SUITS,
    Card,
    Held,
    Lazy,
    deck,
    is_number,
    is_special,
    short,
    value_of,
    without,
)
from umpi.games.dudab_buba.columns import Column
from umpi.games.dudab_buba.dealer import DudabTable
from umpi.games.dudab_buba.help import (
    ANSWER,
    FACE,
    OPTION_HELP,
    REVEAL,
    count_help,
    draw_help,
    owed_help,
    play_help,
    shed_help,
)
from umpi.games.dudab_buba.hidden import Hidden, put
from umpi.games.dudab_buba.numbers import BABIES, DEALT, EXPERIMENTS, SHEET, Numbers
from umpi.games.dudab_buba.readings import FORMERLY, OPTIONS, Cover, Must, Place, Readings, Second
from umpi.games.dudab_buba.scoring import score, score_counts
from umpi.games.dudab_buba.tally import NOTHING, Tally, ask_counts, ask_tally
from umpi.games.dudab_buba.told import told
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
from umpi.kernel.messages import listed, spaced

Track = Literal["all", "score", "counts"]
Phase = Literal["reveal", "turn", "answer", "draw", "shed", "hands", "tally", "over"]
Request = Annotated[str, REQUESTS]
Shown = Annotated[tuple[Held, ...], range(1, 9)]
Eight = Annotated[int, range(9)]
Sixteen = Annotated[int, range(17)]
Fitting = tuple[frozenset[str], ...]  # for each column, the cards that may be laid on it

ENTERED = {
    "all": message("Enter the face-up cards, and after a round the hands."),
    "score": message("After each round, enter every hand and pile."),
    "counts": message("After each round, enter how many cards there are of each kind."),
}

OPENED = {2: "two", 3: "three", 4: "four"}
TURN = message("Play or draw?")
ANSWERING = message("Answer or face a shaman?")
CARD = message("Play which card?")
ON = message("On which column?")
REQUEST = Pick("ask", REQUESTS, optional=True, likely=0.7, text=message("Ask for a card?"))
DRAWN = message("A jungle or a baby?")
ONE_DRAWN = {JUNGLE: message("A jungle?"), BABY: message("A baby?")}
COVERS = message("Which card covers it?")
SHOWN = message("Show which cards?")
SHOW = message("Show all cards?")
TO_PILE = message("Which goes to your pile?")
ROOM = 22  # letters of the columns' last cards that the screen can show on a line
ONLY_DUDABS = frozenset([DUDAB])
NO_CARDS = frozenset[str]()


class Changes(TypedDict, total=False):
    """What an act changes beside the hidden cards and the turn."""

    columns: tuple[Column, ...]
    discard: tuple[str, ...]
    piles: tuple[tuple[str, ...], ...]
    request: str | None
    spot: int | None


@dataclass(frozen=True, slots=True)
class DudabBuba(Game):
    """A position of Dudab Buba, with its rules.

    >>> game = DudabBuba.setup(2).do_reveal(None, ("red-club-3", "dudab")).do_play(0, "blue-hide-2", 0)
    >>> game.facts()["columns"][0]["above"], game.facts()["hands"]
    (('red-club-3', 'blue-hide-2'), (2, 3))
    """

    id: ClassVar = "dudab-buba"
    title: ClassVar = "Dudab Buba"
    umpi_api: ClassVar = 3
    wins: ClassVar = "lowest"
    kind: ClassVar = "cards"
    pieces: ClassVar = dict.fromkeys(("card", "cards", "shown", "shed", "turned", "hands", "hand", "pile"), "card")
    seats: ClassVar = range(2, 7)
    options: ClassVar[tuple[Field, ...]] = (
        Pick("track", ("all", "score", "counts")),
        Pick("jungle", (False, True)),
        Pick("baby", (False, True)),
        Number("columns", 2, 4, null=True),
        *OPTIONS,
        *EXPERIMENTS,
    )
    experiments: ClassVar = Numbers._fields
    revision: ClassVar = 3  # 2: the readings of the sheet are options; 3: a hand is shown before a draw
    formerly: ClassVar = {1: FORMERLY, 2: {"request": "trust"}}
    option_help: ClassVar = OPTION_HELP
    cards: ClassVar = deck(jungle=True, baby=True)
    longest: ClassVar = 2000  # per round, a card is drawn, laid and shed at most once, a shaman faced at most once
    scopes: ClassVar = (
        Scope(
            2, {},
            {
                "cards": tuple((f"{suit}-4", f"{suit}-2") for suit in SUITS),
                "card": (DUDAB, *SHAMANS, *(f"{suit}-{value}" for suit in SUITS for value in (2, 3))),
                "ask": tuple(f"colour:{colour}" for colour in COLOURS),
                "shown": tuple(
                    (f"{suit}-1", f"{suit}-3", f"{suit}-4")[:number] for suit in SUITS for number in (2, 3)
                ),
                "turned": tuple((f"{suit}-1",) for suit in SUITS),
            },
            acts=4, merged=merged,
        ),
        Scope(
            2, {"track": "score"},
            {
                "hand": (("dudab", "red-club-1"), ("blue-hand-1", "blue-hand-4", "shaman-red")),
                "pile": ((), ("red-hide-3", "dudab")),
            },
        ),
    )  # fmt: skip
    dealer: ClassVar = DudabTable

    track: Track
    jungle: bool
    baby: bool
    wide: int  # the number of columns
    readings: Readings
    hidden: Hidden
    piles: tuple[tuple[str, ...], ...]  # the cards of each seat, in the order gained
    phase: Phase = "reveal"
    actor: int | None = None  # the seat that must act, None if no seat must
    round: int = 1
    turn: int = 0
    columns: tuple[Column, ...] = ()  # empty until they are opened
    discard: tuple[str, ...] = ()
    spot: int | None = None  # the column with an open request, or with a shaman that waits
    request: str | None = None
    waits: bool = False  # whether a shaman waits for an answer
    took: bool = False  # whether the seat that took a column must still shed
    owed: tuple[int, ...] = ()  # the draws that each seat owes for facing a shaman or for a baby's number
    tally: Tally = NOTHING
    rounds: tuple[tuple[int, ...], ...] = ()  # one row per finished round: the points of each seat
    numbers: Numbers = SHEET

    @classmethod
    @override
    def setup(
        cls, seats: int, track: Track = "all", jungle: bool = False, baby: bool = False, columns: int | None = None,
        request: Must = "must", second_dudab: Second = "any",
        jungle_place: Place = "any", cover: Cover = "as-is", jungle_shed: bool = False,
        hand_least: int = SHEET.hand_least, hand_most: int = SHEET.hand_most,
        column_length: int = SHEET.column_length, dudab_points: int = SHEET.dudab_points,
        shaman_points: int = SHEET.shaman_points, baby_points: tuple[int, ...] = BABIES,
    ) -> Self:  # fmt: skip
        """Return the first position: the first round is dealt."""
        chosen = Readings(request, second_dudab, jungle_place, cover, jungle_shed)
        wide = columns or columns_for(seats)
        nobody = Hidden((), ((),) * seats, (0,) * seats, 0)
        numbers = Numbers(hand_least, hand_most, column_length, dudab_points, shaman_points, baby_points)
        return cls(track, jungle, baby, wide, chosen, nobody, (), numbers=numbers)._dealt(1)

    @classmethod
    @override
    def table_setup(
        cls, seats: int, track: Track, jungle: bool, baby: bool, columns: int | None, **_: object
    ) -> tuple[str, ...]:
        """Return how to set the table up, for each round."""
        template = "Shuffle the {cards} cards: numbers, dudabs, shamans."
        if jungle and baby:
            template = "Shuffle all {cards} cards, also jungles and babies."
        elif jungle:
            template = "Shuffle the {cards} cards without the babies."
        elif baby:
            template = "Shuffle the {cards} cards without the jungles."
        again = (message("If you get a jungle or a baby, shuffle it back and take another card."),)
        return (
            message(template, cards=len(deck(jungle, baby))),
            message("Deal three cards each."),
            message("Reveal {columns} cards, one per column.", columns=columns or columns_for(seats)),
            *(again if jungle or baby else ()),
            message("The rest is the deck. Leave room for discards and piles."),
            message("Play {rounds} rounds. Shuffle and deal for each.", rounds=seats),
            ENTERED[track],
            message("{who} starts. The rule sheet says: scruffiest hair.", who=Who(0)),
        )

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer the acts of the phase."""
        phase, seat = self.phase, self.actor
        if seat is None:
            match phase:
                case "reveal":
                    return (self._ask_reveal(),)
                case "hands":
                    return (self._ask_hands(),)
                case "tally":
                    ask = ask_tally if self.track == "score" else ask_counts
                    return (ask(self.tally, len(self.piles), deck(self.jungle, self.baby), self.numbers),)
                case _:
                    return ()
        match phase:
            case "turn":
                helps = self.readings, self.numbers, self.request is not None, self.jungle
                question = _asked(self.request.partition(":")[2]) if self.request else TURN
                fits, full = self.fitting(), self.hidden.hands[seat] == self.numbers.hand_most
                play = self._ask_play(seat, fits, play_help(*helps), question)
                if full and self._holds_a_fitting_card(seat, fits):
                    return (play,)
                help = draw_help(*helps, self.baby)
                if full or self.must_show():
                    shown = self._ask_draw_showing(seat, fits, help)
                    return play, self._ask_show(seat, fits, help), shown._replace(rare=True)
                if self.must_meet():
                    return play, self._ask_draw_showing(seat, fits, help)
                return play, self._ask_draw(seat, help)
            case "answer":
                return self._ask_play(seat, self.fitting(), ANSWER, ANSWERING), self._ask_face(seat)
            case "draw":
                help = owed_help(self.readings, self.numbers, self.jungle, self.baby)
                return (self._ask_draw(seat, help, self.owes(seat)),)
            case _:
                return (self._ask_shed(seat),)

    def owes(self, seat: int) -> int:
        """Return how many cards a seat must draw: the draws it owes, or the cards it needs to have the fewest."""
        return max(self.owed[seat], self.numbers.hand_least - self.hidden.hands[seat])

    def _ask_reveal(self) -> Ask:
        cards = Draw("cards", Lazy(self.hidden.unseen, _may_open), self.wide, HELD, partial(self._why_not, None))
        return Ask("reveal", "The first cards?", (cards,), None, REVEAL)

    def do_reveal(self, seat: None, cards: Annotated[tuple[Held, ...], range(2, 5)]) -> Self:
        """Open the columns with one card each; an opened shaman or dudab makes no request."""
        columns = tuple(Column((card,)) for card in cards)
        return replace(self, columns=columns, hidden=self.hidden.turned(cards), phase="turn", actor=self.turn)

    def _ask_play(self, seat: int, fits: Fitting, help: str, question: str) -> Ask:
        hidden = self.hidden
        columns: dict[str, Pick] = {}  # an answer needs the same field several times

        def where(given: Given) -> tuple[Field, ...]:
            card = given["card"]
            column = columns.get(card) or columns.setdefault(card, self._column(fits, card))
            if card == DUDAB and "column" in given and not self.columns[given["column"]].jungle:
                return column, REQUEST
            return (column,)

        pool = Lazy(HELD, lambda card: bool(goes_on(fits, card)) and hidden.may_hold(seat, card))
        card = Pick("card", pool, HELD, lambda card: self._unplayable(seat, card), text=CARD)
        usual = {"column": self.spot} if self.waits else None
        then = "draw" if self._draws_after_playing(seat) else ""
        return Ask("play", "Play", (card,), seat, help, where, question=question, usual=usual, followed_by=then)

    def _draws_after_playing(self, seat: int) -> bool:
        """Return whether a seat that plays a card then draws one which the box need not know."""
        return self.hidden.hands[seat] == self.numbers.hand_least and not self._drawn()

    def _column(self, fits: Fitting, card: str) -> Pick:
        every = range(len(fits))
        return Pick("column", goes_on(fits, card), every, partial(self._on_column, card), label=_number, text=ON)

    def fitting(self) -> Fitting:
        """Return, for each column, the cards that may be laid on it."""
        request, spot, columns = self.request, self.spot, self.columns
        if spot is None:
            return tuple([column.fitting() for column in columns])
        there = columns[spot].fitting(request, self.waits)
        elsewhere = ONLY_DUDABS if request and self.readings.second_dudab == "any" else NO_CARDS
        return tuple([there if index == spot else elsewhere for index in range(len(columns))])

    def must_meet(self) -> bool:
        """Check whether a seat may draw only if it cannot meet the open request."""
        return self.request is not None and self.readings.request != "may"

    def must_show(self) -> bool:
        """Check whether a seat must show its hand before it draws, because a request is open."""
        return self.request is not None and self.readings.request == "must"

    def _holds_a_fitting_card(self, seat: int, fits: Fitting) -> bool:
        """Return whether a full hand must contain a card that can be played, because too few others are left."""
        hidden, size, fitting = self.hidden, self.hidden.hands[seat], NO_CARDS.union(*fits)
        cards = hidden.known[seat] + hidden.unseen
        others = (card for card in cards if card not in fitting and hidden.may_hold(seat, card))
        return len(tuple(islice(others, size))) < size

    def _unplayable(self, seat: int, card: object) -> str:
        """Return why a seat cannot play a card: the card is elsewhere, or it fits no column."""
        if not self.hidden.may_hold(seat, card):
            return self._why_not(seat, card)
        columns = range(len(self.columns)) if self.spot is None else (self.spot,)
        reasons = [self._on_column(cast(str, card), index) for index in columns]
        return message("{card} fits no column. {reasons}", card=card, reasons=spaced(reasons))

    def _on_column(self, card: str, index: Any) -> str:
        last, reason = self.columns[index].top, self._misfit(card, index)
        return message("Column {number}, {last}: {reason}.", number=index + 1, last=last, reason=message(reason))

    def _misfit(self, card: str, index: int) -> str:
        """Return why a card cannot be laid on a column, "" if it can."""
        if card == DUDAB and self.request and self.readings.second_dudab == "any":
            return ""
        if self.spot is not None and index != self.spot:
            if self.waits:
                return "the shaman on another column waits for an answer"
            return "the dudab on another column asks for a card"
        return self.columns[index].objection(card, self.request, self.waits)

    def do_play(self, seat: int, card: Held, column: Annotated[int, range(4)], ask: Request | None = None) -> Self:
        """Lay a card on a column.

        The sixth card of a column takes the cards before it. If the column has a jungle, the first card below it that
        has no card to mirror takes them.
        """
        under = self.columns[column].jungle
        laid, taken = self.columns[column].laid(card, self.numbers.column_length)
        hidden = self.hidden.left(seat, (card,))
        request = ask if card == DUDAB and not under else None
        waits = card in SHAMANS
        took = bool(taken) and (self.readings.jungle_shed or not under)
        return self._after(
            hidden,
            self.owed,
            waits,
            took and hidden.hands[seat] > self.numbers.hand_least,
            columns=put(self.columns, column, laid),
            piles=put(self.piles, seat, self.piles[seat] + taken) if taken else self.piles,
            spot=column if request or waits else None,
            request=request,
        )

    def _ask_draw(self, seat: int, help: str, owes: int = 0) -> Ask:
        """Ask for a card that is drawn; `owes` is 0 if the seat draws by its own choice."""
        drawn, draw = self._drawn(), _hidden_draw(seat, help, owes)
        if not drawn:
            return draw
        return draw._replace(fields=drawn, more=partial(self._laid_at_once, drawn), objection=self._left_to_draw)

    def _ask_draw_showing(self, seat: int, fits: Fitting, help: str) -> Ask:
        """Return the ask for a draw before which the seat shows its hand.

        With as many cards in hand as it may have, the seat must show that none can be played, and sheds one. With
        fewer, it may show that none meets the request; a dudab need not be laid then.
        """
        hidden, drawn, size = self.hidden, self._drawn(), self.hidden.hands[seat]
        full, must = size == self.numbers.hand_most, self.must_show()
        playable, why = self._playable(seat, fits), partial(self._why_not_shown, seat, fits)

        def more(given: Given) -> tuple[Field, ...]:
            laid = after(given)._laid_at_once(drawn, given) if "card" in given else drawn
            if not full:
                return laid

            def why(card: object) -> str:
                return message("{card} is not among the cards shown.", card=str(card))

            shed = Pick("shed", given["shown"], objection=why, text=TO_PILE)
            return (shed, *laid) if "shed" in given else (shed,)

        def after(given: Given) -> DudabBuba:
            shown: tuple[str, ...] = given.get("shown", ())
            return self._showing(seat, shown, given.get("shed")) if shown else self

        def check(given: Given) -> str:
            if "shown" in given and (kept_back := hidden.kept_back(seat, given["shown"])):
                return kept_back
            if known := self._known_to_fit(seat, playable):
                return known
            if must and "shown" not in given:
                return message("{who} must show the hand before drawing.", who=Who(seat))
            return self._left_to_draw(given)

        pool, text = self._not_playable(seat, playable), SHOWN if full else SHOW
        shown = Some("shown", pool, size, size, HELD, why, optional=not full, likely=0.2, in_menu=not full, text=text)
        return Ask("draw", "Draw", (shown,) if full else (shown, *drawn), seat, help, more, check)

    def _ask_show(self, seat: int, fits: Fitting, help: str) -> Ask:
        """Return the ask for a draw after the seat has shown its hand to the others, who agree that nothing fits.

        The cards need not be entered. With as many cards in hand as it may have, the seat names the one that it sheds.
        """
        playable, drawn = self._playable(seat, fits), self._drawn()

        def check(given: Given) -> str:
            return self._known_to_fit(seat, playable) or self._left_to_draw(given)

        if self.hidden.hands[seat] < self.numbers.hand_most:
            return Ask("show", "Show", drawn, seat, help, partial(self._laid_at_once, drawn), check)

        def more(given: Given) -> tuple[Field, ...]:
            return self._without(seat, given["shed"])._laid_at_once(drawn, given) if "shed" in given else ()

        why = partial(self._why_not_shown, seat, fits)
        shed = Pick("shed", self._not_playable(seat, playable), HELD, why, text=TO_PILE)
        return Ask("show", "Show", (shed,), seat, help, more, check)

    def _playable(self, seat: int, fits: Fitting) -> frozenset[str]:
        """Return the cards that a shown hand must not contain; below a full hand, a dudab need not be played."""
        full = self.hidden.hands[seat] == self.numbers.hand_most
        return NO_CARDS.union(*fits).difference(NO_CARDS if full else ONLY_DUDABS)

    def _not_playable(self, seat: int, playable: frozenset[str]) -> Lazy:
        hidden = self.hidden
        cards = hidden.known[seat] + hidden.unseen
        return Lazy(cards, lambda card: card not in playable and hidden.may_hold(seat, card))

    def _why_not_shown(self, seat: int, fits: Fitting, card: str) -> str:
        """Return why a card cannot be in a hand that was shown because nothing in it fits."""
        if card in self._playable(seat, fits) and self.hidden.may_hold(seat, card):
            number = goes_on(fits, card)[0] + 1
            return message("{card} can be played, on column {number}.", card=card, number=number)
        return self._why_not(seat, card)

    def _known_to_fit(self, seat: int, playable: frozenset[str]) -> str:
        """Return which card that a seat has shown before could be played, "" if none could."""
        for card in self.hidden.known[seat]:
            if card in playable:
                if self.request:
                    return message("{who} still holds {card}, which meets the request.", who=Who(seat), card=card)
                return message("{who} still holds {card}, which can be played.", who=Who(seat), card=card)
        return ""

    def _drawn(self) -> tuple[Field, ...]:
        """Return the field for a jungle or a baby that is drawn, no field if none can be left in the deck."""
        if not (self.jungle or self.baby):
            return ()
        kinds = (JUNGLE,) * self.jungle + (BABY,) * self.baby
        specials = tuple([card for card in kinds if card in self.hidden.unseen])
        if not specials:
            return ()
        why, text = partial(self._why_not, None), DRAWN if len(kinds) > 1 else ONE_DRAWN[kinds[0]]
        return (Pick("card", specials, kinds, why, "table", True, 0.2, text=text),)

    def _laid_at_once(self, drawn: tuple[Field, ...], given: Given) -> tuple[Field, ...]:
        """Return the fields for the column of a drawn jungle or baby, and for the cards that a baby turns."""
        card, columns = given.get("card"), range(len(self.columns))
        if card is None:
            return drawn
        taken = message("its {what} still waits", what="request" if self.request else "shaman")
        there = message("there is a jungle already")
        free = self.free_for(card)
        if not free:
            return drawn

        def why(index: object) -> str:
            reason = there if card == JUNGLE and self.columns[cast(int, index)].has_jungle else taken
            return message("Not on column {number}: {reason}.", number=cast(int, index) + 1, reason=reason)

        column = Pick("column", free, columns, why, label=_number, text=ON)
        if card == JUNGLE:
            return *drawn, column
        pool, most = without(self.hidden.unseen, [BABY]), self.hidden.deck - 1
        if self.readings.cover == "as-is":
            most = min(1, most)
        turned = Some(
            "turned", pool, min(1, most), most, KINDS, partial(self._why_not, None), "table",
            until=lambda card: not is_special(card), text=COVERS,
        )  # fmt: skip
        return *drawn, column, turned

    def free_for(self, card: str) -> tuple[int, ...]:
        """Return the columns on which a jungle or a baby that was drawn may be laid."""
        barred = self.spot if self.readings.jungle_place == "free" else None
        return tuple([
            index for index, column in enumerate(self.columns)
            if index != barred and not (card == JUNGLE and column.has_jungle)
        ])  # fmt: skip

    def _left_to_draw(self, given: Given) -> str:
        """Return an objection if the deck is too small for the jungles and babies still to come, "" otherwise."""
        turned: tuple[str, ...] = given.get("turned", ())
        card = given.get("card")
        seen = (*turned, card) if card else turned
        drawn = len(seen) if card or turned else 1
        hidden = self.hidden
        coming = hidden.specials - sum(map(is_special, seen))
        if coming <= hidden.deck - drawn:
            return ""
        template = "Only jungles and babies can be left in the deck, {number} of them: enter which one came."
        return message(template, number=coming)

    def do_draw(
        self, seat: int, shown: Shown = (), shed: Held | None = None,
        card: Literal["jungle", "baby"] | None = None, column: Annotated[int, range(4)] | None = None,
        turned: tuple[Card, ...] = (),
    ) -> Self:  # fmt: skip
        """Draw a card; a jungle or a baby is laid at once.

        With the most cards in hand, the seat first shows them and sheds one. With fewer, it may show that none meets a
        request.
        """
        game = self._showing(seat, shown, shed) if shown else self
        return game._draws(seat, card, column, turned)

    def do_show(
        self, seat: int, shed: Held | None = None, card: Literal["jungle", "baby"] | None = None,
        column: Annotated[int, range(4)] | None = None, turned: tuple[Card, ...] = (),
    ) -> Self:  # fmt: skip
        """Show the hand to the others and draw a card; a full hand first sheds one to the pile."""
        game = self if shed is None else self._without(seat, shed)
        return game._draws(seat, card, column, turned)

    def _draws(self, seat: int, card: str | None, column: int | None, turned: tuple[str, ...]) -> Self:
        game = self
        owed = put(game.owed, seat, max(0, game.owed[seat] - 1)) if game.owed[seat] else game.owed
        if card is None:
            return game._after(game.hidden.drawn(seat), owed, game.waits)
        hidden = game.hidden.turned((card, *turned))
        if column is None:
            return game._after(hidden, owed, game.waits, discard=(*game.discard, card))
        there = game.columns[column]
        if column == game.spot:
            game = replace(game, spot=None, request=None, waits=False)
        if card == JUNGLE:
            return game._after(hidden, owed, game.waits, columns=put(game.columns, column, replace(there, jungle=True)))
        there = there.covered(turned, self.readings.cover == "as-is")
        draws = value_of.get(there.above[0], 0) if there.above else 0
        owed = tuple([draws + owes for owes in owed])
        return game._after(hidden, owed, game.waits, columns=put(game.columns, column, there))

    def _showing(self, seat: int, shown: tuple[str, ...], shed: str | None) -> Self:
        """Return the position after a seat shows its hand and, with five cards, sheds one of them to its pile."""
        game = replace(self, hidden=self.hidden.shown(seat, shown))
        return game if shed is None else game._without(seat, shed)

    def _without(self, seat: int, shed: str) -> Self:
        """Return the position after a seat puts a card from its hand on its pile."""
        piles = put(self.piles, seat, (*self.piles[seat], shed))
        return replace(self, hidden=self.hidden.left(seat, (shed,)), piles=piles)

    def _ask_face(self, seat: int) -> Ask:
        left = self.hidden.deck
        why, text = partial(self._why_not, None), message("Which cards came up?")
        turned = Some("turned", self.hidden.unseen, 1, left, KINDS, why, "table", until=is_number, text=text)
        return Ask("face", "Face it", (turned,), seat, FACE, objection=self._left_to_draw)

    def do_face(self, seat: int, turned: tuple[Card, ...]) -> Self:
        """Face the shaman: the seat turns over cards up to a number, and owes as many draws; the shaman is settled."""
        owed = put(self.owed, seat, self.owed[seat] + value_of.get(turned[-1], 0))
        return self._after(self.hidden.turned(turned), owed, waits=False, discard=self.discard + turned, spot=None)

    def _ask_shed(self, seat: int) -> Ask:
        hidden = self.hidden
        number = self._surplus(seat)
        pool = Lazy(hidden.known[seat] + hidden.unseen, lambda card: hidden.may_hold(seat, card))
        text = message("Shed which cards?")
        cards = Some("cards", pool, number, number, HELD, partial(self._why_not, seat), text=text)
        places = ("pile", "discard")
        above = message("Cards above {most} go to your own pile.", most=self.numbers.hand_most)
        text = message("To your pile or discard?")
        to = Pick("to", places if self.took else places[:1], places, lambda place: above, text=text)

        def check(given: Given) -> str:
            if hidden.fits(seat, given["cards"]):
                return ""
            return message(
                "{who} holds {known}; at most {places} more can be shed.",
                who=Who(seat), known=", ".join(hidden.known[seat]), places=hidden.places(seat),
            )  # fmt: skip

        return Ask("shed", "Shed", (cards, to), seat, shed_help(self.numbers, self.took), objection=check)

    def _surplus(self, seat: int) -> int:
        """Return how many cards a seat must shed."""
        return self.hidden.hands[seat] - (self.numbers.hand_least if self.took else self.numbers.hand_most)

    def do_shed(self, seat: int, cards: tuple[Held, ...], to: Literal["pile", "discard"]) -> Self:
        """Shed the surplus cards in hand."""
        hidden = self.hidden.left(seat, cards)
        if to == "discard":
            return self._after(hidden, self.owed, self.waits, discard=self.discard + cards)
        return self._after(hidden, self.owed, self.waits, piles=put(self.piles, seat, self.piles[seat] + cards))

    def _after(
        self, hidden: Hidden, owed: tuple[int, ...], waits: bool, took: bool = False, **changes: Unpack[Changes]
    ) -> Self:
        """Return the position after an act: the turn passes if no seat must draw or shed.

        If the deck is empty, all that is owed is cancelled instead, and the hands are counted.
        """
        turn, seats = self.turn, len(self.piles)
        phase: Phase
        if not hidden.deck:
            changes["spot"] = changes["request"] = None
            phase, actor, owed, took, waits = "hands", None, (0,) * seats, False, False
        elif took:
            phase, actor = "shed", turn
        elif due := _due(hidden.hands, owed, turn, self.numbers):
            phase, actor = due
        else:
            turn = actor = (turn + 1) % seats
            phase = "answer" if waits else "turn"
        return replace(
            self, **changes, hidden=hidden, owed=owed, took=took, waits=waits, turn=turn, phase=phase, actor=actor
        )

    def _ask_hands(self) -> Ask:
        """Return the ask for the cards that each seat still has in hand."""
        hidden = self.hidden
        hands = []
        for seat, number in enumerate(hidden.hands):
            pool = hidden.known[seat] + hidden.unseen
            text, why = message("What does {who} hold?", who=Who(seat)), partial(self._why_not, seat)
            hands.append(Some(message("{who}", who=Who(seat)), pool, number, number, HELD, why, text=text))

        def check(given: Given) -> str:
            entered = cast(tuple[tuple[str, ...], ...], given["hands"])
            left = list(hidden.unseen)
            for seat, hand in enumerate(entered):
                if reason := hidden.kept_back(seat, hand):
                    return reason
                for card in without(hand, hidden.known[seat]):
                    if card not in left:
                        return message("{card}: you entered more copies than are left.", card=card)
                    left.remove(card)
            return ""

        help = spaced([message("The deck is empty: enter what each player still holds."), count_help(self.numbers)])
        return Ask("hands", "Final hands", (Each("hands", tuple(hands)),), None, help, objection=check)

    def do_hands(self, seat: None, hands: tuple[tuple[Held, ...], ...]) -> Self:
        """Score the round by the remaining hands, after the deck has run out."""
        return self._ended(tuple(score(hand, pile, self.numbers) for hand, pile in zip(hands, self.piles, strict=True)))

    def do_tally(self, seat: NamedSeat, hand: tuple[Held, ...], pile: tuple[Card, ...]) -> Self:
        """Enter a seat's hand and pile at the end of a round."""
        return self._with_tally(self.tally.with_cards(seat, score(hand, pile, self.numbers), hand + pile))

    def do_counts(
        self, seat: NamedSeat, hand: Eight, dudabs: Eight, shamans: Eight, jungles: Eight, babies: Eight,
        numbers: Annotated[tuple[Sixteen, ...], range(4, 5)],
    ) -> Self:  # fmt: skip
        """Enter the number of cards of each kind that a seat has at the end of a round."""
        points = score_counts(hand, dudabs, shamans, jungles, babies, numbers, self.numbers)
        return self._with_tally(self.tally.counted(seat, points, (hand + dudabs, shamans, jungles, babies, *numbers)))

    def _with_tally(self, tally: Tally) -> Self:
        if len(tally.points) < len(self.piles):
            return replace(self, tally=tally)
        return self._ended(tuple(tally.points[seat] for seat in range(len(self.piles))))

    def _ended(self, points: tuple[int, ...]) -> Self:
        ended = replace(self, rounds=(*self.rounds, points))
        if self.round < len(self.piles):
            return ended._dealt(self.round + 1)
        return replace(ended, tally=NOTHING, phase="over", actor=None)

    def _dealt(self, number: int) -> Self:
        """Return the beginning of a round: each hand has three cards, and the next seat begins.

        Unless `track` is "all", no cards are dealt.
        """
        seats = len(self.hidden.hands)
        cards = deck(self.jungle, self.baby)
        dealt = DEALT if self.track == "all" else 0
        left = len(cards) - dealt * seats if self.track == "all" else 0
        return replace(
            self,
            hidden=Hidden(cards, ((),) * seats, (dealt,) * seats, left),
            piles=((),) * seats,
            round=number,
            turn=(number - 1) % seats,
            columns=(),
            discard=(),
            owed=(0,) * seats,
            tally=NOTHING,
            phase="reveal" if self.track == "all" else "tally",
            actor=None,
        )

    def _why_not(self, seat: int | None, card: object) -> str:
        """Return why a card cannot come from the deck, or from a seat's hand if `seat` is set; "" if it can."""
        hidden = self.hidden
        if is_special(card) and card not in deck(self.jungle, self.baby):
            return message("{card}: this expansion is not in this match.", card=card)
        if seat is not None and card in hidden.unseen:
            if hidden.places(seat):
                return ""
            known = ", ".join(hidden.known[seat])
            return message("{card} cannot be in {who}’s hand, which is {known}.", card=card, who=Who(seat), known=known)
        places: list[str] = []
        for index, column in enumerate(self.columns):
            if card in column.cards:
                places.append(message("on column {number}", number=index + 1))
        places += [message("in {who}’s pile", who=Who(owner)) for owner, pile in enumerate(self.piles) if card in pile]
        places += [
            message("in {who}’s hand", who=Who(owner)) for owner, known in enumerate(hidden.known) if card in known
        ]
        if card in self.discard:
            places.append(message("on the discard pile"))
        if not places:
            return ""
        template = "{card} is already {places}."
        if COPIES[str(card)] > 1:
            template = "{card}: all {copies} are {places}."
        return message(template, card=card, copies=COPIES[str(card)], places=listed(places))

    @override
    def scores(self) -> tuple[int, ...]:
        """Return the total points of the finished rounds."""
        return tuple(map(sum, zip(*self.rounds, strict=True))) if self.rounds else (0,) * len(self.piles)

    @override
    def standing(self) -> tuple[int, ...]:
        """Return each seat's points with those of its pile in this round."""
        if self.phase == "over":
            return self.scores()
        piles = (score((), pile, self.numbers) for pile in self.piles)
        return tuple(map(sum, zip(self.scores(), piles, strict=True)))

    @override
    def result(self) -> Result | None:
        """Return the ranking of the seats, the fewest points first; None until the match ends."""
        if self.phase != "over":
            return None
        merits = tuple(-points for points in self.scores())
        why = message("fewest points over {rounds} rounds", rounds=len(self.rounds))
        if merits.count(max(merits)) > 1:
            why = message("tied for the fewest points after {rounds} rounds", rounds=len(self.rounds))
        return Result(placed(merits), why)

    @override
    def facts(self) -> dict[str, Any]:
        """Return the cards on the table, and the number of cards in each hand."""
        phase = self.phase
        owing = phase not in ("reveal", "hands", "tally", "over")
        columns = tuple(
            {"above": column.above, "jungle": column.jungle, "below": column.below, "stack": len(column.stack)}
            for column in self.columns
        )
        return {
            "round": self.round,
            "deck": self.hidden.deck,
            "hands": self.hidden.hands,
            "columns": columns,
            "piles": self.piles,
            "request": self.request,
            "request_column": None if self.request is None else self.spot,
            "owed": tuple(max(0, self.owes(seat)) if owing else 0 for seat in range(len(self.piles))),
            "rounds": self.rounds,
        }

    @override
    def shown_facts(self) -> dict[str, Any]:
        """Return the facts, with the number of cards in each pile in place of them, and the length of a column."""
        piles = tuple(map(len, self.piles))
        return {**self.facts(), "piles": piles, "column_length": self.numbers.column_length}

    @override
    def view(self) -> View:
        """Return the last card of each column, the request, and the number of cards in each hand and pile."""
        head = message("round {round}/{rounds}", round=self.round, rounds=len(self.piles))
        if self.track != "all":
            entered = self.tally.points
            points = tuple("" if seat not in entered else f"{entered[seat]:+}" for seat in range(len(self.piles)))
            return View(head, points)
        left = message("deck {left}", left=self.hidden.deck)
        tops = [column.top for column in self.columns]
        words = len(" ".join(tops)) <= ROOM
        rows = [Row(message("top"), tuple(tops)), Row(left, (head,))]
        if not words:
            rows = [Row(left, tuple(map(short, tops))), Row(head, ())]
        if self.request:
            wanted = message("{wanted}", wanted=self.request.partition(":")[2])
            rows.insert(0, Row(message("asked"), (wanted,)))
        held = tuple(f"{hand}/{len(pile)}" for hand, pile in zip(self.hidden.hands, self.piles, strict=True))
        return View(message("hand/pile"), held, tuple(rows))

    @override
    def now(self) -> Now | None:
        """Return what the next person must do; below a jungle and under a request, on which column."""
        if self.phase == "over":
            return None
        who = Who(self.turn if self.actor is None else self.actor)
        return Now(self._instruction(who), self.actor)

    def _instruction(self, who: Who) -> str:
        match self.phase:
            case "reveal":
                template = "Round {round}: {who} starts. Deal three, reveal {columns}: which cards?"
                return message(template, round=self.round, who=who, columns=message(OPENED[self.wide]))
            case "turn":
                return self._turn_instruction(who)
            case "answer":
                return message("{who}: answer the shaman, or face it", who=who)
            case "draw":
                if (owes := self.owes(who)) > 1:
                    return message("{who}: draw {cards} cards, one by one", who=who, cards=owes)
                return message("{who}: draw a card", who=who)
            case "shed":
                surplus = self._surplus(who)
                if not self.took:
                    return message_n(
                        "{who}: put {number} card on your own pile", "{who}: put {number} cards on your own pile",
                        surplus, who=who,
                    )  # fmt: skip
                return message_n(
                    "{who}: shed {number} card to the discard pile or to your pile",
                    "{who}: shed {number} cards, all to the discard pile or all to your pile",
                    surplus, who=who,
                )  # fmt: skip
            case "hands":
                first = next((seat for seat, cards in enumerate(self.hidden.hands) if cards), 0)
                return message("The deck is empty: show the hands. What does {first} hold?", first=Who(first))
            case _:
                return self._count_instruction(who)

    def _turn_instruction(self, who: Who) -> str:
        """Return what may be played, and what comes before a draw."""
        full = self.hidden.hands[who] == self.numbers.hand_most
        if self.request:
            template = "{who}: play {wanted}, or draw"
            if full or self.must_show():
                template = "{who}: play {wanted}, or show and draw"
            wanted = message("{wanted}", wanted=self.request.partition(":")[2])
            return message(template, who=who, wanted=wanted)
        if not full:
            if self._draws_after_playing(who):
                return message("{who}: play a card and draw one, or just draw", who=who)
            return message("{who}: play a card, or draw", who=who)
        if self._holds_a_fitting_card(who, self.fitting()):
            return message("{who}: play a card. You hold one that fits", who=who)
        return message("{who}: play a card. If none fits, show them, shed one, draw", who=who)

    def _count_instruction(self, who: Who) -> str:
        """Return what is counted next; before the first count, who begins the round."""
        counted = self.tally.points
        first = Who(next(seat for seat in range(len(self.piles)) if seat not in counted))
        if self.track == "score":
            template = "Round {round}: {who} starts. At the end: which cards does {first} hold?"
            again = "Which cards does {first} hold?"
        else:
            template = "Round {round}: {who} starts. At the end: how many dudabs does {first} hold?"
            again = "How many dudabs does {first} hold?"
        if counted:
            return message(again, first=first)
        return message(template, round=self.round, who=who, first=first)

    @override
    def told(self, act: Act) -> str:
        """Return what somebody does, in a sentence."""
        return told(act, self.actor or 0, self.numbers)

    @override
    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Return what stops the table or passes to somebody else, the end of the deck, and a round's points."""
        said = self._played(before, act) if act.verb == "play" else []
        if act.verb in ("draw", "show"):
            said += self._drew(before, act)
        if act.verb == "face" and (draws := self.owed[before.turn]):
            text = message("{who} draws {cards} for the shaman", who=Who(before.turn), cards=draws)
            said.append(Call("faced", text, {"seat": before.turn, "cards": draws}))
        if before._voids(act, self):
            text = message("The shaman needs no answer now")
            if before.request:
                text = message("The request no longer applies")
            said.append(Call("void", text, {"column": before.spot}))
        if before.hidden.deck and not self.hidden.deck:
            said.append(Call("deck-out", message("The deck is empty: the round ends")))
        if len(self.rounds) > len(before.rounds):
            said.append(_counted(len(self.rounds), self.rounds[-1]))
            if self.phase != "over":
                said.append(_next_round(self.round, self.turn, self.wide))
        return tuple(said)

    def _played(self, before: Self, act: Act) -> list[Call]:
        """Return the calls of a card that was laid: the request it meets, the column it takes, what it asks for."""
        said, seat, column = list[Call](), before.turn, cast(int, act.given["column"])
        if before.request and act.given["card"] != DUDAB:
            text = message("{who} meets the request: play continues", who=Who(seat))
            said.append(Call("met", text, {"seat": seat, "ask": before.request}))
        if cards := len(self.piles[seat]) - len(before.piles[seat]):
            text = message_n(
                "{who} takes column {column} with {number} card", "{who} takes column {column} with {number} cards",
                cards, who=Who(seat), column=column + 1,
            )  # fmt: skip
            said.append(Call("taken", text, {"seat": seat, "column": column, "cards": cards}))
        if act.given["card"] == DUDAB and self.request:
            kind, _, wanted = self.request.partition(":")
            template = "{who} asks for the value {wanted}"
            if kind == "colour":
                template = "{who} asks for the colour {wanted}"
            elif kind == "symbol":
                template = "{who} asks for the symbol {wanted}"
            text = message(template, who=Who(seat), wanted=wanted)
            said.append(Call("request", text, {"seat": seat, "ask": self.request}))
        if self.waits:
            following = (seat + 1) % len(self.piles)
            text = message("{who} must answer the shaman", who=Who(following))
            said.append(Call("shaman", text, {"seat": following, "column": column}))
        return said

    def _drew(self, before: Self, act: Act) -> list[Call]:
        """Return the calls of a draw: a hand that was shown, and a jungle or a baby with what follows from it."""
        said, seat, given = list[Call](), cast(int, before.actor), act.given
        if act.verb == "show" or "shown" in given:
            template = "{who} shows the hand: nothing meets the request"
            if not before.request:
                template = "{who} shows the hand: no card can be played"
            said.append(Call("shown", message(template, who=Who(seat)), {"seat": seat}))
        column, there = given.get("column"), self.columns[cast(int, given.get("column", 0))]
        if given.get("card") == JUNGLE:
            above = "" if is_special(there.mirrored) else there.mirrored
            said.append(_jungle(cast("int | None", column), above))
        elif given.get("card") == BABY:
            draws = value_of.get(there.above[0], 0) if there.above and self.hidden.deck else 0
            said.append(_baby(cast(int, column), draws))
        return said

    def _voids(self, act: Act, after: Self) -> bool:
        """Check whether an act ends an open request, or a shaman's call for an answer, without meeting it."""
        if act.verb in ("draw", "show"):
            return self.spot is not None and act.given.get("column") == self.spot
        return act.given.get("card") == DUDAB and self.request is not None and after.request is None

    @override
    def audit(self) -> str:
        """Check that each card is in exactly one place, and that the unseen cards fit into the hands and the deck."""
        if self.track != "all":
            return ""
        hidden, places = self.hidden, (self.discard, *self.piles, *(column.cards for column in self.columns))
        cards = [*hidden.unseen, *sum((*hidden.known, *places), ())]
        if sorted(cards) != sorted(deck(self.jungle, self.baby)):
            return "the cards are not all there once"
        if len(hidden.unseen) != hidden.deck + sum(map(hidden.places, range(len(self.piles)))):
            return "the deck and the hands do not hold the cards nobody has seen"
        return "" if min(map(hidden.places, range(len(self.piles)))) >= 0 else "a hand holds more than it has places"


def columns_for(seats: int) -> int:
    """Return how many columns the rule sheet gives this number of players; it is silent about four."""
    return 2 if seats < 4 else 3


@lru_cache
def _asked(wanted: str) -> str:
    return message("Play {wanted}, or draw?", wanted=wanted)


def _may_open(card: str) -> bool:
    return not is_special(card)


def goes_on(fits: Fitting, card: str) -> tuple[int, ...]:
    """Return the columns on which a card may be laid."""
    return tuple([index for index, cards in enumerate(fits) if card in cards])


def _number(index: object) -> str:
    return str(cast(int, index) + 1)


def _jungle(column: int | None, mirrored: str) -> Call:
    """Return where a jungle lies and what the first card below it mirrors; column None is a jungle without a place."""
    if column is None:
        return Call("jungle", message("Every column has a jungle: discard this one"), {})
    template = "Column {column}, below the jungle: mirror {card}"
    if not mirrored:
        template = "Column {column}: play below the jungle"
    return Call("jungle", message(template, column=column + 1, card=mirrored), {"column": column})


def _baby(column: int, draws: int) -> Call:
    """Return how many cards everybody draws for the card that covers a baby."""
    if not draws:
        text = message("Column {column} starts again: nobody draws", column=column + 1)
    elif draws == 1:
        text = message("Column {column} starts again: everybody draws a card", column=column + 1)
    else:
        text = message("Column {column} starts again: all draw {cards} cards", column=column + 1, cards=draws)
    return Call("baby", text, {"column": column, "cards": draws})


def _next_round(number: int, seat: int, columns: int) -> Call:
    template = "Round {round}: {who} starts. Shuffle, deal three each, reveal {columns}"
    text = message(template, round=number, who=Who(seat), columns=message(OPENED[columns]))
    return Call("next-round", text, {"round": number, "seat": seat})


@lru_cache
def _hidden_draw(seat: int, help: str, owes: int) -> Ask:
    """Ask for a card that nobody sees."""
    return Ask("draw", message("Draw {number} cards", number=owes) if owes > 1 else "Draw", (), seat, help)


def _due(hands: tuple[int, ...], owed: tuple[int, ...], turn: int, numbers: Numbers) -> tuple[Phase, int] | None:
    """Return the first seat that must draw or shed before the turn passes, and which of the two; None if no seat."""
    if any(owed) or min(hands) < numbers.hand_least or max(hands) > numbers.hand_most:
        for seat in [*range(turn, len(hands)), *range(turn)]:
            if owed[seat] or hands[seat] < numbers.hand_least:
                return "draw", seat
            if hands[seat] > numbers.hand_most:
                return "shed", seat
    return None


def _counted(number: int, points: tuple[int, ...]) -> Call:
    each = [message("{who} {points}", who=Who(seat), points=own) for seat, own in enumerate(points)]
    text = message("Round {round}: {points}", round=number, points=listed(each))
    return Call("round", text, {"round": number, "points": points})
