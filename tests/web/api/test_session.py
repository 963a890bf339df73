"""What phones do is in the session of the box, and replays; what is secret is not in it."""

from __future__ import annotations

import re

from tests.kit.at_table import Table, replayed, session
from umpi.referee.events import Reach
from umpi.table.commands import TakeBack


def test_actions_of_phones_replay(table: Table) -> None:
    referee, tom = table.paired(), table.paired(1)
    table.rig.press("back", ms=1000)
    table.rig.choose("Pair a phone")
    table.rig.choose("Referee")
    table.rig.press("ok")
    assert referee.act("turn", card="earth-4").status_code == 200
    question = table.question
    assert referee.post("undo", question=question, count=1).status_code == 200
    assert referee.post("undo", question=question, count=1).status_code == 409
    assert tom.act("turn", card="fire-1").status_code in (403, 422)
    assert referee.act("turn", card="earth-4").status_code == 200
    act = {"do": "turn", "card": "fire-1"}
    assert referee.post("amend", question=table.question, index=1, act=act, **{"try": True}).status_code == 200
    assert referee.post("amend", question=table.question, index=1, act=act, **{"try": False}).status_code == 200
    assert tom.post("unpair").status_code == 200
    effects = replayed(session(table))
    assert [text.split()[2] for text in effects if text.startswith("reply")].count("done") >= 6
    assert any(re.match("line [0-9a-f]{8} phone:referee ", text) for text in effects)


def test_a_phone_that_hangs_up_replays(table: Table) -> None:
    table.paired()
    ids = [table.loop.request(table.question, TakeBack(1), None) for _ in range(2)]
    assert table.loop.withdraw(ids[0])
    table.rig.settle()
    table.rig.press("ok")
    effects = replayed(session(table))
    assert not any(text.startswith(f"reply {ids[0]}") for text in effects)
    assert any(text.startswith(f"reply {ids[1]}") for text in effects)


def test_a_passphrase_is_in_no_session_which_replays_all_the_same(table: Table) -> None:
    table.rig.press("back", ms=1000)
    table.rig.choose("Network")
    table.loop.inbox.post(Reach("umpi-7f3a", "k7mw9xqd2hfp"))
    table.rig.settle()
    table.rig.press("red")
    table.rig.press("back back back")
    lines = session(table)
    assert b"k7mw9xqd2hfp" not in b"".join(lines)
    effects = replayed(lines)
    assert any(text.startswith("picture private") for text in effects)
