"""Tumble: an engine that fails in any method on request, as an installed engine may."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from umpi.kernel import Ask, Field, Game, Pick, Result, View, override

WHERES = ("nowhere", "act", "asks", "scores", "view", "result")


@dataclass(frozen=True, slots=True)
class Tumble(Game):
    """A position of Tumble, with the method that fails from now on."""

    id: ClassVar = "tumble"
    title: ClassVar = "Tumble"
    umpi_api: ClassVar = 3
    seats: ClassVar = range(2, 3)
    options: ClassVar[tuple[Field, ...]] = ()
    phase: ClassVar = "turn"

    where: str = "nowhere"
    turn: int = 0

    @classmethod
    @override
    def setup(cls, seats: int) -> Self:
        """Return the first position."""
        return cls()

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Ask which method should fail."""
        self._fail("asks")
        if self.where == "result":
            return ()
        return (Ask("fail", "Fail", (Pick("where", WHERES),), self.turn),)

    def do_fail(self, seat: int, where: str) -> Self:
        """Fail in this method from now on."""
        after = replace(self, where=where, turn=1 - self.turn)
        after._fail("act")
        return after

    @override
    def scores(self) -> tuple[int, ...]:
        """Return no points."""
        self._fail("scores")
        return (0, 0)

    @override
    def result(self) -> Result | None:
        """Return no result."""
        self._fail("result")
        return None

    @override
    def facts(self) -> dict[str, Any]:
        """Return no facts."""
        return {}

    @override
    def view(self, seat: int | None = None) -> View:
        """Return an empty view."""
        self._fail("view")
        return View()

    def _fail(self, where: str) -> None:
        if self.where == where:
            raise ZeroDivisionError(f"in {where}, on purpose")
