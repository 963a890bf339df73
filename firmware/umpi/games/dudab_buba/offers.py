"""The offers of Dudab Buba: the acts allowed in each phase, and the reasons for refusals."""

from __future__ import annotations

from collections.abc import Callable
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
    SHAMANS,
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
SHOWN, SHOW = message("Show which cards?"), message("Show all cards?")
TO_PILE, COVERS = message("Which to your pile?"), message("Covering card?")


def asks(game: DudabBuba) -> tuple[Ask, ...]:
    """Offer the acts of the phase."""
    phase, seat = game.acting
    if seat is None:
        match phase:
            case "reveal":
                return (_reveal(game),)
            case "hands":
                return (ask_hands(game),)
            case "tally":
                return (ask_tally(game) if game.track == "score" else ask_counts(game),)
        return ()
    match phase:
        case "turn":
            helps = game.readings, game.numbers, game.request is not None, game.jungle
            question = _asked(game.request.partition(":")[2]) if game.request else TURN
            play = _play(game, seat, play_help(*helps), question)
            if _holds_a_fitting_card(game, seat):
                return (play,)
            return play, _draw(game, seat, draw_help(*helps, game.baby), 0)
        case "answer":
            return _play(game, seat, ANSWER, ANSWERING), _face(game, seat)
        case "draw":
            help = owed_help(game.readings, game.numbers, game.jungle, game.baby)
            return (_draw(game, seat, help, game.owes(seat)),)
    return (_shed(game, seat),)


@lru_cache
def _asked(wanted: str) -> str:
    return message("Play {wanted}, or draw?", wanted=wanted)


def _reveal(game: DudabBuba) -> Ask:
    cards = Draw("cards", Lazy(game.hidden.unseen, _may_open), game.wide, HELD, partial(why_not, game, None))
    return Ask("reveal", "The first cards?", (cards,), None, REVEAL)


def _may_open(card: str) -> bool:
    return not is_special(card)


def _play(game: DudabBuba, seat: int, help: str, question: str) -> Ask:
    found: dict[str, tuple[int, ...]] = {}

    def goes(card: str) -> tuple[int, ...]:
        if card not in found:
            found[card] = goes_on(game, card)
        return found[card]

    pool = Lazy(HELD, lambda card: bool(goes(card)) and game.hidden.may_hold(seat, card))
    card = Pick("card", pool, HELD, partial(_unplayable, game, seat), text=CARD)
    return Ask("play", "Play", (card,), seat, help, partial(_where, game, goes), question=question)


def goes_on(game: DudabBuba, card: str) -> tuple[int, ...]:
    """Return the columns on which a card may be laid."""
    request, spot, columns = game.request, game.spot, game.columns
    if card == DUDAB and request and game.readings.second_dudab == "any":
        return tuple(range(len(columns)))
    if spot is not None:
        return () if _misfit(game, card, spot) else (spot,)
    return tuple([index for index, column in enumerate(columns) if not column.objection(card, request)])


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
    if game.waits and card not in SHAMANS and card != DUDAB:
        return "only a shaman or a dudab answers the shaman"
    return game.columns[index].objection(card, game.request, game.waits)


def _where(game: DudabBuba, goes: Callable[[str], tuple[int, ...]], given: Given) -> tuple[Field, ...]:
    """Return the further fields of a card that is played; `goes` returns the columns on which it may be laid."""
    card, columns = given["card"], game.columns
    column = Pick("column", goes(card), range(len(columns)), partial(_on_column, game, card), label=_column, text=ON)
    if card == DUDAB and "column" in given and not columns[given["column"]].jungle:
        return column, REQUEST
    return (column,)


def _column(index: object) -> str:
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


def _draw(game: DudabBuba, seat: int, help: str, owes: int) -> Ask:
    """Ask for a card that is drawn; `owes` is 0 if the seat draws by its own choice."""
    hidden = game.hidden
    kinds = (JUNGLE,) * game.jungle + (BABY,) * game.baby
    specials = tuple([card for card in kinds if card in hidden.unseen])
    drawn: tuple[Field, ...] = ()
    if specials:
        why, text = partial(why_not, game, None), DRAWN if len(kinds) > 1 else ONE_DRAWN[kinds[0]]
        drawn = (Pick("card", specials, kinds, why, "table", True, 0.2, text=text),)
    if not owes and (hidden.hands[seat] == game.numbers.hand_most or must_meet(game)):
        return _draw_showing(game, seat, drawn, help)
    more, check = partial(_laid_at_once, game, drawn), partial(_left_to_draw, game)
    draw = message("Draw, to come: {number}", number=owes) if owes > 1 else "Draw"
    return Ask("draw", draw, drawn, seat, help, more, check)


def _goes(game: DudabBuba, full: bool, card: object) -> tuple[int, ...]:
    """Return the columns on which a card would have to be laid instead of drawing, with a full hand or not."""
    return () if card == DUDAB and not full else goes_on(game, cast(str, card))


def _holds_a_fitting_card(game: DudabBuba, seat: int) -> bool:
    """Return whether a full hand must contain a card that can be played, because too few others are left."""
    hidden, size = game.hidden, game.hidden.hands[seat]
    if size < game.numbers.hand_most:
        return False
    cards = hidden.known[seat] + hidden.unseen
    others = (card for card in cards if hidden.may_hold(seat, card) and not _goes(game, True, card))
    return len(tuple(islice(others, size))) < size


def _draw_showing(game: DudabBuba, seat: int, drawn: tuple[Field, ...], help: str) -> Ask:
    """Return the ask for a draw before which the seat shows its hand.

    With as many cards in hand as it may have, the seat must show that none can be played, and sheds one. With fewer, it
    may show that none meets the request.
    """
    hidden, size = game.hidden, game.hidden.hands[seat]
    full = size == game.numbers.hand_most

    goes = partial(_goes, game, full)

    def why(card: object) -> str:
        if hidden.may_hold(seat, card) and (columns := goes(card)):
            return message("{card} can be played, on column {number}.", card=card, number=columns[0] + 1)
        return why_not(game, seat, card)

    def more(given: Given) -> tuple[Field, ...]:
        shown = cast(tuple[str, ...], given.get("shown", ()))
        if not full:
            return _laid_at_once(after(given), drawn, given)

        def why(card: object) -> str:
            return message("{card} is not among the cards shown.", card=str(card))

        shed = Pick("shed", shown, objection=why, text=TO_PILE)
        if "shed" not in given:
            return (shed,)
        return shed, *_laid_at_once(after(given), drawn, given)

    def after(given: Given) -> DudabBuba:
        shown = cast(tuple[str, ...], given.get("shown", ()))
        return game.showing(seat, shown, cast(str | None, given.get("shed"))) if shown else game

    def check(given: Given) -> str:
        if "shown" in given and (kept_back := kept(game, seat, cast(tuple[str, ...], given["shown"]))):
            return kept_back
        for card in hidden.known[seat]:
            if goes(card):
                return message("{who} still holds {card}, which meets the request.", who=Who(seat), card=card)
        return _left_to_draw(after(given), given)

    pool = Lazy(hidden.known[seat] + hidden.unseen, lambda card: hidden.may_hold(seat, card) and not goes(card))
    text = SHOWN if full else SHOW
    shown = Some("shown", pool, size, size, HELD, why, optional=not full, likely=0.2, in_menu=not full, text=text)
    return Ask("draw", "Draw", (shown,) if full else (shown, *drawn), seat, help, more, check)


def _laid_at_once(game: DudabBuba, drawn: tuple[Field, ...], given: Given) -> tuple[Field, ...]:
    """Return the fields for the column of a jungle or a baby that was drawn, and for the cards that a baby turns."""
    card, columns = cast(str | None, given.get("card")), range(len(game.columns))
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

    column = Pick("column", free, columns, why, label=_column, text=ON)
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
    turned = cast(tuple[str, ...], given.get("turned", ()))
    card = given.get("card")
    seen = (*turned, cast(str, card)) if card else turned
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
        if hidden.fits(seat, cast(tuple[str, ...], given["cards"])):
            return ""
        return message(
            "{who} holds {known}; at most {places} others can be shed.",
            who=Who(seat), known=", ".join(hidden.known[seat]), places=hidden.places(seat),
        )  # fmt: skip

    return Ask("shed", "Shed", (cards, to), seat, shed_help(game.numbers, game.took), objection=check)
