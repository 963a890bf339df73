"""`umpi update` away from a card, and with a card whose bundle does not fit: a sentence, and nothing changes."""

from __future__ import annotations

import socket
import sqlite3
import subprocess
import threading
from contextlib import closing
from pathlib import Path

import pytest

from umpi.appliance import card as card_module
from umpi.appliance import journals as journals_module
from umpi.appliance import start as start_module
from umpi.appliance.bundle import Version, write_bundle
from umpi.appliance.card import Card, NoCard
from umpi.appliance.slots import BoardKernel, Restart, Slot, Trial, slot_file, trial_file
from umpi.appliance.start import health_of_box
from umpi.appliance.update import only_one
from umpi.box.signing import SigningKey
from umpi.cli import main

KEY = SigningKey.of("1" * 64)
VERSION = Version("umpi", "1.1", "abc", 1, BoardKernel.DEBIAN, 4)


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    (tmp_path / "root").write_bytes(b"r" * 2_000_000)
    (tmp_path / "vmlinuz").write_bytes(b"kernel")
    write_bundle(tmp_path / "umpi.bundle", VERSION, tmp_path / "root", {"vmlinuz": tmp_path / "vmlinuz"}, KEY)
    return tmp_path / "umpi.bundle"


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Card:
    """Let this computer look as if it had started from a card, with folders and files in place of partitions."""
    boot = tmp_path / "boot"
    (boot / "a").mkdir(parents=True)
    (boot / "a" / "cmdline.txt").write_text("quiet")
    (boot / "slot.txt").write_bytes(slot_file(Slot.A))
    (boot / "trial.txt").write_bytes(trial_file(Trial.NONE, Slot.A))
    for slot in Slot:
        (tmp_path / f"root-{slot}").write_bytes(bytes(3_000_000))
    made = Card(boot, {slot: tmp_path / f"root-{slot}" for slot in Slot}, Slot.A)
    monkeypatch.setattr(card_module, "this_card", lambda: made)
    monkeypatch.setattr(card_module, "this_version", lambda: VERSION)
    monkeypatch.setattr(card_module, "trusted_key", lambda: KEY.public)
    monkeypatch.setattr(card_module, "_mount", lambda how, boot: None)
    monkeypatch.setattr(start_module, "STATE_AT", tmp_path)
    monkeypatch.setattr(start_module, "health_of_box", lambda: (frozenset({"display"}), ""))
    monkeypatch.setattr("os.geteuid", lambda: 0)
    return made


def update(bundle: Path, tmp_path: Path, *words: str) -> int:
    return main(["update", str(bundle), "--journal", str(tmp_path / "games.db"), *words])


def test_another_computer_is_no_card(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none() -> Card:
        raise NoCard("This computer has not started from a card of Umpi.")

    monkeypatch.setattr(card_module, "this_card", none)
    assert update(bundle, tmp_path) == 2
    assert capsys.readouterr().err == (
        "umpi: This computer has not started from a card of Umpi. A box of scripts/install is updated by: "
        "git pull && sudo scripts/install\n"
    )


def test_a_bundle_is_checked_and_nothing_is_written(
    bundle: Path, card: Card, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert update(bundle, tmp_path, "--check") == 0
    assert capsys.readouterr().out == "The bundle is version 1.1 (abc). The box has version 1.1 (abc).\n"
    assert not (card.boot / "b").exists()
    assert not card.roots[Slot.B].read_bytes().strip(b"\0")


def test_an_update_writes_the_other_slot_and_restarts(
    bundle: Path, card: Card, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    restarts: list[Restart] = []
    monkeypatch.setattr(card_module, "restart", restarts.append)
    assert update(bundle, tmp_path) == 0
    said = capsys.readouterr()
    assert said.out == (
        "The bundle is version 1.1 (abc). The box has version 1.1 (abc).\n"
        "The box restarts with the new version. If it does not work within five minutes, the old one returns.\n"
    )
    assert said.err == "Checking: 52 %\nChecking: 99 %\nChecking: 100 %\nWriting: 52 %\nWriting: 99 %\n"
    assert restarts == [Restart(once=False)]
    assert (card.slot(), card.trial()) == (Slot.B, (Trial.NEW, Slot.B))
    assert card.roots[Slot.B].read_bytes().startswith(b"r" * 2_000_000)
    assert (card.boot / "b" / "cmdline.txt").read_text().startswith("root=PARTUUID=756d7069-03 ")


def test_on_a_terminal_the_progress_is_one_line(
    bundle: Path, card: Card, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert update(bundle, tmp_path, "--check") == 0
    assert capsys.readouterr().err == "\rChecking: 52 %\rChecking: 99 %\rChecking: 100 %\n"


def test_nobody_but_root_writes_a_card(
    bundle: Path, card: Card, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert update(bundle, tmp_path) == 2
    assert capsys.readouterr().err.endswith("umpi: An update writes the card and needs root: sudo umpi update FILE\n")
    assert card.slot() is Slot.A


def test_if_the_matches_cannot_be_copied_the_old_version_stays(
    bundle: Path, card: Card, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The next version converts the journal, and the state partition is full."""
    with closing(sqlite3.connect(tmp_path / "games.db")) as file:
        file.execute("PRAGMA user_version=1")
    called: list[list[str]] = []

    def full(journal: Path) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(journals_module, "keep_copy", full)
    monkeypatch.setattr(subprocess, "run", lambda words, **_: called.append(words))
    assert update(bundle, tmp_path) == 1
    assert "database or disk is full), so the box keeps its version." in capsys.readouterr().err
    assert (card.slot(), card.trial()) == (Slot.A, (Trial.NONE, None))
    assert called == [["systemctl", "stop", "umpi.service"], ["systemctl", "start", "umpi.service"]]


def test_two_updates_do_not_run_at_once(
    bundle: Path, card: Card, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with only_one(tmp_path):
        assert update(bundle, tmp_path) == 1
    assert "Another update is running." in capsys.readouterr().err
    assert card.slot() is Slot.A


def test_a_file_that_an_editor_has_shortened_is_written_whole(tmp_path: Path) -> None:
    (tmp_path / "slot.txt").write_bytes(b"os_prefix=a/")
    card_module.overwrite(tmp_path / "slot.txt", slot_file(Slot.B))
    assert (tmp_path / "slot.txt").read_bytes() == slot_file(Slot.B)


@pytest.mark.parametrize(
    "answer",
    [
        b"garbage\r\n\r\n", b"HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy", b"HTTP/1.1 200 OK\r\n\r\n[]",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", b"HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\n{}",
    ],
)  # fmt: skip
def test_a_page_that_answers_anything_else_is_unwell_and_ends_no_trial(
    answer: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        (tmp_path / "umpi.toml").write_text(f'[desk]\nlisten = "127.0.0.1"\nport = {server.getsockname()[1]}\n')
        monkeypatch.setattr(start_module, "CONFIG", tmp_path / "umpi.toml")

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        failed, why = health_of_box() or (frozenset(), "")
        thread.join()
    assert failed == frozenset()
    assert why.startswith("the page ")


def test_a_damaged_bundle_changes_nothing(
    bundle: Path, card: Card, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = bytearray(bundle.read_bytes())
    data[1_000_000] ^= 1
    bundle.write_bytes(data)
    before = {each: each.read_bytes() for each in (*card.boot.rglob("*.*"), *card.roots.values())}
    assert update(bundle, tmp_path) == 1
    assert "umpi: root.erofs of the bundle is damaged. Copy or download it again." in capsys.readouterr().err
    assert {each: each.read_bytes() for each in before} == before


def test_a_file_that_is_not_there_is_named(card: Card, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert update(tmp_path / "none.bundle", tmp_path) == 1
    assert "none.bundle: No such file or directory" in capsys.readouterr().err
