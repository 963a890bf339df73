"""Statistics on phones: the document about the players, and the section of the page that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.kit.at_table import Table
from tests.kit.browsing import Phone, Sim
from tests.kit.journals import header
from tests.kit.page_faults import check_suits
from tests.kit.rig import Rigs
from umpi.i18n.translate import set_language
from umpi.journal import Journal
from umpi.web.app import description

LONG = "Anne-Catherine-Maximilian"[:24]


def kept(path: Path, *ended: tuple[Sequence[str], Sequence[int], Sequence[int]]) -> None:
    """Keep score pads that are over: players, places, scores; and one that is not."""
    with closing(Journal(path)) as journal:
        for players, places, scores in ended:
            number = journal.begin(header("scorepad", players), 1)
            outcome = {"places": places, "scores": scores}
            journal.append(number, [{"do": "finish"}], "panel", (), outcome)
            journal.close_match(number)
        journal.begin(header("scorepad", ["Ann", "Red"]), 1)


def test_the_page_shows_statistics_of_all_games_then_of_each(rigs: Rigs) -> None:
    kept(rigs.folder / "games.db", (["Ann", "Red"], [1, 2], [7, 3]), (["Red", "Ann"], [1, 1], [4, 4]))
    with closing(Journal(rigs.folder / "games.db")) as journal:
        journal.begin({}, 1)
    phone = Table(rigs()).phone()
    reply = phone.get("stats").json()
    shape = description()["paths"]["/api/stats"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    jsonschema.validate(reply, {**shape, "components": description()["components"]})
    whole, pad = reply["tallies"]
    assert (whole["game"], whole["matches"], whole["open"]) == (None, 2, 1)
    assert whole["players"][0] == {"name": "Ann", "matches": 2, "won": 1, "shared": 1, "mean": None, "best": None}
    assert (pad["game"], pad["title"], pad["pairs"]) == (
        "scorepad", "Score pad", [{"names": ["Ann", "Red"], "ahead": [1, 0], "level": 1}],
    )  # fmt: skip
    assert [(one["mean"], one["best"]) for one in pad["players"]] == [(5.5, 7), (3.5, 4)]
    assert [unread["match"] for unread in reply["unread"]] == [4]


def test_a_player_without_a_name_has_the_colour_in_the_boxs_language(rigs: Rigs) -> None:
    kept(rigs.folder / "games.db", (["Ann", "Red"], [1, 2], [7, 3]))
    phone = Table(rigs()).phone()
    set_language("fr")
    reply = phone.get("stats").json()["tallies"][0]
    assert [one["name"] for one in reply["players"]] == ["Ann", "Rouge"]
    assert reply["pairs"][0]["names"] == ["Ann", "Rouge"]


@pytest.mark.parametrize("damage", ["none yet", "gone", "garbage"])
def test_without_a_journal_there_are_no_statistics(rigs: Rigs, damage: str) -> None:
    phone = Table(rigs()).phone()
    path = rigs.folder / "games.db"
    if damage != "none yet":
        path.unlink()
    if damage == "garbage":
        path.write_bytes(b"no journal" * 1000)
    reply = phone.get("stats").json()
    assert all(tally["matches"] == 0 for tally in reply["tallies"])
    assert reply["unread"] == []


@pytest.mark.slow
def test_the_page_has_them_under_a_fold_that_suits_a_small_phone_and_readers(browser: Any, tmp_path: Path) -> None:
    kept(tmp_path / "games.db", ([LONG, "Ben"], [1, 2], [-1234, -9999]), (["Ben", LONG], [1, 1], [4, 4]))
    with Sim(tmp_path / "games.db") as sim:
        phone = Phone(browser, sim.address(6))
        phone.go("past")
        phone.tap("#stats summary")
        phone.reads("#stats", "All games", "Score pad", "2 matches, 1 ongoing", "-615.0", "1:0", "1 tie")
        check_suits(phone)
        phone.go("past/1")
        phone.wait("return document.querySelector('#stats').children.length === 0")
        assert not phone.complaints()
