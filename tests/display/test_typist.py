"""The presses of an answer: every act of a random game by buttons, the keys for it, and the choices of the menu."""

from __future__ import annotations

from typing import Any

import pytest

from umpi.display.answer import answer
from umpi.display.entering import STEPS
from umpi.display.menu import MenuEntry
from umpi.display.panel import Panel
from umpi.display.typist import CannotType, presses, presses_in_menu
from umpi.kernel import Act, Ask, Forms, Match, Number, Pick, Some
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.table.commands import Do
from umpi.table.hint import Hint
from umpi.table.seating import Seating
from umpi.table.state import Table, TableState

NAMES = ("Katy", "Kévin", "Christelle", "Őzike")


def cost(match: Match, act: Act) -> int:
    """Count the presses of an act, in the menu where it is not under the keys."""
    try:
        return len(presses(match.asks, match.players, [act], quick=False))
    except CannotType:
        return len(presses_in_menu(match, [act]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options", "most"),
    [
        ("battledodes", {}, 20), ("dodeka", {}, 8), ("dodekka", {}, 6), ("dudab-buba", {"track": "counts"}, 14),
        ("dudab-buba", {}, 35), ("scorepad", {}, 12), ("scorepad", {"rounds": 3}, 16),
    ],
)  # fmt: skip
def test_every_act_of_a_random_game_can_be_entered(game: str, options: dict[str, Any], most: int) -> None:
    """Every game is playable with buttons alone; rare acts from the menu."""
    engine = find(game)
    written = play_out(engine, NAMES[: min(4, engine.seats[-1])], options, seed=3)
    match = Match(engine, written.players, options)
    for act in written.acts[:70]:
        assert cost(match, act) <= most, act
        match.play(act)


def test_one_of_many_numbers_with_holes_takes_three_presses() -> None:
    """Of 104 cards some are gone; a page of six after the other would take up to 19."""
    left = tuple(card for card in range(1, 105) if card % 7 and not 19 <= card <= 36)
    ask = Ask("play", "Play", (Pick("card", left, range(1, 105)),), 0)
    for card in left:
        keys = presses([ask], NAMES, [Act("play", {"card": card})])
        assert len(keys) == 3
    first = next(answer([ask], NAMES))
    assert [choice.label for choice in first.choices] == ["1…18", "19…36", "37…53", "54…70", "71…87", "88…104"]
    assert [bool(choice.off) for choice in first.choices] == [False, True, False, False, False, False]


def test_a_die_and_a_hexagon_are_two_or_three_presses() -> None:
    """The next dode in hand is the default."""
    match = Match(find("battledodes"), NAMES[:2])
    match.play(Act("roll-off", {"faces": (9, 2)}))
    assert presses(match.asks, NAMES, [Act("land", {"dode": 1, "face": 4, "hex": 3})]) == [3, 3]
    assert presses(match.asks, NAMES, [Act("land", {"dode": 1, "face": 12, "hex": 0})]) == ["down", 5, 0]


def test_a_seat_and_round_of_dudab_buba_are_seven_small_numbers() -> None:
    """What an expansion would add is not asked where it is out."""
    game = find("dudab-buba")
    match = Match(game, NAMES, {"track": "counts"})
    given = {"hand": 1, "dudabs": 0, "shamans": 2, "jungles": 0, "babies": 0, "numbers": (3, 0, 5, 1)}
    assert presses(match.asks, NAMES, [Act("counts", {"seat": 0, **given})]) == [1, 0, 2, 3, 0, 5, 1]
    with pytest.raises(CannotType):
        presses(match.asks, NAMES, [Act("counts", {"seat": 2, **given})])
    assert len(presses_in_menu(match, [Act("counts", {"seat": 2, **given})])) == 10


def test_the_title_says_whose_cards_are_counted() -> None:
    """The default seat is not valid now, so it must be shown."""
    match = Match(find("dudab-buba"), NAMES, {"track": "counts"})
    entry = MenuEntry(lambda: answer(match.asks, NAMES))
    assert entry.menu
    assert entry.menu.title == "Katy: dudabs in hand"
    entry.tap(2)
    assert entry.menu.title == "Katy: dudabs in pile"


def test_a_card_of_three_parts_is_three_presses_with_its_column() -> None:
    """Colour, symbol, value, column: what is off says why."""
    match = Match(find("dudab-buba"), NAMES[:2])
    match.play(Act("reveal", {"cards": ("red-club-3", "dudab")}))
    entry = MenuEntry(lambda: answer(match.asks, NAMES[:2]))
    assert entry.menu
    assert [choice.label for choice in entry.menu.choices] == ["play", "draw"]
    assert len(presses(match.asks, NAMES, [Act("play", {"card": "blue-hide-2", "column": 0})])) == 5
    assert len(presses(match.asks, NAMES, [Act("play", {"card": "shaman-red", "column": 0})])) == 4
    assert len(presses(match.asks, NAMES, [Act("play", {"card": "dudab", "column": 0})])) == 4


MOVED = Ask(
    "land", "Landed",
    (
        Pick("dode", (1, 2)), Number("hex", 0, 5),
        Forms("moved", (Pick("dode", (3, 4)), Number("hex", 0, 5)), 0, 2, optional=True, in_menu=True),
    ),
    0, usual={"dode": 1},
)  # fmt: skip


def test_an_optional_field_costs_no_press_and_is_in_the_menu() -> None:
    """Misses need not be entered."""
    usual = MenuEntry(lambda: answer([MOVED], NAMES))
    assert usual.menu
    assert usual.menu.title == "Landed 1: hex"
    usual.tap(3)
    assert usual.result == (Act("land", {"dode": 1, "hex": 3}),)
    whole = MenuEntry(lambda: answer([MOVED], NAMES, whole=True))
    titles = []
    for tap in (2, 3, True, 4, 5, whole):  # dode 2 on 3; moved? yes; dode 4, hex 5; done
        assert whole.menu
        titles.append(whole.menu.title)
        whole.tap(whole.menu.ok if tap is whole else tap)
    assert titles == ["Landed: dode", "Landed: hex", "moved?", "Landed: moved: dode", "4: hex", "Landed: moved: dode"]
    assert whole.result == (Act("land", {"dode": 2, "hex": 3, "moved": ({"dode": 4, "hex": 5},)}),)


@pytest.mark.parametrize("far", [*range(-60, 61), 777, -4321])
def test_a_number_is_turned_the_short_way(far: int) -> None:
    """Six steps; the wheel is at 0."""
    ask = Ask("score", "Score", (Number("points", -9999, 9999),))
    keys = presses([ask], NAMES, [Act("score", {"points": far})])
    assert keys[-1] == "ok"
    assert sum(STEPS[key] for key in keys[:-1]) == far  # type: ignore[call-overload]
    assert len(keys) <= 9 or abs(far) > 60


def test_a_list_ends_by_itself_where_it_must() -> None:
    """Facing a shaman: cards are turned up to a number, and no OK is asked for."""
    ask = Ask("face", "Face it", (Some("turned", ("a", "b", "c"), 1, 3, until=lambda card: card == "c"),))
    entry = MenuEntry(lambda: answer([ask], NAMES))
    entry.tap("a")
    entry.tap("c")
    assert entry.result == (Act("face", {"turned": ("a", "c")}),)


def test_an_act_that_cannot_be_entered_is_reported() -> None:
    """An act that is neither under the keys nor in the menu."""
    match = Match(find("dodeka"), NAMES)
    with pytest.raises(CannotType):
        presses_in_menu(match, [Act("throw", {"keep": (), "dice": (1, 2, 3)})])
    with pytest.raises(CannotType):
        presses(match.asks, NAMES, [Act("stop")])


def test_a_search_in_the_menu_corrects_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A correction asks for every past act again: to search it took minutes in a long game."""
    monkeypatch.setattr("umpi.display.menus.correct", None)
    match = Match(find("scorepad"), NAMES)
    match.play(Act("score", {"seat": 0, "points": 7}))
    assert presses_in_menu(match, [Act("finish")])


@pytest.mark.parametrize("game", ["quiz", "scorepad"])
@pytest.mark.parametrize(
    "beside", [TableState(), TableState(phones=(), unsaved="No room", hint=Hint())], ids=["bare", "full"]
)
def test_the_end_of_the_game_is_on_the_first_page_of_the_menu(game: str, beside: TableState) -> None:
    """The moves of the game come first, whatever else a box has entries for."""
    match, act = Match(find(game), NAMES), Act("finish")
    if game == "quiz":
        match.play(Act("open"))
        match.play(Act("close"))
    panel = Panel([match.game], Table(beside))
    panel.show(match, Seating(match.game, NAMES, (0, 1, 2, 3)))
    hold, key = presses_in_menu(match, [act])
    assert panel.press(hold, long=True) is None
    assert panel.press(key) == Do((act,))
