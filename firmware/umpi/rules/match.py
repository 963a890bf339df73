"""One game on the table: an act in, a new position out, or a refusal that changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any

from umpi.rules.fields import Given, Value
from umpi.rules.game import Act, Ask, Game, method, nothing_more, parameter, view_of
from umpi.rules.words import Name, named, words


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
    umpi.rules.match.Refused: Dodéka knows no "bank"; the box waits for: throw, stop.
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
            self._positions: list[Game] = [game.setup(len(players), **self.options)]
            self.asks = self._offer(self.now)  # all that may be answered now; empty once the game is over
        except Exception as fault:
            template = "The rules of {game} fail to set the table up: {fault}."
            raise Broken(words(template, game=game.title, fault=_told(fault))) from fault

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
            position: Game = getattr(self.now, method(act.verb))(seat, **arguments)
            asks = self._offer(position)
        except Exception as fault:
            raise self._broken(act.verb, fault) from fault
        self.acts.append(act)
        self._positions.append(position)
        self.asks = asks
        return position

    def check_told(self) -> None:
        """Raise Broken where the rules fail to tell the scores, the view or the result of what stands.

        Nobody could be shown it, nor find a way back from it.
        """
        what = "scores"
        try:
            if len(self.now.scores()) != len(self.players):
                raise ValueError("one a seat is needed")
            what = "view"
            view_of(self.now)
            what = "result"
            self.now.result()
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
        return self._positions[index].asks()

    def asked(self, index: int) -> Ask:
        """Tell what the act at `index` answered."""
        verb = self.acts[index].verb
        return next(ask for ask in self.offered(index) if ask.verb == verb)

    def undo(self, count: int = 1) -> None:
        """Take back the last `count` acts; raises Refused where fewer stand."""
        if not 1 <= count <= len(self.acts):
            raise Refused(words("{count} cannot be taken back: {stand} stand.", count=count, stand=len(self.acts)))
        del self.acts[-count:], self._positions[-count:]
        self.asks = self.now.asks()

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
            raise Broken(f"The rules of {self.game.title} fail to tell the position: {_told(fault)}.") from fault

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
        """Return what a position asks; raises ValueError if it asks a seat where nobody sits."""
        asks = position.asks()
        for ask in asks:
            if ask.seat is not None and ask.seat not in range(len(self.players)):
                last = len(self.players) - 1
                raise ValueError(f'"{ask.verb}" is asked of seat {ask.seat}; there are seats 0 to {last}')
        return asks

    def _refusal(self, ask: Ask, given: Given) -> str:
        try:
            return refusal(ask, given)
        except Exception as fault:  # the engine's own `why`, `more` and `check` run in it
            raise self._broken(ask.verb, fault) from fault

    def _broken(self, verb: str, fault: Exception) -> Broken:
        template = 'The rules of {game} fail on "{verb}": {fault}.'
        return Broken(words(template, game=self.game.title, verb=verb, fault=_told(fault)))

    def _asked(self, act: Act) -> Ask:
        for ask in self.asks:
            if ask.verb == act.verb:
                return ask
        if not self.asks:
            raise Refused(words("The game is over."))
        waits = ", ".join(ask.verb for ask in self.asks)
        if not hasattr(self.now, method(act.verb)):
            template = '{game} knows no "{verb}"; the box waits for: {verbs}.'
            raise Refused(words(template, game=self.game.title, verb=act.verb, verbs=waits))
        raise Refused(words('"{verb}" is not asked for now; the box waits for: {verbs}.', verb=act.verb, verbs=waits))

    def _check_by(self, act: Act, seat: int | None) -> None:
        if act.by is None or act.by == seat:
            return
        if seat is None:
            raise Refused(words('"{verb}" is nobody\'s own act: it bears no "by".', verb=act.verb))
        template = '"{verb}" is for {who} (seat {seat}), not for seat {other}.'
        raise Refused(words(template, verb=act.verb, who=Name(self.players[seat]), seat=seat, other=act.by))


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
            return words('"{verb}" needs "{field}".', verb=ask.verb, field=name)
    if len(known) != len(given):
        return words('"{verb}" has no "{field}".', verb=ask.verb, field=_first_unknown(given, names))
    return ask.check(known)


def _told(fault: Exception) -> str:
    return f"{type(fault).__name__}: {fault}"


def _first_unknown(given: Given, names: Iterable[str]) -> str:
    return next(name for name in given if name not in names)
