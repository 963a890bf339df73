"""The matches of before: those left open and those that are over, to lay one on the table again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from umpi.display.menu import Choice, Dialogue, Menu
from umpi.i18n.translate import Translated, player_label, tr
from umpi.kernel.game import Game


@dataclass(frozen=True, slots=True)
class ResumableMatch:
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


def before_choices(resumable: Sequence[ResumableMatch]) -> tuple[Choice, ...]:
    """Offer the matches of before, where there are any."""
    return (Choice(tr("Matches of before"), BEFORE),) if resumable else ()


def ask_before(resumable: Sequence[ResumableMatch]) -> Dialogue[GoOn]:
    """Ask which match to go on with; those that lie open are marked."""
    choices = tuple(Choice(_called(each), GoOn(each.number), marked=each.open) for each in resumable)
    chosen = yield Menu(tr("Which match?"), choices, rows=True)
    assert isinstance(chosen, GoOn)
    return chosen


def _called(resumable: ResumableMatch) -> Translated:
    names = ", ".join(player_label(name) for name in resumable.players)
    return tr("{game}: {names}", game=resumable.game.title, names=Translated(names))
