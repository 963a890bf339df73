"""What only one player may know, for the ear: the hand of a seat, and the question that it answers in secret."""

from __future__ import annotations

from collections.abc import Iterator

from umpi.display.aloud import aloud
from umpi.i18n.translate import tr
from umpi.kernel.game import Ask, Game, gives
from umpi.kernel.match import Match
from umpi.referee.view_state import ViewState
from umpi.table.secret import answer_again, parties, seats_of, secret_ask
from umpi.web.forms import following


def private_seats(match: Match) -> list[int]:
    """Return the seats whose phones may ask for something that only they may know."""
    secret = secret_ask(match.asks)
    answering = seats_of(secret) if secret else ()
    seats = range(len(match.players)) if match.asks else ()
    return [seat for seat in seats if seat in answering or match.now.own_hand(seat) is not None]


def dealt_seats(match: Match) -> list[int]:
    """Return the seats to which the box has dealt a hand that nobody else may see now."""
    knows = gives(match.game, Game.own_hand)  # first: it costs less than a look at all acts
    dealt = knows and match.hands_hidden
    return [seat for seat in range(len(match.players)) if dealt and match.now.own_hand(seat) is not None]


def hand_of(match: Match, seat: int) -> list[str]:
    """Return the hand of a seat in words."""
    return [tr(text, match.players) for text in match.now.own_hand(seat) or ()]


def private_texts(view: ViewState, seat: int) -> list[str]:
    """Return the hand of a seat and its question as spoken texts, [] if it has nothing to itself."""
    match = view.match
    if not match or seat not in private_seats(match):
        return []
    return [aloud(text) for text in (*hand_of(match, seat), *_question(view, match, seat)) if text]


def _question(view: ViewState, match: Match, seat: int) -> Iterator[str]:
    """Yield the present question as this seat is asked it; a dispute comes first."""
    secret = secret_ask(match.asks)
    if view.state.doubt:
        yield tr(view.state.doubt)
    elif secret and seat in view.state.sealed:
        alone = (seat,) in parties(match, secret)
        yield tr("You have answered.") if alone else tr("Your team has answered.")
    elif secret and seat in seats_of(secret):
        if seat in view.state.again:
            yield tr(answer_again([seat]), match.players)
        yield from _secret(secret, match, seat)
    elif now := match.next_step:
        yield tr(now.aloud)


def _secret(ask: Ask, match: Match, seat: int) -> Iterator[str]:
    """Yield a secret question, and the questions that follow from the seat."""
    yield tr(ask.text, match.players)
    own = {field.name for field in ask.fields}
    form = following(ask, {ask.fields[0].name: seat}, match.players)
    yield from (field["label"] for field in form["fields"] if field["name"] not in own)
