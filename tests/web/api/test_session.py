"""What phones do is in the session of the box, and replays; what is secret is not in it."""

from __future__ import annotations

from tests.kit.at_table import Table, replayed, session
from umpi.referee.events import Reach
from umpi.table.commands import TakeBack


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
