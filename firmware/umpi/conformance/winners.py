"""Compare the winners of whole games with their scores, and with what the game declares as `wins`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from umpi.conformance.flaws import Flaw
from umpi.kernel.game import Act, Result
from umpi.kernel.match import Match
from umpi.kernel.record import Header

SIGNS = {"highest": 1, "lowest": -1}
OTHER = {"highest": "lowest", "lowest": "highest"}


class Winners:
    """Count the games whose winner has the highest score, and the lowest, by what the game says about its scores."""

    def __init__(self) -> None:
        self._games = Counter[str]()  # games that are decided, by `wins`: "highest", "lowest" or ""
        # of these, by `wins`, how often a winner has the highest or lowest score
        self._won = Counter[tuple[str, str]]()
        self._lost = 0  # by all
        self._contrary: dict[str, tuple[Header, Sequence[Act]]] = {}  # the first game whose winner has the wrong score

    def add(self, match: Match) -> None:
        """Add a match that is over. If all scores are equal, it says nothing about them."""
        result, scores = match.now.result(), match.now.scores()
        if not isinstance(result, Result) or not isinstance(scores, tuple):
            return  # another check names it
        if not result.winners:
            self._lost += 1
        elif len({*scores}) > 1:
            wins = match.now.wins or ""
            self._games[wins] += 1
            for way, sign in SIGNS.items():
                best = max(sign * score for score in scores)
                self._won[wins, way] += any(sign * scores[seat] == best for seat in result.winners)
                if way == wins and not any(sign * scores[seat] == best for seat in result.winners):
                    header = Header(match.game, match.players, match.options)
                    self._contrary.setdefault(wins, (header, list(match.acts)))

    def flaw(self) -> tuple[Flaw, Header, Sequence[Act]] | None:
        """Return the flaw if the contrary of `wins` explains the results far better, and a game that shows it."""
        for wins, games in self._games.items():
            if wins in OTHER and self._won[wins, OTHER[wins]] > 2 * self._won[wins, wins]:
                right = self._won[wins, wins]
                why = f"`wins` says that the {wins} score leads, but the winner has it in {right} of {games} games."
                return Flaw(f"{why} Change `wins`, or the places of the result."), *self._contrary[wins]
        return None

    @property
    def figures(self) -> str:
        """How the winners' scores compare, for people."""
        parts = [
            f"; winner has the {wins or 'highest'} score in {self._won[wins, wins or 'highest']} of {games}"
            for wins, games in sorted(self._games.items())
        ]
        return "".join([*parts, f"; all lose {self._lost}" if self._lost else ""])
