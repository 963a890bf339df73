"""Tumble: an engine that fails wherever it is told to, as one somebody installs may."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from umpi.kernel import Ask, Field, Pick, Result, View

WHERES = ("nowhere", "act", "asks", "scores", "view", "result")


@dataclass(frozen=True, slots=True)
class Tumble:
    """A position of Tumble: where it fails from now on."""

    id: ClassVar = "tumble"
    title: ClassVar = "Tumble"
    umpi_api: ClassVar = 2
    seats: ClassVar = range(2, 3)
    options: ClassVar[tuple[Field, ...]] = ()
    phase: ClassVar = "turn"

    where: str = "nowhere"
    turn: int = 0

    @classmethod
    def setup(cls, seats: int) -> Self:
        """Begin well."""
        return cls()

    def asks(self) -> tuple[Ask, ...]:
        """Ask where to fail."""
        self._fail("asks")
        if self.where == "result":
            return ()
        return (Ask("fail", "Fail", (Pick("where", WHERES),), self.turn),)

    def do_fail(self, seat: int, where: str) -> Self:
        """Fail there from now on."""
        after = replace(self, where=where, turn=1 - self.turn)
        after._fail("act")
        return after

    def scores(self) -> tuple[int, ...]:
        """Count nothing."""
        self._fail("scores")
        return (0, 0)

    def result(self) -> Result | None:
        """Never end well."""
        self._fail("result")
        return None

    def facts(self) -> dict[str, Any]:
        """Tell nothing."""
        return {}

    def view(self, seat: int | None = None) -> View:
        """Show nothing."""
        self._fail("view")
        return View()

    def _fail(self, where: str) -> None:
        if self.where == where:
            raise ZeroDivisionError(f"in {where}, on purpose")
