"""One game on the table: an act in, a new position out, or a refusal that changes nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import Any

from umpi.kernel.blame import Misshapen, blame
from umpi.kernel.fields import Given, Value
from umpi.kernel.game import Act, Ask, Game, View, code_of, method, nothing_more, offer_of, parameter, view_of
from umpi.kernel.messages import Name, message, named

log = logging.getLogger(__name__)


class Refused(ValueError):
    """An act the rules do not allow now; its text says why, in words a player understands."""

    @property
    def reason(self) -> str:
        """The sentence, with its template and values where it has any."""
        reason: str = self.args[0]
        return reason


class Broken(Refused):
    """An engine that failed on an act it had offered: nothing has changed, and its author should hear of it."""


class Match:
    """A game in play, with every past position kept.

    `play` and `undo` change the match; a refused act changes nothing.

    >>> from umpi.games.dodeka import Dodeka
    >>> match = Match(Dodeka, ["Ann", "Ben"])
    >>> match.play(Act("throw", {"keep": (), "dice": (1, 4, 8)})).facts()["dice"]
    (1, 4, 8)
    >>> match.play(Act("bank"))
    Traceback (most recent call last):
    umpi.kernel.match.Refused: Dodéka knows no "bank"; the box waits for: throw, stop.
    >>> match.undo()
    >>> match.now.facts()["dice"]
    ()
    """

    def __init__(self, game: type[Game], players: Sequence[str], options: Mapping[str, Value] | None = None) -> None:
        self.game = game
        self.players = tuple(players)
        self.options = dict(options or {})
        self.acts: list[Act] = []
        try:
            self._positions = [_made("setup", game.setup(len(players), **self.options), game.setup)]
            self.asks = self._offer(self.now)  # all that may be answered now; empty once the game is over
        except Exception as fault:
            raise unset(game, fault) from fault

    @property
    def now(self) -> Game:
        """The position on the table."""
        return self._positions[-1]

    @property
    def seat(self) -> int | None:
        """The seat that must act, None where it is nobody or everybody."""
        return next((ask.seat for ask in self.asks if ask.seat is not None), None)

    def play(self, act: Act) -> Game:
        """Do `act`; raises Refused, with the reason, where the rules do not allow it."""
        ask = self._asked(act)
        given = act.given
        if reason := self._refusal(ask, given):
            raise Refused(named(reason, self.players))
        seat = ask.seat
        arguments = {parameter(name): value for name, value in given.items()}
        if "seat" in given:
            seat = arguments.pop("seat")  # type: ignore[assignment]
        self._check_by(act, seat)
        try:
            position = self._done(act.verb, seat, arguments)
            asks = self._offer(position)
        except Exception as fault:
            raise self._broken(act.verb, fault) from fault
        self.acts.append(act)
        self._positions.append(position)
        self.asks = asks
        return position

    def _done(self, verb: str, seat: int | None, arguments: Mapping[str, Value]) -> Game:
        """Call the engine's method for a verb; raises Misshapen where it does not fit or returns no position."""
        do = getattr(self.now, method(verb))
        return _made(method(verb), called(do, seat, **arguments), do)

    def check_told(self) -> None:
        """Raise Broken where the rules fail to tell the phase, the scores, the view or the result of what stands.

        Nobody could be shown it, nor find a way back from it.
        """
        what, seats = "phase", len(self.players)
        try:
            if not isinstance(self.now.phase, str):
                raise TypeError("a text is needed")
            what = "scores"
            if len(self.now.scores()) != seats:
                raise ValueError("one a seat is needed")
            what = "view"
            view = view_of(self.now)
            if not isinstance(view, View) or len(view.beside) not in (0, seats):
                raise TypeError("a View is needed, with a text beside each seat or beside none")
            what = "result"
            result = self.now.result()
            if result and len(result.places) != seats:
                raise ValueError("a place for each seat is needed")
        except Exception as fault:
            raise self._broken(what, fault) from fault

    def after(self, act: Act) -> tuple[Ask, ...]:
        """Tell what would be asked after `act`, without doing it; raises Refused where it is not allowed."""
        self.play(act)
        asks = self.asks
        self.undo()
        return asks

    def offered(self, index: int) -> tuple[Ask, ...]:
        """Tell all that could be answered where the act at `index` was done."""
        return offer_of(self._positions[index])

    def asked(self, index: int) -> Ask:
        """Tell what the act at `index` answered."""
        verb = self.acts[index].verb
        return next(ask for ask in self.offered(index) if ask.verb == verb)

    def undo(self, count: int = 1) -> None:
        """Take back the last `count` acts; raises Refused where fewer stand."""
        if not 1 <= count <= len(self.acts):
            raise Refused(message("{count} cannot be taken back: {stand} stand.", count=count, stand=len(self.acts)))
        try:
            asks = offer_of(self._positions[-count - 1])
        except Exception as fault:
            raise self._broken("undo", fault) from fault
        del self.acts[-count:], self._positions[-count:]
        self.asks = asks

    def amended(self, index: int, act: Act) -> tuple[Match, list[Act]]:
        """Replace the act at `index` in a copy of this match, then play each later act that still holds.

        Returns the copy and the later acts that hold no more; this match stays as it is. Raises Refused where the
        new act itself is not allowed there, IndexError where no act stands at `index`.
        """
        if not 0 <= index < len(self.acts):
            raise IndexError(index)
        other = self._copy(index)
        other.play(act)
        return other, other._follow(self.acts[index + 1 :])

    def followed(self, acts: Sequence[Act]) -> tuple[list[Act], list[Act]]:
        """Tell which of `acts` could be played here one after the other, and which would hold no more."""
        lost = self._copy(len(self.acts))._follow(acts)
        return [act for act in acts if not any(act is each for each in lost)], lost

    def copy(self) -> Match:
        """Return a match in the same position, which changes independently of this one."""
        other = copy(self)
        other.acts, other._positions = self.acts.copy(), self._positions.copy()
        return other

    def _copy(self, count: int) -> Match:
        """Copy this match as it stood after `count` acts."""
        other = Match(self.game, self.players, self.options)
        other.acts = self.acts[:count]
        other._positions = self._positions[: count + 1]
        other.asks = other.now.asks()
        return other

    def _follow(self, acts: Sequence[Act]) -> list[Act]:
        """Play each act that holds; returns those that do not."""
        lost = []
        for act in acts:
            try:
                self.play(act)
            except Refused:
                lost.append(act)
        return lost

    def state(self) -> dict[str, Any]:
        """Tell the position as the record contract's STATE; raises Broken where the engine fails to."""
        try:
            return self._state()
        except Exception as fault:
            why = f"The rules of {self.game.title} fail to tell the position: {_told(fault)}."
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

    def _offer(self, position: Game) -> tuple[Ask, ...]:
        """Return what a position asks; raises Misshapen if it asks a seat where nobody sits."""
        asks = offer_of(position)
        for ask in asks:
            if ask.seat is not None and ask.seat not in range(len(self.players)):
                last = len(self.players) - 1
                why = f'asks() asks "{ask.verb}" of seat {ask.seat}; there are seats 0 to {last}'
                raise Misshapen(why, code_of(type(position).asks))
        return asks

    def _refusal(self, ask: Ask, given: Given) -> str:
        try:
            return refusal(ask, given)
        except Exception as fault:  # the engine's own `why`, `more` and `check` run in it
            raise self._broken(ask.verb, fault) from fault

    def _broken(self, verb: str, fault: Exception) -> Broken:
        template = 'The rules of {game} fail on "{verb}": {fault}.'
        return broken(self.game, message(template, game=self.game.title, verb=verb, fault=_told(fault)), fault)

    def _asked(self, act: Act) -> Ask:
        for ask in self.asks:
            if ask.verb == act.verb:
                return ask
        if not self.asks:
            raise Refused(message("The game is over."))
        waits = ", ".join(ask.verb for ask in self.asks)
        if not hasattr(self.now, method(act.verb)):
            template = '{game} knows no "{verb}"; the box waits for: {verbs}.'
            raise Refused(message(template, game=self.game.title, verb=act.verb, verbs=waits))
        raise Refused(message('"{verb}" is not asked for now; the box waits for: {verbs}.', verb=act.verb, verbs=waits))

    def _check_by(self, act: Act, seat: int | None) -> None:
        if act.by is None or act.by == seat:
            return
        if seat is None:
            raise Refused(message('"{verb}" is nobody\'s own act: it bears no "by".', verb=act.verb))
        template = '"{verb}" is for {who} (seat {seat}), not for seat {other}.'
        raise Refused(message(template, verb=act.verb, who=Name(self.players[seat]), seat=seat, other=act.by))


def refusal(ask: Ask, given: Given) -> str:
    """Say why `given` does not answer `ask`, "" where it does."""
    known: dict[str, Value] = {}
    names: set[str] = set()
    for field in ask.fields if ask.more is nothing_more else ask.walk(known):
        name = field.name
        names.add(name)
        if name in given:
            if reason := field.refuse(given[name]):
                return reason
            known[name] = given[name]
        elif not field.optional:
            return message('"{verb}" needs "{field}".', verb=ask.verb, field=name)
    if len(known) != len(given):
        return message('"{verb}" has no "{field}".', verb=ask.verb, field=_first_unknown(given, names))
    return ask.check(known)


def called(do: Callable[..., Any], *given: object, **named: object) -> Any:
    """Call an engine's method; raises Misshapen where it does not take what it is given."""
    try:
        return do(*given, **named)
    except TypeError as fault:
        if fault.__traceback__ and fault.__traceback__.tb_next is None:  # raised by the call, not in the method
            raise Misshapen(str(fault), code_of(do)) from None
        raise


def _made(name: str, position: Any, by: Callable[..., object]) -> Game:
    """Check that what an engine's method made is a position; raises Misshapen."""
    if not hasattr(position, "asks"):
        what = "None: is a `return` missing?" if position is None else f"a {type(position).__name__}"
        raise Misshapen(f"{name} must return a position, not {what}", code_of(by))
    made: Game = position
    return made


def broken(game: type[Game], why: str, fault: Exception) -> Broken:
    """Log with its traceback what an engine raised, and make the refusal of it."""
    log.error("%s: %s It was raised by %s.", game.id, why, blame(fault, game), exc_info=fault)
    return Broken(why)


def unset(game: type[Game], fault: Exception) -> Broken:
    """Log what an engine raised where a table was to be set up, and make the refusal of it."""
    template = "The rules of {game} fail to set the table up: {fault}."
    return broken(game, message(template, game=game.title, fault=_told(fault)), fault)


def _told(fault: Exception) -> str:
    return f"{type(fault).__name__}: {fault}"


def _first_unknown(given: Given, names: Iterable[str]) -> str:
    return next(name for name in given if name not in names)
