"""Undo after a correction: it takes back one answer, as before, although all later acts were written at one time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from tests.kit.foreign_table import Table
from tests.kit.rig import Rig, Rigs
from umpi.kernel import Act, Ask, Game, NamedSeat, Pick, Result, replace
from umpi.table.commands import Command, Correct, Do, GoBack, PutBack, TakeBack

SIGNS = ("rock", "paper", "scissors")


@dataclass(frozen=True)
class Signs(Game):
    """Both players show a sign at once, nine times."""

    id: ClassVar = "signs"
    title: ClassVar = "Signs"
    seats: ClassVar = range(2, 3)

    shown: tuple[str, ...] = ()
    open: tuple[int, ...] = (0, 1)

    @classmethod
    def setup(cls, seats: int) -> Self:
        """Begin without signs."""
        return cls()

    @property
    def phase(self) -> str:
        """Return what the game waits for."""
        return "over" if self.result() else "show"

    def asks(self) -> tuple[Ask, ...]:
        """Ask whoever has not shown a sign."""
        if self.result():
            return ()
        return (Ask("show", "Show", (Pick("seat", self.open, source="buzz"), Pick("sign", SIGNS)), secret=True),)

    def do_show(self, seat: NamedSeat, sign: str) -> Self:
        """Show the sign of a seat."""
        open = tuple(each for each in self.open if each != seat)
        return replace(self, shown=(*self.shown, sign), open=open or (0, 1))

    def scores(self) -> tuple[int, ...]:
        """Return that nobody wins."""
        return (0, 0)

    def result(self) -> Result | None:
        """End after nine rounds."""
        return Result((1, 1), "all signs are shown") if len(self.shown) == 18 else None


def play(table: Table, rounds: int) -> None:
    for number in range(2 * rounds):
        assert table.phone(number % 2, "show", seat=number % 2, sign="rock").how == "done"


def test_undo_takes_back_one_round_of_secret_answers() -> None:
    """It took back all rounds since the one that was corrected, or since the inserted one."""
    table = Table(Signs)
    play(table, 4)
    table.grant(Correct(0, Act("show", {"seat": 0, "sign": "scissors"})))
    table.grant(TakeBack())
    assert len(table.match.acts) == 6
    table.grant(GoBack(2))
    play(table, 1)
    table.grant(PutBack())
    for count in (8, 6, 4, 2, 0):
        assert len(table.match.acts) == count
        table.grant(TakeBack())


def throw(*dice: int) -> Act:
    return Act("throw", {"keep": (), "dice": dice})


def give(rig: Rig, command: Command) -> None:
    rig.wait_ms(1000)
    rig.drive(rig.referee.commands.execute(command, rig.now_ns, "panel"))
    rig.settle()


def listed(rig: Rig) -> list[int]:
    """The moves that the menu lets players correct."""
    rig.menu("Correct a move")
    moves = [choice.value for choice in rig.referee.panel.question[0].choices]
    rig.press("back back")
    return moves


def test_undo_takes_back_what_was_entered_at_once(rigs: Rigs) -> None:
    """The stop after a throw goes with it only if both were one answer, also after a power cut."""
    rig = rigs()
    rig.start("dodeka", "red blue ok ok")
    for acts in ([throw(1, 2, 3)], [Act("stop")], [throw(2, 3, 4), Act("stop")], [throw(3, 4, 5)], [Act("stop")]):
        give(rig, Do(tuple(acts)))
    before = listed(rig)
    assert before == [5, 4, 2, 1, 0]
    for change in (Correct(2, throw(4, 4, 4)), Correct(0, throw(2, 2, 2)), GoBack(0), PutBack()):
        give(rig, change)
        assert listed(rig) == before or change == GoBack(0)
    rigs.switch_off()
    rig = rigs()
    rig.press("ok")
    assert listed(rig) == before
    for count in (5, 4, 2, 1, 0):
        give(rig, TakeBack())
        assert len(rig.acts) == count
