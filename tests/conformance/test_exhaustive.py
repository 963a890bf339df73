"""`umpi check GAME --exhaustive`: every position of the scopes of our games, and faults that only one position has."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, Self

import pytest

from tests.kit.seen import check_seen
from umpi.conformance import command, exhaustive
from umpi.conformance.exhaustive import Enumerated, enumerate_scopes
from umpi.kernel import Ask, Game, Number, Pick, Result, Scope, override, placed, replace
from umpi.kernel.registry import games

CODE = re.compile(r" \[the game's code: [^]]*\]")
PAGE = Path(__file__).parents[2] / "firmware" / "docs" / "proved.md"


def counts() -> dict[str, list[tuple[int, ...]]]:
    """Return the positions, those like them, acts and ends of each scope that the page has, by the game's title.

    A change of the rules changes them; so it must be meant.
    """
    found: dict[str, list[tuple[int, ...]]] = {}
    title, table = "", PAGE.read_text("utf-8").partition("| ends |")[2].partition("\n\n")[0]
    for row in re.findall(r"^\| ([^|]*?) ?\| [^|]*" + r" \| ([\d,]+)" * 4 + r" \|$", table, re.M):
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


def by_turn(position: Stairs) -> Hashable:
    """Return what decides how a match goes on: the seats from the next one."""
    return position.steps[position.turn :] + position.steps[: position.turn]


def without_turn(position: Stairs) -> Hashable:
    """Return less than decides how a match goes on: whose turn it is matters."""
    return position.steps


def by_sum(position: Stairs) -> Hashable:
    """Return less than decides how a match goes on: who stands where matters."""
    return sum(position.steps), position.turn


def with_ends(position: Stairs) -> Hashable:
    """Return less than decides how a match goes on: some ends are as if the match went on."""
    return tuple(min(step, 3) for step in position.steps), position.turn


def scope(merged: Callable[[Stairs], Hashable]) -> tuple[Scope, ...]:
    return (Scope(2, merged=merged),)


class Turned(Stairs):
    """Names the symmetry of its seats."""

    __slots__ = ()
    scopes: ClassVar[tuple[Scope, ...]] = scope(by_turn)


class Turnless(Stairs):
    """Names a symmetry that it has not."""

    __slots__ = ()
    scopes: ClassVar[tuple[Scope, ...]] = scope(without_turn)


class Summed(Stairs):
    """Names a symmetry that it has not."""

    __slots__ = ()
    scopes: ClassVar[tuple[Scope, ...]] = scope(by_sum)


class Endless(Stairs):
    """Names a symmetry that it has not."""

    __slots__ = ()
    scopes: ClassVar[tuple[Scope, ...]] = scope(with_ends)


class Favoured(Turned):
    """Has lost its symmetry: the first seat climbs a step more from one position."""

    __slots__ = ()

    @override
    def do_climb(self, seat: int, up: int) -> Self:
        """Climb."""
        return super(Turned, self).do_climb(seat, up + (self.steps == (2, 2) and seat == 0))


class Forgetful(Turned):
    """Has lost its symmetry: at one position the last seat may climb one step only."""

    __slots__ = ()

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Ask the seat whose turn it is."""
        if self.steps == (2, 1) and self.turn == 1:
            return (Ask("climb", "How many steps?", (Number("up", 1, 1),), self.turn),)
        return super(Turned, self).asks()


PLAYED = [0]


class Drifting(Stairs):
    """Plays the same acts to other positions after a while."""

    __slots__ = ()

    @override
    def do_climb(self, seat: int, up: int) -> Self:
        """Climb."""
        PLAYED[0] += 1
        return super().do_climb(seat, up if PLAYED[0] < 20 else 3 - up)


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
    assert [(each.positions, each.merged, each.acts, each.ends) for each in found] == counts()[game.title]


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


def test_positions_that_are_alike_are_merged_and_compared() -> None:
    """With its seats from the next one, a pair of steps needs no turn: the numbers are those of a count by hand."""
    reached = [(0, 0)]  # the steps of who climbs next, and of the other
    for own, other in reached:
        if other < 4:
            reached += {(other, own + by) for by in (1, 2)} - {*reached}
    found = only(Turned)
    assert found.flaw is None
    assert found.positions == len(reached) < only(Stairs).positions
    assert 0 < found.compared <= found.merged
    assert f"{found.merged} like them ({found.compared} compared)" in found.text


def test_a_limit_leaves_positions_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert only(Stairs, 5).left > 0
    assert command.run_exhaustive("quiz", 10) == command.INCOMPLETE
    assert capsys.readouterr().out.startswith("3 seats: 10 positions, ")
    assert command.run_exhaustive("chess") == 2
    assert 'No game "chess" is installed' in capsys.readouterr().err


def test_an_enumeration_ends_before_its_positions_fill_the_memory(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A call of the engine would fail for what the positions before it have taken."""
    looks = count(step=4 << 20)
    monkeypatch.setattr(exhaustive, "memory", lambda: next(looks))
    monkeypatch.setattr(exhaustive, "WEIGHED", 4)
    monkeypatch.setattr(exhaustive, "FULL", 8 << 20)
    assert command.run_exhaustive(f"{__name__}:Stairs") == command.INCOMPLETE
    assert "positions left; the memory has no room for others" in capsys.readouterr().out
    monkeypatch.setattr(exhaustive, "FULL", 1 << 40)
    assert command.run_exhaustive(f"{__name__}:Stairs") == 0


def test_the_fault_and_its_record_are_printed_with_status_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.run_exhaustive(f"{__name__}:Slippery") == 1
    printed = capsys.readouterr().out
    assert "1 fault\nFAILED legality: " in printed
    assert printed.count('"do": "climb"') == 6, "five in the record, and one in the sentence"


ALL = (Stairs, Slippery, Dead, Unfair, Turned, Turnless, Summed, Endless, Favoured, Forgetful, Drifting, Remembering)


class Short(Stairs):
    """Is enumerated for three seats up to a number of acts, and with one answer only."""

    __slots__ = ()
    scopes: ClassVar[tuple[Scope, ...]] = (Scope(3, acts=2), Scope(2, acts=3), Scope(2, values={"up": (2,)}), Scope(2))


class Unanswered(Stairs):
    """Asks for no answer at one position."""

    __slots__ = ()

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Ask the seat whose turn it is."""
        return (Ask("climb", "How?", (Pick("up", ()),), self.turn),) if self.steps == (2, 2) else super().asks()


class Chosen(Stairs):
    """Is enumerated with answers that its rules do not allow: all of them, or one."""

    __slots__ = ()
    scopes: ClassVar[tuple[Scope, ...]] = (Scope(2, values={"up": (3, 4)}), Scope(2, values={"up": (1, 3)}))


class Halves(Turned):
    """Is enumerated with merged positions and an answer that its rules do not allow, which one of them might."""

    __slots__ = ()
    scopes: ClassVar[tuple[Scope, ...]] = (Scope(2, merged=by_turn, values={"up": (1, 3)}),)


class Mistaken(Stairs):
    """Names seats, an option and a field that it has not."""

    __slots__ = ()
    scopes: ClassVar[tuple[Scope, ...]] = (
        Scope(9),
        Scope(2, {"steps": 4}),
        Scope(2, values={"dice": ((1,),)}),
        Scope(2, values={"up": ((1,),)}),
    )


class Merged(Turned):
    """Names its symmetry, with steps to compare."""

    __slots__ = ()
    scopes: ClassVar[tuple[Scope, ...]] = (Scope(2, merged=by_turn, acts=4), Scope(3, merged=by_turn, acts=5))


def test_what_an_enumeration_says_is_what_somebody_has_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each scope with its numbers, its flaw with the record, its limits, and its progress."""
    monkeypatch.setattr(exhaustive, "OFTEN", 7)
    monkeypatch.setattr(exhaustive, "SAMPLED", 2)
    lines: list[str] = []
    for game in (*ALL, Short, Unanswered, Chosen, Halves, Merged, Mistaken):
        for limit in (10_000, 3, 0) if game in (Stairs, Short, Slippery) else (10_000,):
            PLAYED[0] = 0
            LAST[:] = []
            lines.append(f"== {game.__name__}, at most {limit} positions")
            for found in enumerate_scopes(game, limit, lines.append):
                lines += [
                    found.text,
                    f"    {found.positions} {found.merged} {found.compared} {found.acts} {found.ends}",
                ]
                lines += [CODE.sub("", f"    {line}") for line in str(found.flaw or "").splitlines()]
    check_seen(Path(__file__).with_name("seen") / "enumerated.txt", lines)
