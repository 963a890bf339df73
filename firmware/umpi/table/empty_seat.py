"""An empty seat: a seat that the box plays. Which games allow that, and what the box does at its turn."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from umpi.cards.decode import PartialAnswer
from umpi.frozen import frozen
from umpi.kernel.drawn import completed, first_of_pool, is_own
from umpi.kernel.fields import Field, same
from umpi.kernel.game import Act, Ask, Dealer, Game, gives
from umpi.kernel.match import Match, Refused, refusal
from umpi.kernel.messages import Message, Name, Who, message
from umpi.kernel.now import Now
from umpi.kernel.random_games import NeverEnds, sample
from umpi.table.lot import Lot
from umpi.table.seating import Level, Seating
from umpi.table.telling import act_text

LABELS: Mapping[Level, Message] = {
    "easy": message("Umpi: easy"), "medium": message("Umpi: medium"), "strong": message("Umpi: strong"),
}  # fmt: skip
UMPI = "Umpi"  # the name of a player that the box plays
TRIED = 60  # acts of a game that is tried, to see whether it asks single seats
RACES = ("buzz", "cube")


@frozen
class BoxTurn:
    """A question to a seat that the box plays.

    `act` is what the box has decided, without the dice and cards that hands roll and turn; None while it thinks. If it
    has `given_up`, people enter a move for the seat.
    """

    question: str
    seat: int
    act: Act | None = None
    given_up: bool = False


def why_not(game: type[Game]) -> Message | str:
    """Return why the box can play no seat of a game, "" if nothing speaks against it. See `why_not_at`."""
    if game.dealer and gives(game.dealer, Dealer.redrawn):
        return message("Umpi cannot play this game: it does not see the hands.")
    if game.dealer:
        return message("Umpi cannot play this game: it sees neither dice nor cards.")
    if game.judged or game.at_will:
        return message("Umpi cannot play this game: it knows no answers and tosses no cube.")
    return ""


def why_not_at(table: Seating) -> Message | str:
    """Return why the box cannot play the seats that it has at this table, "" if it can or if it has none.

    A game is tried at random, to see whether it asks single seats and whether players race each other. Raises Refused
    if the rules fail.
    """
    if not any(table.levels_line):
        return ""
    if why := why_not(table.game):
        return why
    match, chance, asked = table.header().match(), Lot(0), False
    try:
        while match.asks and len(match.acts) < TRIED:
            if any(field.source in RACES for ask in match.asks for field in ask.fields):
                return message("Umpi cannot play this game: its players race each other.")
            asked = asked or match.seat is not None
            match.play(sample(match.asks, chance))
    except NeverEnds:  # no act could be drawn there
        pass
    if asked:
        return ""
    return message("Umpi cannot play by these rules: the box does not ask for each move.")


def free_name(taken: Collection[str]) -> str:
    """Return the name of a player that the box plays, which nobody has `taken`.

    >>> free_name(["Ann", "Umpi"])
    'Umpi 2'
    """
    names = (UMPI, *(f"{UMPI} {number}" for number in range(2, len(taken) + 2)))
    return next(name for name in names if name not in taken)


def part_of(match: Match, act: Act) -> PartialAnswer | None:
    """Return the answer to a question as far as the box has decided it, None if these rules do not offer it."""
    ask = next((ask for ask in match.asks if ask.verb == act.verb), None)
    return PartialAnswer(ask._replace(followed_by="", question=""), act.given) if ask else None


def left_to_hands(part: PartialAnswer) -> list[Field]:
    """Return the fields that people must enter: what their dice show, and their cards."""
    return [field for field in part.open(part.given) if not is_own(field) and not field.optional]


def legal(match: Match, seat: int, act: Act) -> bool:
    """Check whether a seat may decide this act now. Dice and cards of it may be missing."""
    part = part_of(match, act)
    if part is None or part.ask.seat != seat:
        return False
    if left_to_hands(part):
        fields = [field for field in part.ask.walk(dict(act.given)) if field.name in act.given]
        return len(fields) == len(act.given) and not any(field.refuse(act.given[field.name]) for field in fields)
    return not refusal(part.ask, completed(part.ask, act.given, first_of_pool))


def whole(match: Match, turn: BoxTurn, act: Act) -> Act:
    """Return an act that people enter for a seat of the box, with what the box has decided.

    Raises Refused if the box still thinks, or has decided otherwise.
    """
    who = Name(match.players[turn.seat])
    if turn.act is None:
        raise Refused(message("{who} is thinking. Wait a moment.", who=who))
    decided = turn.act.given
    if act.verb != turn.act.verb or any(
        not same(act.given.get(name, value), decided[name]) for name, value in decided.items()
    ):
        raise Refused(message("Umpi plays for {who} and decides. “Players” in the menu changes that.", who=who))
    return Act(act.verb, {**decided, **act.given}, act.by, act.at)


def now_of_turn(match: Match, turn: BoxTurn) -> Now:
    """Return what the box does at its turn, and what hands must do for it."""
    if turn.act is None:
        return Now(message("{who} is thinking …", who=Who(turn.seat)), turn.seat).with_names(match.players)
    part = part_of(match, turn.act)
    ended = part is not None and not left_to_hands(part)
    if part and (text := match.decided(turn.act, ended)):
        return Now(text, turn.seat)
    fields = {field.name: field for field in part.ask.walk(dict(turn.act.given))} if part else {}
    return Now(act_text(match, turn.act, turn.seat, fields), turn.seat)


def offer_for(match: Match, turn: BoxTurn | None) -> tuple[Ask, ...]:
    """Return what players may answer: at a turn of the box only what it leaves to hands, and what is nobody's."""
    if turn is None or turn.given_up:
        return match.asks
    others = tuple(ask for ask in match.asks if ask.seat is None and ask.rare)
    part = part_of(match, turn.act) if turn.act else None
    return (part.rest, *others) if part else others
