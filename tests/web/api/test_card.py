"""The card of the box from the referee's phone: tasks, what the state says of them, and who may not."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.kit.at_table import Table, laid
from tests.kit.rig import Rigs
from umpi.kernel.messages import message
from umpi.referee.events import CardNews


@pytest.fixture
def table(rigs: Rigs) -> Iterator[Table]:
    """A match at a box that started from a card; its program takes each task and says nothing."""
    with TemporaryDirectory(dir="/tmp") as folder, socket.socket(socket.AF_UNIX) as program:  # a short path
        rigs.card = Path(folder) / "card.sock"
        program.bind(str(rigs.card))
        program.listen()
        yield laid(rigs, "scorepad", ["Red", "Blue"])


def hears(table: Table, news: CardNews) -> dict[str, Any]:
    table.rig.loop.inbox.post(news)
    table.rig.settle()
    card: dict[str, Any] = table.document["card"]
    return card


def test_the_referees_phone_updates_the_box_and_the_box_goes_on(table: Table) -> None:
    phone = table.paired()
    assert table.document["card"]["stage"] == "idle"
    before = table.rig.screen
    assert phone.post("card", task="update from stick").status_code == 200
    assert hears(table, CardNews("busy", message("Writing:"), 40)) == {
        "task": "update from stick", "stage": "busy", "title": "Update", "text": "Writing: 40 %", "percent": 40,
        "agree": "",
    }  # fmt: skip
    assert phone.post("card", task="back up").json() == {"error": "Writing: 40 %"}
    asked = hears(table, CardNews("asks", "Restart now?", agree=message("restart")))
    assert (asked["text"], asked["agree"]) == ("Restart now?", "restart")
    assert table.rig.screen == before, "who plays at the box is not disturbed"
    assert phone.post("card-agree").status_code == 200
    assert table.rig.shows("One moment"), table.rig.screen
    hears(table, CardNews("done", "The box restarts with version 1.1."))
    assert table.rig.shows("The box restarts"), table.rig.screen


def test_nothing_to_agree_to_is_refused(table: Table) -> None:
    answer = table.paired().post("card-agree")
    assert (answer.status_code, answer.json()["error"]) == (422, "The box asks nothing.")
