"""Rounds: a game that is made of rounds of another game."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ClassVar

from umpi.frozen import frozen
from umpi.kernel.board import Board
from umpi.kernel.calls import Call
from umpi.kernel.fields import Number
from umpi.kernel.game import API, Act, Ask, Game, Result, Row, View, act_methods, override, placed, replace
from umpi.kernel.messages import message, names_of
from umpi.kernel.options import defaults, set_up

MOST = 100  # rounds
LOST = message("all lose")
NONE_WON = message("no round was won")


@frozen
class Rounds(Game):
    """A position of a game that is made of rounds: the `round` in play, and the rounds that each seat has won."""

    umpi_api: ClassVar = API
    wins: ClassVar = "highest"

    game: Any  # the position of the round in play, or of the last round
    firsts: tuple[Any, ...]  # the first positions of the rounds, in turn
    rounds: int
    won: tuple[int, ...]
    played: int = 0
    ended: Any = None  # the last position of the round before

    @property
    @override
    def phase(self) -> str:
        """Return the current step of the round."""
        return "over" if self.played == self.rounds else str(self.game.phase)

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer what the round offers."""
        return () if self.played == self.rounds else self.game.asks()

    @override
    def scores(self) -> tuple[int, ...]:
        """Return how many rounds each seat has won."""
        return self.won

    @override
    def result(self) -> Result | None:
        """Return the ranking by the rounds that were won, None until the last one is over."""
        if self.played < self.rounds:
            return None
        return Result(placed(self.won), message("most rounds won")) if any(self.won) else Result.lost(NONE_WON)

    @override
    def facts(self) -> dict[str, Any]:
        """Return the number of finished rounds, and the scores and the facts of the round in play."""
        return {"played": self.played, "scores": self.game.scores(), "round": self.game.facts()}

    @override
    def shown_facts(self) -> dict[str, Any]:
        """Return the number of finished rounds, and what everybody may see of the round in play."""
        return {"played": self.played, "round": self.game.shown_facts()}

    @override
    def shown_board(self) -> Board | None:
        """Return the board of the round."""
        board: Board | None = self.game.shown_board()
        return board

    @override
    def view(self) -> View:
        """Return what the round shows, with its scores beside the rounds won."""
        shown, points = self.game.view(), tuple(map(str, self.game.scores()))
        number = min(self.played + 1, self.rounds)
        head = message("round {round}/{rounds}", round=number, rounds=self.rounds)
        return View(head, shown.beside or points, shown.rows, shown.large, lamps=shown.lamps)

    @override
    def odds(self) -> tuple[Row, ...]:
        """Return the odds of the round."""
        odds: tuple[Row, ...] = self.game.odds()
        return odds

    @override
    def told(self, act: Act) -> str:
        """Return the sentence of the round in play."""
        sentence: str = self.game.told(act)
        return sentence

    @override
    def calls(self, before: Rounds, act: Act) -> tuple[Call, ...]:
        """Return what the round says, and who has won it."""
        now = self.game if self.played == before.played else self.ended
        round_calls: tuple[Call, ...] = now.calls(before.game, act)
        if self.played == before.played or self.result():
            return round_calls
        winners = now.result().winners
        won = message("Round {number}: {who}", number=self.played, who=names_of(winners) if winners else LOST)
        return (*round_calls, Call("round", won, {"round": self.played, "winners": winners}))

    def _after(self, game: Any) -> Rounds:
        """Return the position after an act of the round; the next round begins when this one has a result."""
        result = game.result()
        if result is None:
            return replace(self, game=game)
        won = tuple(own + (seat in result.winners) for seat, own in enumerate(self.won))
        over = self.played + 1 == self.rounds
        played = self.played + 1
        following = game if over else self.firsts[played % len(self.firsts)]
        return replace(self, game=following, won=won, played=played, ended=game)


def rounds_of(game: type[Game], id: str, title: str, rounds: int = 3) -> type[Any]:
    """Return a game that is made of rounds of another; who wins most rounds wins.

    It has the acts and the options of that game, and the option `rounds`; `rounds` is its default. Each round begins
    with the same seat. If the game's `setup` has a parameter `first` that is no option, it is the seat that begins, and
    each round begins with the next seat.
    """
    own = {name: _act(name, getattr(game, name)) for name in act_methods(game)}
    members = {
        "id": id, "title": title, "seats": game.seats, "setup": _setup(game, rounds),
        "options": (Number("rounds", 1, MOST), *game.options), "longest": MOST * game.longest,
        "kind": game.kind, "pieces": game.pieces, "__doc__": Rounds.__doc__,
        "__module__": game.__module__,
    }  # fmt: skip
    return type(title.replace(" ", ""), (Rounds,), {**members, **own})


def _act(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def do(self: Rounds, *given: Any, **named: Any) -> Rounds:
        return self._after(getattr(self.game, name)(*given, **named))

    return do


def _setup(game: type[Game], count: int) -> Any:
    def setup(cls: Any, /, seats: int, rounds: int = count, **options: Any) -> Rounds:
        """Return the first position of the first round."""
        own = {**defaults(game), **options}
        firsts = tuple(set_up(game, seats, {**own, **begin}) for begin in _beginnings(game, seats))
        begun: Rounds = cls(firsts[0], firsts, rounds, (0,) * seats)
        return begun

    keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD
    own = [inspect.Parameter(name, keyword, default=value) for name, value in defaults(game).items()]
    given = list(inspect.signature(setup).parameters.values())[:3]
    setup.__signature__ = inspect.Signature([*given, *own])  # type: ignore[attr-defined]
    return classmethod(setup)


def _beginnings(game: type[Game], seats: int) -> list[dict[str, int]]:
    """Return what to give `setup` for each round, in turn: the seat that begins, or nothing."""
    options = {option.name for option in game.options}
    if "first" in options or "first" not in inspect.signature(game.setup).parameters:
        return [{}]
    return [{"first": seat} for seat in range(seats)]
