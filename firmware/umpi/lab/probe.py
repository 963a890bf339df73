"""A probe into one decision of a game: how many answers there were, and whether another one had changed the winner."""

from __future__ import annotations

from random import Random

from umpi.frozen import frozen
from umpi.kernel.game import Act
from umpi.kernel.redealt import CannotImagine
from umpi.lab.world import Decision, Outlook, World, decision

DRAWS = 40  # acts drawn to count the answers: a rare answer may be missed


@frozen
class Probed:
    """A decision of a game: the number of answers, and whether two of them led to the same winners (None: only one)."""

    choices: int
    same: bool | None


class Probe:
    """Keep one decision of a game, each equally likely, and examine it when the game has ended."""

    def __init__(self, seed: int) -> None:
        self._seed = f"{seed}:probe"
        self._chance = Random(self._seed).random
        self._seen = 0
        self._kept: tuple[World, int] | None = None

    def see(self, world: World, seat: int) -> None:
        """Keep this decision of a seat, with a chance of one in the number of decisions so far."""
        self._seen += 1
        if self._chance() * self._seen < 1:
            try:
                self._kept = world.imagined(seat, self._chance), seat
            except CannotImagine:  # nothing is counted in this game; that costs no game and no other figure
                self._kept = None

    def examine(self) -> Probed | None:
        """Count the answers of the decision that was kept, and play two of them to the end with the same luck.

        The result is None if no decision was kept, or if its seat cannot imagine the other hands.
        """
        if self._kept is None:
            return None
        try:
            return self._examined(*self._kept)
        except CannotImagine:
            return None

    def _examined(self, world: World, seat: int) -> Probed:
        outlook = Outlook(world, seat, self._chance)
        found: dict[Decision, Act] = {}
        for _ in range(DRAWS):
            act = outlook.draw()
            if world.seat_of(act) == seat:
                found.setdefault(decision(world.match, act), act)
        if len(found) < 2:
            return Probed(len(found), None)
        one, other = (self._winners(world, seat, act) for act in list(found.values())[:2])
        return Probed(len(found), one == other)

    def _winners(self, world: World, seat: int, act: Act) -> tuple[int, ...]:
        ahead = world.imagined(seat, Random(self._seed).random)
        ahead.play(ahead.complete(act))
        ahead.play_out()
        result = ahead.match.now.result()
        return result.winners if result else ()
