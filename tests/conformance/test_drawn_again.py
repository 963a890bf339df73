"""A card that is drawn twice in a row: the engine does not note what has left the deck."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from umpi.conformance.turns import Turns
from umpi.kernel.random_games import play_out

SOURCE = Path(__file__).parents[1] / "foreign" / "quiet_high" / "quiet_high.py"
LEFT = "tuple(card for card in DECK if card not in self.dealt)"


def quiet_high(left: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the game with another deck that is left."""
    module, text = ModuleType("quiet_deck"), SOURCE.read_text()
    assert LEFT in text
    monkeypatch.setitem(sys.modules, "quiet_deck", module)
    exec(compile(text.replace(LEFT, left), str(SOURCE), "exec"), vars(module))
    return module.QuietHigh


@pytest.mark.parametrize(("left", "again"), [(LEFT, []), ("DECK", ["deal cards "])])
def test_a_card_that_stays_in_the_deck_is_named(left: str, again: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    turns = Turns()
    turns.add(play_out(quiet_high(left, monkeypatch), ("Ann", "Ben"), {}, 1))
    assert [each.rstrip("0123456789") for each in turns.drawn_again] == again
