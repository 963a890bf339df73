"""Calls: what the referee says out loud after an act. They are derived from the positions and never stored."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Literal, get_args

from umpi.frozen import frozen
from umpi.kernel.fields import Value
from umpi.kernel.game import Act, Game, Result, code_of
from umpi.kernel.messages import message, named, names_of
from umpi.kernel.misshapen import Misshapen

OVER = "over"  # the kind of the call that the kernel itself makes at the end of a game
TOO_EARLY = "too-early"  # the kind of the call about a buzz that only puts its seat out: it has no place in the race


Sound = Literal["accepted", "refused", "cube", "winner", "time", "good", "bad", "call"]


@frozen
class Call:
    """One sentence of the referee: its kind, the text that players see or hear, and its facts as JSON.

    `sound` is what the box plays with it. Without it, the box chooses the sound by the kind.

    >>> from umpi.kernel import Who
    >>> Call("bust", message("{who} busts", who=Who(1)), {"seat": 1}).line()
    {'kind': 'bust', 'text': 'seat 1 busts', 'seat': 1}
    """

    kind: str
    text: str
    keys: Mapping[str, Value] = field(default_factory=dict)
    sound: Sound | None = None

    def with_names(self, players: Sequence[str]) -> Call:
        """Return the call with the players' names in place of seats."""
        keys = {key: named(value, players) if isinstance(value, str) else value for key, value in self.keys.items()}
        return Call(self.kind, named(self.text, players), keys, self.sound)

    def line(self) -> dict[str, Value]:
        """Return the call as `umpi replay --trace FILE` prints it."""
        return {"kind": self.kind, "text": self.text, **self.keys}


def calls_of(before: Game, act: Act, after: Game) -> tuple[Call, ...]:
    """Return the engine's calls for an act that led from `before` to `after`.

    Raises Misshapen if they are not a tuple of Call with JSON in their keys.
    """
    calls = after.calls(before, act)
    if isinstance(calls, tuple):
        reason = next(filter(None, map(_misfit, calls)), "")
    else:
        reason = f"returns a {type(calls).__name__}, not a tuple of Call"
    if reason:
        raise Misshapen(f"calls() {reason}", code_of(type(after).calls))
    return calls


def kinds_of(before: Game, act: Act, after: Game) -> Sequence[str]:
    """Return the kinds of the engine's calls for an act. Their other parts are not checked: nobody reads them.

    Raises Misshapen if the calls are not a tuple of Call.
    """
    calls = after.calls(before, act)
    if calls == ():  # after most acts
        return ()
    if not isinstance(calls, tuple) or not all(isinstance(call, Call) for call in calls):
        raise Misshapen("calls() does not return a tuple of Call", code_of(type(after).calls))
    return [call.kind for call in calls]


def over_calls(result: Result | None, team: bool = False) -> tuple[Call, ...]:
    """Return the call that ends a game, with the winners and the reason; empty if there is no result.

    `team` is whether the winners are one team, which shares nothing with another. There are none if all have lost.
    """
    if result is None:
        return ()
    winners = result.winners
    if not winners:
        return (Call(OVER, message("All lose: {why}", why=result.why), {"winners": (), "why": result.why}, "bad"),)
    template = "{who} wins: {why}" if len(winners) == 1 else "{who} share the victory: {why}"
    if team:
        template = "{who} win: {why}"
    text = message(template, who=names_of(winners), why=result.why)
    return (Call(OVER, text, {"winners": winners, "why": result.why}),)


def _misfit(call: object) -> str:
    """Return what is wrong with the shape of a call, "" if nothing is."""
    if not isinstance(call, Call):
        return f"returns a {type(call).__name__} among its Call"
    if not isinstance(call.kind, str) or not isinstance(call.text, str) or not isinstance(call.keys, Mapping):
        return "returns a Call that is not a word, a text and a dict of keys"
    if call.sound not in (None, *get_args(Sound)):
        return f'gives "{call.kind}" the sound "{call.sound}"; there are: {", ".join(get_args(Sound))}'
    try:
        json.dumps(dict(call.keys), allow_nan=False)
    except (TypeError, ValueError) as fault:
        return f'gives "{call.kind}" keys that are not JSON: {fault}'
    return ""
