"""A match: one game in play. Each act produces a new position, or a refusal that changes nothing."""

from __future__ import annotations

import keyword
import logging
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from itertools import pairwise
from typing import Any

from umpi.kernel.blame import blame
from umpi.kernel.calls import OVER, Call, calls_of, kinds_of, over_calls
from umpi.kernel.drawn import chosen_alone, own_fields
from umpi.kernel.fields import Given, Value, no_objection
from umpi.kernel.game import Act, Ask, Game, Result, View, code_of, method, nothing_more, offer_of, parameter
from umpi.kernel.messages import Name, message, named
from umpi.kernel.misshapen import Misshapen
from umpi.kernel.now import Now, now_of
from umpi.kernel.options import set_up
from umpi.kernel.seal import Unsaid, closed

log = logging.getLogger(__name__)

KEYWORDS = frozenset(keyword.kwlist)


class Refused(ValueError):
    """Report an act that the rules do not allow now; the text gives the reason in words for players."""

    @property
    def reason(self) -> str:
        """Return the reason; it is a Message with template and values if it was made from one."""
        reason: str = self.args[0]
        return reason


class Broken(Refused):
    """Report that an engine failed on an act that it had offered; nothing has changed, and its author should know."""


class Match:
    """A game in play, with every past position.

    `play` and `undo` change the match. A refused act changes nothing.

    >>> from umpi.games.dodeka import Dodeka
    >>> match = Match(Dodeka, ["Ann", "Ben"])
    >>> match.play(Act("throw", {"keep": (), "dice": (1, 4, 8)})).facts()["dice"]
    (1, 4, 8)
    >>> match.play(Act("bank"))
    Traceback (most recent call last):
    umpi.kernel.match.Refused: Dodéka has no "bank"; expected: throw, stop.
    >>> match.undo()
    >>> match.now.facts()["dice"]
    ()
    """

    def __init__(self, game: type[Game], players: Sequence[str], options: Mapping[str, Value] | None = None) -> None:
        self.game = game
        self.players = tuple(players)
        self.options = dict(options or {})
        self.acts: list[Act] = []
        self._viewed: tuple[Game, View] | None = None  # the last position that was looked at, and its view
        try:
            self._positions = [made("setup", set_up(game, len(players), self.options), game.setup)]
            self.asks = offer_of(self.now, len(self.players))  # what is allowed now; empty if the game is over
        except Exception as fault:
            raise unset(game, fault) from fault

    @property
    def now(self) -> Game:
        """Return the current position."""
        return self._positions[-1]

    @property
    def view(self) -> View:
        """Return what the screens show beside the question; the game makes it once for each position."""
        now, viewed = self.now, self._viewed
        if viewed is None or viewed[0] is not now:
            viewed = self._viewed = now, now.view()
        return viewed[1]

    @property
    def result(self) -> Result | None:
        """Return the result, None until the game ends. If all have lost, each seat has place 2: nobody is first."""
        result = self.now.result()
        return Result((2,) * len(self.players), result.why) if result and not result.places else result

    @property
    def outcome(self) -> dict[str, Any] | None:
        """Return how the match ended as a journal keeps it, {"places", "scores"} by seat; None until the game ends.

        It contains "together" if the winners are one team. If all have lost, no place is 1.
        """
        if not (result := self.result):
            return None
        outcome = {"places": result.places, "scores": self.now.scores()}
        return {**outcome, "together": True} if self.together else outcome

    @property
    def next_step(self) -> Now | None:
        """Return the sentence `now` with names: what the next person must do, None if the game is over.

        If the engine fails, its sentence is missing and the fault is logged.
        """
        try:
            now = now_of(self.now, self.asks)
            return now.with_names(self.players) if now else None
        except Exception as fault:
            self._broken("now", fault)  # the log has the traceback; the match goes on
            return None

    @property
    def together(self) -> bool:
        """Check whether the winners are one team, which shares its victory with nobody."""
        return _together(self.now)

    @property
    def seat(self) -> int | None:
        """Return the seat that must act, None if no seat must or any seat may."""
        return next((ask.seat for ask in self.asks if ask.seat is not None), None)

    def play(self, act: Act) -> Game:
        """Do `act` and return the new position; raises Refused, with the reason, if the rules do not allow it."""
        ask = self._asked(act)
        given, verb = act.given, act.verb
        try:
            if reason := refusal(ask, given):
                reason = named(reason, self.players)
        except Exception as fault:  # `refusal` calls the engine's `more` and `objection`
            raise self._broken(verb, fault, act) from self.sayable(fault, act)
        if reason:
            raise Refused(reason)
        seat = ask.seat
        arguments = given if KEYWORDS.isdisjoint(given) else {parameter(name): given[name] for name in given}
        if "seat" in given:
            arguments = dict(arguments)
            seat = arguments.pop("seat")
        if act.by is not None:
            self._check_by(act, seat)
        try:
            name = method(verb)
            do = getattr(self._positions[-1], name)
            try:
                position: Game = do(seat, **arguments)
            except TypeError as fault:
                raise_if_misfit(fault, do)
                raise
            if not isinstance(position, self.game):
                position = made(name, position, do)
            asks = offer_of(position, len(self.players))
        except Exception as fault:
            raise self._broken(verb, fault, act) from self.sayable(fault, act)
        self.acts.append(act)
        self._positions.append(position)
        self.asks = asks
        return position

    def check_position(self) -> None:
        """Check that the engine returns the phase, the scores, the view and the result of the current position.

        Raises Broken if it does not: the box could not show such a position, nor offer a way back from it.
        """
        what, seats = "phase", len(self.players)
        try:
            if not isinstance(self.now.phase, str):
                raise TypeError("expected text")
            what = "scores"
            if len(self.now.scores()) != seats:
                raise ValueError("expected one score per seat")
            what = "view"
            view = self.now.view()
            if not isinstance(view, View) or len(view.beside) not in (0, seats):
                raise TypeError("expected a View, with a text beside each seat or beside none")
            what = "result"
            result = self.now.result()
            if result and len(result.places) not in (0, seats):
                raise ValueError("expected a place for each seat")
        except Exception as fault:
            raise self._broken(what, fault) from self.sayable(fault)

    def after(self, *acts: Act) -> tuple[Ask, ...]:
        """Return the offer after `acts`, and leave the match unchanged; raises Refused if one is not allowed."""
        before = len(self.acts)
        try:
            for act in acts:
                self.play(act)
            return self.asks
        finally:
            if played := len(self.acts) - before:
                self.undo(played)

    def offered(self, index: int) -> tuple[Ask, ...]:
        """Return the offer that the act at `index` answered."""
        return offer_of(self._positions[index], len(self.players))

    def asked(self, index: int) -> Ask:
        """Return the ask that the act at `index` answered."""
        verb = self.acts[index].verb
        return next(ask for ask in self.offered(index) if ask.verb == verb)

    @property
    def hands_hidden(self) -> bool:
        """Whether the box has dealt hands that only their owners may see now."""
        return bool(self.asks) and any(act.seal for act in self.acts)

    def sayable(self, fault: Exception, act: Act | None = None) -> Exception:
        """Return a fault as everybody may read it: without its text, which may name a card, while hands are hidden.

        `act` is the act that failed, if one did: it may be the first that the box deals.
        """
        return Unsaid.of(fault) if self.hands_hidden or (act and act.seal) else fault

    def shown(self, index: int) -> Act:
        """Return the act at `index` as everybody may see it: hidden values are left out until the match is over."""
        return self.acts[index].shown() if self.asks else self.acts[index]

    def line(self, index: int) -> dict[str, Value]:
        """Return the line of the act at `index` as everybody may read it; see `shown`."""
        line = self.acts[index].line()
        return closed(line) if self.asks else line

    def hides(self, index: int) -> bool:
        """Check whether the act at `index` was drawn for one seat alone, or chosen from what only one seat sees."""
        act = self.acts[index]
        return bool(self.asks) and (act.seal is not None or chosen_alone(self.asked(index), act.given) is not None)

    def position(self, count: int) -> Game:
        """Return the position after the first `count` acts."""
        return self._positions[count]

    def calls(self, index: int = -1) -> tuple[Call, ...]:
        """Return what the referee says about the act at `index`, by default the last act, in order.

        The result is empty if there is no such act. If the engine fails, its calls are missing and the fault is logged.
        """
        if index not in range(-len(self.acts), len(self.acts)):
            return ()
        index %= len(self.acts)
        before, act, after = self._positions[index], self.acts[index], self._positions[index + 1]
        calls = self._derived("calls", lambda: calls_of(before, act, after))
        return calls + self._derived("result", lambda: self._over(after))

    def told(self, index: int) -> str:
        """Return the game's own sentence about the act at `index`, counted from the end if negative; "" without one.

        If the engine fails, the sentence is missing and the fault is logged.
        """
        try:
            index %= len(self.acts)
            sentence = self._positions[index].told(self.acts[index])
            if not isinstance(sentence, str):
                raise Misshapen("told() does not return a text", code_of(self.game.told))
            return named(sentence, self.players)
        except Exception as fault:
            self._broken("told", fault)  # the log has the traceback; the act stays valid
            return ""

    def decided(self, act: Act, whole: bool) -> str:
        """Return the game's own sentence about an act that the seat has decided; "" without one.

        `whole` is whether nothing is missing: no dice, no card. If the engine fails, the sentence is missing and the
        fault is logged.
        """
        try:
            sentence = self.now.told(act) if whole else self.now.decided(act)
            if not isinstance(sentence, str):
                what = self.game.told if whole else self.game.decided
                raise Misshapen(f"{what.__name__}() does not return a text", code_of(what))
            return named(sentence, self.players)
        except Exception as fault:
            self._broken("decided", fault)  # the log has the traceback; the box still plays
            return ""

    def kinds(self) -> list[str]:
        """Return the kinds of all calls so far, in order. That costs less than `calls` of each act."""
        kinds = list[str]()
        for act, (before, after) in zip(self.acts, pairwise(self._positions), strict=True):
            try:
                kinds += kinds_of(before, act, after)
            except Exception as fault:
                self._broken("calls", fault)  # the log has the traceback; the act stays valid
        if self.acts and not self.asks and self._derived("result", lambda: self._over(self.now)):
            kinds.append(OVER)
        return kinds

    def _over(self, position: Game) -> tuple[Call, ...]:
        return over_calls(position.result(), _together(position))

    def _derived(self, what: str, derive: Callable[[], tuple[Call, ...]]) -> tuple[Call, ...]:
        try:
            return tuple(call.with_names(self.players) for call in derive())
        except Exception as fault:
            self._broken(what, fault)  # the log has the traceback; the act stays valid
            return ()

    def undo(self, count: int = 1) -> None:
        """Undo the last `count` acts; raises Refused if there are fewer."""
        if not 1 <= count <= len(self.acts):
            raise Refused(
                message(
                    "Cannot undo. Moves asked for: {count}; moves so far: {stand}.", count=count, stand=len(self.acts)
                )
            )
        try:
            asks = offer_of(self._positions[-count - 1], len(self.players))
        except Exception as fault:
            raise self._broken("undo", fault) from self.sayable(fault)
        del self.acts[-count:], self._positions[-count:]
        self.asks = asks

    def amended(self, index: int, act: Act) -> tuple[Match, list[Act]]:
        """Replace the act at `index` in a copy of this match, then play each later act that is still valid.

        Returns the copy and the later acts that have become invalid. This match does not change.
        Raises Refused if the new act is not allowed there, IndexError if there is no act at `index`.
        """
        if not 0 <= index < len(self.acts):
            raise IndexError(index)
        other = self._copy(index)
        other.play(self._with_own(index, act))
        return other, other._follow(self.acts[index + 1 :])

    def _with_own(self, index: int, act: Act) -> Act:
        """Return a corrected act with what the box drew or measured for the act at `index`."""
        old, ask = self.acts[index], self.asked(index)
        if act.verb != old.verb:
            return act
        fields = [each.name for each in own_fields(ask, act.given)]
        own = {name: old.given[name] for name in fields if name in old.given and name not in act.given}
        return Act(act.verb, {**act.given, **own}, act.by, act.at, old.seal) if own else act

    def followed(self, acts: Sequence[Act]) -> tuple[list[Act], list[Act]]:
        """Return which of `acts` are valid here if played in order, and which are not."""
        lost = self._copy(len(self.acts))._follow(acts)
        return [act for act in acts if not any(act is each for each in lost)], lost

    def copy(self) -> Match:
        """Return an independent match in the same position."""
        other = copy(self)
        other.acts, other._positions = self.acts.copy(), self._positions.copy()
        return other

    def _copy(self, count: int) -> Match:
        """Return a copy of this match as it was after `count` acts."""
        other = Match(self.game, self.players, self.options)
        other.acts = self.acts[:count]
        other._positions = self._positions[: count + 1]
        other.asks = other.now.asks()
        return other

    def _follow(self, acts: Sequence[Act]) -> list[Act]:
        """Play each act that is valid, and return the others."""
        lost = []
        for act in acts:
            try:
                self.play(act)
            except Refused:
                lost.append(act)
        return lost

    def state(self) -> dict[str, Any]:
        """Return the position as STATE of the record contract; raises Broken if the engine fails.

        A trace also has the sentence `now` in each state: see `next_step`.
        """
        try:
            return self._state()
        except Exception as fault:
            fault = self.sayable(fault)
            why = f"The rules of {self.game.title} fail to tell the position: {_fault_text(fault)}."
            raise broken(self.game, why, fault) from fault

    def _state(self) -> dict[str, Any]:
        result = self.now.result()
        return {
            "phase": self.now.phase,
            "seat": self.seat,
            "scores": self.now.scores(),
            "winners": result.winners if result else (),
            "facts": self.now.facts(),
        }

    def _broken(self, verb: str, fault: Exception, act: Act | None = None) -> Broken:
        fault = self.sayable(fault, act)
        template = '{game} rules failed on "{verb}": {fault}.'
        return broken(self.game, message(template, game=self.game.title, verb=verb, fault=_fault_text(fault)), fault)

    def _asked(self, act: Act) -> Ask:
        for ask in self.asks:
            if ask.verb == act.verb:
                return ask
        if not self.asks:
            raise Refused(message("The match is over."))
        waits = ", ".join(ask.verb for ask in self.asks)
        if not hasattr(self.now, method(act.verb)):
            template = '{game} has no "{verb}"; expected: {verbs}.'
            raise Refused(message(template, game=self.game.title, verb=act.verb, verbs=waits))
        raise Refused(message('"{verb}" is not valid now; expected: {verbs}.', verb=act.verb, verbs=waits))

    def _check_by(self, act: Act, seat: int | None) -> None:
        if act.by == seat:
            return
        if seat is None:
            raise Refused(message('"{verb}" belongs to no player: omit "by".', verb=act.verb))
        template = '"{verb}" is for {who} (seat {seat}), not for seat {other}.'
        raise Refused(message(template, verb=act.verb, who=Name(self.players[seat]), seat=seat, other=act.by))


def _together(position: Game) -> bool:
    result = position.result()
    return result is not None and result.winners in position.teams()


def refusal(ask: Ask, given: Given) -> str:
    """Return why `given` does not answer `ask`, "" if it does."""
    known: dict[str, Value] = {}
    asked: set[str] = set()
    fields = ask.fields
    while fields:
        for field in fields:
            name = field.name
            if name in given:
                if reason := field.refuse(given[name]):
                    return reason
                known[name] = given[name]
            elif not field.optional:
                return message('"{verb}" needs "{field}".', verb=ask.verb, field=name)
        if ask.more is nothing_more:
            break
        asked.update([field.name for field in fields])
        fields = ask.following(known, asked)
    if len(known) != len(given):
        return message('"{verb}" has no "{field}".', verb=ask.verb, field=_first_unknown(given, known))
    return "" if ask.objection is no_objection else ask.objection(known)


def called(do: Callable[..., Any], *given: object, **named: object) -> Any:
    """Call an engine's method and return its result; raises Misshapen if it does not accept the arguments."""
    try:
        return do(*given, **named)
    except TypeError as fault:
        raise_if_misfit(fault, do)
        raise


def raise_if_misfit(fault: TypeError, do: Callable[..., Any]) -> None:
    """Raise Misshapen if a fault was raised by the call of an engine's method, not in the method."""
    if fault.__traceback__ and fault.__traceback__.tb_next is None:
        raise Misshapen(str(fault), code_of(do)) from None


def made(name: str, position: Any, by: Callable[..., object]) -> Game:
    """Check that an engine's method returned a position, and return it; raises Misshapen if not."""
    if not isinstance(position, Game):
        what = "None: perhaps a `return` is missing" if position is None else f"a {type(position).__name__}"
        raise Misshapen(f"{name} must return a position, not {what}", code_of(by))
    made: Game = position
    return made


def broken(game: type[Game], why: str, fault: Exception) -> Broken:
    """Log a fault of an engine with its traceback, and return the refusal for it."""
    log.error("%s: %s It was raised by %s.", game.id, why, blame(fault, game), exc_info=fault)
    return Broken(why)


def unset(game: type[Game], fault: Exception) -> Broken:
    """Log a fault that an engine raised in its setup, and return the refusal for it."""
    template = "{game} rules failed to set up: {fault}."
    return broken(game, message(template, game=game.title, fault=_fault_text(fault)), fault)


def _fault_text(fault: Exception) -> str:
    if isinstance(fault, MemoryError):
        return "MemoryError: there is not enough memory"
    return str(fault) if isinstance(fault, Misshapen) else f"{type(fault).__name__}: {fault}"


def _first_unknown(given: Given, known: Given) -> str:
    return next(name for name in given if name not in known)
