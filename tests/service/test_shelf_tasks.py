"""The program that installs games for the service: real wheels, its news, and each refusal in a sentence."""

from __future__ import annotations

import hashlib
import io
import json
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

import pytest

from tests.kit.patience import got
from tests.kit.tabs import served
from tests.kit.wheels import (
    EXPANSION,
    GAME,
    KEY,
    expansion,
    file_of,
    package_of,
    package_of_expansion,
    put_on_shelf,
    wheel,
)
from umpi.games.dodeka import Dodeka
from umpi.journal import Journal
from umpi.kernel import registry
from umpi.recording.values import read_value
from umpi.referee.effects import BeginShelfTask
from umpi.referee.events import ShelfNews
from umpi.service.shelf_line import ShelfLine, Wish
from umpi.service.shelf_tasks import NICE, Work, main

Does = Callable[..., list[ShelfNews]]


@pytest.fixture
def does(tmp_path: Path) -> Does:
    """Do a task in this process, and return its news."""

    def do(task: str, shelf: str = "", game: str = "", settings: tuple[tuple[str, tuple[str, ...]], ...] = ()) -> list:  # type: ignore[type-arg]
        told = io.BytesIO()
        Work(Wish(task, shelf, game, str(tmp_path / "box" / "games.db"), str(tmp_path / "box"), settings), told).do()
        return [read_value(json.loads(line)) for line in told.getvalue().splitlines()]

    return do


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    put_on_shelf(tmp_path / "shelf", wheel())
    with served(tmp_path / "shelf") as where:
        yield where.rstrip("/")


@pytest.mark.slow
def test_a_shelf_is_added_and_its_game_installed_and_removed(does: Does, address: str, tmp_path: Path) -> None:
    assert does("look")[-1] == ShelfNews("done", "", None, (), ())
    added = does("add", address)[-1]
    assert added.stage == "done", added
    assert added.shelves is not None
    assert [(shelf.where, shelf.key, shelf.trouble) for shelf in added.shelves] == [(address, KEY.public, "")]
    assert added.games is not None
    (offer,) = added.games
    assert (offer.game, offer.title, offer.installed, offer.equal, offer.check) == (
        GAME, "Night owls", "", True, ("ok rules",),
    )  # fmt: skip
    news = does("install", address, GAME)
    assert [each.percent for each in news if each.stage == "busy" and each.percent is not None][-1] == 100
    assert "Trying Night owls out" in news[-2].text
    assert (news[-1].stage, news[-1].text) == (
        "done",
        "Night owls 0.1 will be available after the next start of the box.",
    )
    assert news[-1].games
    assert news[-1].games[0].installed == "0.1"
    assert "installed already" in does("install", address, GAME)[-1].text
    kept = (("[rules.owls]", (GAME,)),)
    assert "The settings have [rules.owls]" in does("remove", game=GAME, settings=kept)[-1].text
    gone = does("remove", game=GAME)[-1]
    assert (gone.stage, gone.games and gone.games[0].installed) == ("done", "")
    assert does("forget", address)[-1].shelves == ()


def test_a_look_loads_only_games_that_are_expanded(does: Does, address: str, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """A box has one processor for the referee and for this."""
    monkeypatch.setattr("umpi.shelf.install.try_out", lambda folder, wheel: [])
    does("add", address)
    assert does("install", address, GAME)[-1].stage == "done"
    content = expansion(GAME)
    put_on_shelf(tmp_path / "shelf", content, package_of_expansion(content, GAME))
    loaded: list[str] = []

    def load(id: str) -> list[registry.GameEntry]:
        loaded.append(id)
        return [registry.GameEntry(id, Dodeka)]

    monkeypatch.setattr(registry, "_read_game", load)
    registry.look_again()
    assert {each.game: each.expands for each in does("look")[-1].games or ()} == {EXPANSION: "Dodéka dice", GAME: ""}
    assert loaded == [GAME]


WRONG = {
    "checksum": (replace(package_of(wheel()), sha256=hashlib.sha256(b"x").hexdigest()), "its checksum is not the one"),
    "compiled": (
        package_of(wheel(), file=file_of(tag="cp311-cp311-linux_aarch64")), "Only wheels of pure Python can be"
    ),
    "kernel": (package_of(wheel(), api=99), "newer than that of this Umpi"),
}  # fmt: skip


@pytest.mark.parametrize(("package", "why"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_package_is_refused_and_nothing_is_installed(
    package: object, why: str, does: Does, address: str, tmp_path: Path
) -> None:
    put_on_shelf(tmp_path / "shelf", wheel(), package)  # type: ignore[arg-type]
    does("add", address)
    refused = does("install", address, GAME)[-1]
    assert (refused.stage, why in refused.text) == ("failed", True), refused.text
    assert refused.text.endswith(". Nothing has changed.")
    assert refused.games is not None
    assert [game.installed for game in refused.games] == [""]
    assert not list((tmp_path / "box").glob("packages/umpi*"))


def test_a_fault_of_the_disk_is_told_in_the_language_of_the_players(
    does: Does, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    does("add", address)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("umpi.shelf.wheel.Wheel.unpack", full)
    refused = does("install", address, GAME)[-1]
    assert refused.text == "The box cannot work on its games: the disk is full."


def test_the_program_leaves_its_priority_to_the_unit_which_kills_it_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """SystemCallFilter=~@resources: the kernel ends a program that changes its priority."""
    tried: list[int] = []
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\n")))
    monkeypatch.setattr(os, "nice", tried.append)
    for own, expected in ((NICE, []), (0, [NICE])):
        monkeypatch.setattr(os, "getpriority", lambda *_, own=own: own)
        assert main() == 1, "an empty line is no task"
        assert tried == expected


def test_a_word_that_is_no_task_is_refused(does: Does) -> None:
    assert does("format")[-1].stage == "failed"


@pytest.mark.slow
def test_the_line_starts_a_program_of_its_own(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "games.db")):
        news: SimpleQueue[ShelfNews] = SimpleQueue()
        line = ShelfLine(news.put, tmp_path / "games.db", tmp_path, list, tmp_path / "no socket")
        line.begin(BeginShelfTask("look", "", ""))
        assert got(news) == ShelfNews("done", "", None, (), ())
        line.close()


def test_a_program_that_breaks_off_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    monkeypatch.setattr("umpi.service.shelf_line.COMMAND", ("/bin/true",))
    news: SimpleQueue[ShelfNews] = SimpleQueue()
    ShelfLine(news.put, tmp_path / "games.db", tmp_path, list, tmp_path / "no socket").begin(
        BeginShelfTask("look", "", "")
    )
    assert got(news).stage == "failed"
