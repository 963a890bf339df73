"""Copies of positions: quick for every game that comes with Umpi, and refused for a field that is not there."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass

import pytest

from umpi.games.dodeka import Dodeka
from umpi.kernel.game import Game
from umpi.kernel.registry import games
from umpi.kernel.replacing import replace, twin_of


@dataclass(frozen=True)
class TeaBreak(Dodeka):
    """A game with one more field, and without slots of its own."""

    cups: int = 0


@pytest.mark.parametrize("game", [*games(), TeaBreak], ids=lambda game: game.__name__)
def test_python_sets_the_fields_of_a_copy_in_one_step_each(game: type[Game]) -> None:
    assert twin_of(game) is not game  # it raises TypeError where Python would not allow it


def test_a_copy_is_a_frozen_position_of_the_same_class() -> None:
    position = TeaBreak.setup(3)
    copy = replace(position, cups=2, turn=1)
    assert (type(copy), copy.cups, copy.turn, copy.part, position.cups) == (TeaBreak, 2, 1, position.part, 0)
    with pytest.raises(FrozenInstanceError):
        copy.cups = 3  # type: ignore[misc]


def test_a_field_may_have_any_name() -> None:
    @dataclass(frozen=True, slots=True)
    class Hike:
        position: int = 0
        kind: str = "on foot"

    assert replace(Hike(), position=4, kind="by bus") == Hike(4, "by bus")


def test_a_field_that_is_not_there_is_named() -> None:
    with pytest.raises(AttributeError, match=r"^TeaBreak has no field plates$"):
        replace(TeaBreak.setup(2), plates=1)
