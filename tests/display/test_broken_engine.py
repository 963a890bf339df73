"""A game whose own code fails costs itself, never the box."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from umpi.display.menus import where_are_we
from umpi.display.panel import Panel
from umpi.kernel import Act, Ask, Game, Match, Pick, View
from umpi.kernel.match import Broken
from umpi.simulator.reading import reads
from umpi.table.commands import Leave, Say
from umpi.table.seating import Seating


@dataclass(frozen=True, slots=True)
class Fragile(Game):
    """A game that fails where `where` says."""

    id: ClassVar = "fragile"
    title: ClassVar = "Fragile"
    seats: ClassVar = range(2, 3)
    options: ClassVar = ()
    where: ClassVar = ""

    @classmethod
    def setup(cls, seats):
        return cls()

    def asks(self):
        self.fail("asks")
        card = Pick("card", ("a", "c"), ("a", "b", "c"), self.why, label=self.label)
        rare = Ask(
            "skip",
            "Skip",
            (Pick("card", ("a",)),),
            0,
            usual={"card": "a"},
            weight=0.01,
            rare=True,
            objection=self.check,
        )
        return (Ask("go", "Go", (card,), 0, usual={}, more=self.more, objection=self.check), rare)

    @property
    def phase(self):
        return self.fail("phase") or "turn"

    def why(self, value):
        return self.fail("why")

    def label(self, value):
        return self.fail("label") or value

    def more(self, given):
        return self.fail("more") or ()

    def check(self, given):
        return self.fail("check")

    do_skip = property(lambda self: self.do_go)

    def odds(self):
        return self.fail("odds") or ()

    def do_go(self, seat, card):
        return self.fail("do") or self

    def scores(self):
        return self.fail("scores") or (0, 0)

    def result(self):
        return None

    def facts(self):
        return self.fail("facts") or {}

    def view(self):
        return self.fail("view") or View()

    def fail(self, where):
        return 1 // 0 if where == self.where else ""


def left(panel):
    """Dismiss all messages by holding back, then leave the table by the menu."""
    for _ in range(4):
        panel.picture()
        panel.press("back", long=True)
        panel.picture()
        if panel.question[0].rows and not panel.noticing:
            break
    menu, _ = panel.question
    index = next(index for index, choice in enumerate(menu.choices) if choice.value == Leave())
    for _ in range(index // 6):
        panel.press("down")
        panel.picture()
    return panel.press(index % 6) == Leave()


ANYWHERE = ["asks", "why", "label", "more", "check", "do", "scores", "view", "phase", "result", "facts", "odds"]


@pytest.mark.parametrize("where", ANYWHERE)
def test_the_menu_can_be_reached_wherever_an_engine_fails(where, monkeypatch):
    """Every press is followed by a picture, as on the box; a match that was taken up again fails from the first."""
    match, table = Match(Fragile, ("Ann", "Ben")), Seating(Fragile, ("Ann", "Ben"), (0, 1))
    panel = Panel([Fragile])
    panel.show(match, table)
    monkeypatch.setattr(Fragile, "where", where)
    for taken_up in (False, True):
        if taken_up:
            panel = Panel([Fragile])
            panel.welcome(match, table)
            panel.picture()
            panel.show(match, table)
        for key in (0, "ok", "up", "down", 5, "ok", "back"):
            panel.picture()
            panel.press(key)
        panel.renew(match, table)
        panel.scan("a")
        assert left(panel)


@pytest.mark.parametrize("where", ["why", "view", "scores"])
def test_the_panel_says_so_and_the_log_says_whose_line_it_was(where, monkeypatch, caplog):
    monkeypatch.setattr(Fragile, "where", where)
    panel = Panel([Fragile])
    panel.show(Match(Fragile, ("Ann", "Ben")), Seating(Fragile, ("Ann", "Ben"), (0, 1)))
    assert reads(panel.picture(), "Fragile rules failed")
    (record,) = caplog.records
    assert "raised by the game's code: " in record.getMessage()
    assert __file__ in record.getMessage()
    assert record.exc_info


def test_where_we_are_says_so_too(monkeypatch, caplog):
    monkeypatch.setattr(Fragile, "where", "view")
    said = where_are_we(Match(Fragile, ("Ann", "Ben")), Seating(Fragile, ("Ann", "Ben"), (0, 1)))
    assert said == Say("Where are we?", "Fragile rules failed: ZeroDivisionError: integer division or modulo by zero")
    (record,) = caplog.records
    assert record.getMessage().startswith("fragile: nobody can say where the game is: raised by the game's code: ")


def test_a_failing_act_is_refused_and_changes_nothing(monkeypatch):
    monkeypatch.setattr(Fragile, "where", "do")
    match = Match(Fragile, ("Ann", "Ben"))
    with pytest.raises(Broken, match='Fragile rules failed on "go": ZeroDivisionError'):
        match.play(Act("go", {"card": "a"}))
    assert match.acts == []


def test_a_reason_that_fails_is_a_broken_engine_too(monkeypatch):
    monkeypatch.setattr(Fragile, "where", "why")
    match = Match(Fragile, ("Ann", "Ben"))
    with pytest.raises(Broken, match='Fragile rules failed on "go": ZeroDivisionError'):
        match.play(Act("go", {"card": "b"}))
    assert match.acts == []


def test_an_error_in_a_position_names_the_engine(monkeypatch):
    monkeypatch.setattr(Fragile, "where", "facts")
    with pytest.raises(Broken, match="The rules of Fragile fail to tell the position"):
        Match(Fragile, ("Ann", "Ben")).state()
