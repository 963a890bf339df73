"""Fixtures of the journal's tests: its file, the layer below SQLite, and what a box leaves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.books import Scribe, a_play
from tests.kit.damage import DB, SEED, Games
from tests.kit.faulty import Disk, Unreachable


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The journal of a test; it is not there yet."""
    return tmp_path / "games.db"


@pytest.fixture(scope="module")
def layer() -> Disk:
    """The layer below SQLite, which can fail."""
    try:
        return Disk()
    except Unreachable as fault:
        pytest.skip(str(fault))


@pytest.fixture
def disk(layer: Disk) -> Iterator[Disk]:
    """The layer below every journal of a test, as if it were new."""
    layer.log.clear()
    layer.mend()
    with layer.in_use():
        yield layer
        layer.mend()


@pytest.fixture(scope="module")
def switched_off(tmp_path_factory: pytest.TempPathFactory) -> Games:
    """A journal as a box leaves it that is switched off: one file."""
    scribe = Scribe(tmp_path_factory.mktemp("off") / DB)
    for step in a_play(SEED, 60):
        assert scribe.do(step)
    scribe.close()
    return Games({DB: scribe.path.read_bytes()}, scribe.book)
