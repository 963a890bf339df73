"""Copies of the state: what is in one, its way onto another card, hostile ones, and a power cut at each step."""

from __future__ import annotations

import io
import json
import os
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.kit.journals import leave
from umpi.appliance import copies
from umpi.appliance.bundle import MANIFEST, Version
from umpi.appliance.card import CardFault
from umpi.appliance.copies import HELD, back_up, check_copy, newest_copy, read_copy, take_restored, unpack
from umpi.appliance.slots import BoardKernel
from umpi.journal import Journal
from umpi.journal.schema import SCHEMA
from umpi.kernel.nothing import nothing
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find

VERSION = Version("umpi", "1.1", "abc", 5, BoardKernel.DEBIAN, SCHEMA)
FILES = {
    "umpi/measured.json": "{}", "umpi/https/key.pem": "secret", "etc-umpi/umpi.toml": "[box]\n",
    "connections/home.nmconnection": "psk=secret", "ssh/ssh_host_ed25519_key": "host",
}  # fmt: skip


def state_with(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """The state of a box in use, with a match, and what belongs to the running box alone."""
    state = state_with(tmp_path / "state", {**FILES, "umpi/games.db.lock": "", "update.lock": "", "clock/clock": ""})
    leave(state / "umpi" / "games.db", play_out(find("dodeka"), ("Ann", "Ben"), seed=7))
    return state


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


@pytest.fixture
def copy(state: Path, stick: Path) -> Path:
    return back_up(state, state / "umpi" / "games.db", "club box", 1_763_856_000, VERSION, stick, nothing)


def tree(folder: Path) -> dict[str, bytes]:
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def restored(file: Path, state: Path) -> bool:
    unpack(file, Path("games.db"), state, False, nothing)
    return take_restored(state)


def test_a_copy_of_a_running_box_is_its_state_on_another_card(state: Path, stick: Path, tmp_path: Path) -> None:
    """The journal is in use, and its newest lines are still in its write-ahead log."""
    journal = Journal(state / "umpi" / "games.db")
    file = back_up(state, state / "umpi" / "games.db", "club box", 1_763_856_000, VERSION, stick, nothing)
    journal.close()
    assert file.name == "umpi-backup-club-box-20251123-000000.tar"
    found = read_copy(file, check=True)
    assert (found.box, found.matches, found.date) == ("club box", 1, "2025-11-23")
    assert {each.name for each in found.files} == {*FILES, "umpi/games.db"}
    other = state_with(
        tmp_path / "other", {"umpi/games.db": "of a new box", "etc-umpi/umpi.toml": "new", "clock/c": "1"}
    )
    assert restored(file, other)
    assert {name: (other / name).read_text() for name in FILES} == FILES
    assert copies.count_matches(other / "umpi" / "games.db") == 1
    again = Journal(other / "umpi" / "games.db")
    assert again.notice == ""
    again.close()
    assert (other / "before-restore" / "umpi" / "games.db").read_text() == "of a new box"
    assert (other / "umpi" / "https").stat().st_mode & 0o777 == 0o750, "its keys are for the box alone"
    assert (other / "clock" / "c").exists(), "what is no part of a copy stays"
    assert [each.name for each in stick.iterdir()] == [file.name]


def test_a_copy_is_whole_on_the_stick_before_it_has_its_name(
    state: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If somebody pulls the stick right after that, the copy has lost nothing.

    The kernel forgets all of it before it is read back: else it would be compared with memory, and not with the stick.
    """
    synced, sync = list[int](), os.fsync
    forgotten = list[tuple[int, int, int]]()

    def noting(file: int) -> None:
        sync(file)
        synced.append(os.fstat(file).st_size)

    monkeypatch.setattr("os.fsync", noting)
    monkeypatch.setattr("os.posix_fadvise", lambda _, *given: forgotten.append(given))
    file = back_up(state, state / "umpi" / "games.db", "box", 1, VERSION, stick, nothing)
    assert synced[-1] == file.stat().st_size
    assert forgotten == [(0, 0, os.POSIX_FADV_DONTNEED)], "from its first byte to its last"


def test_what_a_game_of_a_shelf_has_is_in_a_copy(state: Path, stick: Path, tmp_path: Path) -> None:
    """Its folders may be deep, its names long, and its files many."""
    deep, many = (
        "/".join(["umpi/packages", *"abcdefgh", "x" * 255]),
        [f"umpi/packages/board-{nth}" for nth in range(5000)],
    )
    state_with(state, dict.fromkeys((deep, *many), "dice"))
    file = back_up(state, state / "umpi" / "games.db", "box", 1, VERSION, stick, nothing)
    found = read_copy(file)
    assert {deep, *many} < {each.name for each in found.files}
    with tarfile.open(file) as tar:
        manifest = tar.getmembers()[0].size
    assert file.stat().st_size < found.size + len(found.files) * 2048 + manifest + (1 << 20), "as long as is checked"
    assert restored(file, tmp_path)
    assert (tmp_path / deep).read_text() == "dice"


def test_each_file_of_a_copy_gets_its_owner_and_may_be_reached(
    state: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bridge reads its password in the folder of root; of an older copy, each file gets the owner of its folder."""
    state_with(state, {"etc-umpi/broker-password": "secret", "etc-umpi/tls/key.pem": "secret", "umpi/odd": ""})
    owners = {"broker-password": "umpi-mqtt", "umpi.toml": "root", "games.db": "umpi", "odd": "ann"}
    given: dict[str, tuple[str, str]] = {}
    monkeypatch.setattr(Path, "owner", lambda file: owners.get(file.name, "root"))
    monkeypatch.setattr(Path, "group", lambda file: "umpi" if file.name == "key.pem" else owners.get(file.name, "root"))
    monkeypatch.setattr("shutil.chown", lambda path, *both: given.update({Path(path).name: both}))
    file = back_up(state, state / "umpi" / "games.db", "box", 1, VERSION, stick, nothing)
    mask = os.umask(0o077)
    try:
        unpack(file, Path("games.db"), state, True, nothing)
    finally:
        os.umask(mask)
    expected = {name: (owner, owner) for name, owner in ({**owners, "odd": "umpi"}).items()}
    assert {name: given[name] for name in [*owners, "key.pem"]} == {**expected, "key.pem": ("root", "umpi")}
    modes = {name: (state / "restored" / name).stat().st_mode & 0o777 for name in ("etc-umpi/tls", "umpi/https")}
    assert modes == {"etc-umpi/tls": 0o755, "umpi/https": 0o750}
    (older,) = read_copy(packed(stick, files=[{"name": "umpi-mqtt/x", "size": 0, "sha256": "0", "mode": 0o600}])).files
    assert older.owner == "umpi-mqtt"


def test_a_stick_that_returns_something_else_keeps_no_copy(
    state: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worn stick takes all that is written, and forgets a part of it."""
    sync = os.fsync

    def worn(file: int) -> None:
        os.pwrite(file, b"\xff" * 512, os.fstat(file).st_size // 2)
        sync(file)

    monkeypatch.setattr("os.fsync", worn)
    with pytest.raises(CardFault, match="is damaged"):
        back_up(state, state / "umpi" / "games.db", "box", 1, VERSION, stick, nothing)
    assert list(stick.iterdir()) == []


def test_a_file_that_vanishes_during_a_copy_is_not_in_it(
    state: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The box goes on: it may replace a file of its own between listing and reading. Nobody else reads what is held."""
    gone, read, modes = state / "umpi" / "passing.txt", shutil.copyfile, set[int]()
    gone.write_text("soon gone")

    def replaced(source: Path, to: Path) -> None:
        gone.unlink(missing_ok=True)
        modes.add((state / HELD).stat().st_mode & 0o777)
        read(source, to)

    monkeypatch.setattr("shutil.copyfile", replaced)
    file = back_up(state, state / "umpi" / "games.db", "box", 1, VERSION, stick, nothing)
    assert {each.name for each in read_copy(file, check=True).files} == {*FILES, "umpi/games.db"}
    assert modes == {0o700}


def test_what_an_earlier_restore_has_put_aside_goes_only_once_the_new_copy_is_whole(copy: Path, tmp_path: Path) -> None:
    other = state_with(tmp_path / "other", {"umpi/games.db": "first"})
    assert restored(copy, other)
    kept = tree(other / "before-restore")
    damaged = bytearray(copy.read_bytes())
    with tarfile.open(copy) as tar:
        damaged[tar.getmembers()[-1].offset_data] ^= 1
    copy.write_bytes(damaged)
    with pytest.raises(CardFault, match="is damaged"):
        unpack(copy, Path("games.db"), other, False, nothing)
    assert tree(other / "before-restore") == kept == {"umpi/games.db": b"first"}


def test_the_newest_copy_is_taken(stick: Path) -> None:
    with pytest.raises(CardFault, match="has no copy of a box"):
        newest_copy(stick)
    dated = ("zoo-20251123-235959", "old-alps-20251124-000000", "den-20251124-000001 (1)", "den-20251124-000002 - Copy")
    for name in ("mine", *dated):
        (stick / f"umpi-backup-{name}.tar").touch()
        (stick / "notes.tar").touch()
        assert newest_copy(stick).name == f"umpi-backup-{name}.tar"


def test_a_copy_of_a_newer_version_is_refused(copy: Path) -> None:
    older = Version("umpi", "1.0", "old", 1, BoardKernel.DEBIAN, SCHEMA - 1)
    with pytest.raises(CardFault, match="Update the box first"):
        check_copy(read_copy(copy), older)
    check_copy(read_copy(copy), VERSION)


def test_each_flipped_byte_of_a_file_is_refused_and_nothing_changes(copy: Path, state: Path) -> None:
    good, before = copy.read_bytes(), tree(state)
    with tarfile.open(copy) as tar:
        places = [each.offset_data + each.size // 2 for each in tar.getmembers()[1:] if each.size]
    for at in places:
        copy.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        with pytest.raises(CardFault, match="Nothing has changed"):
            read_copy(copy, check=True)
        with pytest.raises(CardFault, match="Nothing has changed"):
            unpack(copy, Path("games.db"), state, False, nothing)
        assert tree(state) == before
    for length in (0, 100, 600, len(good) // 2):
        copy.write_bytes(good[:length])
        with pytest.raises(CardFault, match="Nothing has changed"):
            read_copy(copy, check=True)


@pytest.mark.parametrize(
    "name",
    ["../umpi", "umpi/../../etc/passwd", "/etc/passwd", "other/file", "umpi", "umpi/./x", "umpi//x", "umpi/a\0b"],
)
def test_a_copy_writes_only_into_the_state(name: str, tmp_path: Path) -> None:
    with pytest.raises(CardFault, match="it has a file"):
        read_copy(packed(tmp_path, files=[{"name": name, "size": 1, "sha256": "0", "mode": 0o600}]))


@pytest.mark.parametrize(
    "given", ["", "[]", "{}", '{"umpi_copy": 9}', "[" * 60_000, '{"umpi_copy": 1, "files": [1]}', "\0"]
)
def test_what_is_no_copy_says_so(given: str, tmp_path: Path) -> None:
    with pytest.raises(CardFault, match="cannot be read"):
        read_copy(packed(tmp_path, given))


def test_a_link_in_a_copy_is_no_file(tmp_path: Path) -> None:
    def add(tar: tarfile.TarFile) -> None:
        link = tarfile.TarInfo("umpi/x")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/shadow"
        tar.addfile(link)

    file = packed(tmp_path, files=[{"name": "umpi/x", "size": 0, "sha256": "0", "mode": 0o600}], more=add)
    with pytest.raises(CardFault, match="another length"):
        read_copy(file, check=True)


def packed(
    folder: Path, manifest: str | None = None, files: object = (), more: Callable[[tarfile.TarFile], None] = nothing
) -> Path:
    head = {"umpi_copy": 1, "box": "x", "made_s": 1, "version": VERSION.as_json(), "matches": 0, "files": files}
    text = (json.dumps(head) if manifest is None else manifest).encode()
    with tarfile.open(folder / "made.tar", "w") as tar:
        info = tarfile.TarInfo(MANIFEST)
        info.size = len(text)
        tar.addfile(info, io.BytesIO(text))
        more(tar)
    return folder / "made.tar"


class PowerCut(BaseException):
    """The power fails."""


class Power:
    """Count the changes of names, and fail instead of the one after `left`; None for never."""

    def __init__(self, left: int | None, patched: pytest.MonkeyPatch) -> None:
        self.left, self.steps = left, 0
        for owner, name in ((Path, "rename"), (Path, "mkdir"), (shutil, "rmtree")):
            patched.setattr(owner, name, self._counted(getattr(owner, name)))

    def _counted(self, act: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*words: Any, **named: Any) -> Any:
            if self.steps == self.left:
                raise PowerCut
            self.steps += 1
            return act(*words, **named)

        return counted


def test_a_power_cut_at_each_step_leaves_the_old_state_or_the_new_one(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each change of a name is a step. After a cut the box starts again."""
    old = {"umpi/games.db": "old", "etc-umpi/umpi.toml": "old", "ssh/ssh_host_ed25519_key": "old"}
    whole = state_with(tmp_path / "whole", old)
    with monkeypatch.context() as patched:
        power = Power(None, patched)
        restored(copy, whole)
    assert power.steps > 15
    kept = {"old": 0, "new": 0}
    for cut in range(power.steps):
        state = state_with(tmp_path / f"state-{cut}", old)
        with monkeypatch.context() as patched:
            Power(cut, patched)
            with pytest.raises(PowerCut):
                restored(copy, state)
        committed = (state / "restored").exists() or (state / "before-restore").exists()
        take_restored(state)
        found = {name: (state / name).read_bytes() for name in old}
        if committed:
            assert found["etc-umpi/umpi.toml"] == b"[box]\n", cut
            assert found["ssh/ssh_host_ed25519_key"] == b"host", cut
            assert copies.count_matches(state / "umpi" / "games.db") == 1, cut
        else:
            assert {*found.values()} == {b"old"}, cut
        kept["new" if committed else "old"] += 1
        assert not (state / "restored").exists()
        assert not (state / "restored.new").exists()
    assert kept["old"] > 5
    assert kept["new"] > 5


# The bounds and the order of a copy


def test_a_copy_has_its_files_in_order_with_their_modes(state: Path, stick: Path) -> None:
    for name in "qwertyuiop":
        (state / "umpi" / name).write_text(name)
    (state / "umpi/https/key.pem").chmod(0o640)
    shown: list[tuple[int, int]] = []
    file = back_up(state, state / "umpi" / "games.db", "q" * 41, 5, VERSION, stick, lambda *at: shown.append(at))
    assert file.name == f"umpi-backup-{'q' * 40}-19700101-000005.tar"
    copy = read_copy(file)
    names = sorted([*FILES, "umpi/games.db", *(f"umpi/{name}" for name in "qwertyuiop")])
    assert [each.name for each in copy.files] == names
    assert {each.name: oct(each.mode) for each in copy.files}["umpi/https/key.pem"] == "0o640"
    sizes = [each.size for each in copy.files]
    assert shown == [(sum(sizes[: number + 1]), copy.size) for number in range(len(sizes))]
    with tarfile.open(file) as tar:
        members = [(each.name, each.mode, each.mtime) for each in tar.getmembers()]
    assert members == [(name, 0o600, 5) for name in (MANIFEST, *names)]
    for box, called in (("", "umpi"), ("Ann's box", "Ann-s-box")):
        name = back_up(state, state / "umpi" / "games.db", box, 5, VERSION, stick, nothing).name
        assert name == f"umpi-backup-{called}-19700101-000005.tar"


def test_a_copy_needs_no_more_room_than_it_says(
    state: Path, stick: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the byte: with one byte less, it says how many MB it needs."""
    journal = state / "umpi" / "games.db"
    found = read_copy(copy)
    held = sum((state / name).stat().st_size for name in (*FILES, "umpi/games.db")) + (32 << 20)
    with tarfile.open(copy) as tar:
        manifest = tar.getmembers()[0].size
    free = {stick: found.size + len(found.files) * 2048 + manifest + (1 << 20), state: held}
    monkeypatch.setattr("shutil.disk_usage", lambda place: SimpleNamespace(free=free[place]))
    back_up(state, journal, found.box, found.made_s, VERSION, stick, nothing)
    kept, there = tree(state), tree(stick)
    free[stick] -= 1
    with pytest.raises(CardFault, match=r"^The stick is full: the copy needs 2 MB\.$"):
        back_up(state, journal, found.box, found.made_s, VERSION, stick, nothing)
    free[stick] += 1
    free[state] -= 1
    with pytest.raises(CardFault, match=r"^The card is full: it has 32 MB free, and the copy needs 32 MB\.$"):
        back_up(state, journal, found.box, found.made_s, VERSION, stick, nothing)
    assert (tree(state), tree(stick)) == (kept, there)
    free[state] = found.size + (32 << 20)
    unpack(copy, Path("games.db"), state, False, nothing)
    kept = tree(state)
    free[state] -= 1
    with pytest.raises(CardFault, match=r"^The card is too small: it has 32 MB free, and the copy needs 32 MB\.$"):
        unpack(copy, Path("games.db"), state, False, nothing)
    assert tree(state) == kept


UNREADABLE = "The copy made.tar cannot be read: "
ONE = {"name": "umpi/x", "size": 0, "sha256": "0", "mode": 0o600}
DAY = {"umpi_copy": 1, "box": "x", "made_s": 1, "matches": 0, "files": []}


@pytest.mark.parametrize(
    ("given", "files", "why"),
    [
        ('{"umpi_copy": 9}', (), "it has form 9, and this Umpi reads form 1"),
        (None, [ONE, ONE], "it has a file twice"),
        (None, [{**ONE, "size": -1}], "it has a file 'umpi/x'"),
        (None, [{**ONE, "owner": "ann"}], "it has a file 'umpi/x'"),
        (None, [{**ONE, "name": "x" * 90}], f"it has a file '{'x' * 60}'"),
        (" " * ((16 << 20) + 1), (), "it does not start with a manifest.json"),
        (None, [ONE], "\"filename 'umpi/x' not found\""),
    ],
)
def test_a_copy_that_is_wrong_says_what_is_wrong(given: str | None, files: object, why: str, tmp_path: Path) -> None:
    with pytest.raises(CardFault) as fault:
        read_copy(packed(tmp_path, given, files), check=True)
    assert fault.value.reason == f"{UNREADABLE}{why}. Nothing has changed."


def test_a_manifest_of_a_copy_may_be_as_long_as_its_bound(tmp_path: Path) -> None:
    text = json.dumps({**DAY, "version": VERSION.as_json()})
    assert read_copy(packed(tmp_path, text.ljust(16 << 20))).date == "1970-01-01"


def test_a_copy_whose_matches_are_damaged_is_not_used(state: Path, stick: Path) -> None:
    journal = state / "umpi" / "games.db"
    whole = journal.read_bytes()
    for content, why in ((b"Dear Ann, " * 50, "not a database"), (whole[: len(whole) // 2], "malformed")):
        file = back_up(state, state / "umpi" / "other.db", "box", 1, VERSION, stick, nothing)
        with tarfile.open(file, "r") as tar:
            listed = json.loads(tar.extractfile(MANIFEST).read())["files"]  # type: ignore[union-attr]
        assert "umpi/games.db" in {each["name"] for each in listed}
        journal.write_bytes(content)
        file = back_up(state, state / "umpi" / "other.db", "box", 2, VERSION, stick, nothing)
        with pytest.raises((CardFault, ValueError), match=why):
            unpack(file, Path("games.db"), state, False, nothing)
        assert not (state / "restored").exists()
        assert not (state / "restored.new").exists()


def test_a_folder_that_was_made_again_after_a_cut_gives_way_to_that_of_the_copy(tmp_path: Path) -> None:
    state_with(tmp_path, {"restored/umpi/x": "of the copy", "before-restore/umpi/x": "of before", "umpi/x": "again"})
    assert take_restored(tmp_path)
    assert tree(tmp_path) == {"umpi/x": b"of the copy", "before-restore/umpi/x": b"of before"}
    assert not take_restored(tmp_path)
