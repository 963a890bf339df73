"""Seats of the box on phones: they start with it, see what it does, enter its dice, and take a seat back."""

from __future__ import annotations

import pytest

from tests.kit.at_table import Table, replayed, session, verbs
from tests.kit.rig import Rigs
from umpi.kernel.game import Act
from umpi.referee.effects import FindHint
from umpi.referee.events import HintFound

BOTH = [{"button": "red", "name": "Ann"}, {"button": "yellow", "name": "", "level": "medium"}]


@pytest.fixture
def wanted() -> list[FindHint]:
    return []


@pytest.fixture
def table(rigs: Rigs, wanted: list[FindHint]) -> Table:
    """A box whose decisions are `wanted`."""
    rig = rigs()
    rig.loop._find_hint = wanted.append
    return Table(rig)


def found(table: Table, wanted: list[FindHint], act: Act) -> None:
    table.loop.inbox.post(HintFound(wanted[-1].question, act))
    table.rig.settle()


def test_a_phone_starts_with_the_box_at_a_seat_and_enters_its_dice(table: Table, wanted: list[FindHint]) -> None:
    referee = table.paired()
    games = {game["game"]: game["empty_seat"] for game in table.phone().get("games").json()["games"]}
    assert games["dodeka"] == ""
    assert games["quiz"] == "Umpi cannot play this game: it knows no answers and tosses no cube."
    assert referee.post("start", game="dodeka", players=BOTH).status_code == 200
    players = table.document["match"]["players"]
    assert [(player["name"], player.get("level")) for player in players] == [("Ann", None), ("Umpi", "medium")]
    ann = table.paired(0)
    assert ann.act("throw", keep=[], dice=[1, 2, 3]).status_code == 200
    assert ann.act("stop").status_code == 200
    assert table.document["now"]["text"] == "Umpi is thinking …"
    assert table.document["question"]["asks"] == []
    early = ann.act("throw", keep=[], dice=[5, 5, 6])
    assert (early.status_code, early.json()["error"]) == (422, "Umpi is thinking. Wait a moment.")
    found(table, wanted, Act("throw", {"keep": ()}))
    assert table.document["now"]["text"] == "Roll all 3 dice for Umpi."
    [ask] = table.document["question"]["asks"]
    assert [field["name"] for field in ask["fields"]] == ["dice"]
    form = ann.post("form", question=table.question, verb="throw", given={"dice": [5, 5, 6]})
    assert [field["name"] for field in form.json()["fields"]] == ["dice"]
    assert form.json()["refusal"] == ""
    assert ann.act("throw", dice=[5, 5, 6]).status_code == 200, "anybody’s hands serve the box"
    found(table, wanted, Act("stop"))
    assert table.document["now"]["text"] == "Umpi stops with 5, 5 and 6."
    assert ann.act("throw", keep=[5], dice=[1, 1]).status_code == 422
    assert ann.act("stop").status_code == 200
    assert verbs(table) == ["throw", "stop", "throw", "stop"]
    assert [done.who for done in table.referee.session.done][2:] == ["box", "box"]
    assert f"find a hint to {wanted[0].question}" in replayed(session(table))


def test_an_undo_of_a_phone_goes_past_what_the_box_did_alone(table: Table, wanted: list[FindHint]) -> None:
    referee, ann = table.paired(), None
    both = [{"button": "red", "name": "Ann"}, {"button": "blue", "name": "", "level": "easy"}]
    assert referee.post("start", game="dodekka", players=both).status_code == 200
    ann = table.paired(0)
    assert referee.act("deal", cards=["fire-1", "fire-2", "air-1"]).status_code == 200
    assert ann.act("take").status_code == 200
    found(table, wanted, Act("take"))
    table.rig.wait_ms(6000)
    assert verbs(table) == ["deal", "take", "take"]
    assert ann.post("undo", question=table.question, count=2).status_code == 200
    assert verbs(table) == ["deal"]
