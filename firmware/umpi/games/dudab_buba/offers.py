"""The offers of Dudab Buba: the acts allowed in each phase, and the reasons for refusals."""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from umpi.games.dudab_buba.cards import (
    BABY,
    DUDAB,
    HELD,
    JUNGLE,
    KINDS,
    REQUESTS,
    is_number,
    is_special,
    without,
)
from umpi.games.dudab_buba.ending import ask_counts, ask_hands, ask_tally
from umpi.games.dudab_buba.help import ANSWER, FACE, REVEAL, draw_help, owed_help, play_help, shed_help
from umpi.games.dudab_buba.places import Lazy, kept, why_not
from umpi.kernel import Ask, Draw, Field, Given, Pick, Some, Who, message
from umpi.kernel.messages import spaced

if TYPE_CHECKING:
    from umpi.games.dudab_buba.rules import DudabBuba

TURN, ANSWERING = message("Play or draw?"), message("Answer or face a shaman?")
CARD, ON, ASK = message("Play which card?"), message("On which column?"), message("Ask for a card?")
DRAWN = message("A jungle or a baby?")
ONE_DRAWN = {JUNGLE: message("A jungle?"), BABY: message("A baby?")}
REQUEST = Pick("ask", REQUESTS, optional=True, likely=0.7, text=ASK)
Fitting = tuple[frozenset[str], ...]  # for each column, the cards that may be laid on it
ONLY_DUDABS, NOTHING = frozenset([DUDAB]), frozenset[str]()
SHOWN, SHOW = message("Show which cards?"), message("Show all cards?")
TO_PILE, COVERS = message("Which to your pile?"), message("Covering card?")


def asks(game: DudabBuba) -> tuple[Ask, ...]:
    """Offer the acts of the phase."""
    phase, seat = game.phase, game.actor
    if seat is None:
        match phase:
            case "reveal":
                return (_reveal(game),)
            case "hands":
                return (ask_hands(game),)
            case "tally":
                return (ask_tally(game) if game.track == "score" else ask_counts(game),)
            case _:
                return ()
    match phase:
        case "turn":
            helps = game.readings, game.numbers, game.request is not None, game.jungle
            question = _asked(game.request.partition(":")[2]) if game.request else TURN
            fits, full = fitting(game), game.hidden.hands[seat] == game.numbers.hand_most
            play = _play(game, seat, fits, play_help(*helps), question)
            if full and _holds_a_fitting_card(game, seat, fits):
                return (play,)
            help = draw_help(*helps, game.baby)
            return play, _draw_showing(game, seat, fits, help) if full or must_meet(game) else _draw(game, seat, help)
        case "answer":
            return _play(game, seat, fitting(game), ANSWER, ANSWERING), _face(game, seat)
        case "draw":
            help = owed_help(game.readings, game.numbers, game.jungle, game.baby)
            return (_draw(game, seat, help, game.owes(seat)),)
        case _:
            return (_shed(game, seat),)


@lru_cache
def _asked(wanted: str) -> str:
    return message("Play {wanted}, or draw?", wanted=wanted)


def _reveal(game: DudabBuba) -> Ask:
    cards = Draw("cards", Lazy(game.hidden.unseen, _may_open), game.wide, HELD, partial(why_not, game, None))
    return Ask("reveal", "The first cards?", (cards,), None, REVEAL)


def _may_open(card: str) -> bool:
    return not is_special(card)


def _play(game: DudabBuba, seat: int, fits: Fitting, help: str, question: str) -> Ask:
    hidden = game.hidden
    columns: dict[str, Pick] = {}  # an answer needs the same field several times

    def where(given: Given) -> tuple[Field, ...]:
        card = given["card"]
        column = columns.get(card) or columns.setdefault(card, _column(game, fits, card))
        if card == DUDAB and "column" in given and not game.columns[given["column"]].jungle:
            return column, REQUEST
        return (column,)

    pool = Lazy(HELD, lambda card: bool(goes_on(fits, card)) and hidden.may_hold(seat, card))
    card = Pick("card", pool, HELD, lambda card: _unplayable(game, seat, card), text=CARD)
    return Ask("play", "Play", (card,), seat, help, where, question=question)


def _column(game: DudabBuba, fits: Fitting, card: str) -> Pick:
    every = range(len(fits))
    return Pick("column", goes_on(fits, card), every, partial(_on_column, game, card), label=_number, text=ON)


def fitting(game: DudabBuba) -> Fitting:
    """Return, for each column, the cards that may be laid on it."""
    request, spot, columns = game.request, game.spot, game.columns
    if spot is None:
        return tuple([column.fitting() for column in columns])
    there = columns[spot].fitting(request, game.waits)
    elsewhere = ONLY_DUDABS if request and game.readings.second_dudab == "any" else NOTHING
    return tuple([there if index == spot else elsewhere for index in range(len(columns))])


def goes_on(fits: Fitting, card: str) -> tuple[int, ...]:
    """Return the columns on which a card may be laid."""
    return tuple([index for index, cards in enumerate(fits) if card in cards])


def free_for(game: DudabBuba, card: str) -> tuple[int, ...]:
    """Return the columns on which a jungle or a baby that was drawn may be laid."""
    barred = game.spot if game.readings.jungle_place == "free" else None
    return tuple([
        index for index, column in enumerate(game.columns)
        if index != barred and not (card == JUNGLE and column.has_jungle)
    ])  # fmt: skip


def must_meet(game: DudabBuba) -> bool:
    """Check whether a seat may draw only if it cannot meet the open request."""
    return game.request is not None and game.readings.request == "must"


def _misfit(game: DudabBuba, card: str, index: int) -> str:
    """Return why a card cannot be laid on a column, "" if it can."""
    if card == DUDAB and game.request and game.readings.second_dudab == "any":
        return ""
    if game.spot is not None and index != game.spot:
        return "the shaman on another waits" if game.waits else "the dudab on another asks for a card"
    return game.columns[index].objection(card, game.request, game.waits)


def _number(index: object) -> str:
    return str(cast(int, index) + 1)


def _unplayable(game: DudabBuba, seat: int, card: object) -> str:
    """Return why a seat cannot play a card: the card is elsewhere, or it fits no column."""
    if not game.hidden.may_hold(seat, card):
        return why_not(game, seat, card)
    columns = range(len(game.columns)) if game.spot is None else (game.spot,)
    reasons = [_on_column(game, cast(str, card), index) for index in columns]
    return message("{card} fits no column. {reasons}", card=card, reasons=spaced(reasons))


def _on_column(game: DudabBuba, card: str, index: Any) -> str:
    last, reason = game.columns[index].top, _misfit(game, card, index)
    return message("Column {number}, {last}: {reason}.", number=index + 1, last=last, reason=message(reason))


def _draw(game: DudabBuba, seat: int, help: str, owes: int = 0) -> Ask:
    """Ask for a card that is drawn; `owes` is 0 if the seat draws by its own choice."""
    drawn, draw = _drawn(game), _hidden_draw(seat, help, owes)
    if not drawn:
        return draw
    return draw._replace(fields=drawn, more=partial(_laid_at_once, game, drawn), objection=partial(_left_to_draw, game))


@lru_cache
def _hidden_draw(seat: int, help: str, owes: int) -> Ask:
    """Ask for a card that nobody sees."""
    return Ask("draw", message("Draw, to come: {number}", number=owes) if owes > 1 else "Draw", (), seat, help)


def _drawn(game: DudabBuba) -> tuple[Field, ...]:
    """Return the field for a jungle or a baby that is drawn, no field if none can be left in the deck."""
    if not (game.jungle or game.baby):
        return ()
    kinds = (JUNGLE,) * game.jungle + (BABY,) * game.baby
    specials = tuple([card for card in kinds if card in game.hidden.unseen])
    if not specials:
        return ()
    why, text = partial(why_not, game, None), DRAWN if len(kinds) > 1 else ONE_DRAWN[kinds[0]]
    return (Pick("card", specials, kinds, why, "table", True, 0.2, text=text),)


def _holds_a_fitting_card(game: DudabBuba, seat: int, fits: Fitting) -> bool:
    """Return whether a full hand must contain a card that can be played, because too few others are left."""
    hidden, size, fitting = game.hidden, game.hidden.hands[seat], NOTHING.union(*fits)
    cards = hidden.known[seat] + hidden.unseen
    others = (card for card in cards if card not in fitting and hidden.may_hold(seat, card))
    return len(tuple(islice(others, size))) < size


def _draw_showing(game: DudabBuba, seat: int, fits: Fitting, help: str) -> Ask:
    """Return the ask for a draw before which the seat shows its hand.

    With as many cards in hand as it may have, the seat must show that none can be played, and sheds one. With fewer, it
    may show that none meets the request; a dudab need not be laid then.
    """
    hidden, drawn, size = game.hidden, _drawn(game), game.hidden.hands[seat]
    full = size == game.numbers.hand_most
    playable = NOTHING.union(*fits).difference(NOTHING if full else ONLY_DUDABS)

    def why(card: str) -> str:
        if card in playable and hidden.may_hold(seat, card):
            number = goes_on(fits, card)[0] + 1
            return message("{card} can be played, on column {number}.", card=card, number=number)
        return why_not(game, seat, card)

    def more(given: Given) -> tuple[Field, ...]:
        laid = _laid_at_once(after(given), drawn, given) if "card" in given else drawn
        if not full:
            return laid

        def why(card: object) -> str:
            return message("{card} is not among the cards shown.", card=str(card))

        shed = Pick("shed", given["shown"], objection=why, text=TO_PILE)
        return (shed, *laid) if "shed" in given else (shed,)

    def after(given: Given) -> DudabBuba:
        shown: tuple[str, ...] = given.get("shown", ())
        return game.showing(seat, shown, given.get("shed")) if shown else game

    def check(given: Given) -> str:
        if "shown" in given and (kept_back := kept(game, seat, given["shown"])):
            return kept_back
        for card in hidden.known[seat]:
            if card in playable:
                return message("{who} still holds {card}, which meets the request.", who=Who(seat), card=card)
        return _left_to_draw(game, given)

    cards = hidden.known[seat] + hidden.unseen
    pool = Lazy(cards, lambda card: card not in playable and hidden.may_hold(seat, card))
    text = SHOWN if full else SHOW
    shown = Some("shown", pool, size, size, HELD, why, optional=not full, likely=0.2, in_menu=not full, text=text)
    return Ask("draw", "Draw", (shown,) if full else (shown, *drawn), seat, help, more, check)


def _laid_at_once(game: DudabBuba, drawn: tuple[Field, ...], given: Given) -> tuple[Field, ...]:
    """Return the fields for the column of a jungle or a baby that was drawn, and for the cards that a baby turns."""
    card, columns = given.get("card"), range(len(game.columns))
    if card is None:
        return drawn
    taken = message("its {what} waits", what="request" if game.request else "shaman")
    there = message("a jungle lies there already")
    free = free_for(game, card)
    if not free:
        return drawn

    def why(index: object) -> str:
        reason = there if card == JUNGLE and game.columns[cast(int, index)].has_jungle else taken
        return message("Not on column {number}: {reason}.", number=cast(int, index) + 1, reason=reason)

    column = Pick("column", free, columns, why, label=_number, text=ON)
    if card == JUNGLE:
        return *drawn, column
    pool, most = without(game.hidden.unseen, [BABY]), game.hidden.deck - 1
    if game.readings.cover == "as-is":
        most = min(1, most)
    turned = Some(
        "turned", pool, min(1, most), most, KINDS, partial(why_not, game, None), "table",
        until=lambda card: not is_special(card), text=COVERS,
    )  # fmt: skip
    return *drawn, column, turned


def _left_to_draw(game: DudabBuba, given: Given) -> str:
    """Return an objection if the deck is too small for the jungles and babies still to come, "" otherwise."""
    turned: tuple[str, ...] = given.get("turned", ())
    card = given.get("card")
    seen = (*turned, card) if card else turned
    drawn = len(seen) if card or turned else 1
    hidden = game.hidden
    coming = hidden.specials - sum(map(is_special, seen))
    if coming <= hidden.deck - drawn:
        return ""
    return message("Only jungles and babies can be left in the deck, {number} of them: say which came.", number=coming)


def _face(game: DudabBuba, seat: int) -> Ask:
    left = game.hidden.deck
    why, text = partial(why_not, game, None), message("Turned cards?")
    turned = Some("turned", game.hidden.unseen, 1, left, KINDS, why, "table", until=is_number, text=text)
    return Ask("face", "Face it", (turned,), seat, FACE, objection=partial(_left_to_draw, game))


def _shed(game: DudabBuba, seat: int) -> Ask:
    hidden = game.hidden
    number = hidden.hands[seat] - (game.numbers.hand_least if game.took else game.numbers.hand_most)
    pool = Lazy(hidden.known[seat] + hidden.unseen, lambda card: hidden.may_hold(seat, card))
    text = message("Shed which cards?")
    cards = Some("cards", pool, number, number, HELD, partial(why_not, game, seat), text=text)
    places = ("pile", "discard")
    above = message("Cards above {most} go to your own pile.", most=game.numbers.hand_most)
    text = message("To your pile or discard?")
    to = Pick("to", places if game.took else places[:1], places, lambda place: above, text=text)

    def check(given: Given) -> str:
        if hidden.fits(seat, given["cards"]):
            return ""
        return message(
            "{who} holds {known}; at most {places} others can be shed.",
            who=Who(seat), known=", ".join(hidden.known[seat]), places=hidden.places(seat),
        )  # fmt: skip

    return Ask("shed", "Shed", (cards, to), seat, shed_help(game.numbers, game.took), objection=check)
