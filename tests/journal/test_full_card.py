"""A card that is full or read-only, as the kernel reports: play continues, and is saved once there is room."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests.kit.books import ANOTHER, OFF_AND_ON, Book, Scribe, a_play, read_book
from umpi.cli import main
from umpi.journal.recovery import check_file

SEED, STEPS = 11, 30
NOBODY = 65534


@contextmanager
def files_no_longer_than(size: int) -> Iterator[None]:
    """Have the kernel refuse every write past so many bytes of a file (setrlimit(2), RLIMIT_FSIZE)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("size", [*range(0, 6 * 4096, 1365), 32 * 1024, 64 * 1024, 128 * 1024])
def test_writes_refused_past_so_many_bytes_are_made_later(tmp_path: Path, size: int) -> None:
    path = tmp_path / "games.db"
    with files_no_longer_than(size):
        scribe = Scribe(path)
        saved = [scribe.do(step) for step in a_play(SEED, STEPS)]
        assert not saved[-1]
        assert str(path) in scribe.journal.trouble
    assert scribe.journal.save(), scribe.journal.trouble
    assert read_book(path) == scribe.book
    scribe.close()
    assert read_book(path) == scribe.book


@pytest.mark.slow
def test_a_journal_that_was_full_when_the_box_went_off_has_all_that_was_shown(tmp_path: Path) -> None:
    """What stood under NOT SAVED is gone with the power, and nothing else; none of it is there by half."""
    path = tmp_path / "games.db"
    for size in range(4096, 40 * 4096, 3 * 4096 + 1000):
        path.unlink(missing_ok=True)
        with files_no_longer_than(size):
            scribe = Scribe(path)
            shown, tried = Book(), [Book()]
            for step in a_play(SEED, STEPS):
                if scribe.do(step):
                    shown = scribe.book.copy()
                tried.append(scribe.book.copy())
            scribe.close()
        there = read_book(path)
        assert there in tried
        assert tried.index(there) >= tried.index(shown)


@pytest.fixture
def small_card() -> Iterator[Path]:
    """A file system of 512 kB."""
    folder = Path(mkdtemp(prefix="umpi-card-"))
    mounted = os.geteuid() == 0 and _run("mount", "-t", "tmpfs", "-o", "size=512k", "none", str(folder))
    if not mounted:
        folder.rmdir()
        pytest.skip("a small file system can only be mounted by root, where mounting is allowed")
    try:
        yield folder
    finally:
        _run("umount", "-l", str(folder))
        folder.rmdir()


def _run(*command: str) -> bool:
    return bool(shutil.which(command[0])) and subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.slow
def test_a_full_card_is_trouble_until_there_is_room(small_card: Path) -> None:
    """No space left on device, for the journal as for the memory SQLite shares: filled up between any two steps."""
    path, filler = small_card / "games.db", small_card / "holiday.avi"
    for full_from in range(STEPS):
        scribe = Scribe(path)
        for at, step in enumerate(a_play(SEED, STEPS)):
            if at == full_from:
                _fill(filler)
            if step[0] != OFF_AND_ON:
                scribe.do(step)
        filler.unlink()
        assert scribe.journal.save(), scribe.journal.trouble
        scribe.close()
        assert read_book(path) == scribe.book
        for file in small_card.iterdir():
            file.unlink()


def _fill(file: Path) -> None:
    with file.open("wb", buffering=0) as filled:
        try:
            while filled.write(bytes(4096)):
                pass
        except OSError:
            return


@pytest.fixture
def player() -> Iterator[Path]:
    """A folder that the kernel can close to the user of the test, who is not root meanwhile."""
    folder = Path(mkdtemp(prefix="umpi-card-"))
    if os.geteuid():
        yield folder
    else:
        os.chown(folder, NOBODY, -1)
        os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            os.seteuid(0)
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_folder_that_takes_no_files_is_trouble_until_it_does(player: Path) -> None:
    player.chmod(0o555)
    scribe = Scribe(player / "games.db")
    for step in a_play(SEED, STEPS):
        assert not scribe.do(step)
    assert str(player / "games.db") in scribe.journal.trouble
    player.chmod(0o755)
    assert scribe.journal.save(), scribe.journal.trouble
    scribe.close()
    assert read_book(player / "games.db") == scribe.book


@pytest.mark.parametrize("whole_folder", [False, True], ids=["the file", "file and folder"])
def test_games_that_may_only_be_read_stay_as_they_are_and_the_new_ones_wait(player: Path, whole_folder: bool) -> None:
    """As on a card that has made itself read-only, which is how they die."""
    path = player / "games.db"
    before = Scribe(path)
    for step in a_play(SEED, STEPS):
        assert before.do(step)
    before.close()
    content = path.read_bytes()
    path.chmod(0o444)
    if whole_folder:
        player.chmod(0o555)
    scribe = Scribe(path)
    assert not scribe.do(ANOTHER)
    assert not scribe.do(("speak", "hu"))
    assert path.read_bytes() == content
    player.chmod(0o755)
    for file in player.iterdir():
        file.chmod(0o644)
    assert scribe.journal.save(), scribe.journal.trouble
    scribe.close()
    there = read_book(path)
    assert (there.pages, there.language) == (before.book.pages + scribe.book.pages, "hu")


@pytest.fixture
def broken_off(player: Path) -> Path:
    """A journal with a log beside it, as after a power cut."""
    path = player / "games.db"
    before = Scribe(path)
    for step in a_play(SEED, STEPS):
        assert before.do(step)
    assert path.with_name("games.db-wal").stat().st_size
    for file in ("games.db", "games.db-wal"):
        shutil.copy(player / file, player / f"of-{file}")
    before.close()
    return player / "of-games.db"


def test_a_journal_that_may_not_be_read_is_not_called_damaged(
    broken_off: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken_off.chmod(0)
    for command in ("history", "stats"):
        assert main([command, "--journal", str(broken_off)]) == 2
        assert capsys.readouterr().err.endswith(f"umpi: {broken_off}: Permission denied\n")
    check_file(broken_off)  # a box plays with it, and says NOT SAVED
    broken_off.chmod(0o644)


def test_a_log_in_a_folder_that_takes_no_files_is_said(broken_off: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken_off.parent.chmod(0o555)
    assert main(["history", "--journal", str(broken_off)]) == 2
    assert "Copy it and its -wal into a folder that you may write" in capsys.readouterr().err
    broken_off.parent.chmod(0o755)
    assert main(["history", "--journal", str(broken_off)]) == 0
