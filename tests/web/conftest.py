"""Fixtures of the page's tests: boxes that serve it, and pages that are open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.browsing import Phone, Sim, a_game_of_dodekka
from tests.kit.resumed import resumed_pages


@pytest.fixture
def sim(tmp_path: Path) -> Iterator[Sim]:
    """A box at which Red and Blue have begun a game of Dodekka."""
    with a_game_of_dodekka(tmp_path / "games.db") as sim:
        yield sim


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Sim]:
    """A box at its start screen."""
    with Sim(tmp_path / "games.db", "--lanes", "0") as sim:
        sim.sees("Which game?")
        yield sim


@pytest.fixture
def open_at(tmp_path: Path, browser: Any) -> Iterator[Callable[..., tuple[Sim, Phone]]]:
    """Open a page of a box that resumes a match: `open_at(match, 1280, 720, "tv")`."""
    with resumed_pages(browser, tmp_path / "games.db") as open:
        yield open
