"""The matches of before: those left open and those that are over, to lay one on the table again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from umpi.display.menu import Choice, Dialogue, Menu
from umpi.i18n.translate import Told, called, told
from umpi.kernel.game import Game


@dataclass(frozen=True, slots=True)
class Lying:
    """A match of before: its number in the journal, who played what, and whether it lies open."""

    number: int
    game: type[Game]
    players: tuple[str, ...]
    open: bool


@dataclass(frozen=True, slots=True)
class GoOn:
    """Lay a match on the table again, None: the one just left."""

    number: int | None = None


BEFORE = object()  # the choice that leads here


def before_choices(lying: Sequence[Lying]) -> tuple[Choice, ...]:
    """Offer the matches of before, where there are any."""
    return (Choice(told("Matches of before"), BEFORE),) if lying else ()


def ask_before(lying: Sequence[Lying]) -> Dialogue[GoOn]:
    """Ask which match to go on with; those that lie open are marked."""
    choices = tuple(Choice(_called(each), GoOn(each.number), marked=each.open) for each in lying)
    chosen = yield Menu(told("Which match?"), choices, rows=True)
    assert isinstance(chosen, GoOn)
    return chosen


def _called(lying: Lying) -> Told:
    names = ", ".join(called(name) for name in lying.players)
    return told("{game}: {names}", game=lying.game.title, names=Told(names))
