"""The list of installed packages: whatever moment a process is killed at, and whatever match is in play."""

from __future__ import annotations

import fcntl
import json
import os
import re
import sys
import threading
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.kit.game_tables import written
from tests.kit.killed import killed_at
from tests.kit.patience import run_to_end, wait_for
from tests.kit.seen import check_seen
from tests.kit.wheels import GAME, NAME, Umpi, package_of, put_on_shelf, wheel
from umpi.journal import Journal
from umpi.kernel.match import Match
from umpi.kernel.nothing import nothing
from umpi.kernel.random_games import play
from umpi.kernel.record import Header
from umpi.kernel.registry import find, games
from umpi.shelf import install
from umpi.shelf.installed import LIST, LOCK, BadList, Installed, NotKnown, OnTable, Packages, State, on_table
from umpi.shelf.place import Place


@dataclass(frozen=True)
class Box:
    """A box that installs games from a shelf, and plays them."""

    packages: Packages
    journal: Path
    place: Place

    def install(self, version: str = "0.1") -> None:
        """Put a version on the shelf, and install it."""
        content = wheel(version)
        install.install(
            put_on_shelf(Path(self.place.where), content, package_of(content, version)), self.place, self.packages
        )

    def start(self) -> None:
        """Start the box, which notes its games."""
        with self.packages.in_use(self.journal) as used:
            self.packages.note(self.journal, used)

    def begin(self) -> None:
        """Begin a match of the game on the table."""
        with closing(Journal(self.journal)) as kept:
            kept.begin(Header(find(GAME), ("Ann", "Ben"), {}).line())

    def leave(self) -> None:
        """Leave the match."""
        with closing(Journal(self.journal)) as kept:
            kept.leave(kept.matches()[0].uid)

    def found(self, journal: str = "games.db") -> dict[str, str]:
        """Return the version of each installed game, as a process of Umpi finds it; its files must all be there."""
        versions = {}
        with self.packages.in_use(self.journal.with_name(journal)) as chosen:
            for name, folder in chosen.items():
                info = next((self.packages.root / folder).glob("*.dist-info"))
                listed = [line.split(",")[0] for line in (info / "RECORD").read_text().splitlines()]
                assert all((self.packages.root / folder / file).is_file() for file in listed), "a file is missing"
                versions[name] = info.name.removesuffix(".dist-info").rpartition("-")[2]
        return versions

    @property
    def folders(self) -> list[str]:
        """List the folders of games."""
        return [each.name for each in self.packages.root.iterdir() if each.is_dir()]


@pytest.fixture
def box(packages: Packages, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    """A box that takes each game for one that loads: a process of its own for each try would take minutes."""
    monkeypatch.setattr(install, "try_out", lambda folder, wheel: [{"id": id} for id in wheel.games])
    return Box(packages, state / "games.db", Place(str(tmp_path / "shelf")))


@pytest.mark.slow
@pytest.mark.parametrize("before", ["", "0.1"])
def test_a_killed_process_leaves_the_old_or_the_new_games(before: str, box: Box) -> None:
    """Killed before each change of the disk in turn, until the process comes to its end."""
    if before:
        box.install(before)
    old = {NAME: before} if before else {}
    seen, number = [], 0
    while killed_at(number, lambda: box.install("0.2")):
        seen.append(box.found())
        number += 1
    assert box.found() == {NAME: "0.2"}
    changes = [now for now in seen if now != old]
    assert seen == [old] * (len(seen) - len(changes)) + [{NAME: "0.2"}] * len(changes), "first the old, then the new"
    assert number > 15
    assert box.folders == [box.packages.read().packages[NAME].folder], "what the killed processes have left is gone"


@pytest.mark.slow
def test_a_killed_removal_leaves_the_game_or_none(box: Box) -> None:
    number, again = 0, True
    while again:
        box.install()
        again = killed_at(number, lambda: box.packages.remove(NAME, box.journal))
        assert box.found() in ([{NAME: "0.1"}, {}] if again else [{}])
        number += 1
    assert number > 2
    assert box.folders == []


def test_a_process_that_fills_a_folder_is_left_alone(box: Box) -> None:
    """And the folder of one that is gone is removed."""
    with box.packages.new_folder() as filled:
        left = filled.with_name(".new-left")
        left.mkdir()
        box.install()
        assert (filled.exists(), left.exists()) == (True, False)
    assert not filled.exists()


def test_two_processes_that_install_wait_for_each_other(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the second reads the list again, so that it loses nothing of the first."""
    packages, flock, waits = box.packages, fcntl.flock, threading.Event()

    def locked(file: Any, how: int) -> None:
        if file is not other and not isinstance(file, int):
            waits.set()
        flock(file, how)

    monkeypatch.setattr(fcntl, "flock", locked)
    packages.root.mkdir(parents=True)
    with (packages.root / LOCK).open("a") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        installing = threading.Thread(target=box.install)
        installing.start()
        wait_for(waits.is_set)
        listed = {"format": 1, "packages": {}, "used": {"elsewhere": {"x": "y"}}}
        (packages.root / LIST).write_text(json.dumps(listed))
    installing.join()
    assert [*packages.read().packages] == [NAME]
    assert packages.read().used == {"elsewhere": {"x": "y"}}


@pytest.fixture
def in_play(box: Box) -> Box:
    """A box with a match of the game on its table."""
    box.install()
    box.start()
    with box.packages.in_use(box.journal):
        box.begin()
    return box


def test_an_update_never_changes_a_match_in_play(in_play: Box) -> None:
    box = in_play
    assert on_table(box.journal) == OnTable(GAME)

    box.install("0.2")
    box.install("0.3")
    for _ in range(2):
        assert box.found() == {NAME: "0.1"}
        box.start()
    assert box.found("another.db") == {NAME: "0.3"}, "where no match is in play"

    box.leave()
    assert box.found() == {NAME: "0.3"}
    box.start()
    assert len(box.folders) == 1, "and the old version is removed"


def test_a_match_that_begins_after_a_removal_keeps_its_game(box: Box) -> None:
    """The box that runs still has it; with the end of the match, it is gone."""
    box.install()
    box.start()
    with box.packages.in_use(box.journal):
        box.packages.remove(NAME, box.journal)
        box.begin()
    for _ in range(2):
        assert box.found() == {NAME: "0.1"}
        box.start()
    assert box.found("another.db") == {}, "where no match is in play"
    box.leave()
    assert box.found() == {}
    box.start()
    assert box.folders == []


def test_a_journal_that_cannot_be_read_holds_an_update_up(in_play: Box, caplog: pytest.LogCaptureFixture) -> None:
    in_play.install("0.2")
    in_play.journal.write_bytes(b"no journal" * 100)
    for beside in in_play.journal.parent.glob("games.db-*"):
        beside.unlink()
    assert in_play.found() == {NAME: "0.1"}
    assert "the match in play is not known, so no game is updated or removed" in caplog.text


def test_a_damaged_package_does_not_stop_the_start_in_mid_match(in_play: Box, caplog: pytest.LogCaptureFixture) -> None:
    damaged = next(in_play.packages.root.glob("*/*.dist-info/entry_points.txt"))
    in_play.install("0.2")
    damaged.write_bytes(b"\xff" + damaged.read_bytes())
    assert in_play.found() == {NAME: "0.2"}, "what the match started with is lost"
    assert f"{damaged.parents[1]} cannot be read" in caplog.text


def test_a_game_on_the_table_is_not_removed(in_play: Box, umpi: Umpi) -> None:
    status, _, err = umpi("install", GAME, "--remove")
    assert (status, err) == (1, f"umpi: A match of {GAME} is on the table. Finish or leave it, then remove the game.\n")
    assert in_play.found() == {NAME: "0.1"}
    in_play.leave()
    assert umpi("install", GAME, "--remove")[0] == 0
    assert in_play.folders != [], "the box that runs still has it"
    in_play.start()
    assert in_play.folders == []


def test_the_box_notes_with_which_games_it_starts(
    box: Box, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, umpi: Umpi
) -> None:
    box.install()
    packages = box.packages
    folder = packages.read().packages[NAME].folder
    noted = []
    monkeypatch.setattr("umpi.simulator.page.serve", lambda *_: noted.append(packages.read().used))
    assert umpi("sim", "--port", "0")[0] == 0
    assert noted == [{str(state / "games.db"): {NAME: folder}}]
    config = tmp_path / "umpi.toml"
    config.write_text(f'[box]\njournal = "{state / "second.db"}"\n')
    monkeypatch.setattr("umpi.service.run._run", lambda *_: noted.append(packages.read().used))
    monkeypatch.setattr("umpi.service.run.check_file", nothing)
    monkeypatch.setattr("umpi.service.run.pin_factory", lambda *_: None)
    for journal in ("games.db", "second.db"):
        (state / journal).touch()
    assert umpi("run", "--config", str(config))[0] == 0
    assert noted[1] == {**noted[0], str(state / "second.db"): {NAME: folder}}
    (state / "games.db").unlink()
    assert umpi("run", "--config", str(config))[0] == 0
    assert noted[2] == {str(state / "second.db"): {NAME: folder}}, "a journal that is gone is forgotten"


def test_games_come_after_the_modules_of_python(box: Box) -> None:
    box.install()
    before = [*sys.path]
    with box.packages.in_use(box.journal):
        assert sys.path[: len(before)] == before
        assert GAME in [game.id for game in games()]
    assert sys.path == before
    assert GAME not in [game.id for game in games()]


@pytest.mark.slow
def test_the_process_of_a_review_finds_the_game(box: Box) -> None:
    """A box starts one for a review and for a hint; it is no command of Umpi."""
    box.install()
    with box.packages.in_use(box.journal):
        match = Match(find(GAME), ("Ann", "Ben"), {})
        for _ in islice(play(match, 1), 2):
            pass
        record = b"".join(written(match))
        done = run_to_end([sys.executable, "-m", "umpi.review", "en"], input=record, check=True)
    assert json.loads(done.stdout)["method"]
    assert box.packages.root.name not in os.environ.get("PYTHONPATH", "")


def test_a_folder_that_only_another_user_may_read_costs_only_its_games(
    packages: Packages, state: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refuse)
    with packages.in_use(state / "games.db") as used:
        assert used == {}
    assert f"The installed games are left out: only the user of the box may read {packages.root}" in caplog.text


LISTS: tuple[Any, ...] = (
    {"format": 1, "packages": {}, "used": {}},
    {"format": 1, "packages": {}},
    {"format": 1, "used": {}},
    {"packages": {}, "used": {}},
    {"format": 2, "packages": {}, "used": {}},
    {"format": "1", "packages": {}, "used": {}},
    [],
    7,
    {"format": 1, "packages": [], "used": {}},
    {"format": 1, "packages": {}, "used": []},
    {"format": 1, "packages": {"a": {"version": "1"}}, "used": {}},
    {"format": 1, "packages": {"a": "WHOLE"}, "used": {}},
    {"format": 1, "packages": {"a": "WHOLE"}, "used": {"/games.db": {"a": "folder"}}},
    {"format": 1, "packages": {"a": "WHOLE"}, "used": {"/games.db": {"a": "../folder"}}},
    {"format": 1, "packages": {"a": "ELSEWHERE"}, "used": {}},
    {"format": 1, "packages": {"a": "EXPANSION"}, "used": {}},
    {"format": 1, "packages": {"a": "MORE"}, "used": {}},
)
OWN = {"version": "1", "folder": "a-1", "sha256": "0f", "shelf": "/shelf", "games": ["owls", 7]}
PACKAGES = {
    "WHOLE": OWN, "ELSEWHERE": OWN | {"folder": "/etc"}, "EXPANSION": OWN | {"expands": "dodeka"},
    "MORE": OWN | {"colour": "red"},
}  # fmt: skip


def test_each_list_of_packages_is_read_or_refused_as_somebody_has_read(packages: Packages) -> None:
    """What is read is written again as it was."""
    packages.root.mkdir(parents=True)
    lines = []
    for given in LISTS:
        text = json.dumps(given)
        for name, package in PACKAGES.items():
            text = text.replace(f'"{name}"', json.dumps(package))
        (packages.root / LIST).write_text(text)
        lines.append(json.dumps(given))
        try:
            state = packages.read()
        except BadList as fault:
            lines.append(f"    {re.sub('[(].*[)]', '(…)', fault.reason.replace(str(packages.root), 'ROOT'))}")
            continue
        lines.append(f"    {state}")
        packages._write(state)
        assert json.loads((packages.root / LIST).read_text()) == json.loads(text.replace("7]", '"7"]'))
    check_seen(Path(__file__).with_name("seen") / "lists.txt", lines)


BASE, MORE, OTHER = (
    "umpi-night-owls",
    "umpi-late-hour",
    "umpi-owls",
)  # a game, an expansion of it, another with the game
MADE = {  # folders, and what the package in each brings and expands
    "base-1": (BASE, "games"), "base-2": (BASE, "games"), "more-1": (MORE, "expansions"),
    "more-2": (MORE, "expansions"), "other-1": (OTHER, "games"),
}  # fmt: skip
LISTED = ((), ("base-1",), ("base-2",), ("base-1", "more-1"), ("base-2", "more-2"), ("more-2",), ("other-1",))
BEGUN = ((), ("base-1",), ("base-1", "more-1"), ("base-1", "gone-1"))
TABLES: tuple[OnTable | None, ...] = (
    None, OnTable("chess"), OnTable(GAME), OnTable(GAME, frozenset((MORE,))),
)  # fmt: skip


def test_a_process_starts_with_the_folders_that_somebody_has_read(
    packages: Packages, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is listed, whatever its box has begun with, and whatever match is on the table.

    The match keeps what it began with. What came later brings or expands its game only from its end on.
    """
    for folder, (_, kind) in MADE.items():
        info = packages.root / folder / "x-1.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Name: x\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[umpi.{kind}]\n{GAME} = x:X\n")
    journal, lines = state / "games.db", []
    tables: tuple[OnTable | Exception | None, ...] = (*TABLES, NotKnown("damaged"))
    for listed in LISTED:
        for begun in BEGUN:
            found = []
            for match in tables:

                def on(_: Path, match: OnTable | Exception | None = match) -> OnTable | None:
                    if isinstance(match, Exception):
                        raise match
                    return match

                monkeypatch.setattr("umpi.shelf.installed.on_table", on)
                kept = {
                    MADE[folder][0]: Installed("1", folder, "", "", *(
                        ((GAME,), "") if MADE[folder][1] == "games" else (("late-hour",), GAME)
                    )) for folder in listed
                }  # fmt: skip
                used = {MADE.get(folder, ("umpi-gone", ""))[0]: folder for folder in begun}
                needed = packages._needed(State(kept, {str(journal): used}), journal)
                found.append(" ".join(needed.values()) or "-")
            lines.append(f"listed {' '.join(listed) or '-'}, begun {' '.join(begun) or '-'}")
            lines += [f"    {name}: {each}" for name, each in zip(ON, found, strict=True)]
    check_seen(Path(__file__).with_name("seen") / "starts.txt", lines)


ON = ("no match", "another game", "the game", "the game, expanded", "not known")
