"""Games of other people from the referee's phone: tasks, what the state says of them, and who may not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.at_table import Table, laid
from tests.kit.rig import Rigs
from umpi.kernel.messages import message
from umpi.referee.effects import BeginShelfTask
from umpi.referee.events import ShelfNews
from umpi.table.shelf_work import KnownShelf, OnShelf

WHERE = "https://games.example/shelf"
OWLS = OnShelf(
    WHERE, "night-owls", "Night owls", "umpi-night-owls", "0.2", "0.1", True, 2, 6, ("en", "fr"), 7.0, True, "MIT",
    ("ok rules",),
)  # fmt: skip


class Program:
    """In place of the line to the program: what the box has asked of it."""

    def __init__(self) -> None:
        self.heard: list[BeginShelfTask] = []

    def begin(self, task: BeginShelfTask) -> None:
        self.heard.append(task)

    def close(self) -> None:
        pass


@pytest.fixture
def program() -> Program:
    return Program()


@pytest.fixture
def table(rigs: Rigs, program: Program) -> Table:
    rigs.shelf = program  # type: ignore[assignment]
    return laid(rigs, "scorepad", ["Red", "Blue"])


def hears(table: Table, news: ShelfNews) -> dict[str, Any]:
    table.rig.loop.inbox.post(news)
    table.rig.settle()
    shelf: dict[str, Any] = table.document["shelf"]
    return shelf


def test_the_referees_phone_installs_a_game_while_a_match_is_played(table: Table, program: Program) -> None:
    phone = table.paired()
    before = table.rig.screen
    assert phone.post("shelf", task="install", shelf=WHERE, game="night-owls").status_code == 200
    assert program.heard == [BeginShelfTask("install", WHERE, "night-owls")]
    fetching = ShelfNews("busy", message("Fetching {game}:", game="Night owls"), 40)
    assert hears(table, fetching) == {
        "task": "install", "stage": "busy", "text": "Fetching Night owls:", "percent": 40, "looks": 0,
    }  # fmt: skip
    assert phone.post("shelf", task="look").json() == {"error": "Fetching Night owls: 40 %"}
    done = hears(table, ShelfNews("done", "It is there.", None, (KnownShelf(WHERE, "a" * 64),), (OWLS,)))
    assert (done["stage"], done["looks"]) == ("done", 1)
    held = phone.post("shelf-games").json()
    assert held["shelves"] == [{"where": WHERE, "key": "a" * 64, "trouble": ""}]
    assert held["games"][0] | {"check": 0} == {
        "shelf": WHERE, "game": "night-owls", "title": "Night owls", "package": "umpi-night-owls", "version": "0.2",
        "installed": "0.1", "newer": True, "players": [2, 6], "languages": ["English", "Français"], "minutes": 7.0,
        "equal": True, "licence": "MIT", "check": 0, "expands": "",
    }  # fmt: skip
    assert table.rig.screen == before, "who plays at the box is not disturbed"
    assert phone.post("shelf", task="remove", game="night-owls").status_code == 200
    hears(table, ShelfNews("failed", "A match of it is on the table."))
    assert phone.post("shelf-games").json() == held, "what is not told again stays"


def test_only_the_referees_phone_may(table: Table, program: Program) -> None:
    player = table.paired(0)
    assert player.post("shelf", task="look").status_code == 403
    assert player.post("shelf-games").status_code == 403
    stranger = table.phone(address="192.168.4.98")
    assert stranger.post("shelf", task="look").status_code == 401
    assert stranger.post("shelf-games").status_code == 401
    assert program.heard == []
