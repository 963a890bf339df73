"""The boards: each is drawn from real positions, in one piece, with nothing outside it and no text over another."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.boards import draw
from tests.kit.browsing import Phone
from tests.kit.foreign_boards import BOARDS, document
from tests.kit.tables import GAMES, NAMES, random_tables, recorded
from umpi.games.dohdles.board import PROPOSAL
from umpi.kernel.registry import find

pytestmark = pytest.mark.slow  # each needs a browser


def follows(table: dict[str, Any]) -> bool:
    """Whether the box follows the table, and not only its end."""
    facts = table["facts"]
    return bool(facts) and facts.get("columns") != []


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_the_end_of_each_record_is_drawn_in_one_piece(page: Phone, game: str, small: bool) -> None:
    tables = [(name, table) for name, table in recorded(game) if follows(table)]
    assert len(tables) > 15
    assert draw(page, tables, small) == []
    assert not page.complaints()


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_each_number_of_players_is_drawn_in_one_piece(page: Phone, game: str, small: bool) -> None:
    options = {"board": PROPOSAL} if game == "dohdles" else {}
    tables = [
        each for seats in find(game).seats if seats <= len(NAMES) for each in random_tables(game, seats, **options)
    ]
    assert len(tables) > 5
    assert draw(page, tables, small) == []
    assert not page.complaints()


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("name", BOARDS)
def test_a_board_of_data_is_drawn_in_one_piece(page: Phone, name: str, small: bool) -> None:
    assert draw(page, [(name, document(BOARDS[name]))], small) == []
    assert not page.complaints()


def test_a_game_without_a_board_has_its_rows(page: Phone) -> None:
    _, table = next(iter(random_tables("quiz", 2)))
    assert draw(page, [("foreign", {**table, "game": "blind-market"})], False) == [("foreign", "not drawn")]
