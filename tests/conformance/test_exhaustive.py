"""`umpi check GAME --exhaustive`: every position of the scopes of our games, and faults that only one position has."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import pytest

from umpi.conformance import command
from umpi.conformance.exhaustive import Enumerated, enumerate_scopes
from umpi.kernel import Ask, Game, Number, Result, Scope, override, placed, replace
from umpi.kernel.record import replay
from umpi.kernel.registry import games

PAGE = Path(__file__).parents[2] / "firmware" / "docs" / "proved.md"


def counts() -> dict[str, list[tuple[int, ...]]]:
    """Return the positions, acts and ends of each scope that the page has, by the title of the game.

    A change of the rules changes them; so it must be meant.
    """
    found: dict[str, list[tuple[int, ...]]] = {}
    title = ""
    for row in re.findall(
        r"^\| ([^|]*?) ?\| [^|]* \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", PAGE.read_text("utf-8"), re.M
    ):
        title = row[0] or title
        found.setdefault(title, []).append(tuple(int(number.replace(",", "")) for number in row[1:]))
    return found


@dataclass(frozen=True, slots=True)
class Stairs(Game):
    """Seats climb in turn, one or two steps; who reaches the fourth step first wins."""

    id: ClassVar = "stairs"
    title: ClassVar = "Stairs"
    umpi_api: ClassVar = 3
    wins: ClassVar = "highest"
    seats: ClassVar = range(2, 4)
    scopes: ClassVar[tuple[Scope, ...]] = (Scope(2),)

    steps: tuple[int, ...]
    turn: int = 0

    @classmethod
    @override
    def setup(cls, seats: int) -> Self:
        """Return the first position."""
        return cls((0,) * seats)

    @property
    @override
    def phase(self) -> str:
        """Return the phase."""
        return "over" if self.result() else "climb"

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Ask the seat whose turn it is."""
        return () if self.result() else (Ask("climb", "How many steps?", (Number("up", 1, 2),), self.turn),)

    @override
    def scores(self) -> tuple[int, ...]:
        """Return the steps."""
        return self.steps

    @override
    def result(self) -> Result | None:
        """Return the result once a seat has climbed all steps."""
        return Result(placed(self.steps), "the stairs are climbed") if max(self.steps) >= 4 else None

    @override
    def facts(self) -> dict[str, Any]:
        """Return the steps."""
        return {"steps": self.steps}

    def do_climb(self, seat: int, up: int) -> Self:
        """Climb."""
        steps = tuple(step + up * (each == seat) for each, step in enumerate(self.steps))
        return replace(self, steps=steps, turn=(seat + 1) % len(steps))


class Slippery(Stairs):
    """Fails at one position only."""

    __slots__ = ()

    @override
    def do_climb(self, seat: int, up: int) -> Self:
        """Climb."""
        if self.steps == (2, 3) and up == 2:
            raise IndexError("no such step")
        return super().do_climb(seat, up)


class Dead(Stairs):
    """Asks nothing at one position, which is no end."""

    __slots__ = ()

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Ask the seat whose turn it is."""
        return () if self.steps == (3, 3) else super().asks()


class Unfair(Stairs):
    """Gives the last seat one step more at one position, and calls all seats alike."""

    __slots__ = ()
    scopes: ClassVar[tuple[Scope, ...]] = (Scope(2, alike=True),)

    @override
    def do_climb(self, seat: int, up: int) -> Self:
        """Climb."""
        return super().do_climb(seat, up + (self.steps == (1, 2)))


LAST: list[int] = []


class Remembering(Stairs):
    """Offers at one position what depends on the way to it."""

    __slots__ = ()

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Ask the seat whose turn it is."""
        most = 1 if self.steps == (3, 1) and LAST == [2] else 2
        return () if self.result() else (Ask("climb", "How many steps?", (Number("up", 1, most),), self.turn),)

    @override
    def do_climb(self, seat: int, up: int) -> Self:
        """Climb."""
        LAST[:] = [up]
        return super().do_climb(seat, up)


def only(game: type[Game], limit: int = 10_000) -> Enumerated:
    (found,) = enumerate_scopes(game, limit)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_no_position_of_a_shipped_game_has_a_fault(game: type[Game]) -> None:
    found = list(enumerate_scopes(game))
    assert [each.flaw for each in found] == [None] * len(found)
    assert not any(each.left for each in found)
    assert [(each.positions, each.acts, each.ends) for each in found] == counts()[game.title]


def test_the_numbers_are_those_of_a_count_by_hand() -> None:
    """A count of its own: each pair of steps below four, with its turn, and each end."""
    reached, acts = {((0, 0), 0)}, 0
    waiting = [((0, 0), 0)]
    for steps, turn in waiting:
        if max(steps) < 4:
            for by in (1, 2):
                acts += 1
                after = (steps[0] + by, steps[1]) if turn == 0 else (steps[0], steps[1] + by)
                if (after, 1 - turn) not in reached:
                    reached.add((after, 1 - turn))
                    waiting.append((after, 1 - turn))
    ends = sum(max(steps) >= 4 for steps, _ in reached)
    found = only(Stairs)
    assert (found.positions, found.acts, found.ends, found.left, found.flaw) == (len(reached), acts, ends, 0, None)


@pytest.mark.parametrize(
    ("game", "check", "says", "acts"),
    [
        (Slippery, "legality", "is offered, but not accepted", 5),
        (Dead, "offers", "It asks nothing, and there is no result.", 4),
        (Remembering, "purity", "Other acts lead to an equal position that offers something else.", 3),
    ],
)
def test_a_fault_of_one_position_is_found_with_a_record_as_short_as_any(
    game: type[Game], check: str, says: str, acts: int
) -> None:
    flaw = only(game).flaw
    assert flaw
    assert (flaw.check, says in str(flaw)) == (check, True), flaw
    *_, last = replay(flaw.record.splitlines(keepends=True), lambda name: game)
    assert len(flaw.record.splitlines()) == 1 + acts
    assert bool(last.error) == (game is Slippery)


def test_seats_that_are_not_alike_are_found() -> None:
    flaw = only(Unfair).flaw
    assert flaw
    assert "The scope says that all seats are alike" in str(flaw)


def test_a_limit_leaves_positions_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert only(Stairs, 5).left > 0
    assert command.run_exhaustive("quiz", 10) == command.INCOMPLETE
    assert capsys.readouterr().out.startswith("3 seats: 10 positions, ")
    assert command.run_exhaustive("chess") == 2
    assert 'No game "chess" is installed' in capsys.readouterr().err


def test_the_fault_and_its_record_are_printed_with_status_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.run_exhaustive(f"{__name__}:Slippery") == 1
    printed = capsys.readouterr().out
    assert "1 fault\nFAILED legality: " in printed
    assert printed.count('"do": "climb"') == 6, "five in the record, and one in the sentence"
