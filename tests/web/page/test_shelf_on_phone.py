"""Games of other people on the referee's phone, in the browser: a shelf is added, its game installed and removed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.kit.browsing import Sim, pair
from tests.kit.page_faults import faults
from tests.kit.tabs import served
from tests.kit.wheels import EXPANSION, GAME, KEY, expansion, package_of_expansion, put_on_shelf, wheel

pytestmark = pytest.mark.slow  # each needs a browser


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A box whose games of a shelf are those of this test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with Sim(tmp_path / "games.db", "--lanes", "0") as sim:
        sim.sees("Which game?")
        yield sim


def test_a_game_of_a_shelf_on_the_referees_phone(box: Sim, phones: Any, tmp_path: Path) -> None:
    put_on_shelf(tmp_path / "shelf", wheel())
    referee = phones(box, 4)
    pair(box, referee, None)
    referee.go("pair")
    referee.tap(".shelf-work summary")
    referee.reads(".shelf-work", "No shelf has been added yet.")
    with served(tmp_path / "shelf") as address:
        where = address.rstrip("/")
        referee.tap(".shelf-work input")
        referee.type(where)
        referee.tap(".shelf-work [data-key=add]")
        referee.reads(".shelf-work", "Compare its key")
        referee.reads(".shelf-work", "2 to 6 players · about")
        assert KEY.public in referee.here.execute_script("return document.querySelector('.shelf-work').textContent")
        assert faults(referee) == []
        referee.tap(f"[data-key='install {where} {GAME}']")
        referee.reads(".shelf-work", "A game is a program.")
        referee.tap(f"[data-key='yes install {where} {GAME}']")
        referee.reads(".shelf-work", "will be available after the next start of the box.")
        assert faults(referee) == []
        assert list((tmp_path / "data" / "umpi" / "packages").glob("umpi-night-owls-0.1-*"))
        referee.tap(f"[data-key='remove {GAME}']")
        referee.tap(f"[data-key='yes remove {GAME}']")
        referee.reads(".shelf-work", "will be removed at the next start")
        put_on_shelf(tmp_path / "shelf", wheel("0.2"))
        referee.tap(f"[data-key='install {where} {GAME}']")
        referee.tap(f"[data-key='yes install {where} {GAME}']")
        referee.reads(".shelf-work .objection", "Nothing has changed.")
        put_on_shelf(tmp_path / "shelf", expansion(), package_of_expansion(expansion()))
        referee.tap("[data-key=look]")
        referee.reads(".shelf-work", "expands Dodéka dice")
        referee.tap(f"[data-key='install {where} {EXPANSION}']")
        referee.tap(f"[data-key='yes install {where} {EXPANSION}']")
        referee.reads(".shelf-work", "Late hour 0.1 will be available after the next start")
        assert faults(referee) == []
        referee.tap(f"[data-key='remove {EXPANSION}']")
        referee.tap(f"[data-key='yes remove {EXPANSION}']")
        referee.reads(".shelf-work", "late-hour will be removed at the next start")
    assert referee.complaints() == []
