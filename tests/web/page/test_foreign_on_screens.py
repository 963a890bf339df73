"""A foreign game with a board of its own on every screen, and one whose board fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.kit.resumed import BELOW, CUT
from umpi.kernel import Act
from umpi.kernel.match import Match

pytestmark = pytest.mark.slow  # each needs a browser

KEYS = "return [...document.querySelectorAll('#board [data-key]')].map((one) => one.dataset.key)"
SIZES = ((360, 740, "table"), (740, 360, "table"), (1280, 800, "table"), (1280, 720, "tv"), (1920, 1080, "tv"))


def test_a_foreign_game_is_drawn_on_each_screen_with_the_keys_of_its_pieces(open_at: Any, ferry: Any) -> None:
    match = Match(ferry, ("Ann", "Ben"), {})
    match.play(Act("row", {"dice": (1, 4)}))
    sim, phone = open_at(match, 1280, 800, "table")
    for width, height, view in SIZES:
        phone.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        phone.wait("return innerWidth === arguments[0]", width)
        phone.go(view)
        phone.find("#board svg.b-foreign")
        assert phone.here.execute_script("return document.documentElement.scrollWidth") <= width
        assert phone.here.execute_script(CUT) == [], (width, view)
        assert view != "tv" or phone.here.execute_script(BELOW) == [], width
    keys = phone.here.execute_script(KEYS)
    assert keys.index("traveller-0") < keys.index("level-0") < keys.index("water") < keys.index("traveller-1")
    assert not phone.here.execute_script("return document.querySelector('#scores .rows').checkVisibility()")
    assert not phone.complaints()
    (past,) = sim.get("api/matches")
    phone.go(f"past/{past['id']}")
    phone.find(".replay svg.b-foreign [data-key='traveller-0']")


def test_a_game_whose_board_fails_has_its_rows(open_at: Any, ferry: Any, tmp_path: Path) -> None:
    code = tmp_path / "site" / "night_ferry.py"
    code.write_text(code.read_text(encoding="utf-8").replace('Token("water"', 'Token("traveller-0"'), encoding="utf-8")
    _, phone = open_at(Match(ferry, ("Ann", "Ben"), {}), 1280, 720, "tv")
    phone.reads("#scores .rows", "waiting", "8")
    assert phone.here.execute_script("return document.querySelector('#board').childElementCount") == 0
    assert not phone.complaints()
