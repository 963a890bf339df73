"""The board of a foreign game in the documents, and what a fault in it costs."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.kit.foreign_boards import BOARDS, document
from tests.kit.foreign_table import Table, install_ferry
from tests.kit.tables import NAMES
from umpi.kernel import Act, registry
from umpi.kernel.board import Board, Card, Line, Token
from umpi.kernel.kept import Kept, Uid
from umpi.kernel.record import Header, dump
from umpi.kernel.registry import find
from umpi.web import documents
from umpi.web.past import replayed
from umpi.web.schema import inline_schema

LONG = ("most", "long")  # much of the same
ONE, NOBODY = (1, 4), (3, 3)  # dice that bring one traveller across and raise the river, and that change nothing


@pytest.fixture(autouse=True)
def ferry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Night ferry is installed."""
    install_ferry(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    registry.look_again()
    yield
    monkeypatch.undo()
    registry.look_again()


def shown(table: Table) -> Any:
    match = table.document["match"]
    assert match
    return match


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_has_the_shape_that_the_description_says(name: str) -> None:
    jsonschema.validate(document(BOARDS[name])["board"], inline_schema(documents.Board, {}, closed=True))


def test_the_document_has_the_board_with_the_names_of_the_players() -> None:
    labels = [part["label"] for part in document(BOARDS["cards"])["board"]]
    assert labels == ["market", "", NAMES[0], NAMES[1]]
    assert [document(BOARDS[name])["board"][0]["shape"] for name in ("chess", "hexagons")] == ["squares", "hexagons"]
    table = Table("night-ferry")
    across, river, waiting = shown(table)["board"]
    assert (across["label"], across["pieces"]) == ("across", [])
    assert [space["key"] for space in river["spaces"] if space["pieces"]] == ["level-0"]
    assert len(waiting["pieces"]) == 8
    assert table.phone(0, "row", dice=ONE).how == "done"
    assert [piece["key"] for piece in shown(table)["board"][0]["pieces"]] == ["traveller-0"]
    assert [call["pieces"] for call in table.document["calls"]] == [("water",)]


def test_a_game_that_ships_with_umpi_brings_no_board_as_data() -> None:
    assert shown(Table("dodeka"))["board"] is None


def faulty(self: Any) -> Any:
    raise LookupError("no such traveller")


def odd(self: Any) -> Any:
    return Board((Line((Token("a", 5),)),))


def old(self: Any) -> Any:
    return Board((Line((Card("a", ink="pink"),)),))  # type: ignore[arg-type]


@pytest.mark.parametrize("draws", [faulty, odd, old])
def test_a_faulty_board_costs_only_the_board_and_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, draws: Any
) -> None:
    table = Table("night-ferry")
    monkeypatch.setattr(find("night-ferry"), "shown_board", draws)
    monkeypatch.setattr(find("night-ferry"), "__module__", __name__)  # whose code it is
    monkeypatch.setattr("umpi.table.board._logged", set())
    for _ in range(2):
        assert shown(table)["board"] is None
        assert shown(table)["rows"] == [["waiting", "8"]]
        assert table.document["troubles"] == []
    (line,) = caplog.records
    assert line.levelno == logging.ERROR
    assert line.exc_info
    assert f"night-ferry: its board is missing: raised by the game's code: {__file__}, line" in line.message
    assert f"in {draws.__name__}" in line.message


def test_a_move_of_a_past_match_has_the_board_only_if_it_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    header = dump(Header(find("night-ferry"), ("Ann", "Ben"), {}).line())
    lines = [dump(Act("row", {"dice": dice}).line()) for dice in (NOBODY, ONE)]
    kept = Kept(1, header, "", len(lines), "closed", Uid(""), None)
    assert ["board" in move for move in replayed(kept, lines)["moves"]] == [True, False, True]
    monkeypatch.setattr(find("night-ferry"), "shown_board", faulty)
    assert [move.get("board", "same") for move in replayed(kept, lines)["moves"]] == [None, "same", "same"]


def test_each_board_is_written_as_somebody_has_read_it() -> None:
    """After a change on purpose: read the new lines, and copy them into boards.jsonl."""
    now = [
        json.dumps({name: document(BOARDS[name])["board"]}, ensure_ascii=False) for name in BOARDS if name not in LONG
    ]
    assert now == Path(__file__).with_name("boards.jsonl").read_text(encoding="utf-8").splitlines()
