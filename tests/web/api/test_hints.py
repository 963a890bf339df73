"""Hints on phones: who asks sees the hint beside the question, and the session replays."""

from __future__ import annotations

import pytest

from tests.kit.at_table import Table, replayed, session
from tests.kit.journals import header
from tests.kit.rig import Rigs
from umpi.journal import Journal
from umpi.kernel.game import Act
from umpi.referee.effects import FindHint
from umpi.referee.events import HintFound


@pytest.fixture
def wanted() -> list[FindHint]:
    return []


@pytest.fixture
def table(rigs: Rigs, wanted: list[FindHint]) -> Table:
    """A Dodekka of Ann and Ben on a box that gives hints; `wanted` are those it asks for."""
    journal = Journal(rigs.folder / "games.db")
    number = journal.begin(header("dodekka", ["Ann", "Ben"]))
    journal.append(number, [{"do": "deal", "cards": ["fire-1", "fire-2", "air-1"]}], "panel")
    journal.close()
    rig = rigs(hint=True)
    rig.loop._find_hint = wanted.append
    return Table(rig)


def test_the_phone_that_asked_sees_the_hint_and_the_session_replays(table: Table, wanted: list[FindHint]) -> None:
    ann, referee = table.paired(0), table.paired()
    assert table.document["hint"] == {"for": [], "text": ""}
    assert ann.post("hint", question=table.question).status_code == 200
    assert table.document["hint"] == {"for": ["red"], "text": ""}
    assert [each.question for each in wanted] == [table.question]
    table.loop.inbox.post(HintFound(wanted[0].question, Act("take")))
    table.rig.settle()
    assert table.document["hint"] == {"for": ["red"], "text": "Suggestion: take"}
    assert referee.post("hint", question=table.question).status_code == 200
    assert table.document["hint"] == {"for": ["red", "referee"], "text": "Suggestion: take"}
    assert len(wanted) == 1
    assert table.document["match"]["acts"] == 1
    table.rig.press("ok")
    assert ann.act("turn", card="earth-4").status_code == 200
    assert table.document["hint"] == {"for": [], "text": ""}
    lines = session(table)
    assert b"HintFound" in b"".join(lines)
    assert f"find a hint to {wanted[0].question}" in replayed(lines)
