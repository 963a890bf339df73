"""Two hundred random games of each engine with every card and die audited. `dev play-outs` plays ten thousand."""

from __future__ import annotations

import pytest

from scripts.soak.play_outs import CHUNK, chunk, tables
from umpi.kernel.registry import find, games


@pytest.mark.slow
@pytest.mark.parametrize("game", [game.id for game in games()])
def test_no_audit_fails_in_two_hundred_random_games(game: str) -> None:
    """Play-outs without a failed audit, 200 in CI."""
    for first in range(0, 200, CHUNK):
        _, longest, flaw = chunk(game, first)
        assert flaw == ""
        assert longest <= getattr(find(game), "longest", 0)


@pytest.mark.slow
def test_the_tables_of_a_game_try_every_word_of_its_options() -> None:
    """A play-out of the standard options alone proves little."""
    played = list(tables(find("dudab-buba")))
    assert {seats for seats, _ in played} == {2, 3, 4, 5, 6}
    assert {options.get("track", "all") for _, options in played} == {"all", "score", "counts"}
    assert any(options.get("jungle") and options.get("baby") for _, options in played)
