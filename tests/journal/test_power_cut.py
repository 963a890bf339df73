"""The power cut after any call: whatever of the unsynced is left, what was shown is there, in order, none half."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.kit.faulty import FAULTS, Disk
from tests.kit.power_cuts import cuts, lay_out, play
from tests.kit.sampling import QUICK, SOAK

SEED, STEPS = 5, 30  # ./scripts/dev kill: longer plays, other seeds


@pytest.fixture
def disk(disk: Disk) -> Iterator[Disk]:
    """The layer below every journal of a test, its pages moved out of the -wal after four."""
    with disk.checkpoints(4):
        yield disk


@pytest.mark.slow
def test_shown_acts_are_on_disk_after_a_power_cut(disk: Disk, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """What was shown was on disk before, and a torn end of the -wal is not taken for damage."""
    played = play(disk, tmp_path / "games.db", SEED, STEPS)
    ahead = set()
    for number, _, found in cuts(
        disk, played, tmp_path / "found", Random(SEED), every=1 if SOAK else 15 if QUICK else 3
    ):
        ahead.add(found != played.books[number][0])
    assert ahead == {False, True}, "some cuts fall between an act on disk and its being shown"
    assert "its -wal" not in caplog.text


@pytest.mark.slow
def test_shown_acts_are_on_disk_after_failed_syncs_and_a_power_cut(disk: Disk, tmp_path: Path) -> None:
    """A card that fails for a while and then loses its power: no write is worth anything that no good sync followed."""
    for first in range(0, 40, 8):
        folder = tmp_path / str(first)
        folder.mkdir()
        disk.mend()
        disk.fail(FAULTS["sync fails"], first, 3)
        played = play(disk, folder / "games.db", SEED, STEPS)
        assert disk.hit == 3
        assert list(cuts(disk, played, tmp_path / "found", Random(first), every=5))


@pytest.mark.slow
def test_the_journal_continues_after_two_power_cuts(disk: Disk, tmp_path: Path) -> None:
    """Whatever was found, the box plays on with it, and loses nothing of the old or the new at the next cut."""
    first = play(disk, tmp_path / "games.db", SEED, STEPS)
    path = tmp_path / "found" / "games.db"
    for number, _, found in cuts(disk, first, path.parent, Random(SEED), every=29):
        lay_out({file.name: file.read_bytes() for file in path.parent.iterdir()}, tmp_path / "on")
        second = play(disk, tmp_path / "on" / "games.db", number, 6, found)
        assert list(cuts(disk, second, tmp_path / "again", Random(number), every=7))
