"""Fixtures of the page's tests: boxes that serve it, and pages that are open."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.browsing import Phone, Sim, a_game_of_dodekka
from tests.kit.foreign_table import install_ferry
from tests.kit.resumed import resumed_pages
from umpi.kernel import registry
from umpi.kernel.registry import find


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


@pytest.fixture(scope="module")
def page(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phone]:
    """A page of a box at its start screen, whose modules are loaded one by one."""
    with Sim(tmp_path_factory.mktemp("boards") / "games.db", "--lanes", "0") as sim:
        phone = Phone(browser, sim.address(9) + "index.html", 1280, 800)
        phone.find("#turn")
        phone.complaints()
        yield phone
        phone.here.close()
        browser.switch_to.window(browser.window_handles[0])


@pytest.fixture
def ferry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Night ferry is installed, also for the box that a test starts."""
    install_ferry(tmp_path / "site")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.syspath_prepend(tmp_path / "site")
    registry.look_again()
    yield find("night-ferry")
    monkeypatch.undo()
    registry.look_again()
