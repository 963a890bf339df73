"""While the box asks, the rows or the board of the game stay on its small screen, also above long choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.foreign.night_ferry.night_ferry import NightFerry
from tests.kit.foreign_boards import BOARDS
from umpi.conformance.tables import variants
from umpi.display import screens
from umpi.display.answer import answer
from umpi.display.facts import _scores, facts_of, fits
from umpi.display.lettering import TINY
from umpi.display.menu import Choice, Menu, MenuEntry
from umpi.display.panel import Panel
from umpi.display.picture import Picture
from umpi.display.sheet import BAR, HEIGHT, LINE, TOP, WIDTH
from umpi.kernel import Match, Row, View, replace
from umpi.kernel.board import Board, Card, Grid, Line, Space, Token
from umpi.kernel.random_games import play
from umpi.kernel.registry import find, games
from umpi.simulator.reading import drawn, reads
from umpi.table.seating import Seating
from umpi.table.seats import COLOURS
from umpi.table.standing import Tile

ROWS = ((84, 85, 90), (3, 9, 12, 13, 40), (55,), (100, 102))
CARDS = Board(tuple(Line(tuple(Card(f"{n}", n) for n in row), f"row {at}") for at, row in enumerate(ROWS, 1)))


def crossed(row: int, column: int) -> Space:
    token = Token(f"on {row}.{column}", 0, "XO"[(row + column) % 2])
    return Space(f"{row}.{column}", () if row == column == 1 else (token,))


SQUARES = Board((Grid(tuple(tuple(crossed(row, column) for column in range(3)) for row in range(3))),))
LONG = tuple(Choice(f"{first}…{first + 17}", first) for first in (1, 19, 37, 53, 71, 88))


def showing(board: Board, seats: int = 4) -> Match:
    """A match of a game with a board and without rows."""
    own = {"shown_board": lambda self: board, "view": lambda self: View(), "__slots__": ()}
    game: Any = type("Showing", (NightFerry,), own)
    return Match(game, COLOURS[:seats], {})


def question(match: Match) -> Menu:
    menu = MenuEntry(lambda: answer(match.asks, match.players, True, None, (), match.after)).menu
    assert menu
    return menu


def listed(match: Match, many: int, choices: Sequence[Choice] = LONG) -> Picture:
    return screens.listed(match, Menu("Which card?", tuple(choices[:many]), rows=True), 0)


@pytest.mark.parametrize(
    ("names", "beside", "line"),
    [
        (["Bartholomew", "Wilhelmina"], "", "Bartholo 7  Wilhelmi 7"),
        (["Bartholomew", "Wilhelmina", "Konstantin"], "", "Bartho 7  Wilhel 7  Konsta 7"),
        (["Bartholomew", "Wilhelmina", "Konstantin", "Seraphina"], "", "Bart 7  Wilh 7  Kons 7  Sera 7"),
        (["Marianne", "Mariette"], "", "Marianne 7  Mariette 7"),
        (["Bartholomew", "Bartholomaeus"], "", ""),
        (["Bartholomew", "Wilhelmina"], "3 cards", "Bart 3 cards 7  Wilh 3 cards 7"),
        (["Bartholomew", "Wilhelmina", "Konstantin"], "3 cards", "Bart 7  Wilh 7  Kons 7"),
    ],
)
def test_scores_on_one_line_have_as_many_letters_of_the_names_as_have_room(
    names: list[str], beside: str, line: str
) -> None:
    """Eight at most, and never so few that two have the same. Without room for three, the short text is left out."""
    shown = _scores([Tile(seat, name, beside, "7", False) for seat, name in enumerate(names)])
    assert shown == line
    assert TINY.measure(shown) < WIDTH


@pytest.mark.parametrize("many", range(2, 7))
@pytest.mark.parametrize("seats", range(2, 7))
def test_a_board_stays_beside_a_question_with_keys_and_above_long_choices(many: int, seats: int) -> None:
    match = showing(CARDS, seats)
    for picture in (screens.table(match, question(match), 0), listed(match, many)):
        for text in ("84 85 90", "3 9 12 13 40", "55", "100 102"):
            assert reads(picture, text), f"{text}\n{drawn(picture)}"
    for choice in LONG[:many]:
        assert reads(listed(match, many), choice.label), drawn(listed(match, many))


def test_the_rows_of_a_grid_stay_below_each_other() -> None:
    match = showing(SQUARES, 2)
    for picture in (screens.table(match, question(match), 0), listed(match, 6)):
        above = picture.crop((0, TOP - 1, WIDTH, HEIGHT - 3 * LINE))
        assert reads(above, "XOX"), drawn(picture)
        assert reads(above, "O·O"), drawn(picture)


@pytest.mark.parametrize(
    "own", [{"shown_board": lambda self: CARDS}, {"view": lambda self: View(rows=(Row("deck", ("40",)),))}]
)
def test_a_secret_question_shows_them_and_not_how_many_have_answered(own: dict[str, Any]) -> None:
    match = showing(CARDS, 3)
    game: Any = type("Bids", (type(match.now),), {"view": lambda self: View(), **own, "__slots__": ()})
    match, seen = Match(game, COLOURS[:3], {}), "Answers: 1 of 3"
    fact = "deck 40" if "view" in own else "84 85 90"
    secret = Menu("Red: bid", tuple(Choice(str(number), number) for number in range(3)), private=True)
    for menu in (secret, Menu("Red: bid", LONG[:2], rows=True, private=True)):
        draws = screens.listed if menu.rows else screens.table
        assert reads(draws(match, menu, 0, seen), fact), drawn(draws(match, menu, 0, seen))
        assert not reads(draws(match, menu, 0, seen), seen)
    assert reads(screens.table(match, replace(secret, private=False), 0, seen), seen)


def test_a_grid_without_room_leaves_the_scores() -> None:
    match = showing(BOARDS["chess"], 2)
    for picture in (screens.table(match, question(match), 0), listed(match, 6)):
        for name in COLOURS[:2]:
            assert reads(picture, name), drawn(picture)


def test_six_choices_too_long_for_two_columns_leave_one_line() -> None:
    match = showing(CARDS)
    wide = tuple(Choice(f"take the row number {at}", at) for at in range(6))
    picture = listed(match, 6, wide)
    line = TINY.render("row 1 84 85 90")  # it has no empty row below it
    assert picture.crop((1, BAR + 1, 1 + line.width, BAR + 6)) == line.crop((0, 0, line.width, 5)), drawn(picture)
    for choice in wide:
        assert reads(picture, choice.label), drawn(picture)


def test_what_has_been_entered_stands_above_long_choices() -> None:
    match = showing(SQUARES, 2)
    menu = Menu("Which cards?", LONG, note="12 15 _", rows=True)
    assert reads(screens.listed(match, menu, 0), "12 15 _")


@pytest.mark.parametrize("board", BOARDS)
def test_any_board_can_be_drawn(board: str) -> None:
    match = showing(BOARDS[board], 6)
    for many in range(1, 7):
        assert reads(listed(match, many), LONG[0].label), board


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_the_most_important_row_of_each_game_stays_while_it_asks(game: Any) -> None:
    """In each variant; the row is compared in its first letters, because names become shorter in little room."""
    looked = 0
    for seed, options in enumerate([{}, *variants(game)]):
        seats = min(game.seats[-1], len(COLOURS))
        if game.objection(seats, **options):
            continue
        match = Match(game, COLOURS[:seats], options)
        for number, _ in enumerate(play(match, seed, audited=False)):
            if not match.asks or number > 60:
                break
            menu = question(match)
            rows = facts_of(match, [name[:3] for name in match.players])
            if not (menu.rows and rows):
                continue
            looked += 1
            picture = screens.listed(match, menu, 0)
            assert reads(picture, rows[0][:12].strip()), f"{rows}\n{drawn(picture)}"
    assert looked or game.id != "dudab-buba", "no long choices: the test looks at nothing"


def test_the_menu_of_the_panel_has_its_own_screen() -> None:
    game = find("dudab-buba")
    panel, table = Panel([game]), Seating(game, COLOURS[:3], (0, 1, 2))
    match = Match(game, table.players, {})
    panel.show(match, table)
    assert reads(panel.picture(), "deck"), drawn(panel.picture())
    panel.press("back", long=True)
    assert panel.question[0].rows
    assert not reads(panel.picture(), "deck"), drawn(panel.picture())


@pytest.mark.parametrize("lines", [1, 2, 5])
@pytest.mark.parametrize("top", [0, 12])
def test_facts_fit_if_their_lines_have_all_their_dots(lines: int, top: int) -> None:
    facts = ["twenty letters or more"] * lines
    assert fits(facts, top, top + lines * TINY.height)
    assert not fits(facts, top, top + lines * TINY.height - 1)
