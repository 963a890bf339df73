"""The set-up card: shown after the options, turned by up and down, skipped by OK, left by Back."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tests.kit.panels import sees
from umpi.conformance.tables import players, tables, variants
from umpi.display.panel import Panel
from umpi.display.setup import CARD_LINES, card_pages, lines_of
from umpi.kernel.fields import Pick
from umpi.kernel.game import Game
from umpi.kernel.options import defaults
from umpi.kernel.registry import find, games
from umpi.kernel.table_setup import table_setup_texts
from umpi.simulator.reading import reads
from umpi.table.commands import Start
from umpi.table.house import House
from umpi.table.seating import Seating
from umpi.table.state import Table, TableState

DUDAB, DOHDLES = find("dudab-buba"), find("dohdles")
WITH_CARD = [game for game in games() if game.id != "scorepad"]


def at_options(game: type[Game], card: bool = True, **house: Any) -> Panel:
    """A panel at the options of a game, with the fewest players that four are not."""
    panel = Panel([game], Table(TableState(house=House(house, card=card))))
    for key in (0, *range(4 if 4 in game.seats else 2), "ok"):
        panel.press(key)  # type: ignore[arg-type]
    return panel


def test_ok_begins_at_once_back_returns_to_the_options_and_up_and_down_turn_the_pages() -> None:
    panel = at_options(DUDAB)
    assert panel.press("ok") is None
    assert sees(panel, "Set-up", "OK start 1/3", "Deal three cards each.")
    assert panel.press("down") is None
    assert sees(panel, "OK start 2/3")
    assert panel.press("up") is None
    assert panel.press("up") is None
    assert sees(panel, "OK start 3/3", "Red starts.")
    assert panel.press(3) is None, "a seat's button means nothing here"
    assert panel.press("back") is None
    assert sees(panel, "Options", "OK start")
    panel.press("ok")
    assert isinstance(panel.press("ok"), Start)


def test_the_card_follows_the_options_and_the_seat_that_begins() -> None:
    panel = at_options(DUDAB, jungle=True, columns=4)
    panel.press("down")
    panel.press(3)  # who starts?
    panel.press(2)
    panel.press("ok")
    assert sees(panel, "88 cards", "Reveal 4")
    panel.press("up")
    assert sees(panel, "Yellow starts.")
    started = panel.press("ok")
    assert isinstance(started, Start)
    assert started.table.players == ("Yellow", "Green", "Red", "Blue")


def test_a_box_without_cards_and_a_game_without_one_begin_at_once() -> None:
    assert isinstance(at_options(DUDAB, card=False).press("ok"), Start)
    assert isinstance(at_options(find("scorepad")).press("ok"), Start)


@pytest.mark.parametrize("table_setup", [lambda cls, seats, **_: 1 // 0, lambda cls, seats, **_: "Take a die."])
def test_a_failing_engine_affects_only_the_card(table_setup: Any, caplog: pytest.LogCaptureFixture) -> None:
    broken = type("Broken", (DUDAB,), {"table_setup": classmethod(table_setup)})
    assert isinstance(at_options(broken).press("ok"), Start)
    assert "The rules fail to describe how to set the table up." in caplog.text


def test_options_that_do_not_suit_the_players_are_refused_before_the_match() -> None:
    """A match that began so could not be resumed: its record is refused."""
    panel = at_options(DOHDLES, riddles=4)
    assert not reads(panel.picture(), "OK start")
    assert panel.press("ok") is None
    assert sees(panel, "Not allowed", "at most 12")


@pytest.mark.parametrize("game", WITH_CARD, ids=lambda game: game.id)
def test_every_variant_of_the_options_gives_a_card_that_fits(game: type[Game]) -> None:
    for header in tables(game, [{}, *variants(game), *_together(game)]):
        sentences = table_setup_texts(game, header.players, header.options)
        assert sentences, header.options
        assert [text for text in sentences if lines_of(text) > 3] == []
        assert all(lines_of(page) <= CARD_LINES for page in card_pages(sentences))


def _together(game: type[Game]) -> list[dict[str, Any]]:
    """All combinations of the options that have a few values."""
    few = {option.name: tuple(option.pool) for option in game.options if isinstance(option, Pick)}
    return [dict(zip(few, values, strict=True)) for values in product(*few.values())]


ON_THE_SHEET = [
    ("dudab-buba", 2, {}, ("80 cards", "three cards each", "Reveal 2", "2 rounds", "scruffiest hair")),
    ("dudab-buba", 5, {"jungle": True, "baby": True}, ("96 cards", "Reveal 3", "5 rounds", "back")),
    ("dohdles", 3, {}, ("sculpts 3", "oldest player", "in the middle of the board")),
    ("dohdles", 4, {}, ("sculpts 2", "large white arrow", "face down")),
    ("battledodes", 2, {}, ("Each player has 4", "higher number starts", "144")),
    ("dodeka", 3, {"parts": 10}, ("Play 10 sets", "700", "roll a die")),
    ("dodeka", 3, {"minutes": 90}, ("after 90 min", "700")),
    ("dodekka", 4, {}, ("60 cards", "a line of 3", "hidden")),
    ("quiz", 4, {"penalty": 2, "questions": 12}, ("right answer scores 1, a wrong one -2", "12 questions")),
]


@pytest.mark.parametrize(("id", "seats", "options", "parts"), ON_THE_SHEET)
def test_the_card_says_what_the_sheet_says(
    id: str, seats: int, options: dict[str, Any], parts: tuple[str, ...]
) -> None:
    """The figures of shared/sources: cards to deal, columns, chips, who begins."""
    game = find(id)
    assert options.keys() <= defaults(game).keys()
    card = " ".join(table_setup_texts(game, players(seats), options))
    assert [part for part in parts if part not in card] == []


def test_a_sentence_stays_on_its_page() -> None:
    assert card_pages(["a " * 60, "b"]) == ("· " + "a " * 60 + "\n· b",)
    assert card_pages(["a " * 60, "b", "c " * 60]) == ("· " + "a " * 60 + "\n· b", "· " + "c " * 60)
    assert card_pages([]) == ()


def test_no_engine_sets_up_a_table_with_fewer_players_than_it_allows(caplog: pytest.LogCaptureFixture) -> None:
    class Choosy(DUDAB):  # type: ignore[misc,valid-type]
        """A game that fails for a number of players that it does not allow."""

        @classmethod
        def setup(cls, seats: int, **options: Any) -> Any:
            """Look the number of players up in a table."""
            return {2: DUDAB}[seats].setup(seats, **options)

    assert Seating(Choosy, ("Ann", "Ben"), (0, 1)).playable
    assert not Seating(Choosy, ("Ann",), (0,)).playable
    assert caplog.records == [], "nobody is blamed for it"
