"""A game whose own code fails costs itself, never the box."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from umpi.panel.panel import Panel
from umpi.panel.setup import Table
from umpi.panel.wishes import Leave
from umpi.rules import Act, Ask, Match, Pick, View
from umpi.rules.match import Broken
from umpi.sim.reading import reads


@dataclass(frozen=True, slots=True)
class Fragile:
    """A game that fails where `where` says."""

    id: ClassVar = "fragile"
    title: ClassVar = "Fragile"
    seats: ClassVar = range(2, 3)
    options: ClassVar = ()
    phase: ClassVar = "turn"
    where: ClassVar = ""

    @classmethod
    def setup(cls, seats):
        return cls()

    def asks(self):
        return (Ask("go", "Go", (Pick("card", ("a",), ("a", "b"), self.why),), 0),)

    def why(self, value):
        return self.fail("why")

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


@pytest.mark.parametrize("where", ["why", "scores", "view"])
def test_the_panel_says_so_and_can_be_left(where, monkeypatch):
    monkeypatch.setattr(Fragile, "where", where)
    panel = Panel([Fragile])
    match = Match(Fragile, ("Ann", "Ben"))
    panel.show(match, Table(Fragile, ("Ann", "Ben"), (0, 1)))
    assert reads(panel.picture(), "The rules of Fragile")
    panel.press("ok")
    panel.press("back", long=True)
    panel.press("ok")
    panel.press("back", long=True)
    assert panel.press(2) == Leave()


def test_a_failing_act_is_refused_and_changes_nothing(monkeypatch):
    monkeypatch.setattr(Fragile, "where", "do")
    match = Match(Fragile, ("Ann", "Ben"))
    with pytest.raises(Broken, match='The rules of Fragile fail on "go": ZeroDivisionError'):
        match.play(Act("go", {"card": "a"}))
    assert match.acts == []


def test_a_reason_that_fails_is_a_broken_engine_too(monkeypatch):
    monkeypatch.setattr(Fragile, "where", "why")
    match = Match(Fragile, ("Ann", "Ben"))
    with pytest.raises(Broken, match='The rules of Fragile fail on "go": ZeroDivisionError'):
        match.play(Act("go", {"card": "b"}))
    assert match.acts == []


def test_a_position_that_cannot_be_told_says_whose_fault_it_is(monkeypatch):
    monkeypatch.setattr(Fragile, "where", "facts")
    with pytest.raises(Broken, match="The rules of Fragile fail to tell the position"):
        Match(Fragile, ("Ann", "Ben")).state()
