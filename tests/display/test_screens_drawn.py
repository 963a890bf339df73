"""Single screens drawn directly: the text beside a QR code, a key's place, the rows of a list, what was entered."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest

from umpi.display import screens, service_screens
from umpi.display.answer import answer
from umpi.display.lettering import Font
from umpi.display.marks import mark
from umpi.display.menu import NOTHING, Choice, Menu, MenuEntry
from umpi.display.panel import Panel
from umpi.display.picture import Picture
from umpi.display.sheet import LINE, MARK, TOP
from umpi.i18n.translate import LANGUAGES, set_language
from umpi.kernel import Match, Now, replace
from umpi.kernel.random_games import play
from umpi.kernel.registry import find, games
from umpi.referee.announcement import Doubt
from umpi.simulator.reading import drawn, reads
from umpi.table.commands import Start
from umpi.table.joining import Claim, Joining
from umpi.table.seating import Seating
from umpi.table.seats import COLOURS

MOST = 60  # acts of a game that are looked at
DEEP = 12  # questions of an answer


def test_a_phone_that_takes_the_place_of_another_player_is_named_so() -> None:
    """Newcomer, row 12: the players at the box see that Ben does not only bring a second phone."""
    claims = [Claim(f"{button}", button, "Ben", "Android", "", instead=True) for button in range(6)]
    shown = service_screens.join(Joining("http://192.168.4.1:8000/", tuple(claims)))
    for text in ("takes over", "Button: let in", "Down: turn away"):
        assert reads(shown, text), f"{text}\n{drawn(shown)}"
    alone = service_screens.join(Joining("http://192.168.4.1:8000/", (Claim("a", 0, "Ben", "Android", ""),)))
    assert reads(alone, "Ben")
    assert not reads(alone, "takes over")


def test_a_doubt_names_the_lane_where_nobody_sits() -> None:
    table = Seating(find("quiz"), ("Katy", "Kévin"), (0, 2))
    doubt = Doubt(("dead-heat",), (5, 0), 800)
    assert doubt.text(table) == "Too close to call.\nlane 6 and Katy: 0.8 ms."
    assert doubt.heat(table) == [0]


def marks_of(shown: Picture) -> list[int]:
    """The marks at the left of each row, from the top."""
    rows = [shown.crop((1, TOP + row * LINE, 1 + MARK, TOP + row * LINE + MARK)) for row in range(6)]
    return [next((key for key in range(6) if row == mark(key, MARK)), -1) for row in rows]


def test_a_choice_that_names_a_seat_is_at_its_button() -> None:
    """Nobody presses the red button for Blue, whichever buttons are taken."""
    menu = Menu("Who?", (Choice("all", 0), Choice("Blue", 1, button=1), Choice("Black", 2, button=5)), rows=True)
    assert [menu.key(index) for index in range(3)] == [0, 1, 5]
    assert [choice and choice.label for choice in (menu.under(key, 0) for key in range(6))] == [
        "all", "Blue", None, None, None, "Black",
    ]  # fmt: skip
    assert marks_of(screens.question(menu, 0)) == [0, 1, -1, -1, -1, 5]


@pytest.mark.parametrize("many", range(1, 13))
def test_every_choice_has_a_key_of_its_own(many: int) -> None:
    """Named seats among others, two of one seat as well, on one page or two."""
    buttons = [None, 3, None, 0, 3, 5, None, 2, 2, None, None, 1]
    menu = Menu("Who?", tuple(Choice(str(index), index, button=buttons[index]) for index in range(many)))
    for page in range(menu.pages):
        found = [choice.value for key in range(6) if (choice := menu.under(key, page))]
        expected = [choice.value for choice in menu.page(page) for _ in range(menu.span)]
        assert sorted(found) == sorted(expected)
    assert all((there := menu.under(menu.key(index), index // 6)) and there.value == index for index in range(many))


def test_a_card_called_blue_is_not_at_the_red_button() -> None:
    panel, game = Panel([find("dudab-buba")]), find("dudab-buba")
    table = Seating(game, ("Red", "Blue", "Yellow"), (0, 1, 2), {"track": "all"})
    match = Match(game, table.players, table.options)
    panel.show(match, table)
    menu, _ = panel.question
    named = {choice.label: menu.key(index) for index, choice in enumerate(menu.choices)}
    assert {label: key for label, key in named.items() if label.capitalize() in COLOURS} == {
        "red": 0, "blue": 1, "yellow": 2, "green": 3,
    }  # fmt: skip


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_ok_says_how_many_must_play(game: Any) -> None:
    """Nothing happened, and no reason was given, where too few had sat down."""
    for seated in range(game.seats[-1] + 1):
        panel = Panel([game])
        panel.press(0)
        for button in range(seated):
            panel.press(button)
        menu, _ = panel.question
        command = panel.press("ok")
        assert not isinstance(command, Start)
        if seated in game.seats:
            assert reads(panel.picture(), "Options"), drawn(panel.picture())
        else:
            assert menu.ok is NOTHING
            assert panel.noticing
            assert reads(panel.picture(), "players."), drawn(panel.picture())
            panel.press("back")
            assert panel.question[0].title == "Players?"


@pytest.mark.parametrize(
    ("title", "now"),
    [
        ("Roll 3 of 3: dice", "Roll all 3 dice for Umpi."),
        ("Christelle deals a new line", ""),
        ("Bartholomew: cards for all who sit at this table", ""),
    ],
)
@pytest.mark.parametrize("seats", [2, 6])
def test_what_has_been_entered_stays_beside_a_long_question(title: str, now: str, seats: int) -> None:
    match = Match(find("dodekka"), COLOURS[:seats], {})
    choices = tuple(Choice(f"{face}", face) for face in range(1, 13))
    asked = Menu(title, choices, note="1 _ _", now=Now(now) if now else None)
    picture = screens.table(match, asked, 0)
    assert reads(picture, "1 _ _"), drawn(picture)
    beside = screens.table(match, replace(asked, note="red-hand-3 blue-hide-2 _"), 0)
    assert reads(beside, "blue-hide-2 _"[-screens.NOTED + 1 :]), drawn(beside)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_no_question_of_a_game_hides_what_has_been_entered(
    game: Any, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, texts = Font.draw, list[str]()

    def noting(font: Font, picture: Picture, x: int, y: int, text: str, ink: int = 1) -> None:
        texts.append(text)
        plain(font, picture, x, y, text, ink)

    monkeypatch.setattr(Font, "draw", noting)
    set_language(language)
    seats = min(game.seats[-1], len(COLOURS))
    match, chance = Match(game, ("Maximilian", "Christelle", "Ann", "Ben", "Cleo", "Dan")[:seats], {}), Random(0)
    for number, _ in enumerate(play(match, 0, audited=False)):
        if number > MOST or not match.asks:
            break
        asks, players, after = match.asks, match.players, match.after
        entry = MenuEntry(partial(answer, asks, players, True, None, (), after))
        while (menu := entry.menu) and len(entry.taps) < DEEP:
            if menu.note.strip("_ ") and not menu.rows:
                texts.clear()
                screens.table(match, menu, 0)
                assert any(menu.note[1 - screens.NOTED :] in text for text in texts), (menu.title, menu.note, texts)
            ways = [choice.value for choice in menu.choices if not choice.off and not choice.marked]
            ways += [menu.ok] * (menu.ok is not NOTHING)
            if not ways:
                break
            entry.tap(chance.choice(ways))
