"""The keypad: it stays on its page, and Back corrects the press that completed an answer."""

from __future__ import annotations

import pytest

from umpi.display.panel import Key, Panel
from umpi.kernel import Act, Match
from umpi.kernel.registry import find
from umpi.table.commands import Do, TakeBack
from umpi.table.seating import Seating

PLAYERS = ("Katy", "Kévin")


class Table:
    """A panel at a match, which plays and undoes what the panel commands."""

    def __init__(self, name: str = "dodeka", **options: object) -> None:
        self.table = Seating(find(name), PLAYERS, (0, 1), options)
        self.match = Match(self.table.game, PLAYERS, options)
        self.panel = Panel([self.table.game])
        self.panel.show(self.match, self.table)

    def press(self, *keys: Key, long: bool = False) -> object:
        command = None
        for key in keys:
            command = self.panel.press(key, long)
            if isinstance(command, Do):
                for act in command.acts:
                    self.match.play(act)
            if isinstance(command, TakeBack):
                assert command.count
                self.match.undo(command.count)
            if command:
                self.panel.show(self.match, self.table)
        return command

    @property
    def asked(self) -> tuple[str, str, int]:
        menu, page = self.panel.question
        return menu.title, menu.note, page


def thrown(*dice: int) -> Act:
    return Act("throw", {"keep": (), "dice": dice})


def test_the_keypad_stays_on_the_page_of_the_last_die() -> None:
    """7-7-7 is one page and three dice, and no longer 7-1-1."""
    table = Table()
    table.press("down", 0, 0)
    assert table.asked[1:] == ("7 7 _", 1)
    assert table.press(0) == Do((thrown(7, 7, 7), Act("stop")))
    assert table.asked[1:] == ("_ _ _", 0), "the next turn begins on the first page"


def test_back_shows_the_page_of_the_die_before() -> None:
    table = Table()
    table.press("down", 0, "up", 0)
    assert table.asked[1:] == ("7 1 _", 0)
    table.press("back")
    assert table.asked[1:] == ("7 _ _", 1)


def test_back_right_after_the_last_die_keeps_the_first_dice() -> None:
    """A wrong third die costs Back and the right die."""
    table = Table()
    table.press(0, 1, 2)
    assert [act.verb for act in table.match.acts] == ["throw", "stop"]
    assert table.press("back") == TakeBack(2)
    assert table.match.acts == []
    assert table.asked[1:] == ("1 2 _", 0)
    assert table.press(3) == Do((thrown(1, 2, 4), Act("stop")))


def test_back_undoes_entries_one_by_one_and_then_opens_the_menu() -> None:
    table = Table()
    table.press(0, 1, 2, "back", "back")
    assert table.asked[1:] == ("1 _ _", 0)
    assert table.press("back", "back") is None
    assert table.asked[0] == "Menu"


@pytest.mark.parametrize("other", ["down", 4, "ok"])
def test_after_any_other_press_back_undoes_that_press_or_opens_the_menu(other: Key) -> None:
    table = Table()
    table.press(0, 1, 2, other)
    assert table.press("back", "back") is None
    assert len(table.match.acts) == 2


def test_holding_back_still_opens_the_menu() -> None:
    table = Table()
    table.press(0, 1, 2)
    assert table.press("back", long=True) is None
    assert table.asked[0] == "Menu"


def test_back_does_not_undo_what_somebody_else_played_since() -> None:
    table = Table()
    table.press(0, 1, 2)
    table.match.play(thrown(4, 4, 4))
    table.panel.renew(table.match, table.table, keep="menu")
    assert table.press("back") is None
    assert len(table.match.acts) == 3


def test_back_does_not_undo_the_answer_before_a_refused_one() -> None:
    """The refused answer changed nothing, so there is nothing of it to undo."""
    table = Table()
    table.press(0, 1, 2)
    for key in (0, 1):
        table.panel.press(key)
    assert isinstance(table.panel.press(2), Do)
    table.panel.refuse("because")
    assert table.press("ok", "back") is None
    assert len(table.match.acts) == 2


def test_an_answer_of_one_press_is_undone_by_one() -> None:
    table = Table("dodekka")
    table.match.play(Act("deal", {"cards": ("fire-2", "earth-2", "air-4")}))
    table.panel.show(table.match, table.table)
    table.press(0)
    assert table.match.acts[-1].verb == "take"
    assert table.press("back") == TakeBack(1)
    assert table.match.acts[-1].verb == "deal"
