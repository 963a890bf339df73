"""Check of hands that the box deals: what everybody sees is the same, whatever the others hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from umpi.conformance.flaws import Flaw
from umpi.kernel.drawn import is_own, own_fields
from umpi.kernel.fields import Chance, Pick, Some, private_to
from umpi.kernel.game import Ask
from umpi.kernel.match import Match
from umpi.kernel.messages import Message
from umpi.kernel.redealt import CannotImagine, redealt


def unseen(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Deal the other hands again as each seat may imagine them, and compare what the seat and everybody may see."""
    owners = {owner for index in range(len(match.acts)) for owner in _owners(match, index)}
    if not match.asks or not owners:
        return
    for seat in owners:
        if match.now.own_hand(seat) is None:
            when = f'after act {len(match.acts)}, "{match.acts[-1].verb}", in' if match.acts else "in"
            why = f'The box deals to seat {seat} alone, but {when} the phase "{match.now.phase}", own_hand({seat}) is '
            yield Flaw(f"{why}None: its phone shows no hand. An empty hand, as between two deals, is ().")
            return
    for seat in range(len(match.players)):
        try:
            other = redealt(match, seat, chance)
        except CannotImagine:  # the course of the game tells the hands
            continue
        here, there = _seen(match, seat), _seen(other, seat)
        if wrong := next((part for part in here if here[part] != there[part]), None):
            where = f"{wrong}{_place(here[wrong], there[wrong])}"
            yield Flaw(f"{where} tells seat {seat} what others hold: with other hands it would differ.")
            return


def _place(here: object, there: object) -> str:
    """Return where two values of one member differ, down to the key of a text: `.rows[0].cells[1], {pot} of "…"`.

    >>> _place({"pot": 3, "cards": (1, 4)}, {"pot": 3, "cards": (1, 5)})
    '["cards"][1]'
    """
    if isinstance(here, Message) and isinstance(there, Message):
        if here.template != there.template:
            return f', the text "{here.template}",'
        key = next((key for key in here.values if here.values[key] != there.values.get(key)), "")
        return f', {{{key}}} of the text "{here.template}",' if key else ""
    if type(here) is not type(there):
        return ""
    parts: list[tuple[str, object, object]] = []
    if isinstance(here, Mapping) and isinstance(there, Mapping):
        parts = [(f'["{key}"]', here[key], there.get(key)) for key in here]
    elif isinstance(here, tuple) and isinstance(there, tuple) and len(here) == len(there):
        parts = [(f"[{index}]", *both) for index, both in enumerate(zip(here, there, strict=True))]
    elif is_dataclass(here):
        parts = [(f".{each.name}", getattr(here, each.name), getattr(there, each.name)) for each in fields(here)]
    return next((name + _place(one, other) for name, one, other in parts if one != other), "")


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
    asked = [field for field in ask.fields if not is_own(field) and private_to(field) in (None, seat)]
    pools = [(field.name, tuple(field.pool) if isinstance(field, (Pick, Some)) else None) for field in asked]
    return ask.verb, ask.seat, ask.text, ask.help, pools
