"""Secret answers that the rules do not allow beside the others: those seats answer again, and everybody reads it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from tests.kit.foreign_table import Table
from umpi.display.modes import spoken
from umpi.kernel import Ask, Field, Game, NamedSeat, Pick, Result, Teams, replace
from umpi.referee.effects import Fault
from umpi.table.commands import TakeBack
from umpi.web.private import private_texts

FOUR = ("Ann", "Ben", "Cleo", "Dan")
AGAIN = "answer again. The rules do not allow this answer beside the others."


@dataclass(frozen=True)
class Rooms(Game):
    """Everybody chooses a room in secret, and no room is for two, which no author should demand."""

    id: ClassVar = "rooms"
    title: ClassVar = "Rooms"
    seats: ClassVar = range(2, 5)
    options: ClassVar[tuple[Field, ...]] = (Pick("partners", (False, True)),)
    breaks: ClassVar[bool] = False

    rooms: tuple[int | None, ...]
    partners: bool

    @classmethod
    def setup(cls, seats: int, partners: bool = False) -> Self:
        """Begin without rooms."""
        return cls((None,) * seats, partners)

    @property
    def phase(self) -> str:
        """Return what the game waits for."""
        return "over" if self.result() else "choose"

    def teams(self) -> Teams:
        """Return who plays together."""
        return ((0, 2), (1, 3)) if self.partners else ()

    def asks(self) -> tuple[Ask, ...]:
        """Ask whoever has no room."""
        if self.result():
            return ()
        waiting = tuple(seat for seat, room in enumerate(self.rooms) if room is None)
        room = Pick("room", tuple(room for room in range(1, 7) if room not in self.rooms), range(1, 7))
        fields = Pick("seat", waiting, source="buzz"), room
        return (Ask("choose", "Choose", fields, help="One room.", secret=True, as_team=self.partners),)

    def do_choose(self, seat: NamedSeat, room: int) -> Self:
        """Give a room to a seat and its team; fail on the second one if a test says so."""
        if self.breaks and any(self.rooms):
            raise ZeroDivisionError("rooms")
        team = next((team for team in self.teams() if seat in team), (seat,))
        return replace(self, rooms=tuple(room if each in team else old for each, old in enumerate(self.rooms)))

    def scores(self) -> tuple[int, ...]:
        """Return the number of the room."""
        return tuple(room or 0 for room in self.rooms)

    def result(self) -> Result | None:
        """End when everybody has a room."""
        return None if None in self.rooms else Result((1,) * len(self.rooms), "all have a room")

    def facts(self) -> dict[str, Any]:
        """Return the rooms."""
        return {"rooms": self.rooms}


def choose(table: Table, *rooms: int) -> None:
    """Let the first seats choose rooms on their phones."""
    for seat, room in enumerate(rooms):
        assert table.phone(seat, "choose", seat=seat, room=room).how == "done"


def chosen(table: Table) -> list[tuple[int, int]]:
    return [(act.given["seat"], act.given["room"]) for act in table.match.acts]


def again(table: Table) -> tuple[int, ...]:
    """The seats that answer again, as the phones get them."""
    question = table.document["question"]
    return tuple(question["again"]) if question else ()


def heard(table: Table, seat: int) -> list[str]:
    return private_texts(table.referee._viewer.view(table.referee._look), seat)


def test_only_the_refused_answer_is_given_again_and_the_later_ones_count() -> None:
    table = Table(Rooms, FOUR)
    choose(table, 5, 5, 2, 3)
    assert chosen(table) == [(0, 5), (2, 2), (3, 3)]
    assert again(table) == (1,)
    assert spoken(table.referee.panel.screen()) == ("Answer again", f"Ben: {AGAIN}".rstrip("."))
    assert heard(table, 1)[0] == f"Ben: {AGAIN}"
    assert not any("again" in text for seat in (0, 2, 3) for text in heard(table, seat))
    assert table.phone(1, "choose", seat=1, room=6).how == "done"
    assert (chosen(table)[-1], again(table), table.match.asks) == ((1, 6), (), ())


def test_everybody_who_answers_again_is_named_until_they_have() -> None:
    table = Table(Rooms, FOUR)
    choose(table, 5, 5, 5, 3)
    assert chosen(table) == [(0, 5), (3, 3)]
    assert again(table) == (1, 2)
    assert spoken(table.referee.panel.screen()) == ("Answer again", f"Ben and Cleo: {AGAIN}".rstrip("."))
    assert table.phone(2, "choose", seat=2, room=1).how == "done"
    assert (again(table), len(chosen(table))) == ((1,), 2), "the answer of Cleo stays secret until that of Ben"
    assert table.phone(1, "choose", seat=1, room=1).how == "done"
    assert (again(table), chosen(table)[-1]) == ((2,), (1, 1)), "now the rules refuse Cleo's"
    table.grant(TakeBack())
    assert again(table) == (), "nobody answers again: the question is another one"


def test_both_partners_read_that_their_team_answers_again() -> None:
    table = Table(Rooms, FOUR, partners=True)
    choose(table, 5, 5)
    assert chosen(table) == [(0, 5)]
    assert again(table) == (1, 3)
    assert [heard(table, seat)[0] for seat in (1, 3)] == [f"Ben: {AGAIN}", f"Dan: {AGAIN}"]
    assert table.phone(3, "choose", seat=3, room=4).how == "done"
    assert table.match.asks == ()


def test_an_engine_that_fails_on_answers_beside_each_other_is_reported_and_blames_no_player(monkeypatch: Any) -> None:
    monkeypatch.setattr(Rooms, "breaks", True)
    table = Table(Rooms, FOUR[:2])
    choose(table, 5)
    reply = table.phone(1, "choose", seat=1, room=4)
    assert (reply.how, chosen(table), again(table)) == ("refused", [], ())
    assert "fail" in reply.text
    assert any(isinstance(effect, Fault) for effect in table.effects)
    assert table.referee.session.sealed == {0}, "nothing has changed"
