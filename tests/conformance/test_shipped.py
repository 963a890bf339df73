"""Every game that Umpi ships holds what it asks of a stranger's."""

from __future__ import annotations

import pytest

from umpi.conformance import check_game
from umpi.kernel.game import Game
from umpi.kernel.registry import games


@pytest.mark.slow
@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_a_shipped_game_holds(game: type[Game]) -> None:
    """Ours and a stranger's are put through one kit; `umpi check GAME` plays more of them."""
    check_game(game, games=1, options=[{}, game.at_buttons])
