"""Checks of calls: what the referee says about an act has the right form, and is the same each time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from umpi.conformance.flaws import Flaw
from umpi.display.aloud import unspeakable
from umpi.kernel.calls import OVER, Call, calls_of
from umpi.kernel.fields import Chance
from umpi.kernel.match import Match
from umpi.kernel.messages import named
from umpi.kernel.misshapen import Misshapen

KIND = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
OWN = ("kind", "text")  # keys that each call has


def called(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check the engine's calls for the last act."""
    if not match.acts:
        return
    before, act = match.position(len(match.acts) - 1), match.acts[-1]
    calls = calls_of(before, act, match.now)
    sentence: object = before.told(act)
    if not isinstance(sentence, str):
        yield Flaw(f'told() must return a text for "{act.verb}", not {sentence!r}.')
    elif wrong := _misseated(sentence, match):
        yield Flaw(f'In told() for "{act.verb}", {wrong}.')
    elif before.told(act) != sentence:
        yield Flaw(f'Asked twice, told() returns different texts for "{act.verb}".')
    for call in calls:
        yield from _formed(call, match)
    if calls_of(before, act, match.now) != calls:
        yield Flaw("Asked twice, it makes different calls.")


def _misseated(sentence: str, match: Match) -> str:
    """Return that a sentence names a seat that the match has not, "" if it does not."""
    try:
        named(sentence, match.players)
    except Misshapen as fault:
        return f"{fault}"
    return ""


def _formed(call: Call, match: Match) -> Iterator[Flaw]:
    if wrong := _misseated(call.text, match):
        yield Flaw(f'In the call "{call.kind}", {wrong}.')
        return
    if not KIND.fullmatch(call.kind) or call.kind == OVER:
        yield Flaw(f'A call has the kind {call.kind!r}; expected a word like "play-off". Umpi itself calls "{OVER}".')
    if not named(call.text, match.players).strip():
        yield Flaw(f'The call "{call.kind}" has no text.')
    elif signs := unspeakable(named(call.text, match.players)):
        yield Flaw(f'The call "{call.kind}" contains "{signs}", which a voice cannot read; expected words.')
    for key, value in call.keys.items():
        if not isinstance(key, str) or key in OWN:
            yield Flaw(f'The call "{call.kind}" has the key {key!r}; expected a text other than "kind" and "text".')
        elif key == "seat" and value not in range(len(match.players)):
            yield Flaw(f'The call "{call.kind}" has the seat {value!r}; the last seat is {len(match.players) - 1}.')
        elif key == "seats" and not _ascending(value, len(match.players)):
            yield Flaw(f'The call "{call.kind}" has the seats {value!r}; expected a tuple of seats that ascends.')


def _ascending(seats: object, number: int) -> bool:
    return isinstance(seats, tuple) and seats == tuple(seat for seat in range(number) if seat in seats)
