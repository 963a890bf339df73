"""Check of hands that the box deals: what everybody sees is the same, whatever the others hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from umpi.conformance.flaws import Flaw
from umpi.kernel.drawn import is_own, own_fields
from umpi.kernel.fields import Chance, Pick, Some, private_to
from umpi.kernel.game import Ask
from umpi.kernel.match import Match
from umpi.kernel.redealt import CannotImagine, redealt


def unseen(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Deal the other hands again as each seat may imagine them, and compare what the seat and everybody may see."""
    owners = {owner for index in range(len(match.acts)) for owner in _owners(match, index)}
    if not match.asks or not owners:
        return
    for seat in owners:
        if match.now.own_hand(seat) is None:
            yield Flaw(f"The box deals to seat {seat} alone, but own_hand({seat}) is None: its phone shows no hand.")
            return
    for seat in range(len(match.players)):
        try:
            other = redealt(match, seat, chance)
        except CannotImagine:  # the course of the game tells the hands
            continue
        here, there = _seen(match, seat), _seen(other, seat)
        if wrong := next((part for part in here if here[part] != there[part]), None):
            yield Flaw(f"{wrong} tells seat {seat} what others hold: with other hands it would differ.")
            return


def _owners(match: Match, index: int) -> Iterator[int]:
    for field in own_fields(match.asked(index), match.acts[index].given):
        if (owner := private_to(field)) is not None:
            yield owner


def _seen(match: Match, seat: int) -> Mapping[str, object]:
    """Return what a seat may see of a position, by the member of the game that tells it."""
    now = match.now
    shown: dict[str, object] = {
        "shown_facts": now.shown_facts(), "view": now.view(), "shown_board": now.shown_board(), "odds": now.odds(),
        "now": match.next_step, "asks": tuple(_offer(ask, seat) for ask in match.asks),
        "calls": match.calls(), f"own_hand({seat})": now.own_hand(seat),
    }  # fmt: skip
    if match.acts:
        shown["told"] = match.told(-1)
    return shown


def _offer(ask: Ask, seat: int) -> object:
    """Return of an ask what a seat may see."""
    fields = [field for field in ask.fields if not is_own(field) and private_to(field) in (None, seat)]
    pools = [(field.name, tuple(field.pool) if isinstance(field, (Pick, Some)) else None) for field in fields]
    return ask.verb, ask.seat, ask.text, ask.help, pools
